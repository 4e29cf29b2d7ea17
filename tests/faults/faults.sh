#!/usr/bin/env bash
# One call of the system fails on purpose, each in turn: a run says so with status 2 and leaves what was there, or its
# answer is the undisturbed one.
# Usage: faults.sh PROGRAM PRELOADED
source "$(dirname "$0")/../integration/support.bash" "$1"
preloaded=$(realpath "$2")
export SOURCE_DATE_EPOCH=1000000000 # a library holds the time at which it was made

write_molecules
write_queries
awk '{print $1, "other_" $2}' molecules.smi >others.smi
"$quarry" index molecules.smi -o molecules.qlib --quiet
gzip -c molecules.smi >molecules.smi.gz
printf '%s\n' '1 2' '2 3' '1 3' '3 4' '4 1' >graph.txt
"$quarry" mine graph.txt triangle --save graph.qgraph --quiet
printf '%s\n' 'e 2 4' '-e 1 2' 'e 1 5' >updates.txt
cp "$examples/pocket.pdb" .
awk '!/^#/' "$examples/ligands.smi" | head -n 2 >ligands.smi
echo 'CC(=O)Oc1ccccc1C(=O)O' >query.smi

# What each verb reads and writes; outputs are in the folder `run`.
cases=(
  'index molecules.smi -o run/a.qlib --rejects run/a.rejects'
  'index molecules.smi.gz -o run/a.qlib --resume'
  'info molecules.qlib'
  'match molecules.qlib queries.smarts -o run/a.tsv --summary run/a.summary --rejects run/a.rejects'
  'match molecules.smi.gz queries.smarts --mode all --matched run/a.smi.gz --unmatched run/b.smi -o run/a.jsonl.zst'
  'match molecules.qlib queries.smarts -o run/a.tsv --resume'
  'grep c1ccccc1 molecules.smi'
  'sets pains'
  'similar query.smi molecules.qlib -k 3 -o run/a.tsv --resume'
  'similar --matrix molecules.smi --threshold 0.2 -o run/a.npz'
  'cluster molecules.smi --threshold 0.5 -o run/a.tsv'
  'pick molecules.smi -n 3 -o run/a.smi'
  'mine graph.txt triangle --save run/a.qgraph --rejects run/a.rejects'
  'mine graph.qgraph wedge --list -o run/a.tsv'
  'mine graph.txt triangle --list -o run/a.csv --resume'
  'watch graph.txt triangle --updates updates.txt -o run/a.tsv --checkpoint run/checkpoint'
  'dock pocket.pdb ligands.smi --center 0,0,0 --size 14,14,14 --effort screen --restarts 2 --max-poses 1 -o run/a.sdf'
)
kinds=(write sync rename read open map allocation)
most=3 # calls of a kind that fail in a case, spread over the run

# disturb FAULT: runs `command` in front of what `before` holds; its status is in `status`.
disturb() {
  rm -rf run
  cp -r before run
  status=0
  LD_PRELOAD=$preloaded QUARRY_FAULT=$1 QUARRY_FAULT_LOG=log "$quarry" "${command[@]}" >out 2>err </dev/null || status=$?
}
problem() {
  sed -n '/^failed/,$p' log | head -n 20 >&2
  fail "$1"
}
# Other libraries have functions that must not throw, and allocate: CLI11 while it reads the command line, RDKit's parameters
# of force fields, libstdc++ where it copies names of files, nlohmann's json where it goes. There the program is aborted:
# which allocations that are depends on the compiler. Nothing may have changed.
aborted() {
  [[ $1 == allocation:* && $status == 134 ]] || return 1
  diff -r "${growing[@]}" before run >different || problem "$1 of ${command[*]}: aborted, and changed: $(head -n 5 different)"
  echo "aborted: $1 of ${command[*]}"
  num_aborted=$((num_aborted + 1))
}
check() { # FAULT
  local about="$1 of ${command[*]}"
  if [[ $status == "$usual" ]]; then
    # SQLite may close a ledger without it; elsewhere no bytes may be taken for written or safe.
    [[ $1 != write:* && $1 != sync:* || $about == *--resume* ]] || problem "$about: it went unseen"
    diff -r whole run >different && cmp -s whole.out out || problem "$about: status $status, and another answer: $(head -n 5 different)"
    return 0
  fi
  tried=$((tried + 1))
  if aborted "$1"; then return 0; fi
  [[ $status == 2 ]] || problem "$about: status $status"
  [[ $(wc -l <err) == 1 ]] && grep -q '^quarry: ' err || problem "$about: not one sentence"
  diff -r "${growing[@]}" before run >different || problem "$about: status 2, and changed: $(head -n 5 different)"
  case $1 in
    allocation:*) grep -q -i -e 'out of memory' -e 'cannot allocate' -e "$names" err || problem "$about: it does not say 'out of memory'" ;;
    *) grep -q -e "$names" err || problem "$about: it names no file" ;;
  esac
}

tried=0 num_aborted=0
for line in "${cases[@]}"; do
  # shellcheck disable=SC2206 # the words of a command
  command=($line --quiet --threads 1)
  [[ $line != sets* && $line != info* ]] || command=($line)
  names='standard output'
  # A ledger or checkpoint is what the next run begins with, and `watch` appends its rows as they come.
  growing=(-x '*.ledger*')
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
  mv run whole
  cp out whole.out
  for kind in "${kinds[@]}"; do
    number=$(awk -v kind="$kind" '$1 == kind {print $2}' numbers)
    tries=$((number < most ? number : most))
    for ((try = 0; try < tries; ++try)); do
      at=$((1 + try * number / tries))
      disturb "$kind:$at"
      check "$kind:$at"
    done
  done

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
((tried > 100 && num_aborted < tried / 10)) || fail "$num_aborted of $tried runs were aborted"
