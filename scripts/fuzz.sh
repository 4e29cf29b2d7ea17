#!/usr/bin/env bash
# Builds the fuzz harnesses with clang and the address and undefined-behaviour sanitizers, and runs each for a while,
# as many at once as there are cores.
#
#   scripts/fuzz.sh [seconds in all, default 60] [harness ...]
#
# The seconds are of the clock, shared among the harnesses; building is extra. scripts/fuzz.sh 3600 takes an hour. The seed is
# fixed, so two runs of the same length do the same work as far as the clock allows. What was found stays in
# build/asan/findings, and the corpus in build/asan/corpus makes the next run begin where this one ended. The first begins
# with tests/fuzz/corpus, which is minimised: such an archive holds what `-set_cover_merge=1` keeps of a corpus.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

total=${1:-60}
shift || true
export build=${QUARRY_FUZZ_BUILD:-build/asan}
./scripts/setup.sh fuzz
if [[ $# -gt 0 ]]; then names=("$@"); else
  names=()
  for source in tests/fuzz/*_fuzz.cpp; do names+=("$(basename "$source" .cpp)"); done
fi

# Each has its share of all cores, and at least a second.
cores=$(nproc)
seconds=$((total * (cores < ${#names[@]} ? cores : ${#names[@]}) / ${#names[@]}))
export seconds=$((seconds > 0 ? seconds : 1))

cmake --preset asan -B "$build" >/dev/null
cmake --build "$build" --parallel "$(./scripts/jobs.sh)" --target "${names[@]/#/quarry_}"

# Runs the harness of that name; its whole output stays beside what it finds.
fuzz() {
  local corpus=$build/corpus/$1 findings=$build/findings/$1 status=0
  mkdir -p "$corpus" "$findings"
  local kept=tests/fuzz/corpus/$1.tar.gz
  if [[ -f $kept ]]; then tar -xzf "$kept" -C "$corpus"; fi
  "$build/tests/fuzz/quarry_$1" "$corpus" -seed=20251120 -max_total_time="$seconds" \
    -max_len=4096 -timeout=20 -rss_limit_mb=2048 -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$findings/" \
    >"$findings/log" 2>&1 || status=1
  # In one piece, for others write too.
  printf '%s\n' "== $1: $seconds s$([[ $status -eq 0 ]] || echo ", found something: $findings")
$(grep -E 'number_of_executed_units|ERROR|SUMMARY|cov:' "$findings/log" | tail -n 3)"
  return $status
}
export -f fuzz
printf '%s\0' "${names[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -euc 'fuzz "$0"'
