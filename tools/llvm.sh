#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the LLVM version to use: 19 where it is to be had (Debian 12, Ubuntu 24.04), else the
# newest one (15 on Ubuntu 22.04). Installed versions win, so that a set-up machine needs no look-up.
# With --known, fails instead of guessing when there are no package lists.
set -euo pipefail
for v in 19 20 18 17 16 15 14; do
  if command -v "clang-format-$v" >/dev/null && command -v "clang-tidy-$v" >/dev/null; then echo "$v"; exit; fi
done
for v in 19 18 17 16 15 14; do
  if [ -n "$(apt-cache policy "clang-format-$v" 2>/dev/null | sed -n 's/^ *Candidate: //p' | grep -v none)" ]; then echo "$v"; exit; fi
done
[ "${1:-}" = --known ] && exit 1
echo 19  # a machine without package lists: apt.sh refreshes them and installs this
