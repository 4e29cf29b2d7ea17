#!/usr/bin/env bash
# Measures an engine, or how graphs are read: bench/run.sh match|similar|mine|graph [--quick]
# Builds the release preset, prints a table, and records the numbers in bench/baselines/ENGINE.json. A quick run, which
# takes under a minute, measures too little to be a baseline: its record goes to build/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  echo "usage: bench/run.sh match|similar|mine|graph [--quick]" >&2
  exit 2
}
engine=${1:-} quick=()
case $engine in match | similar | mine | graph) ;; *) usage ;; esac
case $#:${2:-} in
  1:) record=bench/baselines/$engine.json ;;
  2:--quick) quick=(--quick) record=build/$engine-quick.json ;;
  *) usage ;;
esac

./scripts/setup.sh
mkdir -p build bench/baselines
cmake --preset release >build/configure.log 2>&1 || {
  cat build/configure.log >&2
  exit 1
}
cmake --build --preset release --target quarry_cli "quarry_bench_$engine" --parallel "$(nproc)" >&2

commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
if [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then commit+=-modified; fi
"build/release/bench/quarry_bench_$engine" "${quick[@]}" --commit "$commit" --program build/release/quarry \
  --json "$record"
echo "recorded in $record"
