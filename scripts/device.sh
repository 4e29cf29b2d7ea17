#!/usr/bin/env bash
# Tests and measures match, similar, mine, watch and dock on a device, and tunes match, similar and dock, in one call of
# under ten minutes.
#
#   scripts/device.sh [DEVICE]      builds here, then tests and measures on DEVICE (cuda:0); emulated:2 rehearses it
#   scripts/device.sh pack FOLDER   builds for CUDA and puts all that the rest needs into FOLDER; needs no device, but
#                                   the data that QUARRY_DATA names
#   FOLDER/device.sh [DEVICE]       on a machine with a device: tests and measures, builds nothing. It needs bash, an
#                                   NVIDIA driver for CUDA 13 and glibc 2.36; no compiler, no RDKit, no network
#
# Results are left in build/device-results, or in FOLDER/results: what was printed (log.txt), and match-PLATFORM.json,
# similar-PLATFORM.json, mine-PLATFORM.json, watch-PLATFORM.json, dock-PLATFORM.json, tune-PLATFORM.json,
# tune-similar-PLATFORM.json and for each cap on registers tune-dock-PLATFORM.json, which belong into bench/baselines.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# build FOLDER API: programs, tests and benches.
build() {
  local folder=$1 api=$2 options=(-DCMAKE_BUILD_TYPE=Release)
  ./scripts/setup.sh test
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  case $api in
    cuda)
      local compiler
      compiler=$(command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc") || {
        echo "device: nvcc is not here" >&2
        exit 1
      }
      options+=(-DQUARRY_DEVICE=cuda -DCMAKE_CUDA_COMPILER="$compiler")
      ;;
    emulated) options+=(-DQUARRY_DEVICE=none) ;;
    *) options+=(-DQUARRY_DEVICE="$api") ;;
  esac
  mkdir -p build
  cmake -S . -B "$folder" -G Ninja "${options[@]}" >build/device.log 2>&1 || {
    cat build/device.log >&2
    exit 1
  }
  cmake --build "$folder" --parallel "$(./scripts/jobs.sh)" >&2
  if [ "$api" != cuda ]; then return; fi
  local registers
  for registers in 64 96 0 80; do  # a cap is one of the compiler's: a program for each; last the one in use
    cmake "$folder" -DQUARRY_MAX_REGISTERS=$registers >>build/device.log
    cmake --build "$folder" --target quarry_bench_tune --parallel "$(./scripts/jobs.sh)" >&2
    if [ $registers -ne 80 ]; then cp "$folder"/bench/quarry_bench_tune{,-registers-$registers}; fi
  done
}

