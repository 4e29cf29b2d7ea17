#!/usr/bin/env bash
# Builds for a device, with warnings as errors, and sees what the program says of it: check_device_build.sh cuda|hip|sycl
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
options=(-DQUARRY_DEVICE="$api" -DQUARRY_BENCH=OFF -DQUARRY_TESTS=OFF)
case $api in
  cuda)
    compiler=$(command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" || true)
    options+=(-DCMAKE_CUDA_COMPILER="$compiler")
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
# Device code is optimised in any type; the host's is as in other builds, and so it is only compiled, not optimised.
# Nor does this build use precompiled headers, so that it sees that every file includes what it uses.
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "${options[@]}" >"build/check-$api.log" 2>&1 || {
  cat "build/check-$api.log" >&2
  exit 1
}
# For HIP only what its compiler compiles: the rest is as in other builds.
if [ "$api" = hip ]; then
  cmake --build "$folder" --target quarry_exec device/match_steps.cu.o device/similar_steps.cu.o \
    --parallel "$(nproc)"
  exit
fi
cmake --build "$folder" --target quarry_cli --parallel "$(nproc)"

# A device that no machine has: one sentence, exit 2, whatever devices there are.
status=0
said=$("$folder/quarry" match examples/drugs.smi -q C --device "$api:999" 2>&1 >/dev/null) || status=$?
if [ "$status" -ne 2 ] || [[ $said != "quarry: device '$api:999' is not to be had: "* ]]; then
  echo "device: exit $status, and it says: $said" >&2
  exit 1
fi
"$folder/quarry" doctor
