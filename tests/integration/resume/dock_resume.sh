#!/usr/bin/env bash
# dock --ledger --resume: killed at random moments and run again, the files are those of a run that was left alone; and
# what --resume refuses.
source "$(dirname "$0")/../support.bash" "$1"

# Poses of the sample ligands are a library that is read in an instant; two of its rows cannot be docked.
cp "$examples/pocket.pdb" .
fast=(--center 0,0,0 --size 14,14,14 --effort screen --restarts 16 --max-poses 4 --poses 2 --quiet)
"$quarry" dock pocket.pdb "$examples/ligands.smi" "${fast[@]}" -o poses.sdf
for turn in $(seq 20); do
  cat poses.sdf
  # shellcheck disable=SC2016 # the end of a record
  if ((turn % 10 == 0)); then
    printf '%s\n' "boron_$turn" '' '' '  2  1  0  0  0  0  0  0  0  0999 V2000' \
      '    0.0000    0.0000    0.0000 B   0  0' '    1.5000    0.1000    0.2000 C   0  0' '  1  2  1  0' 'M  END' '$$$$'
  fi
done >library.sdf
modes=('' '--top 20' '--explain' '--top 3 --shard 2/3')

# dock MODE NAME OPTION...: the processor time, which no two runs share, is cut from the table.
dock() {
  write_command "$@"
  "${command[@]}"
}
write_command() {
  # shellcheck disable=SC2206 # the words of an option
  command=("$quarry" dock pocket.pdb library.sdf "${fast[@]}" $1 -o "$2.sdf" --table "$2.tsv" --rejects "$2.rejects" "${@:3}")
}
without_time() { awk -F '\t' -v OFS='\t' 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == "cpu_seconds") at = i} {$at = ""} 1' "$1"; }
expect_same_files() { # ONE OTHER
  expect_same "$1.sdf" "$2.sdf"
  expect_same "$1.rejects" "$2.rejects"
  without_time "$1.tsv" >one
  without_time "$2.tsv" >other
  expect_same one other
}

before=$(date +%s%N)
for number in "${!modes[@]}"; do expect 0 dock "${modes[number]}" "whole$number"; done
milliseconds=$((($(date +%s%N) - before) / 1000000 / ${#modes[@]}))  # of a whole run
[[ $(grep -c '^boron' whole0.tsv) == 2 && $(grep -c boron whole0.rejects) == 2 ]] || fail 'not two rejected rows'
expect_lines whole1.tsv 21

kills=0 finished=0 resumed=0
while ((kills < 12 || finished < 4)); do
  number=$((finished % ${#modes[@]})) status=0
  mkdir -p run
  write_command "${modes[number]}" run/poses --ledger run/run.db --resume --json
  "${command[@]}" >out 2>err &
  program=$!
  if ((kills < 60)); then
    wait_for=$((RANDOM * milliseconds / 32768))
    sleep "$((wait_for / 1000)).$(printf %03d $((wait_for % 1000)))"
    kill -9 $program 2>kill.err || true
  fi
  wait $program 2>wait.err || status=$?
  if [[ $status == 137 ]]; then
    kills=$((kills + 1))
    # A file is there only where the kill came after it was complete.
    [[ ! -e run/poses.sdf ]] || expect_same "whole$number.sdf" run/poses.sdf
    [[ ! -e run/poses.tsv ]] || [[ -e run/poses.sdf ]] || fail 'the table was there before the poses'
    continue
  fi
  [[ $status == 0 ]] || fail "status $status: $(cat err)"
  expect_same_files "whole$number" run/poses
  tail -n 1 out | grep -q '"resumed":0[,}]' || resumed=$((resumed + 1))
  finished=$((finished + 1))
  # A run that is done makes its files again, and docks nothing.
  rm run/poses.*
  expect 0 dock "${modes[number]}" run/poses --ledger run/run.db --resume --json
  expect_same_files "whole$number" run/poses
  rows=$(sed 's/.*"rows":\([0-9]*\),.*/\1/' out)
  json_is resumed "$rows"
  rm -r run
done
((resumed > 1)) || fail "$finished runs came to their end, $resumed of them resumed"

# What it refuses: nothing of the first run is changed.
expect 0 dock '' kept --ledger run.db
expect_error "is there already" dock '' kept --ledger run.db
refuse() { expect_error "$1" dock '' kept --ledger run.db --resume "${@:2}"; }
refuse '--seed was 1 and is 2 now' --seed 2
refuse '--iterations was 1 and is 2 now' --iterations 2
refuse '--top was 0 and is 3 now' --top 3
refuse '--explain was false and is true now' --explain
refuse '--scoring was vina and is vinardo now' --scoring vinardo
fast[3]=14,14,15
refuse 'the pocket was'
fast[3]=14,14,14
cp library.sdf library.kept
cat poses.sdf >>library.sdf
refuse 'the file of ligands was [0-9]* bytes'
cp library.kept library.sdf
cp pocket.pdb kept.pdb
sed -i 's/ 1.00  0.00/ 1.00  0.50/' pocket.pdb
refuse 'the receptor was'
cp kept.pdb pocket.pdb
expect_error '--output was kept.sdf' dock '' other --ledger run.db --resume
printf 'something else' >text.db
expect_error 'is no ledger' dock '' other --ledger text.db --resume
expect_error 'needs --ledger' dock '' other --resume
expect_error 'standard input' "$quarry" dock pocket.pdb - --format sdf "${fast[@]}" --ledger in.db <library.sdf
expect_same_files whole0 kept
expect_clean
