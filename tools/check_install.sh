#!/usr/bin/env bash
# Installs each component alone, and uses it as someone does who has neither sources nor build: check_install.sh [BUILD]
# BUILD is the folder of a finished build, build/release unless it is named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# install PREFIX COMPONENT...
install() {
  local prefix=$folder/$1 component
  shift
  for component in "$@"; do
    printf '\n-- component %s\n' "$component"
    cmake --install "$build" --prefix "$prefix" --component "$component" >"$folder/log"
  done
}
# consumer NAME ARGUMENT...: builds tests/consumer in a folder of that name, and runs it beside the README's files.
consumer() {
  local name=$1
  shift
  cmake -S tests/consumer -B "$folder/$name" -G Ninja "$@" >"$folder/log" || { cat "$folder/log" && return 1; }
  cmake --build "$folder/$name" --parallel "$(nproc)"
  (cd "$folder" && "$name/readme" && "$name/calls")
}
# linked PROGRAM: does it need the shared library?
linked() { [[ $(readelf -d "$1") == *'[libquarry.so'* ]]; }

install program program
"$folder/program/bin/quarry" index examples/drugs.smi -o "$folder/drugs.qlib" --quiet
cp examples/alerts.smarts "$folder"
"$folder/program/bin/quarry" doctor >"$folder/log"
head -n 2 "$folder/log"
for page in man/man1/quarry.1 man/man1/quarry-match.1 bash-completion/completions/quarry zsh/site-functions/_quarry \
  fish/vendor_completions.d/quarry.fish; do
  [ -s "$folder/program/share/$page" ]
done

install python python
package=$(dirname "$(find "$folder/python" -name __init__.py -path '*/quarry/*')")
(cd "$folder" && PYTHONPATH=${package%/quarry} PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - <<'PYTHON'
import quarry
from quarry import mine, watch
assert mine.count(quarry.generate("complete:5"), "triangle").subgraphs == 10
alert, = watch.run(watch.Graph.from_edges([(0, 1), (1, 2)]), "triangle", [("e", 0, 2)])
assert alert.subgraphs == 1
print("quarry", quarry.__version__, "from", quarry.__file__)
PYTHON
)

# Without the shared library find_package gives the static one; with it, the shared one.
install library development
consumer static -DCMAKE_PREFIX_PATH="$folder/library"
if linked "$folder/static/readme"; then echo "the static library was not used" >&2 && exit 1; fi

install library runtime
consumer shared -DCMAKE_PREFIX_PATH="$folder/library"
linked "$folder/shared/readme"
tools/check_exports.py "$(find "$folder/library" -name libquarry.so)"

printf '\n-- pkg-config\n'
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$folder/library" -name quarry.pc)")
read -ra flags <<<"$(pkg-config --cflags --libs quarry)"
g++ -std=c++20 -Wall -Wextra -Werror "$folder/static/readme.cpp" -o "$folder/readme" "${flags[@]}"
(cd "$folder" && LD_LIBRARY_PATH=$(pkg-config --variable=libdir quarry) ./readme)

# The library itself is not built again: its targets are those of the installed one.
printf '\n-- add_subdirectory\n'
cmake -S tests/consumer -B "$folder/inside" -G Ninja -DQUARRY_SOURCE="$PWD" >"$folder/log" ||
  { cat "$folder/log" && exit 1; }
cmake --build "$folder/inside" --parallel "$(nproc)" --target headers \
  CMakeFiles/readme.dir/readme.cpp.o CMakeFiles/careless.dir/careless.cpp.o
