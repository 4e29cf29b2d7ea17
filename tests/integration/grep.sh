#!/usr/bin/env bash
# `quarry grep` keeps the manners of grep: lines as they are, their order, -c -v -m, several files, standard input.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
lines() { printf '%s\n' "$@" >wanted; }

expect 0 "$quarry" grep 'C#N' molecules.smi
lines 'N#Cc1ccccc1 benzonitrile' && expect_same out wanted
[[ ! -s err ]] || fail 'grep talks without need'
expect 0 "$quarry" grep c1ccccc1 molecules.smi
grep c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -v c1ccccc1 molecules.smi
grep -v c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -c c1ccccc1 molecules.smi
lines 4 && expect_same out wanted
expect 0 "$quarry" grep -c -v c1ccccc1 molecules.smi
lines 4 && expect_same out wanted
expect 0 "$quarry" grep -m 2 c1ccccc1 molecules.smi
grep -m 2 c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -c -m 3 c1ccccc1 molecules.smi
lines 3 && expect_same out wanted
expect 0 "$quarry" grep -m 9 '[#6,#11]' molecules.smi
expect_same out molecules.smi

# Exit status
expect 1 "$quarry" grep '[Br]' molecules.smi
[[ ! -s out ]] || fail 'lines where nothing matches'
expect 1 "$quarry" grep -c '[Br]' molecules.smi
lines 0 && expect_same out wanted
expect 1 "$quarry" grep -v '*' molecules.smi
expect 1 "$quarry" grep -m 0 '*' molecules.smi
expect_error 'no query can be used' bash -c "'$quarry' grep 'C(C' molecules.smi 2>&1 | tail -n 1 >&2; exit \${PIPESTATUS[0]}"
expect_error 'absent' "$quarry" grep C absent.smi

# A line is printed as it was written.
printf '%s\n' 'OCC  two  words' $'C(O)C\ttab\tand more' 'CCO' '  CO leading' >odd.smi
expect 0 "$quarry" grep O odd.smi
expect_same out odd.smi
printf '%s\n' 'id,smiles,note' '1,CCO,"a, b"' '2,CC,x' '3,CO,"two' 'lines"' >odd.csv
expect 0 "$quarry" grep O odd.csv
lines '1,CCO,"a, b"' '3,CO,"two' 'lines"' && expect_same out wanted

# Standard input, compressed input, library, SDF
expect 0 "$quarry" grep 'C#N' - <molecules.smi
expect_lines out 1
expect 0 "$quarry" grep 'C#N' <molecules.smi
expect_lines out 1
gzip -k molecules.smi
expect 0 "$quarry" grep 'C#N' molecules.smi.gz
expect_lines out 1
"$quarry" index molecules.smi -o molecules.qlib --quiet
expect 0 "$quarry" grep c1ccccc1 molecules.qlib
grep c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -m 2 c1ccccc1 molecules.qlib
expect_lines out 2
"$quarry" match molecules.smi -q '[#6]' -o molecules.sdf --quiet
expect 0 "$quarry" grep 'C#N' molecules.sdf
sed -n '/^benzonitrile$/,$p' molecules.sdf >wanted && expect_same out wanted

# Several files: names in front, the others are searched where one is missing.
cp molecules.smi more.smi
expect 0 "$quarry" grep 'C#N' molecules.smi more.smi
lines 'molecules.smi:N#Cc1ccccc1 benzonitrile' 'more.smi:N#Cc1ccccc1 benzonitrile' && expect_same out wanted
expect 0 "$quarry" grep -c --no-filename 'C#N' molecules.smi more.smi
lines 1 1 && expect_same out wanted
expect 2 "$quarry" grep -c 'C#N' molecules.smi absent.smi more.smi
lines molecules.smi:1 more.smi:1 && expect_same out wanted
expect_text err "^quarry: .*absent.smi"

# Rejected rows: neither selected nor hidden.
(echo 'c1ccc broken' && cat molecules.smi) >rejected.smi
for option in '' -v; do
  expect 0 "$quarry" grep $option 'C#N' rejected.smi
  expect_no_text out broken
  expect_text err '^quarry: rejected.smi, line 1: '
  [[ $(tail -n 1 err) == 'quarry: rejected.smi: rows 9 = ok 8 + rejected 1' ]] || fail 'closing line'
done
expect 0 "$quarry" grep --quiet 'C#N' rejected.smi
[[ ! -s err ]] || fail '--quiet is not quiet'

# A reader that has seen enough ends the program without a word.
seq 40000 | sed 's/.*/CCO ethanol&/' >many.smi
("$quarry" grep C many.smi 2>pipe_err || echo $? >pipe_status) | head -n 1 >first
lines 'CCO ethanol1' && expect_same first wanted
[[ ! -s pipe_err ]] || fail "broken pipe: $(cat pipe_err)"
[[ $(cat pipe_status) == 141 ]] || fail "status $(cat pipe_status) after a broken pipe"
("$quarry" match many.smi -q C --summary pipe.tsv 2>pipe_err || true) | head -n 1 >first
expect_absent pipe.tsv
expect_clean
