#!/usr/bin/env bash
# What is cut short says so: --max-matches, --pair-budget; and what shapes a query: hydrogens, chirality.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
columns() { cut -f 1-4 out | tail -n +2 | tr '\t' ' ' >got; }
wanted() { printf '%s\n' "$@" | cmp -s - got || fail "got $(cat got)"; }
match() { expect "$1" "$quarry" match molecules.smi "${@:2}" && columns; }

# benzene has 12 embeddings: at the limit, one below, one above.
for limit in 0 12 13; do
  match 0 -q 'c1ccccc1 ring' --mode count --max-matches $limit
  wanted 'benzene ring 12 ok' 'benzoic_acid ring 12 ok' 'aspirin ring 12 ok' 'benzonitrile ring 12 ok'
done
match 0 -q 'c1ccccc1 ring' --mode count --max-matches 11 --json --summary summary.tsv
head -n -1 got >rows && mv rows got
wanted 'benzene ring 11 truncated' 'benzoic_acid ring 11 truncated' 'aspirin ring 11 truncated' \
  'benzonitrile ring 11 truncated'
json_is truncated 4
expect_text summary.tsv $'^ring\tc1ccccc1\t4\t44\t4\t0\t0$'
expect_text err '4 truncated'

# A pair that runs out of budget is a timeout, never silence.
printf 'C1CC2CCC1CC2 cage\n' >cage.smi
expect 0 "$quarry" match cage.smi -q '*~*~*~*~*~* path' --mode count --pair-budget 20 --summary summary.tsv --json
expect_text out $'^cage\tpath\t[0-9]*\ttimeout$'
json_is timeouts 1
expect_text summary.tsv $'^path\t.*\t0\t1\t0$'
expect 0 "$quarry" match cage.smi -q '*~*~*~*~*~* path' --mode count --pair-budget 1000000
expect_text out $'^cage\tpath\t[0-9]*\tok$'

# A pair with too many embeddings to store is named, all other hits are written, and the exit status says so.
printf '%s\n' 'C[U](F)(F)(F)(F)(F)(F)(F)(F)(F)(F)(F)F many' 'F[U] few' >fluorides.smi
queries=(-q '[U](F)([F;D1])([F;X1])([F;H0])([F;v1])([F;+0])([F;R0])([F;h0])[F;x0] nine' -q 'F[U] one')
for mode in all unique; do
  expect 2 "$quarry" match fluorides.smi "${queries[@]}" --mode $mode -o hits.tsv --json
  cut -f 1-4 hits.tsv | tail -n +2 | tr '\t' ' ' >got
  if [ $mode = all ]; then count=79833600; else count=1; fi
  wanted "many nine $count overflow" 'many one 12 ok' 'few one 1 ok'
  json_is overflows 1
  expect_text err "molecule 'many', query 'nine'"
  expect_text err 'hits 3, 1 overflow;'
  expect 2 "$quarry" match fluorides.smi "${queries[@]}" --mode $mode -o hits.smi
  expect_text hits.smi $'\tmany\tnine;one\t'$count$'+;12\t'
done
# Embeddings that only symmetries of the query tell apart need no room: 220 sets of atoms.
expect 0 "$quarry" match fluorides.smi -q '[U](F)(F)(F)(F)(F)(F)(F)(F)F nine' --mode unique -o hits.tsv
expect_text hits.tsv $'^many\tnine\t220\tok\t'
expect 0 "$quarry" match fluorides.smi "${queries[@]}" --mode unique --max-matches 10 -o hits.tsv
expect_text hits.tsv $'^many\tnine\t10\ttruncated\t'

# Rows that RDKit would read for minutes are rejected.
{ echo 'CC ethane' && printf 'C%.0s' {1..4097} && echo ' chain' && printf 'C%.0s' {1..10001} && echo ' long'; } >long.smi
expect 0 "$quarry" match long.smi -q C --rejects rejects.tsv
expect_text err 'rows 3 = ok 1 + rejected 2'
expect_text rejects.tsv $'^2\tchain\t.*4097 atoms'
expect_text rejects.tsv $'^3\tlong\tthe molecule has 10001 atoms; at most 10000 are read'
for command in 'similar -q CCO long.smi -k 1' 'cluster long.smi --threshold 0.5' 'pick long.smi -n 1'; do
  # shellcheck disable=SC2086 # the words of a command
  expect 0 timeout 60 "$quarry" $command
  expect_text err 'rows [34] = ok [12] + rejected 2'
