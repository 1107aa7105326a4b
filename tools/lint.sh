#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# All checks that need no run of the program; each says what it found and how to mend it.
#
#   tools/lint.sh          check
#   tools/lint.sh --fix    format in place, check nothing
set -uo pipefail
cd "$(dirname "$0")/.."
llvm=$(tools/llvm.sh)
mapfile -t sources < <(git ls-files --cached --others --exclude-standard -- \
  'src/*.h' 'src/*.cpp' 'apps/*.h' 'apps/*.cpp' 'python/*.h' 'python/*.cpp' 'tests/*.h' 'tests/*.cpp' \
  'bench/*.h' 'bench/*.cpp' 'scenes/*.h' 'scenes/*.cpp' 'examples/*.cpp')
existing=()
for f in "${sources[@]}"; do [ -f "$f" ] && existing+=("$f"); done

if [ "${1:-}" = --fix ]; then
  "clang-format-$llvm" -i "${existing[@]}" && echo "formatted ${#existing[@]} files"
  exit
fi

failed=()
step() {
  local name=$1 started=$SECONDS
  shift
  if "$@"; then echo "lint: $name ok ($((SECONDS - started)) s)"; else failed+=("$name"); fi
}
check_format() {
  # Another version lays out a few constructs differently; a machine that has no 19 must not fail for it.
  if [ "$llvm" -lt 19 ]; then echo "lint: clang-format $llvm is older than 19: format not checked"; return 0; fi
  local places
  places=$("clang-format-$llvm" --dry-run -Werror "${existing[@]}" 2>&1 | sed -n 's/^\([^ :]*:[0-9]*\):.*error:.*/\1/p')
  [ -z "$places" ] && return 0
  echo "$places" | cut -d: -f1 | sort | uniq -c | sed 's/$/: places that clang-format would change/'
  echo "cure: make format"
  return 1
}

step format check_format
step layers tools/check_layers.py
step files tools/check_files.py
step documents tools/check_docs.py
step clang-tidy tools/tidy.py "$llvm"

if [ ${#failed[@]} -gt 0 ]; then
  echo "lint: FAILED: ${failed[*]}"
  exit 1
fi
echo "lint: all good (${#existing[@]} C++ files)"