# pack BUILD FOLDER: programs, the shared libraries that are not the C library's, samples and what to measure on.
pack() {
  local build=$1 to=$2 data=${QUARRY_DATA:-$PWD/../shared/data}
  mkdir -p "$to/bin" "$to/lib" "$to/examples" "$to/tests" "$to/baselines" "$to/data/molecules" "$to/data/smarts" "$to/data/graphs" \
    "$to/data/reference"
  cp "$data/molecules/zinc-115k.smi.gz" "$to/data/molecules/"
  cp "$data/smarts/ehrlich-rarey.smarts" "$to/data/smarts/"
  mkdir -p "$to/data/docking" "$to/data/docking_enrichment"
  cp -r "$data/docking/1hnn" "$to/data/docking/"
  cp -r "$data/docking_enrichment/fabp4" "$to/data/docking_enrichment/"
  cp "$data"/graphs/{facebook_combined,email-Enron,com-dblp}.txt.gz "$to/data/graphs/"
  cp -r "$data/streams" "$to/data/"
  cp "$data/reference/streams.tsv" "$to/data/reference/"
  cp "$build/quarry" "$build"/tests/quarry_{unit,property,serial,serial_property}_tests \
    "$build"/bench/quarry_bench_{match,similar,mine,watch,dock,tune,portability} \
    "$build"/bench/quarry_bench_tune-registers-* "$to/bin/"
  ldd "$to"/bin/* | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' | xargs cp -L -t "$to/lib"
  cp examples/* "$to/examples/"
  cp -r tests/integration "$to/tests/"
  cp bench/baselines/*.json "$to/baselines/"
  cp "$here/device.sh" "$to/"
  du -sh "$to" >&2
}

# check_packed FOLDER DEVICE: nothing is skipped; what cannot have its device fails. Some at a time, for one process does not
# fill a device.
check_packed() {
  export QUARRY_TEST_DEVICE=$2
  local property=("$1/bin/quarry_property_tests" --gtest_brief=1) tests=() test failed=0
  "$1/bin/quarry" doctor
  local shard
  for shard in 0 1 2 3; do
    GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$shard "${property[@]}" --gtest_filter='*Match*' &
    tests+=($!)
  done
  "${property[@]}" --gtest_filter='Similar*' &
  tests+=($!)
  "${property[@]}" --gtest_filter='-*Match*:Similar*' &
  tests+=($!)
  "$1/bin/quarry_serial_tests" --gtest_brief=1 --gtest_filter='Dock*' &
  tests+=($!)
  "$1/bin/quarry_serial_property_tests" --gtest_brief=1 --gtest_filter='Dock*' &
  tests+=($!)
  bash "$1/tests/integration/devices.sh" "$1/bin/quarry" &
  tests+=($!)
  "$1/bin/quarry_unit_tests" --gtest_brief=1 \
    --gtest_filter='Devices*:Emulated*:Algorithms*:Parcel*:Buffer.Fills*:Pool*' &
  tests+=($!)
  for test in "${tests[@]}"; do wait "$test" || failed=1; done
  return $failed
}

# check BUILD DEVICE: an emulated device would take hours for the tests of ten thousand molecules.
check() {
  local tests=()
  case $2 in emulated*) tests=(-LE reference) ;; esac
  "$1/quarry" doctor
  QUARRY_TEST_DEVICE=$2 ctest --test-dir "$1" "${tests[@]}" --output-on-failure --no-tests=error --parallel "$(nproc)"
}

# measure BENCHES BASELINES DEVICE RESULTS COMMIT
measure() {
  local options=(--device "$3" --commit "$5") all=$4/all
  "$1/quarry_bench_match" "${options[@]}" --json "$4/match-PLATFORM.json"
  "$1/quarry_bench_similar" "${options[@]}" --json "$4/similar-PLATFORM.json"
  "$1/quarry_bench_mine" "${options[@]}" --json "$4/mine-PLATFORM.json"
  "$1/quarry_bench_watch" "${options[@]}" --json "$4/watch-PLATFORM.json"
  "$1/quarry_bench_dock" "${options[@]}" --json "$4/dock-PLATFORM.json"
  "$1/quarry_bench_tune" match "${options[@]}" --json "$4/tune-PLATFORM.json"
  "$1/quarry_bench_tune" similar "${options[@]}" --json "$4/tune-similar-PLATFORM.json"
  local program name
  for program in "$1"/quarry_bench_tune*; do
    if [ ! -x "$program" ] || [ -d "$program" ]; then continue; fi
    name=${program##*/quarry_bench_tune}
    "$program" dock "${options[@]}" --json "$4/tune-dock$name-PLATFORM.json"
  done
  mkdir -p "$all"
  cp "$2"/*.json "$4"/*.json "$all/"
  "$1/quarry_bench_portability" "$all"
  rm -r "$all"
}

# run RESULTS COMMAND...: keeps what it prints. Says where it is left, and how long it took.
run() {
  local results=$1
  shift
  mkdir -p "$results"
  rm -f "$results"/*.json
  (set -e && "$@") 2>&1 | tee "$results/log.txt"
  echo "device: $SECONDS s; results are in $results"
}

test_and_measure_packed() {
  export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} QUARRY_DATA=$here/data
  check_packed "$here" "$1"
  measure "$here/bin" "$here/baselines" "$1" "$here/results" "$(cat "$here/commit")"
}

test_and_measure() {
  check "$1" "$2"
  measure "$1/bench" bench/baselines "$2" build/device-results "$(git rev-parse --short=12 HEAD)"
}

device=${1:-cuda:0}
if [ -d "$here/bin" ]; then  # packed
  run "$here/results" test_and_measure_packed "$device"
  exit
fi
cd "$here/.."
if [ "$device" = pack ]; then
  folder=${2:?usage: scripts/device.sh pack FOLDER}
  build build/cuda cuda
  pack build/cuda "$folder"
  git rev-parse --short=12 HEAD >"$folder/commit"
  exit
fi
api=${device%%:*}
build "build/$api" "$api"
run build/device-results test_and_measure "build/$api" "$device"
