#!/usr/bin/env bash
# The main job: index the sample molecules, look at the library, match the sample alerts, recheck every pair with RDKit.
source "$(dirname "$0")/../support.bash" "$1"

molecules=$examples/drugs.smi
alerts=$examples/alerts.smarts

expect 0 "$quarry" index "$molecules" -o drugs.qlib --json
expect_text err '^rows [0-9]* = ok [0-9]* + rejected 0; '
json_is rejected 0
ok=$(grep -o '"ok":[0-9]*' out | cut -d: -f2)
[[ $ok -ge 100 ]] || fail "only $ok molecules"

expect 0 "$quarry" info drugs.qlib
[[ $(tail -n 1 out) == 'checksums ok' ]] || fail 'no "checksums ok"'
expect_text out "rows  *$ok = ok $ok + rejected 0"
expect_text out '^molecule_codes .* read by match$'
expect 0 "$quarry" info drugs.qlib --json
json_is molecules "$ok"
json_is checksums '"ok"'

expect 0 "$quarry" match drugs.qlib "$alerts" -o hits.tsv --summary alerts.tsv --mode count --verify 100% --json
expect_text err "^rows $ok = ok $ok + rejected 0; queries [0-9]*\( (hydrogens merged in [0-9]*)\)\?; molecules flagged [0-9]*, hits [0-9]*; agreement "
expect_text err '(100 %'
queries=$(grep -o '"queries":[0-9]*' out | cut -d: -f2)
json_is pairs $((ok * queries))
json_is hits $(($(wc -l <hits.tsv) - 1))
for key in rows ok rejected queries pairs hits embeddings threads device version query_hydrogens truncated timeouts \
  read candidates refine map join write total checked agreed overflows rows_read rows_agreed queries_read; do
  expect_text out "\"$key\":"
done
[[ $(head -n 1 alerts.tsv) == $'query\tsmarts\tmolecules\tembeddings\ttruncated\ttimeout\toverflow' ]] || fail 'summary header'
expect_lines alerts.tsv $((queries + 1))
awk -F '\t' 'NR > 1 { sum += $3 } END { print sum }' alerts.tsv >sum
[[ $(cat sum) == $(($(wc -l <hits.tsv) - 1)) ]] || fail 'summary and hits differ'

# A text file gives what its library gives; and no mode changes which pairs match.
expect 0 "$quarry" match "$molecules" "$alerts" --mode count
expect_same out hits.tsv
for mode in first all unique; do
  expect 0 "$quarry" match drugs.qlib "$alerts" --mode $mode --verify 20
  cut -f 1,2 out >pairs
  cut -f 1,2 hits.tsv | diff -q - pairs >/dev/null || fail "mode $mode finds other pairs"
done
# Refinement never changes an answer.
for refine in 0 2 6; do
  expect 0 "$quarry" match drugs.qlib "$alerts" --mode count --refine $refine
  expect_same out hits.tsv
done
expect_clean
