#!/usr/bin/env bash
# Alert sets as their authors mean them: hydrogens, numbers of matches, several files and tables, what is refused; and the
# molecules that pass.
source "$(dirname "$0")/support.bash" "$1"
printf '%s\n' 'CCO ethanol' 'CC ethane' 'c1ccccc1O phenol' 'CCCCCC hexane' >molecules.smi
rows() { tail -n +2 "${1:-out}" | tr '\t' ' ' >got; }
wanted() { printf '%s\n' "$@" | cmp -s - got || fail "got $(cat got)"; }

# Molecules without hydrogen atoms: a query that asks for one means a hydrogen count.
expect 0 "$quarry" match molecules.smi -q '[#1]O oh' -q 'c ring' --json
json_is query_hydrogens '"merge"'
json_is queries_merged 1
json_is molecules_flagged 2
expect_text err 'queries 2 (hydrogens merged in 1); molecules flagged 2, hits 3;'
expect 1 "$quarry" match molecules.smi -q '[#1]O' --query-h literal
expect 0 "$quarry" index molecules.smi --explicit-h -o explicit.qlib
expect 0 "$quarry" match explicit.qlib -q '[#1]O oh' --mode all --json
json_is query_hydrogens '"literal"'
json_is queries_merged 0
expect_text out '^ethanol	oh	1	ok	[0-9]*,2$'
expect 0 "$quarry" grep '[#1]O' molecules.smi explicit.qlib --no-filename
expect_lines out 4
expect_error 'two runs' "$quarry" match molecules.smi explicit.qlib -q C

# Numbers of matches, in a line or in columns: of different sets of atoms.
printf '%s\n' 'C~C pair' 'CC many min=3' '[#6] few max=2' 'O none min=0 max=0' 'C-C two words max=1 min=1' >counts.smarts
for mode in first count all unique; do
  expect 0 "$quarry" match molecules.smi counts.smarts --mode "$mode" --verify 100
  tail -n +2 out | cut -f 1,2 | tr '\t' ' ' >got
  wanted 'ethanol pair' 'ethanol few' 'ethanol two words' 'ethane pair' 'ethane few' 'ethane none' 'ethane two words' \
    'hexane pair' 'hexane many' 'hexane none'
done
printf 'SMARTS\tname\tmin\tmax\tgroup\tcomment\nCC\tmany\t3\t\tg\tlong\nO\tnone\t0\t0\n' >table.tsv
printf 'id,smarts,min\nacid,"[CX3](=O)[OX2,OX1]",\n"many, many",CC,3\n' >table.csv
expect 0 "$quarry" match molecules.smi table.tsv table.csv --summary summary.tsv
head -n 2 summary.tsv | cut -f 1,8,9 | tr '\t' ' ' >got
wanted 'query group comment' 'many g long'
rm summary.tsv
expect 0 "$quarry" match molecules.smi table.tsv table.csv --per-molecule
rows
wanted 'ethane 1 none' 'hexane 3 many;none;many, many'
printf '%s\n' 'SMARTS name' 'CCCC chain' >header.smarts
expect 0 "$quarry" match molecules.smi header.smarts
rows
wanted 'hexane chain 1 ok'
echo 'C,x' >bad.csv
expect_error "'bad.csv' has no column named smarts; its header is: C,x" "$quarry" match molecules.smi bad.csv
printf 'smarts,mincount\nC,2\n' >count.csv
expect_error "column 'mincount' is not known" "$quarry" match molecules.smi count.csv
for numbers in 'min=x' 'max=-1' 'min=3 max=2'; do
  expect 2 "$quarry" match molecules.smi -q "C c $numbers"
  expect_text err 'min is 3, above max, which is 2\|is a number of matches, not'
done

# Queries of one id can be told apart.
printf '%s\n' 'O x' 'OC x' 'CC y' >other.smarts
echo 'CCC y' >more.smarts
expect 0 "$quarry" match molecules.smi other.smarts more.smarts
expect_text err '^quarry: 4 queries share an id with another: rows name them file:id, or file:line:id$'
cut -f 2 out | tail -n +2 | sort -u >got
wanted more.smarts:y other.smarts:1:x other.smarts:2:x other.smarts:y
expect 0 "$quarry" match molecules.smi more.smarts more.smarts
cut -f 2 out | tail -n +2 | sort -u >got
wanted more.smarts:1:y 'more.smarts:1:y#2'

# What is refused ends the run, before anything is written.
printf '%s\n' 'C#N nitrile' 'C(C broken' 'O oxygen' >mixed.smarts
expect 2 "$quarry" match molecules.smi mixed.smarts -o hits.tsv
expect_absent hits.tsv
expect_text err '^quarry: query refused: mixed.smarts line 2 (id broken): '
expect_text err '^quarry: 1 query refused, of 3: mend or remove it, or give --allow-refused to go on without it$'
expect 0 "$quarry" match molecules.smi mixed.smarts --allow-refused --json
expect_text err 'queries 2 (1 refused); '
json_is queries_refused 1
expect 0 "$quarry" index molecules.smi -o library.qlib
expect_error 'library.qlib is a library' "$quarry" match molecules.smi --queries library.qlib
expect 0 "$quarry" match molecules.smi -q C -o molecules.sdf
expect_error "'molecules.sdf' is an SDF file of molecules, not a file of SMARTS" \
  "$quarry" match molecules.smi --queries molecules.sdf
