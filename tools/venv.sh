#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes a venv and installs a requirements file into it, when the file is not the one installed last.
#
#   tools/venv.sh .venv tools/requirements.txt
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 requirements=$2

wanted=$(sha256sum <"$requirements")
[ "$(cat "$venv/.requirements.sha256" 2>/dev/null || true)" = "$wanted" ] && exit 0

python=$(tools/python.sh)
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "tools/venv.sh: $("$python" --version) is too old; MuJoCo's wheel needs Python 3.11 or newer" >&2
  exit 1
}
echo "venv: installing into $venv: $(grep -v '^#' "$requirements" | tr '\n' ' ')"
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -r "$requirements" || {
  echo "tools/venv.sh: pip could not install $requirements; check the network, then run make again" >&2
  exit 1
}
echo "$wanted" >"$venv/.requirements.sha256"
