#!/bin/bash
# Breaks the lines of tools/mutants.txt one at a time, and says of each which test saw it. Works in a worktree of the last
# commit in build/mutants, with a build folder of its own; takes hours, so no part of CI.
#
#   tools/mutants.sh          all of them; ends with an error where more than two are seen by no test
#   tools/mutants.sh 8 12     these alone
set -euo pipefail
cd "$(dirname "$0")/.."
list=$PWD/tools/mutants.txt tree=$PWD/build/mutants
build=$tree/build/release log=$tree/build/mutants.log
limit_s=300 allowed=2

# A test of the list, with a limit of time. What it says goes to the log.
run_test() {
  local command=("$build/tests/$1" "--gtest_filter=$2" --gtest_fail_fast)
  if [[ $1 == integration ]]; then command=(bash "$tree/tests/integration/$2.sh" "$build/quarry"); fi
  { timeout "$limit_s" "${command[@]}" > "$log" 2>&1; } 2> /dev/null  # the shell would speak of crashes
}
target_of() { if [[ $1 == integration ]]; then echo quarry_cli; else echo "$1"; fi; }
# An error of the list: the others go on.
fault() {
  git -C "$tree" checkout --quiet -- .
  echo "tools/mutants.txt, $number $name: $1" >&2
  num_faults=$((num_faults + 1))
}
fault_of_build() { fault "$1: $(grep -m 1 -E 'error|FAILED' "$log" || tail -1 "$log")"; }

# Which test failed, as the log says.
seen_by() {
  local code=$1 what
  what=$(sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$log" | head -1)
  [[ -n $what ]] || what=$(sed -n 's/^\[ RUN      \] //p' "$log" | tail -1)
  [[ -n $what ]] || what="$program $filter"
  if [[ $code == 124 ]]; then echo "$what, in no end"; else echo "$what"; fi
}

# Replaces the text in a file. Fails where it is not there exactly once.
break_line() {
  python3 - "$tree/$file" "$text" "$replacement" <<'EOF'
import sys
path, text, replacement = sys.argv[1:]
content = open(path).read()
if content.count(text) != 1:
    sys.exit(f"the text is {content.count(text)} times in {path}")
open(path, "w").write(content.replace(text, replacement))
EOF
}

declare -A passes
num_done=0 num_seen=0 num_faults=0
build_target() { cmake --build "$build" --target "$(target_of "$program")" > "$log" 2>&1; }
one_mutant() {
  if [[ ! -f $tree/$file ]]; then fault "there is no file $file"; return; fi
  if [[ -z ${passes[$program $filter]:-} ]]; then
    if ! build_target; then fault_of_build "does not build unbroken"; return; fi
    if ! run_test "$program" "$filter"; then fault "its test fails unbroken"; return; fi
    if grep -q "Running 0 tests" "$log"; then fault "no test is called '$filter'"; return; fi
    passes[$program $filter]=yes
  fi
  if ! break_line; then fault "the text must be there exactly once"; return; fi
  if ! build_target; then fault_of_build "does not compile"; return; fi
  local code=0 result="NOT SEEN"
  run_test "$program" "$filter" || code=$?
  git -C "$tree" checkout --quiet -- "$file"
  num_done=$((num_done + 1))
  if [[ $code != 0 ]]; then
    num_seen=$((num_seen + 1))
    result="seen by $(seen_by "$code")"
  fi
  printf '%2d %s: %s\n' "$number" "$name" "$result"
}

if [[ -e $tree/.git ]]; then
  git -C "$tree" checkout --quiet --force --detach "$(git rev-parse HEAD)"
else
  git worktree prune
  git worktree add --quiet --force --detach "$tree"
fi
if [[ ! -e $build/build.ninja ]]; then
  cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DQUARRY_INSTALL=OFF -DQUARRY_PYTHON=OFF -DQUARRY_BENCH=OFF
fi

while IFS= read -r -u 3 line; do
  [[ $line =~ ^[0-9] ]] || continue
  number=${line%% *} name=${line#* }
  IFS= read -r -u 3 file
  IFS= read -r -u 3 text
  IFS= read -r -u 3 replacement
  IFS= read -r -u 3 test
  text=${text#- } replacement=${replacement#+} replacement=${replacement# }
  read -r _ program filter <<< "$test"
  if [[ $# == 0 || " $* " == *" $number "* ]]; then one_mutant; fi
done 3< "$list"
echo "$num_seen of $num_done are seen"
if [[ $num_faults -gt 0 ]]; then
  echo "$num_faults cannot be tried: mend the list" >&2
  exit 2
fi
[[ $num_done -gt 0 && $((num_done - num_seen)) -le $allowed ]]
