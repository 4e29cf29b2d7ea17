#!/usr/bin/env bash
# Makes the Debian packages of a build, has lintian judge them, unpacks and uses them: check_package.sh [BUILD]
# BUILD is the folder of a finished build, build/release unless it is named. Exit 77: lintian is not here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
if ! command -v lintian >/dev/null; then
  echo "package: lintian is not here, nothing was made"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cpack --config "$build/CPackConfig.cmake" -B "$folder" >"$folder/log" 2>&1 || { cat "$folder/log" && exit 1; }
lintian --allow-root --fail-on error "$folder"/*.deb

root=$folder/root
for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$root"; done
"$root/usr/bin/quarry" mine --generate complete:5 triangle --quiet
PYTHONPATH=$root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '
import quarry
print("quarry", quarry.__version__, "from", quarry.__file__)'

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$root" -name quarry.pc)")
read -ra flags <<<"$(pkg-config --cflags --libs quarry)"
g++ -std=c++20 tests/consumer/calls.cpp -o "$folder/calls" "${flags[@]}"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir quarry) "$folder/calls"
