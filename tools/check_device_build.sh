#!/usr/bin/env bash
# Compiles all device code, with warnings as errors, links it, and sees what Quarry says of a device that is not there:
# check_device_build.sh cuda|hip|sycl. The rest of Quarry is the same as in a build without a device.
# For SYCL with QUARRY_SYCL_COMPILER, or with any compiler that is here.
# Exit 0: it builds and answers right; 1: not; 77: the compiler is not here, nothing was built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The first command that compiles SYCL: any clang++ knows the option, and only DPC++ has SYCL.
find_sycl() {
  local command
  echo '#include <sycl/sycl.hpp>' >build/sycl-probe.cpp
  for command in acpp "icpx -fsycl -fp-model=precise" "clang++ -fsycl"; do
    if $command -std=c++20 -c build/sycl-probe.cpp -o /dev/null >/dev/null 2>&1; then
      echo "$command"
      break
    fi
  done
}

mkdir -p build
api=${1:-}
options=(-DQUARRY_DEVICE="$api" -DQUARRY_BENCH=OFF -DQUARRY_TESTS=OFF -DQUARRY_PYTHON=OFF)
case $api in
  cuda)
    compiler=$(command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" || true)
    # Nothing of it runs here, and with little optimisation it takes a third of the time.
    options+=(-DCMAKE_CUDA_COMPILER="$compiler" -DCMAKE_CUDA_ARCHITECTURES=80
      -DCMAKE_CUDA_FLAGS="-Xcicc -O1 -Xptxas -O1")
    ;;
  hip) compiler=$(command -v clang++-15 || command -v /opt/rocm/bin/amdclang++ || true) ;;
  sycl)
    compiler=${QUARRY_SYCL_COMPILER:-}
    if [ -z "$compiler" ]; then compiler=$(find_sycl); fi
    options+=(-DQUARRY_SYCL_COMPILER="$compiler")
    ;;
  *)
    echo "usage: tools/check_device_build.sh cuda|hip|sycl" >&2
    exit 2
    ;;
esac
if [ -z "$compiler" ]; then
  echo "device: there is no compiler for $api here, nothing was built"
  exit 77
fi

folder=build/check-$api
# The host's code is only compiled, in few large pieces.
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "${options[@]}" >"build/check-$api.log" 2>&1 || {
  cat "build/check-$api.log" >&2
  exit 1
}
cmake --build "$folder" --target quarry_device_probe --parallel "$(nproc)"

# One sentence, exit 2, whatever devices there are.
status=0
said=$("$folder/quarry_device_probe" "$api:999") || status=$?
if [ "$status" -ne 2 ] || [[ $said != *"device '$api:999' is not available: "* ]]; then
  echo "device: exit $status, and it says: $said" >&2
  exit 1
fi
echo "$said"
