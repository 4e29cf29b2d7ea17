#!/usr/bin/env bash
# One call of the system fails on purpose, each in turn: a run says so with status 2 and leaves what was there, or its
# answer is the undisturbed one. It neither aborts nor hangs; the one exception is an assertion of a library (asserted).
# Usage: faults.sh PROGRAM PRELOADED THREADS
# With one thread the n-th call of a kind is the same in each run; with several it may be any thread's, and the n-th of
# other threads than the first may not come at all.
# Of each kind QUARRY_FAULTS calls of a case fail, three unless the environment says another number, spread over the run.
# QUARRY_FAULTS=all, with one thread: each call, of allocations each that is the first of its stack; takes half an hour.
# QUARRY_FAULT_CASES='FIRST LAST' runs only these lines of the list of cases, counted from 1.
preloaded=$(realpath "$2") threads=$3
source "$(dirname "$0")/../integration/support.bash" "$1"
export SOURCE_DATE_EPOCH=1000000000 # a library holds the time at which it was made

# Several threads have something to do, and what one of them says of ids is not what is asked here.
write_molecules
if ((threads > 1)); then
  for copy in $(seq 40); do awk -v copy="$copy" '{print $1, $2 "_" copy}' molecules.smi; done >more.smi
  mv more.smi molecules.smi
fi
write_queries
awk '{print $1, "other_" $2}' molecules.smi >others.smi
"$quarry" index molecules.smi -o molecules.qlib --quiet
"$quarry" index molecules.smi others.smi -o both.qlibs --quiet
gzip -c molecules.smi >molecules.smi.gz
xz -c molecules.smi >molecules.smi.xz
"$quarry" match molecules.qlib queries.smarts --mode all -o hits.qhits --quiet
printf '%s\n' '1 2' '2 3' '1 3' '3 4' '4 1' >graph.txt
if ((threads > 1)); then awk 'BEGIN {srand(3); for (i = 0; i < 900; ++i) print int(rand() * 99), int(rand() * 99)}' >graph.txt; fi
"$quarry" mine graph.txt triangle --save graph.qgraph --quiet
printf '%s\n' 'e 2 4' '-e 1 2' 'e 1 5' >updates.txt
cp "$examples/pocket.pdb" .
awk '!/^#/' "$examples/ligands.smi" | head -n "$((threads + 1))" >ligands.smi
"$quarry" dock pocket.pdb ligands.smi --center 0,0,0 --size 7,7,7 --effort screen --restarts 2 --max-poses 2 -o poses.sdf --quiet
echo 'CC(=O)Oc1ccccc1C(=O)O' >query.smi

# What each verb reads and writes; outputs are in the folder `run`.
cases=(
  'index molecules.smi -o run/a.qlib --rejects run/a.rejects'
  'index molecules.smi.gz -o run/a.qlib --resume'
  'index molecules.smi others.smi -o run/a.qlibs --restart --rejects run/a.rejects'
  'info molecules.qlib'
  'match molecules.qlib queries.smarts -o run/a.tsv --summary run/a.summary --rejects run/a.rejects'
  'match molecules.smi.gz queries.smarts --mode all --matched run/a.smi.gz --unmatched run/b.smi -o run/a.jsonl.zst'
  'match molecules.qlib queries.smarts -o run/a.tsv --resume'
  'match both.qlibs queries.smarts -o run/a.tsv --rejects run/a.rejects'
  'match molecules.smi.xz queries.smarts --mode all -o run/a.qhits --matched run/a.smi.bz2'
  'match molecules.qlib queries.smarts -o run/a.npz --unmatched run/a.smi.xz'
  'cat hits.qhits -o run/a.csv'
  'grep c1ccccc1 molecules.smi'
  'sets pains'
  'similar query.smi molecules.qlib -k 3 -o run/a.tsv --resume'
  'similar --matrix molecules.smi --threshold 0.2 -o run/a.npz'
  'cluster molecules.smi --threshold 0.5 -o run/a.tsv'
  'pick molecules.smi -n 3 -o run/a.smi'
  'mine graph.txt triangle --save run/a.qgraph --skip-bad --rejects run/a.rejects'
  'mine graph.qgraph wedge --list -o run/a.tsv'
  'mine graph.txt triangle --list -o run/a.csv --resume'
  'watch graph.txt triangle --updates updates.txt -o run/a.tsv --checkpoint run/checkpoint'
  'dock pocket.pdb ligands.smi --center 0,0,0 --size 7,7,7 --effort screen --restarts 2 --max-poses 1 -o run/a.sdf'
  'dock pocket.pdb ligands.smi --center 0,0,0 --size 7,7,7 --effort screen --restarts 2 --max-poses 1 -o run/a.sdf --resume'
  'dock pocket.pdb poses.sdf --minimize -o run/a.sdf'
)
kinds=(write sync rename read open map allocation)
most=${QUARRY_FAULTS:-3} # calls of a kind that fail in a case, spread over the run
hanging=300              # seconds after which a run that takes less than one is said to hang
read -r first last <<<"${QUARRY_FAULT_CASES:-1 ${#cases[@]}}"

