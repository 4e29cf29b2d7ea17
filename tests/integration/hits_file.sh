#!/usr/bin/env bash
# Files of hits and matrices: quarry cat writes what match would have written; damage is named; where they are refused.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries
printf 'CCO  "quoted", tab\tx\nCCCl\nO[Si](O)(O)O \\back\n' >>molecules.smi # ids that text escapes
match() { expect 0 "$quarry" match "$@" --quiet; }
queries=(queries.smarts -q 'CC a"b,c' -q '[#6]~[#6]~[#6]')

for mode in first count all unique; do
  for limit in '' '--max-matches 2' '--pair-budget 3'; do
    # shellcheck disable=SC2086 # the words of an option
    match molecules.smi "${queries[@]}" --mode $mode $limit -o hits.qhits
    for format in tsv csv jsonl; do
      # shellcheck disable=SC2086
      match molecules.smi "${queries[@]}" --mode $mode $limit -o wanted.$format
      expect 0 "$quarry" cat hits.qhits -o got.$format
      expect_same got.$format wanted.$format
      # shellcheck disable=SC2086
      match molecules.smi "${queries[@]}" --mode $mode $limit --per-molecule -o wanted.$format
      expect 0 "$quarry" cat hits.qhits --per-molecule -o got.$format
      expect_same got.$format wanted.$format
    done
  done
done
match molecules.smi "${queries[@]}" -o wanted.tsv
match molecules.smi "${queries[@]}" -o hits.qhits
expect 0 "$quarry" cat hits.qhits && expect_same out wanted.tsv
expect 0 "$quarry" cat - <hits.qhits && expect_same out wanted.tsv
match molecules.smi "${queries[@]}" -o hits.qhits.xz && expect 0 "$quarry" cat hits.qhits.xz -o got.tsv.bz2
bzip2 -dc got.tsv.bz2 >got.tsv && expect_same got.tsv wanted.tsv

# The same bytes for any number of threads, from a library, and after a stop.
for copy in $(seq 3000); do awk -v copy="$copy" '{print $1, "m" NR "_" copy}' molecules.smi; done >many.smi
match many.smi "${queries[@]}" --mode unique --threads 1 -o one.qhits --matched one.smi
match many.smi "${queries[@]}" --mode unique --threads 3 -o three.qhits
expect_same one.qhits three.qhits
"$quarry" index many.smi -o many.qlib --quiet
for ending in qhits npz; do
  match many.qlib "${queries[@]}" --mode unique -o whole.$ending
  "$quarry" match many.qlib "${queries[@]}" --mode unique -o again.$ending --resume --quiet &
  program=$!
  sleep 0.2
  kill -9 $program 2>kill.err || true
  wait $program 2>kill.err || true
  [[ -e again.$ending ]] || match many.qlib "${queries[@]}" --mode unique -o again.$ending --resume
  expect_same again.$ending whole.$ending
done
expect_same whole.qhits one.qhits
expect 0 "$quarry" cat whole.qhits -o got.tsv
match many.qlib "${queries[@]}" --mode unique -o wanted.tsv && expect_same got.tsv wanted.tsv

# Nothing found is no error, and status 1 as from match.
expect 1 "$quarry" match molecules.smi -q '[Br]' -o none.qhits --quiet
expect 1 "$quarry" cat none.qhits
printf 'molecule\tquery\tcount\tstatus\n' >wanted && expect_same out wanted
expect 1 "$quarry" match molecules.smi -q '[Br]' -o none.npz --quiet

# What is damaged, or something else, is named, and no output appears.
size=$(stat -c %s hits.qhits)
for cut in 0 1 23 24 79 $((size / 2)) $((size - 1)); do
  head -c "$cut" hits.qhits >cut.qhits
  expect_error 'cut.qhits' "$quarry" cat cut.qhits -o got.csv
done
for at in 3 30 100 $((size / 2)) $((size - 60)) $((size - 1)); do
  cp hits.qhits flipped.qhits
  byte=$(od -An -tu1 -j "$at" -N 1 hits.qhits)
  printf '%b' "$(printf '\\x%02x' $((byte ^ 16)))" | dd of=flipped.qhits bs=1 seek="$at" conv=notrunc status=none
  expect_error 'flipped.qhits' "$quarry" cat flipped.qhits -o got.csv
done
rm -f got.csv
expect_error 'no file of hits' "$quarry" cat molecules.smi -o got.csv
expect_error 'missing.qhits' "$quarry" cat missing.qhits -o got.csv
expect_error 'no output format' "$quarry" cat hits.qhits -o got.sdf
expect_absent got.csv got.sdf
expect_error 'file of hits' "$quarry" match hits.qhits -q C --format smi
expect_error 'would be replaced' "$quarry" cat hits.qhits -o hits.qhits
expect_clean

# Rows of molecules are not pairs.
for output in new.qhits new.npz; do
  expect_error 'row a molecule' "$quarry" match molecules.smi -q C --per-molecule -o $output
  expect_error 'row a molecule' "$quarry" match molecules.smi -q C --invert -o $output
  expect_error 'row a molecule' "$quarry" match molecules.smi -q C --unmatched $output
done
expect_error 'archive already' "$quarry" match molecules.smi -q C -o new.npz.gz
expect_error 'two outputs' "$quarry" match molecules.smi -q C -o new.qhits --summary new.qhits
expect_absent new.qhits new.npz new.npz.gz

# An output that fails takes the others with it.
mkdir folder
expect 2 "$quarry" match molecules.smi -q C -o new.qhits --matched folder --quiet
expect_absent new.qhits

# The JSON object counts the processor's time, and that of opening.
expect 0 "$quarry" match many.qlib -q C -o hits.qhits --json --quiet
expect_text out '"cpu_seconds":[0-9.e-]*,"seconds":{"open":[0-9.e-]*,"read"'
expect 0 "$quarry" grep C molecules.smi -c --json
expect_text out '"cpu_seconds":[0-9.e-]*,"seconds":{"open":'
