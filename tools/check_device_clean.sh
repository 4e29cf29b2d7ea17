#!/usr/bin/env bash
# Compiles the kernels for a device, without running them, so that they stay free of what a device cannot do.
# Exit 0: clean; 1: not; 77: there is no nvcc here, nothing was compiled.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

shopt -s nullglob
sources=(tests/device/*.cu)
if [ ${#sources[@]} -eq 0 ]; then
  echo "device: tests/device holds no .cu file, so no kernel would be checked" >&2
  exit 1
fi
nvcc=$(command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" || true)
if [ -z "$nvcc" ]; then
  echo "device: nvcc is not installed, the kernels were not compiled for a device"
  exit 77
fi
# Without --expt-relaxed-constexpr: it would let std::vector pass, whose members are constexpr, and so an allocation.
for source in "${sources[@]}"; do
  if ! "$nvcc" -std=c++20 -c -o /dev/null -I include -I src -DQUARRY_VERSION='"0"' -Werror all-warnings "$source"; then
    echo "device: $source is not device-clean" >&2
    exit 1
  fi
done
echo "device: ${#sources[@]} files are device-clean ($("$nvcc" --version | sed -n 's/^Cuda compilation tools, //p'))"