# disturb FAULT [VARIABLE=VALUE]: runs `command` in front of what `before` holds; its status is in `status`.
disturb() {
  rm -rf run
  cp -r before run
  status=0
  timeout -s KILL $hanging env "${@:2}" LD_PRELOAD="$preloaded" QUARRY_FAULT="$1" QUARRY_FAULT_LOG=log "$quarry" "${command[@]}" \
    >out 2>err </dev/null || status=$?
}
# What nothing here can catch where memory is short: RDKit asserts, while it reads its tables, where a line was cut short, and
# that it has the memory to rank atoms; libarchive uses what it did not get.
asserted() {
  [[ $1 == *allocation:* ]] || return 1
  case $status in
    134) grep -q '/boost/.* Assertion \|hanoiSort.h.* Assertion .temp. ' err ;;
    139) sed -n '/^failed/,$p' log | sed -n 4p | grep -q '/libarchive.so' ;;
    *) return 1 ;;
  esac
}
problem() {
  sed -n '/^failed/,$p' log | head -n 20 >&2
  fail "$1"
}
check() { # FAULT
  local about="$1 of ${command[*]}"
  if [[ $1 == other-* ]] && grep -q '^failed' log; then num_in_others=$((num_in_others + 1)); fi
  if [[ $status == "$usual" ]]; then
    # SQLite may close a ledger without it; elsewhere no bytes may be taken for written or safe.
    if ((threads == 1)) || grep -q '^failed' log; then
      [[ $1 != *write:* && $1 != *sync:* || $about == *--resume* ]] || problem "$about: it went unseen"
    fi
    diff -r whole run >different && cmp -s whole.out out || problem "$about: status $status, and another answer: $(head -n 5 different)"
    return 0
  fi
  tried=$((tried + 1))
  asserted "$1" || [[ $status == 2 ]] || problem "$about: status $status"
  diff -r -x '*.partial*' "${growing[@]}" before run >different || problem "$about: status $status, and changed: $(head -n 5 different)"
  [[ $status == 2 ]] || return 0
  ! grep -q '^Fatal Internal Error in libarchive: Out of memory$' err || return 0
  [[ $(wc -l <err) == 1 ]] && grep -q '^quarry: ' err || problem "$about: not one sentence"
  case $1 in
    *allocation:*) grep -q -i -e 'out of memory' -e 'cannot allocate' -e 'bytes of memory' -e "$names" err || problem "$about: it does not say 'out of memory'" ;;
    *) grep -q -e "$names" err || problem "$about: it names no file" ;;
  esac
}

# Numbers of the calls of a kind that are to fail, one after the other.
failing_calls() { # KIND
  local number tries try
  number=$(awk -v kind="$1" '$1 == kind {print $2}' numbers)
  if [[ $most == all ]]; then
    if [[ $1 == allocation ]]; then cat paths; else seq "$number"; fi
    return
  fi
  tries=$((number < most ? number : most))
  ((threads == 1)) || [[ $1 == other-* || $number == 0 ]] || tries=1
  for ((try = 0; try < tries; ++try)); do echo $((1 + (2 * try + (threads > 1)) * number / (2 * tries))); done
}