printf 'C\0C\n' >nul.smarts
expect_error "line 1 has a NUL byte" "$quarry" match molecules.smi nul.smarts

# Several inputs are one after the other; rejected rows say their file.
printf '%s\n' 'CO methanol' 'CXC broken' >second.smi
expect 0 "$quarry" match library.qlib second.smi --input molecules.smi -q O --rejects rejects.tsv --json
json_is rows 10
json_is rejected 1
rows
head -n -1 got >kept && mv kept got
wanted 'ethanol 1 1 ok' 'phenol 1 1 ok' 'methanol 1 1 ok' 'molecules.smi:ethanol 1 1 ok' 'molecules.smi:phenol 1 1 ok'
expect_text rejects.tsv '^second.smi:2	broken	'
expect_error 'no molecules' "$quarry" match --queries other.smarts

# A check that checked nothing is no check.
expect 2 "$quarry" match molecules.smi -q '(C).(O)' --verify 100
expect_text err '^quarry: no pair was checked: '

# The molecules that pass, beside those that do not.
expect 0 "$quarry" match molecules.smi -q 'O oxygen' -q 'c ring' --unmatched clean.smi --matched flagged.tsv -o pairs.tsv
expect_lines pairs.tsv 4
tr '\t' ' ' <flagged.tsv >got
wanted 'smiles id quarry_queries' 'CCO ethanol oxygen' 'c1ccccc1O phenol oxygen;ring'
tr '\t' ' ' <clean.smi >got
wanted 'CC ethane' 'CCCCCC hexane'
expect 0 "$quarry" match molecules.smi -q O --invert
rows
wanted 'ethane 0 ' 'hexane 0 '
expect 1 "$quarry" match molecules.smi -q '*' --invert
expect 0 "$quarry" match molecules.smi -q O --per-molecule -o molecules.jsonl
expect_text molecules.jsonl '^{"molecule":"phenol","alerts":1,"queries":\["1"\]}$'
expect_clean

# Sets of alerts by name, beside other queries; printed, they are queries again.
expect 0 "$quarry" sets
expect_text out '^pains	480	0	RDKit '
expect_text out '^zinc	50	25	RDKit '
expect 0 "$quarry" match "$examples/drugs.smi" --set zinc --set zinc --set brenk -q 'CCO ether' -o sets.tsv --verify 100
expect_text err 'queries 156; '
expect 0 "$quarry" sets zinc brenk
expect_text out '^\[#6\] carbons min=41$'
expect_text out '^# brenk: '
mv out printed.smarts
expect 0 "$quarry" match "$examples/drugs.smi" printed.smarts -q 'CCO ether' -o printed.tsv
expect_same sets.tsv printed.tsv
for set in pains brenk nih zinc; do
  expect 0 "$quarry" sets "$set"
  mv out printed.smarts
  expect 0 "$quarry" match "$examples/drugs.smi" printed.smarts -o printed.tsv
  expect 0 "$quarry" match "$examples/drugs.smi" --set "$set" -o sets.tsv
  expect_same sets.tsv printed.tsv
done
expect 0 "$quarry" sets --verify "$examples/drugs.smi"
expect_text out '^pains	415	19	0	0	0$'
expect_lines out 5
expect 0 "$quarry" match "$examples/drugs.smi" --set Zinc --set ZINC -o mixed.tsv
expect 0 "$quarry" match "$examples/drugs.smi" --set zinc -o lower.tsv
expect_same mixed.tsv lower.tsv
expect 0 "$quarry" sets ZINC --verify "$examples/drugs.smi"
# Rejected rows are counted, written and, where that is asked for, an error.
expect_text err '^rows 415 = ok 415 + rejected 0; 1 set compared; read '
printf '%s\n' 'CCO ethanol' 'C1CC open_ring' >some.smi
expect 0 "$quarry" sets zinc --verify some.smi --rejects rejected.tsv --progress lines
expect_text out '^zinc	1	'
expect_text err '^rows 2 = ok 1 + rejected 1; 1 set compared; '
expect_text rejected.tsv '^2	open_ring	'
expect_error '--strict: 1 rejected row; no file was written' "$quarry" sets zinc --verify some.smi --strict --rejects none.tsv --quiet
expect_absent none.tsv
[[ ! -s out ]] || fail 'a table in spite of --strict'
expect 0 "$quarry" sets zinc --verify some.smi --quiet
[[ ! -s err ]] || fail 'not quiet'
expect_error '--rejects is for the molecules of --verify' "$quarry" sets zinc --rejects none.tsv
expect_error "no set of alerts named 'pain'" "$quarry" match molecules.smi --set pain
mkdir own
printf '%s\n' 'O oxygen' 'CCCC chain' >own/house.smarts
cp counts.smarts own/zinc.txt
expect 0 "$quarry" sets --sets-dir own
expect_text out '^house	2	0	own/house.smarts$'
expect_text out '^zinc	5	4	own/zinc.txt$'
expect 0 "$quarry" match molecules.smi --set house --sets-dir own --per-molecule
rows
wanted 'ethanol 1 oxygen' 'phenol 1 oxygen' 'hexane 1 chain'
expect 0 "$quarry" match molecules.smi --set House --sets-dir own
expect_error 'RDKit has no set of alerts' "$quarry" sets house --sets-dir own --verify molecules.smi
expect 0 "$quarry" match "$examples/drugs.smi" --set zinc --explicit-h -o sets.tsv
expect_text err 'sets of alerts are meant for molecules without'
