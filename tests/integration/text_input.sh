#!/usr/bin/env bash
# Text that is not as expected is read right or refused by name: bytes outside ASCII, UTF-16, libraries, line ends.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries

# RDKit would take what stands before such a byte for the molecule.
printf 'C\xf0\x9f\x92\xa5CCO smiley\nCC\xe2\x80\x8bO zero_width\nC\x00C nul\nCCO\xc2\xa0no_break\nCCO caf\xc3\xa9\n' >bytes.smi
{ echo smiles,id && printf 'CC\xe2\x80\x8bO,zero_width\nCCO,fine\n'; } >bytes.csv
for run in "match bytes.smi -q C -o hits.tsv" "index bytes.smi -o bytes.qlib"; do
  # shellcheck disable=SC2086 # words of a command
  expect 0 "$quarry" $run --rejects rejects.tsv
  expect_text err '^rows 5 = ok 1 + rejected 4'
  cut -f 1,3 rejects.tsv >reasons
  for line in '1.byte 240 at position 2' '2.byte 226 at position 3' '3.byte 0 at position 2' '4.byte 194 at position 4'; do
    expect_text reasons "^$line of the SMILES is not printable ASCII"
  done
done
expect 0 "$quarry" match bytes.csv -q C --rejects rejects.tsv
expect_text rejects.tsv 'zero_width.byte 226 at position 3'

# Other encodings; a byte order mark of UTF-8 is skipped.
for order in le be; do
  iconv -f utf-8 -t utf-16$order molecules.smi >body
  { [[ $order == le ]] && printf '\xff\xfe' || printf '\xfe\xff'; cat body; } >utf16.smi
  expect_error 'utf16.smi is text in UTF-16' "$quarry" match utf16.smi queries.smarts
  expect_error 'utf16.smi is text in UTF-16' "$quarry" match molecules.smi --queries utf16.smi
  expect_error 'standard input is text in UTF-16' "$quarry" mine - triangle <utf16.smi
done
{ printf '\xef\xbb\xbf' && cat molecules.smi; } >marked.smi
expect 0 "$quarry" match marked.smi queries.smarts --rejects rejects.tsv
expect_lines rejects.tsv 1

# A library where text is read
expect 0 "$quarry" index molecules.smi -o molecules.qlib
expect_error 'standard input is a library' "$quarry" match - queries.smarts <molecules.qlib
expect_error 'standard input is a library' "$quarry" index - -o other.qlib <molecules.qlib
expect_error 'is a library' "$quarry" match molecules.smi --queries molecules.qlib
expect_error 'is a library' "$quarry" mine molecules.qlib triangle
expect_absent other.qlib

# Line ends: all kinds give the same.
expect 0 "$quarry" match molecules.smi queries.smarts --quiet && mv out wanted
for end in '\r' '\r\n'; do
  awk -v ORS="$end" 1 molecules.smi >ends.smi
  awk -v ORS="$end" 1 queries.smarts >ends.smarts
  expect 0 "$quarry" match ends.smi ends.smarts --quiet && expect_same out wanted
  printf "1 2${end}2 3${end}1 3$end" >ends.txt
  expect 0 "$quarry" mine ends.txt triangle
  expect_text out $'^triangle\tedge-induced\t1\t'
done
