#!/usr/bin/env bash
# `index -o NAME.qlibs`, killed at random moments and run again: nothing is lost, nothing comes twice, finished parts stay,
# and at the end the folder holds the bytes of a run that was left alone, and nothing else.
source "$(dirname "$0")/../support.bash" "$1"

# Parts of one chunk; some rows are rejected, some ids come twice.
for name in a b c; do
  awk -v name=$name 'BEGIN {for (i = 0; i < 45000; ++i) print (i % 997 == 5 ? "C(C" : i % 3 == 0 ? "CCO" : "N"), name i % 40000}' >$name.smi
done
gzip -k b.smi
inputs=(a.smi b.smi.gz c.smi)
command_for() { command=("$quarry" index "${inputs[@]}" -o "$1.qlibs" --part-rows 16384 --rejects "$1.rejects" --quiet --json); }
numbers() { tail -n 1 "$1" | sed 's/"seconds":{[^}]*}//; s/"parts_made":[0-9]*,//; s/"audit":{[^}]*},//'; }
states() { stat -c '%n %i %y' "$1"/part-*.qlib 2>/dev/null | sort || true; }

before=$(date +%s%N)
command_for whole
"${command[@]}" >whole.json || fail "status $?"
most_ms=$((($(date +%s%N) - before) / 1000000 + 20))
[[ $(ls whole.qlibs) == $'manifest.json\npart-000000.qlib\npart-000001.qlib\npart-000002.qlib\npart-000003.qlib\npart-000004.qlib\npart-000005.qlib\npart-000006.qlib\npart-000007.qlib\npart-000008.qlib' ]] ||
  fail "other parts: $(ls whole.qlibs)"
numbers whole.json >expected
"$quarry" match whole.qlibs -q '[OX2H]' -o whole.tsv --quiet || fail 'no hits'
[[ $(wc -l <whole.tsv) == $((1 + $(awk '$1 == "CCO"' a.smi b.smi c.smi | wc -l))) ]] || fail 'other hits'

command_for run
kills=0 finished=0 kept=0
# What a kill leaves, the next run removes.
while [[ -e run.qlibs ]] || ((kills < ${QUARRY_KILLS:-34} || finished < 2)); do
  status=0
  states run.qlibs >before.states 2>/dev/null || true
  "${command[@]}" >out 2>err &
  program=$!
  ms=$((RANDOM % most_ms))
  sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
  ((kills >= 150)) || kill -9 $program 2>kill.err || true
  wait $program 2>wait.err || status=$?
  # What was finished before this run is untouched.
  states run.qlibs >after.states
  comm -23 before.states after.states >lost.states
  [[ ! -s lost.states ]] || fail "finished parts were made again: $(cat lost.states)"
  [[ ! -s before.states ]] || kept=$((kept + 1))
  if [[ $status == 137 ]]; then
    kills=$((kills + 1))
    # A collection is there only as a whole.
    if [[ -e run.qlibs/manifest.json ]]; then diff -r --exclude='.quarry-*' whole.qlibs run.qlibs >diff.out || fail "$(head diff.out)"; fi
    continue
  fi
  [[ $status == 0 ]] || fail "status $status: $(cat err)"
  numbers out >found
  expect_same expected found
  diff -r whole.qlibs run.qlibs >diff.out || fail "other files: $(head -n 5 diff.out)"
  expect_same whole.rejects run.rejects
  finished=$((finished + 1))
  rm -r run.qlibs run.rejects
done
((kept >= 5)) || fail "only $kept of the runs went on with parts of another"
expect_clean

# A stream goes on too, as long as it is the same.
cat a.smi c.smi >rows.smi
"$quarry" index - -o stream.qlibs --part-rows 16384 --quiet <rows.smi || fail "status $?"
mkfifo rows
(cat rows.smi && exec sleep 300) >rows &
writer=$!
"$quarry" index - -o killed.qlibs --part-rows 16384 --quiet <rows &
program=$!
for _ in $(seq 600); do
  [[ ! -e killed.qlibs/part-000000.qlib ]] || break
  sleep 0.05
done
kill -9 $program || fail 'it ended by itself'
wait $program 2>wait.err || true
kill $writer 2>/dev/null || true
wait $writer 2>wait.err || true
states killed.qlibs >before.states
[[ -s before.states ]] || fail 'no part was finished'
"$quarry" index - -o killed.qlibs --part-rows 16384 --quiet <rows.smi || fail "status $?"
states killed.qlibs >after.states
[[ -z $(comm -23 before.states after.states) ]] || fail 'a finished part was made again'
diff -r stream.qlibs killed.qlibs >diff.out || fail "$(head diff.out)"
