#!/usr/bin/env bash
# dock with --resume, whose ledger is removed at the end, and with --ledger, which keeps it: killed at random moments and
# run again, the files are those of a run that was left alone; and what --resume refuses.
source "$(dirname "$0")/../support.bash" "$1"

# Poses of the sample ligands are a library that is read in an instant; two of its rows cannot be docked.
cp "$examples/pocket.pdb" .
box='--center 0,0,0 --size 11,11,11'
fast=(--effort screen --restarts 16 --max-poses 4 --poses 2 --quiet)
# shellcheck disable=SC2086 # the words of the box
"$quarry" dock pocket.pdb "$examples/ligands.smi" $box "${fast[@]}" -o poses.sdf
for turn in $(seq 10); do
  cat poses.sdf
  # shellcheck disable=SC2016 # the end of a record
  if ((turn % 5 == 0)); then
    printf '%s\n' "boron_$turn" '' '' '  2  1  0  0  0  0  0  0  0  0999 V2000' \
      '    0.0000    0.0000    0.0000 B   0  0' '    1.5000    0.1000    0.2000 C   0  0' '  1  2  1  0' 'M  END' '$$$$'
  fi
done >library.sdf
printf '%s\n' 'one pocket.pdb 0,0,0 11,11,11' 'two pocket.pdb 1,0,0 11,11,12' >targets.txt
modes=(
  "pocket.pdb library.sdf $box"
  "pocket.pdb library.sdf $box --top 20"
  'library.sdf --targets targets.txt --explain'
  "pocket.pdb library.sdf $box --top 3 --shard 2/3"
)

# dock MODE NAME OPTION...
dock() {
  write_command "$@"
  "${command[@]}"
}
write_command() {
  # shellcheck disable=SC2206 # the words of an option
  command=("$quarry" dock $1 "${fast[@]}" -o "$2.sdf" --table "$2.tsv" --rejects "$2.rejects" "${@:3}")
}
# The processor time, which no two runs share, is cut from the table.
without_time() { awk -F '\t' -v OFS='\t' 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == "cpu_seconds") at = i} {$at = ""} 1' "$1"; }
expect_same_files() { # ONE OTHER
  expect_same "$1.sdf" "$2.sdf"
  expect_same "$1.rejects" "$2.rejects"
  without_time "$1.tsv" >one
  without_time "$2.tsv" >other
  expect_same one other
}
# The last line of a run without its times, and without what only one that goes on has.
numbers() { tail -n 1 "$1" | sed 's/"seconds":{[^}]*}//; s/"[a-z_]*per_[a-z]*":[^,]*,//g; s/"resumed":[0-9]*,//'; }
expect_same_numbers() { # FILE, of a run left alone; `out` is of the other
  numbers "$1" >expected
  numbers out >found
  expect_same expected found
}

before=$(date +%s%N)
for number in "${!modes[@]}"; do
  expect 0 dock "${modes[number]}" "whole$number" --json
  mv out "whole$number.json"
