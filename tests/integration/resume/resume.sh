#!/usr/bin/env bash
# index, match, similar and mine --list with --resume: killed at random moments and run again, their files are those of
# runs that were left alone; and what --resume refuses.
source "$(dirname "$0")/../support.bash" "$1"
export SOURCE_DATE_EPOCH=1000000000 # a library holds the time at which it was made

# Chunks of 16,384 rows that are read in an instant, some of them rejected; and a library of many queries' work.
for name in few many; do
  [[ $name == few ]] && rows=17000 || rows=50000
  awk -v rows=$rows 'BEGIN {for (i = 0; i < rows; ++i) print (i % 997 == 5 ? "C(C" : i % 3 == 0 ? "CCO" : "N"), "m" i}' >$name.smi
done
awk '!/^#/' "$examples/drugs.smi" >drugs.smi
for copy in $(seq 12); do awk -v copy="$copy" '{print $1, $2 "_" copy}' drugs.smi; done >drugs12.smi
"$quarry" index drugs12.smi -o drugs.qlib --quiet
awk 'BEGIN {srand(3); for (i = 0; i < 30000; ++i) print int(rand() * 1500), int(rand() * 1500)}' >graph.txt

# What each mode writes, with %F for the name of its files; `whole` is the run that is left alone.
modes=(
  'index many.smi -o %F.qlib --rejects %F.rejects'
  "match few.smi drugs.qlib many.smi $examples/alerts.smarts -q CC -q N -o %F.tsv --summary %F.summary --rejects %F.rejects"
  "match drugs.qlib drugs.qlib $examples/alerts.smarts --mode all --refine 6 --threads 1 -o %F.jsonl.gz --unmatched %F.smi"
  'similar drugs12.smi drugs.qlib -k 3 --threads 1 -o %F.tsv.zst'
  'mine graph.txt 4-cycle --list -o %F.csv'
  'mine graph.txt triangle --list --limit 9000 --threads 1 -o %F.tsv'
)
write_command() { # MODE NAME OPTION...
  # shellcheck disable=SC2206 # the words of a command
  command=("$quarry" ${modes[$1]//%F/$2} --quiet --json "${@:3}")
}
run() {
  write_command "$@"
  "${command[@]}"
}
# The last line of a run without its times, and without what only one that goes on has.
# An audit is of the rows that a run has read itself.
numbers() { tail -n 1 "$1" | sed 's/"seconds":{[^}]*}//; s/"cpu_seconds":[^,}]*//; s/,"resumed":[0-9]*//; s/"audit":{[^}]*},//'; }
milliseconds=()
for mode in "${!modes[@]}"; do
  mkdir whole$mode
  before=$(date +%s%N)
  run "$mode" whole$mode/out >whole$mode.json || fail "status $? of ${modes[mode]}"
  milliseconds+=($((($(date +%s%N) - before) / 1000000)))
done

# Runs that are killed after a random time and taken up again until they come to their end. These times suit the machine:
# they become longer with each kill, and shorter where a run was not killed at all.
all_kills=0 all_resumed=0
for mode in "${!modes[@]}"; do
  rm -rf run
  kills=0 finished=0 resumed=0 most_ms=$((milliseconds[mode] / 2 + 20))
  # A short run may be over before its ledger has anything that it could go on from. What a kill leaves, the next run removes.
  while [[ -e run ]] || ((kills < 17 || finished < 1 || (resumed < 1 && finished < 10))); do
    status=0
    mkdir -p run
    write_command "$mode" run/out --resume
    "${command[@]}" >out 2>err &
    program=$!
    ms=$((RANDOM % most_ms))
    sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
    ((kills >= 60)) || kill -9 $program 2>kill.err || true
    wait $program 2>wait.err || status=$?
    if [[ $status == 137 ]]; then
      kills=$((kills + 1)) most_ms=$((most_ms + most_ms / 16 + 1))
      # Files are there only where the kill came after all of them were complete.
      for file in run/out.*; do
        [[ ! -e $file || $file == *.ledger* ]] || expect_same "whole$mode/${file#run/}" "$file"
      done
      continue
    fi
    [[ $status == 0 ]] || fail "status $status: $(cat err)"
    numbers out >found.numbers
    numbers whole$mode.json >expected
    expect_same expected found.numbers
    grep -q '"resumed":0[,}]' out || resumed=$((resumed + 1))
    diff -r whole$mode run >diff.out || fail "other files: $(head -n 5 diff.out)"
    finished=$((finished + 1))
    most_ms=$((most_ms > 40 ? most_ms - most_ms / 4 : most_ms))
    rm -r run
  done
  all_kills=$((all_kills + kills)) all_resumed=$((all_resumed + resumed))
done
((all_kills >= 100 && all_resumed >= 3)) || fail "$all_kills kills, $all_resumed runs that went on"

# What it refuses. Nothing is changed by it, and the run can still go on.
tab=$'\t'
printf 'CCO a\nN b\n' >in.smi
printf 'O oxygen\n' >queries.smarts
match() { "$quarry" match in.smi queries.smarts "$@" --quiet; }
expect 0 match -o kept.tsv
cp kept.tsv whole.tsv
# A folder where the output should be: the run fails, and leaves its ledger.
mkdir folder
leave_ledger() {
  rm -rf kept.tsv.ledger* kept.tsv
  mkdir kept.tsv
  expect_error 'kept.tsv' match -o kept.tsv --resume
  rmdir kept.tsv
  cp whole.tsv kept.tsv
  [[ -e kept.tsv.ledger ]] || fail 'no ledger was left'
}
leave_ledger
# So small a run keeps no row before its end, and a ledger without rows is taken for any run.
python3 -c 'import sqlite3
with sqlite3.connect("kept.tsv.ledger") as ledger: ledger.execute("INSERT INTO rows (part, row) VALUES (0, 0)")'
cp kept.tsv.ledger ledger
refuse() { # PATTERN OPTION...
  expect_error "$1.*--restart begins again" match -o kept.tsv --resume "${@:2}"
  expect_same whole.tsv kept.tsv
  expect_same ledger kept.tsv.ledger
}
refuse "--mode was not given and is 'count' now" --mode count
refuse "--query was not given and is 'C' now" -q C
refuse "--summary was not given" --summary s.tsv
refuse "INPUT was 'in.smi' of 10 bytes, checksum .* and is 'in.smi' of 14 bytes" < <(printf 'C c\n' >>in.smi)
printf 'CCO a\nN b\n' >in.smi
printf 'N nitrogen\n' >queries.smarts
refuse "FILE was 'queries.smarts' of 9 bytes, checksum"
# With --restart it begins again; with the same work it goes on, whatever the number of threads.
expect 0 match -o kept.tsv --restart
expect_text kept.tsv "b${tab}nitrogen"
expect_absent kept.tsv.ledger
printf 'O oxygen\n' >queries.smarts
leave_ledger
expect 0 match -o kept.tsv --resume --threads 1
expect_absent kept.tsv.ledger
expect_same whole.tsv kept.tsv
printf 'something else' >kept.tsv.ledger
for option in --resume --restart; do expect_error 'is no ledger' match -o kept.tsv $option; done
expect_text kept.tsv.ledger 'something else'
expect 0 match -o kept.tsv # without --resume no ledger is read
# A run that stopped at a broken query has done nothing: the mended one begins.
printf 'C((\n' >queries.smarts
expect_error 'a parenthesis is not closed' match -o mended.tsv --resume
printf 'O oxygen\n' >queries.smarts
expect 0 match -o mended.tsv --resume
expect_same whole.tsv mended.tsv
expect_absent mended.tsv.ledger

# Pairs that overflowed before the stop are named at the end, and counted for their queries.
printf '%s\n' 'C[U](F)(F)(F)(F)(F)(F)(F)(F)(F)(F)(F)F many' 'F[U] few' 'C[U](F)(F)(F)(F)(F)(F)(F)(F)(F)(F)(F)F again' >fluorides.smi
fluorides() {
  "$quarry" match fluorides.smi -q 'F[U] one' -q '[U](F)([F;D1])([F;X1])([F;H0])([F;v1])([F;+0])([F;R0])([F;h0])[F;x0] nine' --mode unique -o pairs.tsv \
    --summary pairs.summary --json "$@"
}
expect 2 fluorides
grep 'molecule ' err >named
expect_lines named 2
expect_text pairs.summary $'^one\t.*\t0$'
expect_text pairs.summary $'^nine\t.*\t2$'
cp pairs.summary whole.summary
rm pairs.tsv pairs.summary
ln -s /dev/full pairs.summary # where the run fails when all else is done
expect_error 'pairs.summary' fluorides --resume --quiet
rm pairs.summary
expect 2 fluorides --resume
json_is resumed 3 && json_is overflows 2
grep 'molecule ' err >found || fail 'no pair is named'
expect_same named found
expect_same whole.summary pairs.summary
expect_absent pairs.tsv.ledger

expect_error 'needs an output file' match --resume
expect_error 'needs an output file' match -o /dev/stdout --resume
expect_error 'can be read again' "$quarry" match - queries.smarts -o x.tsv --resume --quiet
expect_error 'use one of them' match -o x.tsv --verify 1% --resume
expect_error 'for rows of pairs' "$quarry" similar --matrix drugs.smi -o x.npy --resume
expect_error 'for the rows of --list' "$quarry" mine graph.txt triangle --resume
expect_error 'needs an output file' "$quarry" similar -q C drugs.qlib -k 1 --resume
expect_absent x.tsv x.npy x.tsv.ledger x.npy.ledger
expect_clean
