#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the Python to make the venv with. MuJoCo 4.0's wheel needs 3.11 or newer: Debian 12 has
# 3.11, Ubuntu 24.04 3.12; Ubuntu 22.04 has 3.10 by default and 3.11 beside it.
#
#   tools/python.sh              python3 or python3.11
#   tools/python.sh --packages   the Debian/Ubuntu packages of that Python
set -euo pipefail
release=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${VERSION_ID:-}" || true)
python=python3
[ "$release" = "ubuntu 22.04" ] && python=python3.11
if [ "${1:-}" = --packages ]; then
  echo "$python" "$python-venv" "$python-dev"
else
  echo "$python"
fi