done
milliseconds=$((($(date +%s%N) - before) / 1000000 / ${#modes[@]}))  # of a whole run
[[ $(grep -c '^boron' whole0.tsv) == 2 && $(grep -c boron whole0.rejects) == 2 ]] || fail 'not two rejected rows'
expect_lines whole1.tsv 21

# Each mode with both kinds of ledger.
# The times until a kill suit the machine: they become longer with each kill, and shorter where a run came to its end. A run
# that is short may be over before its ledger has anything. What a kill leaves, the next run removes.
kills=0 finished=0 resumed=0
while [[ -e run ]] || ((kills < 16 || finished < 8 || (resumed < 2 && finished < 40))); do
  number=$((finished % ${#modes[@]})) status=0
  ledger=(--resume)
  ((finished / ${#modes[@]} % 2)) && ledger+=(--ledger run/run.db)
  mkdir -p run
  write_command "${modes[number]}" run/poses "${ledger[@]}" --json
  "${command[@]}" >out 2>err &
  program=$!
  if ((kills < 60)); then
    wait_for=$((RANDOM * milliseconds / 32768))
    sleep "$((wait_for / 1000)).$(printf %03d $((wait_for % 1000)))"
    kill -9 $program 2>kill.err || true
  fi
  wait $program 2>wait.err || status=$?
  if [[ $status == 137 ]]; then
    kills=$((kills + 1)) milliseconds=$((milliseconds + milliseconds / 16 + 1))
    # A file is there only where the kill came after it was complete.
    [[ ! -e run/poses.sdf ]] || expect_same "whole$number.sdf" run/poses.sdf
    [[ ! -e run/poses.tsv ]] || [[ -e run/poses.sdf ]] || fail 'the table was there before the poses'
    continue
  fi
  [[ $status == 0 ]] || fail "status $status: $(cat err)"
  expect_same_files "whole$number" run/poses
  expect_same_numbers "whole$number.json"
  grep -q '"resumed":0[,}]' out || resumed=$((resumed + 1))
  finished=$((finished + 1)) milliseconds=$((milliseconds > 40 ? milliseconds - milliseconds / 8 : milliseconds))
  if [[ ${#ledger[@]} == 1 ]]; then
    [[ $(find run -type f | wc -l) == 3 ]] || fail "left behind: $(ls run)"
  else
    # A run that is done makes its files again, and docks nothing.
    rm run/poses.*
    expect 0 dock "${modes[number]}" run/poses "${ledger[@]}" --json
    expect_same_files "whole$number" run/poses
    expect_same_numbers "whole$number.json"
    rows=$(sed 's/.*"rows":\([0-9]*\),.*/\1/' out)
    json_is resumed "$rows"
  fi
  rm -r run
done
((resumed > 1)) || fail "$finished runs came to their end, $resumed of them resumed"

# What --resume refuses, with both kinds of ledger: nothing of the first run is changed.
# shellcheck disable=SC2016 # the end of a record
awk 'records % 2 == 0 {print} $0 == "$$$$" && ++records == 5 {exit}' library.sdf >few.sdf
few="pocket.pdb few.sdf $box"
expect 0 dock "$few" first
# A run that cannot write its last file leaves its ledger.
leave_ledger() { # MODE
  rm -f kept.*
  ln -s /dev/full kept.rejects
  expect 2 dock "$1" kept --resume
  expect_text err '^quarry: cannot write kept.rejects'
  rm kept.rejects
  expect_absent kept.sdf kept.tsv
  [[ -e kept.sdf.ledger ]] || fail 'no ledger was left'
}
refuse() { # PATTERN MODE OPTION...
  expect_error "$1.*--restart begins again" dock "$2" kept --resume "${@:3}" "${name_ledger[@]}"
  expect_same_files first kept
  expect_same ledger "$kept_ledger"
}
refuse_all() { # LEDGER OPTION...: its file, and the options that name it
  kept_ledger=$1 name_ledger=("${@:2}")
  cp "$kept_ledger" ledger
  refuse "--seed was not given and is '2' now" "$few" --seed 2
  refuse "--iterations was not given and is '2' now" "$few" --iterations 2
  refuse "--top was not given and is '3' now" "$few" --top 3
  refuse '--explain was not given' "$few" --explain
  refuse "--scoring was not given and is 'vinardo' now" "$few" --scoring vinardo
  refuse "--size was '11,11,11' and is '11,11,12' now" "${few%11}12"
  refuse "INPUT was .*'few.sdf' of .* and is .*'library.sdf' of" "${few/few/library}"
  cp few.sdf few.before
  cat poses.sdf >>few.sdf
  refuse "INPUT was .*'few.sdf' of [0-9]* bytes, checksum" "$few"
  mv few.before few.sdf
  cp pocket.pdb pocket.before
  sed -i 's/ 1.00  0.00/ 1.00  0.50/' pocket.pdb
  refuse "INPUT was 'pocket.pdb' of [0-9]* bytes, checksum" "$few"
  mv pocket.before pocket.pdb
}
leave_ledger "$few"
for suffix in sdf tsv rejects; do cp first.$suffix kept.$suffix; done
refuse_all kept.sdf.ledger
# It still goes on, whatever the number of threads, and docks nothing; with --restart it begins again.
expect 0 dock "$few" kept --resume --threads 1 --json
json_is resumed 3
expect_same_files first kept
expect_absent kept.sdf.ledger
leave_ledger "$few --seed 2"
expect 0 dock "$few" kept --restart --json
json_is resumed 0
expect_same_files first kept
expect_absent kept.sdf.ledger
printf 'something else' >kept.sdf.ledger
for option in --resume --restart; do expect_error 'is no ledger' dock "$few" kept $option; done
expect_text kept.sdf.ledger 'something else'
rm kept.sdf.ledger

expect 0 dock "$few" kept --ledger run.db
expect_error 'is there already' dock "$few" kept --ledger run.db
refuse_all run.db --ledger run.db
expect_error "--output was 'kept.sdf' and is 'other.sdf' now" dock "$few" other --ledger run.db --resume
expect 0 dock "$few" kept --ledger run.db --resume --json
json_is resumed 3
expect 0 dock "$few --seed 2" kept --ledger run.db --restart --json
json_is resumed 0
expect 1 cmp -s first.sdf kept.sdf
[[ -e run.db ]] || fail 'the ledger of --ledger was removed'

# Labels are no part of a ledger: a run that is done can be ranked by them.
expect 0 dock "$few" kept --ledger run.db --restart
awk -F '\t' 'NR > 1 && $2 == "ok" {print $1, NR == 2 ? "active" : "decoy"}' kept.tsv >labels.txt
expect 0 dock "$few" kept --ledger run.db --resume --labels labels.txt --plot roc.svg --json
json_is resumed 3
json_is actives 1
expect_text roc.svg '<svg'

# Of several targets, receptors are compared that only the file of targets names; and what is to be said of one that is
# done is said again.
sed 6d pocket.pdb >lacking.pdb
cp pocket.pdb other.pdb
printf '%s\n' 'one lacking.pdb 0,0,0 11,11,11' 'two other.pdb 0,0,0 11,11,11' >targets.txt
several='few.sdf --targets targets.txt'
expect 0 dock "$several" first
expect_text err "'lacking.pdb' lacks 1 atom"
leave_ledger "$several"
cp other.pdb other.before
sed -i 's/ 1.00  0.00/ 1.00  0.50/' other.pdb
expect_error "the receptor of 'two' was 'other.pdb' of [0-9]* bytes, checksum" dock "$several" kept --resume
mv other.before other.pdb
expect 0 dock "$several" kept --resume --json
json_is resumed 6
expect_text err "'lacking.pdb' lacks 1 atom"
expect_same_files first kept

# The ledger stands beside the first output, and one that is named needs no file.
scores() { "$quarry" dock pocket.pdb few.sdf --center 0,0,0 --size 11,11,11 "${fast[@]}" "$@"; }
ln -s /dev/full table.rejects
expect_error 'table.rejects' scores --table table.tsv --rejects table.rejects --resume
[[ -e table.tsv.ledger ]] || fail 'no ledger beside the table'
rm table.rejects
expect 0 scores --table table.tsv --rejects table.rejects --resume --json
json_is resumed 3
expect_absent table.tsv.ledger
without_time table.tsv >expected
for turn in first second; do
  expect 0 scores --ledger table.db --resume
  without_time out >"$turn"
  expect_same expected "$turn"
done

for options in --resume '--restart --table -'; do
  # shellcheck disable=SC2086 # the words of the options
  expect_error 'needs an output file' scores $options
done
for options in '--ledger in.db' '-o in.sdf --resume'; do
  # shellcheck disable=SC2086 # the words of the options
  expect_error 'can be read again' "$quarry" dock pocket.pdb - --format sdf $box "${fast[@]}" $options <few.sdf
done
for option in '--ledger job.db' --resume --restart; do
  # shellcheck disable=SC2086 # the words of the option
  expect_error 'for docking a file of ligands' "$quarry" dock pocket.pdb poses.sdf --score-only -o job.sdf $option
done
expect_absent in.db in.sdf in.sdf.ledger job.db job.sdf job.sdf.ledger
expect_clean
