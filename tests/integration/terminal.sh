#!/usr/bin/env bash
# What a user sees: the line of progress on a terminal and elsewhere, and the first rows of a long table.
source "$(dirname "$0")/support.bash" "$1"

write_molecules
echo 'C carbon' >q.smarts
mkfifo feed

# on_terminal COLUMNS COMMAND: runs it on a terminal with this number of columns; all that is shown goes into `shown`.
on_terminal() { script -qefc "stty cols $1 rows 24; $2" shown </dev/null >/dev/null; }

# wait_for PATTERN FILE: until the file has it.
wait_for() {
  for ((i = 0; i < 6000; ++i)); do
    grep -qa -e "$1" "$2" 2>grep.err && return
    sleep 0.05
  done
  fail "never shown: $1"
}

# The pieces between the codes that erase the line, without carriage returns.
pieces() { tr '\r' '\n' <shown | sed 's/\x1b\[K//g'; }

# slow_run COLUMNS PATTERN OPTION...: a run on a terminal, fed with few molecules until there is a sign of life, then with
# many until the pattern is shown.
for ((i = 0; i < 70000; ++i)); do echo "CC m$i"; done >many.smi
slow_run() {
  rm -f shown
  on_terminal "$1" "'$quarry' match - q.smarts --format smi ${*:3} <feed" &
  local runner=$!
  exec 7>feed
  cat molecules.smi >&7
  wait_for 'match: 0:0' shown
  cat many.smi >&7
  wait_for "$2" shown
  exec 7>&-
  wait $runner || fail 'the run failed'
}

# On a terminal there is life before the input has ended; no line is as wide as the terminal, and none is left behind.
for columns in 100 40 20; do
  slow_run $columns 'match: [0-9]*,.*:'
  longest=$(pieces | grep -a '^match: ' | wc -L)
  ((longest > 10 && longest < columns)) || fail "$longest columns of $columns"
  ! grep -qaP 'match: [^\r\n\x1b]*(carbon|rows)' shown || fail 'the line was left behind'
done
slow_run 40 '^match: 0:0' --progress lines -o hits.tsv
! grep -qaP '\x1b' shown || fail 'lines were rewritten'

# Elsewhere a line a minute, at once only where it is asked for.
"$quarry" match - q.smarts -o hits.tsv --format smi --progress lines <feed 2>err &
runner=$!
exec 7>feed
wait_for '^match: 0:0[0-9]$' err
exec 7>&-
wait $runner || true
expect 0 "$quarry" match molecules.smi q.smarts -o hits.tsv
! grep -q '^match: ' err || fail 'a short run showed progress'
for option in '--progress none' --quiet; do
  on_terminal 80 "(sleep 1.2; cat molecules.smi) | '$quarry' match - q.smarts -o hits.tsv --format smi $option"
  ! grep -qa 'match: ' shown || fail "progress in spite of $option"
done
on_terminal 80 "(sleep 1.2; cat molecules.smi) | '$quarry' sets zinc --verify - --format smi"
grep -qa 'sets: 0:0' shown || fail 'sets shows no progress'
expect 2 "$quarry" match molecules.smi q.smarts --progress dots
grep -q 'auto, lines, none' err || fail 'the choices are not listed'

# A long table is cut on a terminal, with a count, and nowhere else.
head -n 60 many.smi >some.smi
on_terminal 80 "'$quarry' match some.smi q.smarts"
[[ $(grep -ca 'carbon' shown) == 40 ]] || fail 'not 40 rows'
grep -qa '^40 of 60 rows are shown; --rows 0 shows all' shown || fail 'no count of the rows'
on_terminal 80 "'$quarry' match some.smi q.smarts --rows 3"
[[ $(grep -ca 'carbon' shown) == 3 ]] || fail 'not 3 rows'
for all in '--rows 0' '--rows 60' '| cat' '-o /dev/stdout'; do
  on_terminal 80 "'$quarry' match some.smi q.smarts $all"
  [[ $(grep -ca 'carbon' shown) == 60 ]] || fail "not all rows with $all"
  ! grep -qa 'are shown' shown || fail "a count with $all"
done
on_terminal 80 "'$quarry' similar some.smi some.smi -k 1 --normalize canonical"
grep -qa '^40 of 60 rows are shown' shown || fail 'similar shows all'
on_terminal 80 "'$quarry' cluster some.smi --threshold 0.5 --normalize canonical"
grep -qa '^40 of 60 rows are shown' shown || fail 'cluster shows all'
on_terminal 80 "'$quarry' cluster some.smi --threshold 0.5 --normalize canonical --rows 3"
[[ $(grep -ca '^m[0-9]' shown) == 3 ]] || fail 'not 3 rows of cluster'
on_terminal 80 "'$quarry' mine --generate complete:9 triangle --list"
grep -qa '^40 of 84 rows are shown' shown || fail 'mine shows all'

# What a terminal would obey is shown as its code: in tables, lines of grep, what info prints, and messages.
printf 'CC id\033[31mred\007\n' >escapes.smi
for command in "match escapes.smi -q C" "grep --color never C escapes.smi" "pick escapes.smi -n 1" \
  "match escapes.smi -q C -o /dev/stdout" "similar escapes.smi escapes.smi -k 1" "cluster escapes.smi --threshold 0.5"; do
  on_terminal 80 "'$quarry' $command --quiet"
  grep -qaF 'id\x1b[31mred\x07' shown || fail "$command: $(cat -v shown)"
  ! grep -qaP '\x1b\[31m|\x07' shown || fail "$command: $(cat -v shown)"
done
expect_error 'id \\x1b\[31m' "$quarry" match escapes.smi -q "$(printf 'C( id \033[31m')"
expect 0 "$quarry" match escapes.smi -q C -o kept.tsv --quiet # a file has what is there
grep -qaP 'id\x1b\[31mred\x07' kept.tsv || fail 'the id in a file was changed'