done
expect_error '4097 atoms' timeout 60 "$quarry" similar -q "$(printf 'C%.0s' {1..4097})" long.smi -k 1
# Also where columns are the other way round, and the chain is an id.
{ printf 'Z1 ' && printf 'C%.0s' {1..4097} && printf '\nZ2 CC\nZ3 CCC\n'; } >turned.smi
expect_error 'its ids seem to be the SMILES' timeout 60 "$quarry" match turned.smi -q CCO
# A drawing would take minutes: these have none.
{ printf 'C1' && printf 'C%.0s' {1..2999} && echo 'C1 ring'; } >ring.smi
expect 0 timeout 60 "$quarry" match ring.smi -q C -o ring.sdf
expect_text ring.sdf '^M  V30 1 C 0\.000000 0\.000000 0\.000000 0'
expect 0 "$quarry" index long.smi -o one.qlib --max-atoms 2
expect 2 "$quarry" match one.qlib -q C --max-atoms 2
expect_text err '--max-atoms is for text files'

# Hydrogens
match 1 -q '[#1][OX2]' --query-h literal
match 0 -q '[H][OX2] oh' --query-h merge --json
expect_text err '(hydrogens merged in 1)'
json_is query_hydrogens '"merge"'
head -n -1 got >rows && mv rows got
wanted 'ethanol oh 1 ok' 'acetic_acid oh 1 ok' 'benzoic_acid oh 1 ok' 'aspirin oh 1 ok'
match 0 -q '[#1][OX2] oh' --explicit-h
wanted 'ethanol oh 1 ok' 'acetic_acid oh 1 ok' 'benzoic_acid oh 1 ok' 'aspirin oh 1 ok'
expect 0 "$quarry" index molecules.smi -o explicit.qlib --explicit-h
expect 0 "$quarry" match explicit.qlib -q '[#1][OX2] oh' --explicit-h --verify 100 && columns
wanted 'ethanol oh 1 ok' 'acetic_acid oh 1 ok' 'benzoic_acid oh 1 ok' 'aspirin oh 1 ok'

# Chirality
printf '%s\n' 'C[C@H](N)C(=O)O L' 'C[C@@H](N)C(=O)O D' >alanine.smi
expect 0 "$quarry" match alanine.smi -q 'C[C@H](N)C(=O)O ala' && columns
wanted 'L ala 1 ok' 'D ala 1 ok'
expect 0 "$quarry" match alanine.smi -q 'C[C@H](N)C(=O)O ala' --chirality --verify 100 && columns
wanted 'L ala 1 ok'
expect 0 "$quarry" grep --chirality 'C[C@H](N)C(=O)O' alanine.smi
expect_lines out 1
# Marks that cannot be honoured matter only with it.
for smarts in 'C[C,N@H](N)C(=O)O' 'C[C@TH1H](N)C(=O)O' 'C/,-[#6](N)C(=O)O'; do
  expect 0 "$quarry" match alanine.smi -q "$smarts odd" --verify 100 && columns
  wanted 'L odd 1 ok' 'D odd 1 ok'
  expect_text err 'agreement 2 of 2 pairs (100 %); read again 2 rows and 1 query;'
  expect 2 "$quarry" match alanine.smi -q "$smarts odd" --chirality
  expect_text err '^quarry: query refused: SMARTS 1 (id odd)'
  expect 2 "$quarry" grep --chirality "$smarts" alanine.smi
done

# Numbers out of range say the range, and none is cut in silence.
for given in '--max-matches -1' '--max-matches 9223372036854775808' '--max-matches 1.5' '--seed 18446744073709551616' \
  '--threads 4097'; do
  # shellcheck disable=SC2086 # an option and its value
  expect_error "^quarry: ${given% *}: '${given#* }' is not a whole number from 0 to [0-9]* " \
    "$quarry" match molecules.smi -q C $given
done
expect 0 "$quarry" match molecules.smi -q C --max-matches 9223372036854775807 --verify 100% --seed 18446744073709551615
