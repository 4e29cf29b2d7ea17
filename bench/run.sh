#!/usr/bin/env bash
# Measures, in a release build, and records the numbers:
#
#   bench/run.sh match|similar|mine|watch|dock|graph|ingest [--quick]  on the host: bench/baselines/match.json and so on
#   bench/run.sh match|similar|mine|watch|dock --device D [--quick]  on a device: bench/baselines/match-PLATFORM.json
#   bench/run.sh tune match [--device D] [--quick]  how its work is best cut there: bench/baselines/tune-PLATFORM.json
#   bench/run.sh tune similar --device D [--quick]  its fastest form there: bench/baselines/tune-similar-PLATFORM.json
#   bench/run.sh tune dock --device D [--quick]   lanes of a team, with CUDA by most registers: tune-dock-PLATFORM.json
#   bench/run.sh portability                      Phi over the platforms that bench/baselines has results of
#
# A quick run, which takes under a minute, measures too little to be a baseline, and an emulated device measures
# nothing: their records go to build/. QUARRY_BUILD names another build folder than build/release, one with a device.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n 's/^#   /usage: /p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
what=${1:-} engine=() quick=() device=() folder=bench/baselines
shift || usage
case $what in
  match | similar | mine | watch | dock | graph | ingest | portability) ;;
  tune)
    case ${1:-} in match | similar | dock) ;; *) usage ;; esac
    engine=("$1")
    shift
    ;;
  *) usage ;;
esac
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=(--quick) folder=build ;;
    --device)
      case $what in match | similar | mine | watch | dock | tune) ;; *) usage ;; esac
      [ $# -gt 1 ] || usage
      device=(--device "$2")
      case $2 in emulated*) folder=build ;; esac
      shift
      ;;
    *) usage ;;
  esac
  shift
done

build=${QUARRY_BUILD:-build/release}
./scripts/setup.sh test
mkdir -p build bench/baselines
if [ -z "${QUARRY_BUILD:-}" ]; then
  cmake --preset release >build/configure.log 2>&1 || {
    cat build/configure.log >&2
    exit 1
  }
fi
cmake --build "$build" --target quarry_cli "quarry_bench_$what" --parallel "$(nproc)" >&2

if [ "$what" = portability ]; then exec "$build/bench/quarry_bench_portability" bench/baselines; fi
record=$folder/$what
case ${engine[*]} in similar | dock) record+=-${engine[*]} ;; esac
if [ ${#device[@]} -gt 0 ] || [ "$what" = tune ]; then record+=-PLATFORM; fi
if [ ${#quick[@]} -gt 0 ]; then record+=-quick; fi
program=()
if [ "$what" != tune ]; then program=(--program "$build/quarry"); fi
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
if [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then commit+=-modified; fi
measure() {  # RECORD
  "$build/bench/quarry_bench_$what" "${engine[@]}" "${device[@]}" "${quick[@]}" --commit "$commit" "${program[@]}" \
    --json "$1.json"
}
measure "$record"
# The cap is one of the compiler's.
if [ "${engine[*]}" = dock ] && [[ ${device[*]} == *cuda* ]]; then
  for registers in 64 96 0 80; do
    cmake "$build" -DQUARRY_MAX_REGISTERS=$registers >build/configure.log
    cmake --build "$build" --target quarry_bench_tune --parallel "$(nproc)" >&2
    if [ $registers -ne 80 ]; then measure "${record/dock/dock-registers-$registers}"; fi
  done
fi
