#!/usr/bin/env bash
# Installs what Quarry needs from Debian 12. Says nothing and asks nobody where all of it is there.
#
#   scripts/setup.sh [program]   to build and run the program (the default)
#   scripts/setup.sh demo        also for the Python module
#   scripts/setup.sh test        also for the tests and the benches
#   scripts/setup.sh fuzz        also for the fuzz harnesses and the sanitizers
#   scripts/setup.sh check       also for everything else that .ci/run does: formatter, Debian packages, AMD devices
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config
  # what the program stands on; RDKit's headers need Boost's and Eigen's
  librdkit-dev rdkit-data libboost-dev libboost-serialization-dev libboost-iostreams-dev libeigen3-dev
  libtbb-dev libhwy-dev libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev
  libxxhash-dev libarchive-dev
  gemmi-dev tao-pegtl-dev libsqlite3-dev libigraph-dev
)
demo=(pybind11-dev python3 python3-dev python3-numpy python3-scipy)
test=("${demo[@]}" libgtest-dev python3-rdkit python3-pandas python3-networkx python3-igraph
  python3-pip python3-wheel python3-setuptools zstd gzip bzip2 xz-utils parallel python3-distributed)
fuzz=(clang libclang-rt-14-dev)
check=(git clang-format lintian dpkg-dev clang-15 clang-tools-15 lld-15 libamdhip64-dev rocm-device-libs librocprim-dev)

case ${1:-program} in
  program) ;;
  demo) packages+=("${demo[@]}") ;;
  test) packages+=("${test[@]}") ;;
  fuzz) packages+=("${test[@]}" "${fuzz[@]}") ;;
  check) packages+=("${test[@]}" "${fuzz[@]}" "${check[@]}") ;;
  *)
    echo "usage: scripts/setup.sh [program|demo|test|fuzz|check]" >&2
    exit 2
    ;;
esac

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
