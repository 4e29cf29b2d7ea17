#!/usr/bin/env bash
# Tests and measures match on a CUDA device, in one call of under ten minutes.
#
#   scripts/device.sh [DEVICE]      builds here, then tests and measures on DEVICE (cuda:0)
#   scripts/device.sh pack FOLDER   builds here and puts all that the rest needs into FOLDER; needs no device
#   FOLDER/device.sh [DEVICE]       on a machine with a device: tests and measures, builds nothing. It needs bash, an
#                                   NVIDIA driver for CUDA 13 and glibc 2.36; no compiler, no RDKit, no network
#
# QUARRY_MOLECULES and QUARRY_QUERIES name what is searched for the measurement; the default is a hundred copies of
# the samples in examples/. The numbers are printed and are in device.json, beside this script or in build/cuda.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

build() {
  ./scripts/setup.sh
  local compiler launcher=()
  compiler=$(command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc") || {
    echo "device: nvcc is not here" >&2
    exit 1
  }
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  mkdir -p build
  cmake -S . -B build/cuda -G Ninja -DCMAKE_BUILD_TYPE=Release -DQUARRY_DEVICE=cuda -DQUARRY_BENCH=OFF \
    -DCMAKE_CUDA_COMPILER="$compiler" "${launcher[@]}" >build/cuda.log 2>&1 || {
    cat build/cuda.log >&2
    exit 1
  }
  cmake --build build/cuda --parallel "$(nproc)" --target quarry_cli quarry_unit_tests quarry_property_tests >&2
}

# pack FOLDER: programs, the shared libraries that are not the C library's, samples and a library to search.
pack() {
  local to=$1
  mkdir -p "$to/bin" "$to/lib" "$to/examples" "$to/tests"
  cp build/cuda/quarry build/cuda/tests/quarry_{unit,property}_tests "$to/bin/"
  ldd "$to"/bin/* | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' | xargs cp -L -t "$to/lib"
  cp examples/* "$to/examples/"
  cp -r tests/integration "$to/tests/"
  cp "$here/device.sh" "$to/"
  make_input build/cuda/quarry "$to"
  du -sh "$to" >&2
}

# make_input PROGRAM FOLDER: library.qlib and queries.smarts.
make_input() {
  local molecules=${QUARRY_MOLECULES:-}
  if [ -z "$molecules" ]; then
    molecules=$2/many.smi
    for copy in $(seq 100); do sed "s/\$/_$copy/" examples/drugs.smi; done >"$molecules"
  fi
  "$1" index "$molecules" -o "$2/library.qlib" --quiet
  rm -f "$2/many.smi"
  cp "${QUARRY_QUERIES:-examples/alerts.smarts}" "$2/queries.smarts"
}

# check PROGRAMS TESTS DEVICE: nothing is skipped; what cannot have its device fails.
check() {
  local programs=$1 tests=$2
  export QUARRY_TEST_DEVICE=$3
  "$programs/quarry" doctor
  "$4/quarry_unit_tests" --gtest_brief=1 --gtest_filter='Devices*:EmulatedTeam*:Algorithms*:Parcel*:Buffer.Fills*:Pool*'
  "$4/quarry_property_tests" --gtest_brief=1
  bash "$tests/integration/devices.sh" "$programs/quarry"
  echo "device: all tests pass on $QUARRY_TEST_DEVICE"
}

# measure PROGRAM INPUT DEVICE RECORD: five runs each, one JSON object a line; stages are timed by events on the device.
measure() {
  local mode place run
  : >"$4"
  for mode in first count; do
    for place in host "$3"; do
      for run in 1 2 3 4 5; do
        "$1" match "$2/library.qlib" "$2/queries.smarts" --mode "$mode" --device "$place" --json --quiet -o /dev/null |
          tail -n 1 | tee -a "$4"
      done
    done
  done
  echo "device: times are in $4"
}

if [ -d "$here/bin" ]; then  # packed
  export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  check "$here/bin" "$here/tests" "${1:-cuda:0}" "$here/bin"
  measure "$here/bin/quarry" "$here" "${1:-cuda:0}" "${QUARRY_RECORD:-$here/device.json}"
  exit
fi
cd "$here/.."
build
if [ "${1:-}" = pack ]; then
  pack "${2:?usage: scripts/device.sh pack FOLDER}"
  exit
fi
make_input build/cuda/quarry build/cuda
check build/cuda "$PWD/tests" "${1:-cuda:0}" build/cuda/tests
measure build/cuda/quarry build/cuda "${1:-cuda:0}" build/cuda/device.json
