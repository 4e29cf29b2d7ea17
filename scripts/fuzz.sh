#!/usr/bin/env bash
# Builds the fuzz harnesses with clang and the address and undefined-behaviour sanitizers, and runs each for a while.
#
#   scripts/fuzz.sh [seconds each, default 60] [harness ...]
#
# The seed is fixed, so two runs of the same length do the same work as far as the clock allows. What was found stays
# in build/fuzz/findings, and the corpus in build/fuzz/corpus makes the next run begin where this one ended.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${1:-60}
shift || true
build=${QUARRY_FUZZ_BUILD:-build/fuzz}
clang=$(command -v clang++ || command -v clang++-14 || true)
if [[ -z $clang ]]; then
  echo "fuzz.sh needs clang++ (Debian package clang)" >&2
  exit 2
fi
if [[ $# -gt 0 ]]; then names=("$@"); else
  names=()
  for source in tests/fuzz/*_fuzz.cpp; do names+=("$(basename "$source" .cpp)"); done
fi

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER="$clang" \
  -DCMAKE_CXX_FLAGS="-fsanitize=fuzzer-no-link" -DQUARRY_SANITIZE=address,undefined \
  -DQUARRY_FUZZ=ON -DQUARRY_TESTS=ON -DQUARRY_BENCH=OFF -DQUARRY_PYTHON=OFF >/dev/null
ninja -C "$build" "${names[@]/#/quarry_}"

status=0
for name in "${names[@]}"; do
  corpus=$build/corpus/$name findings=$build/findings/$name
  mkdir -p "$corpus" "$findings"
  echo "== $name: $seconds s"
  "$(find "$build" -name "quarry_$name" -type f -perm -u+x | head -n 1)" "$corpus" -seed=20251120 -max_total_time="$seconds" \
    -max_len=4096 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$findings/" \
    >"$findings/log" 2>&1 || { status=1; echo "   found something: $findings" >&2; }
  grep -E 'number_of_executed_units|ERROR|SUMMARY|cov:' "$findings/log" | tail -n 3
done
exit $status
