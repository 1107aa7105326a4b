#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs every Google Benchmark program (*_bench) below a folder, and keeps JSON reports with machine,
# compiler and commit in out/bench.
#
#   tools/run_bench.sh build/release/bench [filter]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1 filter=${2:-.}
programs=$(find "$folder" -type f -perm -u+x -name '*_bench' 2>/dev/null | sort || true)
[ -n "$programs" ] || { echo "no *_bench program below $folder" >&2; exit 1; }

mkdir -p out/bench
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "${folder%%/bench*}/CMakeCache.txt" | head -n 1)
compiler=$("$compiler" --version | head -n 1)
echo "commit $commit, $compiler"
for program in $programs; do
  name=$(basename "$program")
  "$program" --benchmark_filter="$filter" --benchmark_context=commit="$commit" \
    --benchmark_context=compiler="$compiler" --benchmark_out_format=json --benchmark_out="out/bench/$name.json"
done
