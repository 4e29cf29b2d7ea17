#!/usr/bin/env bash
# Installs what Quarry needs from Debian 12. Says nothing and asks nobody where all of it is there.
set -euo pipefail

packages=(
  # to build
  g++ cmake ninja-build pkg-config git
  # what the program stands on; RDKit's headers need Boost's and Eigen's
  librdkit-dev rdkit-data libboost-dev libboost-serialization-dev libboost-iostreams-dev libeigen3-dev
  libtbb-dev libhwy-dev libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libzstd-dev libxxhash-dev libzip-dev
  # the Python module
  pybind11-dev python3-dev python3-numpy
  # to compile for AMD devices
  clang-15 clang-tools-15 lld-15 libamdhip64-dev rocm-device-libs librocprim-dev
  # to test, measure, fuzz and check
  libgtest-dev clang libclang-rt-14-dev clang-format python3 python3-scipy zstd gzip
)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is not Debian; install the counterparts of these packages by hand: ${packages[*]}" >&2
  exit 1
fi

# An unknown package makes dpkg-query fail, but it still lists the others.
installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    echo "setup: ${#missing[@]} Debian packages are missing, and installing them needs root. Run this, then try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo -n)
fi

apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
echo "setup: installing ${missing[*]}" >&2
if ! "${apt[@]}" update </dev/null >&2 ||
  ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >&2; then
  echo "setup: apt-get could not install ${missing[*]}; its reason is above" >&2
  exit 1
fi
