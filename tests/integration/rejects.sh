#!/usr/bin/env bash
# Every row is ok or rejected by line, id and reason; every query is used or refused by name.
source "$(dirname "$0")/support.bash" "$1"
write_queries
printf '%s\n' 'smiles id' 'CCO good' 'CN(C)(C)(C)C five_valent' '' 'c1ccc no_ring' 'C#N also_good' 'notsmiles junk' >rows.smi

check_rejects() {
  [[ $(head -n 1 rejects.tsv) == $'line\tid\treason' ]] || fail 'header of rejects'
  cut -f 1,2 rejects.tsv | tail -n +2 >rejected
  printf '3\tfive_valent\n5\tno_ring\n7\tjunk\n' | cmp -s - rejected || fail "rejects: $(cat rejects.tsv)"
  awk -F '\t' 'NF != 3 || $3 == "" { exit 1 }' rejects.tsv || fail 'a row without a reason'
  rm rejects.tsv
}

expect 0 "$quarry" match rows.smi queries.smarts --rejects rejects.tsv --json
expect_text err '^rows 5 = ok 2 + rejected 3; '
json_is rows 5 && json_is ok 2 && json_is rejected 3
check_rejects
expect 0 "$quarry" index rows.smi -o rows.qlib --rejects rejects.tsv --json
expect_text err '^rows 5 = ok 2 + rejected 3; '
json_is rows 5 && json_is ok 2 && json_is rejected 3
check_rejects
expect 0 "$quarry" match rows.qlib queries.smarts --rejects rejects.tsv
expect_text err '^rows 5 = ok 2 + rejected 3; '
check_rejects
expect 0 "$quarry" info rows.qlib
expect_text out 'rows  *5 = ok 2 + rejected 3'
expect 0 "$quarry" match rows.smi queries.smarts --rejects rejects.tsv.gz && gzip -dc rejects.tsv.gz >rejects.tsv
check_rejects

# A name that ends in .csv makes CSV.
printf '%s\n' 'CCO good' 'c1ccc no "ring", a' >odd.smi
printf '%s\n' 'O oxygen, any' 'C carbon' >odd.smarts
check_csv() {
  [[ $(head -n 1 rejects.csv) == 'line,id,reason' ]] || fail 'header of rejects.csv'
  expect_text rejects.csv '^2,"no ""ring"", a",'
  expect_lines rejects.csv 2
  rm rejects.csv
}
expect 0 "$quarry" match odd.smi odd.smarts --rejects rejects.csv --summary summary.csv.gz
check_csv
gzip -dc summary.csv.gz >summary.csv
expect_text summary.csv '^query,smarts,molecules,embeddings,truncated,timeout,overflow$'
expect_text summary.csv '^"oxygen, any",O,1,1,0,0,0$'
expect 0 "$quarry" index odd.smi -o odd.qlib --rejects rejects.csv
check_csv
expect 0 "$quarry" similar -q CCO odd.smi -k 1 --rejects rejects.csv
check_csv
printf '%s\n' '1 2' '2 3' '1 3' 'a,b 4' >odd.txt
expect 0 "$quarry" mine odd.txt triangle --skip-bad --rejects rejects.csv
expect_text rejects.csv '^line,id,reason$'
expect_lines rejects.csv 2

expect_error "summary 's.jsonl' is written as .tsv or .csv" "$quarry" match odd.smi odd.smarts --summary s.jsonl
expect_error "rejects 'r.npz.gz' is written as .tsv or .csv" "$quarry" index odd.smi -o never.qlib --rejects r.npz.gz
expect_absent s.jsonl r.npz.gz never.qlib

# All rows rejected: an error, but the reasons are there to be read.
grep -v good rows.smi >bad.smi
expect_error 'holds no molecule that can be read' "$quarry" match bad.smi queries.smarts -o hits.tsv --rejects bad.tsv
expect_lines bad.tsv 4
expect_absent hits.tsv
expect_error 'holds no molecule that can be read' "$quarry" index bad.smi -o bad.qlib
expect_absent bad.qlib

# Queries
printf '%s\n' 'C#N nitrile' 'C(C broken' '[#7' '// comment' 'O oxygen' >mixed.smarts
expect 0 "$quarry" match rows.smi mixed.smarts --summary summary.tsv --quiet --allow-refused
expect_lines err 2
expect_text err '^quarry: query refused: mixed.smarts line 2 (id broken): '
expect_text err '^quarry: query refused: mixed.smarts line 3'
expect_lines summary.tsv 3
expect_text summary.tsv $'^nitrile\tC#N\t1\t1\t0\t0\t0$'
expect_error 'query refused: SMARTS 1 .*not closed$' "$quarry" match rows.smi -q 'C(C' # told once
expect 2 "$quarry" match rows.smi -q 'C(C' -q 'C(N'
expect_text err '^quarry: no query can be used: 2 queries refused$'
expect 0 "$quarry" match rows.smi mixed.smarts --allow-refused -q '[#7,#8]' -q 'O named' --summary summary.tsv --quiet
cut -f 1,2 summary.tsv | tail -n +2 >ids
printf '%s\t%s\n' nitrile 'C#N' oxygen O q1 '[#7,#8]' named O | cmp -s - ids || fail "ids of queries: $(cat ids)"
expect_clean