((threads == 1)) || kinds+=("${kinds[@]/#/other-}")
tried=0 num_in_others=0
for line in "${cases[@]:first-1:last-first+1}"; do
  # shellcheck disable=SC2206 # the words of a command
  command=($line --quiet --threads "$threads")
  if [[ $line == sets* || $line == info* || $line == "cat "* ]]; then
    ((threads == 1)) || continue
    # shellcheck disable=SC2206 # the words of a command
    command=($line)
  fi
  names='standard output'
  # A ledger, a checkpoint or parts of a collection are what the next run begins with, and `watch` appends its rows as they come.
  growing=(-x '*.ledger*')
  [[ $line != *a.qlibs* ]] || growing+=(-x a.qlibs)
  [[ $line != watch* ]] || growing+=(-x a.tsv -x checkpoint -x checkpoint.json)
  for word in "${command[@]}"; do [[ $word != *[a-z].[a-z]* && $word != run/* ]] || names+="\\|$word"; done
  rm -rf before whole
  mkdir before
  disturb write:0
  usual=$status
  ((usual < 2)) || fail "status $usual: $line"
  [[ -s log ]] || fail 'the library is not preloaded'
  cp log numbers
  rm -rf before
  cp -r run before
  for file in $(find before -type f); do echo old >"$file"; done
  disturb write:0
  if [[ $most == all ]]; then
    ((threads == 1)) || fail 'QUARRY_FAULTS=all is for one thread'
    cp -r run undisturbed
    disturb write:0 QUARRY_FAULT_PATHS=1
    awk '$1 == "path" {print $2}' log >paths
    rm -rf run && mv undisturbed run
  fi
  mv run whole
  cp out whole.out
  for kind in "${kinds[@]}"; do
    for at in $(failing_calls "$kind"); do
      disturb "$kind:$at"
      check "$kind:$at"
    done
  done

  ((threads == 1)) || continue
  # Descriptors that are closed: an output file is right, and what cannot be printed is an error.
  for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    rm -rf run
    cp -r before run
    status=0
    quarry=$quarry bash -c "\"\$quarry\" \"\$@\" $closed" bash "${command[@]}" >out 2>err </dev/null || status=$?
    if [[ $closed == *'>&-'* && $closed != '2>&-' && $closed != '<&- 2>&-' && -s whole.out ]]; then
      [[ $status == 2 ]] || fail "$closed of $line: status $status"
      [[ $closed == *'2>&-'* ]] || expect_text err '^quarry: cannot write standard output'
    else
      [[ $status == "$usual" ]] && diff -r whole run >different && cmp -s whole.out out || fail "$closed of $line: status $status"
    fi
  done
done
((last - first + 1 < ${#cases[@]} || tried > (threads > 1 ? 60 : 100))) || fail "only $tried runs failed"

# A molecule or a query that RDKit cannot scan for want of memory is not refused as if it were wrong.
if ((threads == 1)); then
  for line in 'index molecules.smi --explicit-h -o run/a.qlib' 'match molecules.qlib queries.smarts -o run/a.tsv' \
    'dock pocket.pdb ligands.smi --center 0,0,0 --size 7,7,7 --effort screen --restarts 2 -o run/a.sdf'; do
    # shellcheck disable=SC2206 # the words of a command
    command=($line --quiet --threads 1)
    for number in 1 2 3 4 5; do # four of the first text, one of the second, which for dock is a SMARTS of embedding
      disturb "scanner:$number"
      grep -q '^failed' log || problem "scanner:$number of $line: no call failed"
      [[ $status == 2 ]] || problem "scanner:$number of $line: status $status"
      expect_text err 'out of memory'
      diff -r before run >different || problem "scanner:$number of $line: changed: $(head -n 5 different)"
    done
  done
fi

if ((threads > 1)); then
  echo "of $tried runs $num_in_others met a call that failed in another thread than the first"
  ((num_in_others > 0)) || fail 'no call failed in another thread'
fi
