#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs every libFuzzer program (*_fuzz) of a folder for so many seconds. New inputs go to
# .cache/fuzz/NAME_fuzz, where the next run finds them; tests/fuzz/corpus/NAME stays small and in the
# repository. A finding is written to out/fuzz and ends the run.
#
#   tools/run_fuzz.sh build/fuzz/tests/fuzz 60
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1 seconds=$2
programs=$(find "$folder" -maxdepth 1 -type f -perm -u+x -name '*_fuzz' 2>/dev/null | sort || true)
[ -n "$programs" ] || { echo "no *_fuzz program in $folder" >&2; exit 1; }

mkdir -p out/fuzz
for program in $programs; do
  name=$(basename "$program")
  seeds=tests/fuzz/corpus/${name%_fuzz}
  mkdir -p ".cache/fuzz/$name"
  echo "fuzz: $name for $seconds s"
  "$program" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="out/fuzz/$name-" \
    ".cache/fuzz/$name" $([ -d "$seeds" ] && echo "$seeds")
done
