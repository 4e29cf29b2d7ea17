#!/usr/bin/env bash
# Text that is not as expected is read right or refused by name: bytes outside ASCII, UTF-16, libraries, line ends.
source "$(dirname "$0")/../support.bash" "$1"
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
  # Without the mark it can be guessed.
  expect_error 'body.* seems to be text in UTF-16 (.*, without a byte-order mark): convert it' \
    "$quarry" match body queries.smarts --format smi
  expect_error 'seems to be text in UTF-16' "$quarry" match molecules.smi --queries body
  expect_error 'seems to be text in UTF-16' "$quarry" mine - triangle <body
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

# Ids: extensions of CXSMILES and further columns are no part of them, in each verb.
printf 'CC(=O)O |&1:2| Z1234\nCC\t|$a b;c$|\tacetic acid\t60.1\t7\nOCC my ethanol\t46\n' >ids.cxsmiles
gzip -k ids.cxsmiles
for file in ids.cxsmiles ids.cxsmiles.gz; do
  expect 0 "$quarry" match $file -q C --per-molecule
  cut -f 1 out >ids && printf '%s\n' molecule Z1234 'acetic acid' 'my ethanol' | cmp -s - ids || fail "ids: $(cat ids)"
  expect_text err "^quarry: $file: 2 CXSMILES extensions ignored"
done
expect 0 "$quarry" match molecules.smi ids.cxsmiles -q C --per-molecule  # more molecules, not queries
expect_text out ^Z1234
expect 0 "$quarry" match ids.cxsmiles -q C --per-molecule --id-rest
expect_text out $'^|.a b;c.| acetic acid 60.1 7\t1'
expect 0 "$quarry" index ids.cxsmiles -o ids.qlib && expect_text err '2 CXSMILES extensions ignored'
expect 0 "$quarry" grep 'C(=O)O' ids.qlib && expect_text out '^CC(=O)O Z1234$'
expect 0 "$quarry" grep 'C(=O)O' ids.cxsmiles && expect_text out '^CC(=O)O |&1:2| Z1234$'
expect 0 "$quarry" similar ids.cxsmiles ids.qlib -k 1 && expect_text out $'^Z1234\tZ1234\t1$'
expect_text err '2 CXSMILES extensions ignored'
expect 0 "$quarry" similar -q 'CC(=O)O |&1:2| from outside' ids.qlib -k 1 && expect_text out $'^from outside\tZ1234\t1$'
expect 0 "$quarry" cluster ids.cxsmiles --threshold 0.5 && expect_text out 'acetic acid'
expect 0 "$quarry" pick ids.cxsmiles -n 3 --quiet && expect_text out 'my ethanol' && [[ ! -s err ]] || fail '--quiet'
expect 0 "$quarry" match ids.cxsmiles -q C --id-column x
expect_text err '^quarry: ids.cxsmiles: --id-column is not used, because the file is SMILES without a header$'
expect_error 'excludes' "$quarry" match ids.cxsmiles -q C --id-column x --id-rest
expect_error 'id-rest is for text files' "$quarry" match ids.qlib -q C --id-rest

# What a file calls its ids
printf 'Catalog_ID,smiles\nZ1,CC\n,CCO\n' >catalog.csv
expect 0 "$quarry" match catalog.csv -q C --per-molecule
expect_text out ^Z1 && expect_text err "^quarry: catalog.csv: ids are taken from column 'Catalog_ID'$"
expect_text err "^quarry: catalog.csv: 1 row without an id in column 'Catalog_ID'"
expect 0 "$quarry" match catalog.csv -q C -o titled.sdf --quiet
sed 's/^Z1$/a title/' titled.sdf >vendor.sdf && sed 's/^Z1$//;s/^2$//' titled.sdf >untitled.sdf
sed -i '/^>  <Cat/{n;s/a title/Z1/}' vendor.sdf && sed -i '/^>  <Cat/{n;s/^$/Z1/}' untitled.sdf
expect 0 "$quarry" match vendor.sdf -q C --per-molecule --id-column Catalog_ID
expect_text out ^Z1 && expect_no_text out title
expect_text err "^quarry: vendor.sdf: 1 row without an id in data item 'Catalog_ID': the id is the title"
expect 0 "$quarry" match vendor.sdf -q C --per-molecule && expect_text out '^a title' && expect_no_text err 'ids are'
expect 0 "$quarry" match untitled.sdf -q C --per-molecule && expect_text out ^Z1
expect_text err "^quarry: untitled.sdf: ids are taken from data item 'Catalog_ID', where records have no title$"
for verb in "match vendor.sdf -q C -o lost.tsv" "index vendor.sdf -o lost.tsv" "pick vendor.sdf -n 1 -o lost.tsv --normalize canonical"; do
  # shellcheck disable=SC2086 # words of a command
  expect_error 'no record of vendor.sdf has a data item named nope.*Catalog_ID' "$quarry" $verb --id-column nope --quiet
  expect_absent lost.tsv
done

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
