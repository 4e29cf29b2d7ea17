#!/usr/bin/env bash
# A truncated, changed, foreign or newer library is an error that says so; never a crash, never an answer.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries
"$quarry" index molecules.smi -o good.qlib --quiet
size=$(stat -c %s good.qlib)

# with_byte OFFSET VALUE: good.qlib with one byte changed, as bad.qlib.
with_byte() {
  cp good.qlib bad.qlib
  # shellcheck disable=SC2059 # the format is the byte
  printf "\\x$(printf %02x "$2")" | dd of=bad.qlib bs=1 seek="$1" conv=notrunc status=none
}
byte_at() { od -A n -t u1 -j "$1" -N 1 good.qlib | tr -d ' '; }

expect 0 "$quarry" info good.qlib
for length in 1 8 40 $((size / 3)) $((size / 2)) $((size - 1)); do
  head -c "$length" good.qlib >bad.qlib
  expect_error 'bad.qlib' "$quarry" info bad.qlib
  expect_error 'bad.qlib' "$quarry" match bad.qlib queries.smarts
done
(cat good.qlib && echo more) >bad.qlib
expect_error 'bad.qlib' "$quarry" info bad.qlib
cp molecules.smi bad.qlib
expect_error 'bad.qlib' "$quarry" info bad.qlib

# Every byte is covered by a check, and most messages name the section. Matching reads only part of a library, so it may
# end well, but never differently.
"$quarry" match good.qlib queries.smarts --mode count --quiet >answers
messages=0 sections=0
for ((offset = 0; offset < size; offset += size / 60 + 1)); do
  with_byte "$offset" $(($(byte_at "$offset") ^ 0x41))
  expect 2 "$quarry" info bad.qlib
  expect_text err '^quarry: .*bad.qlib'
  messages=$((messages + 1))
  grep -q -E '(offsets|kinds|codes|table|ids|records|rejected|similar|fingerprints|header|directory|footer)' err && sections=$((sections + 1))
  status=0
  "$quarry" match bad.qlib queries.smarts --mode count --quiet >out 2>err || status=$?
  [[ $status == 2 ]] || { [[ $status == 0 ]] && expect_same out answers; } || fail "status $status, byte $offset"
done
[[ $messages -ge 50 && $sections -ge $((messages * 9 / 10)) ]] || fail "$sections of $messages messages name a section"

# Each message about a chunk begins with the file and the chunk, whatever the verb reads of it.
awk 'BEGIN {for (i = 0; i < 16384 + 40; ++i) print (i % 2 ? "CCO" : "CCC"), "m" i}' >many.smi
"$quarry" index many.smi -o good.qlib --quiet
mapfile -t begins < <(grep -a -b -o QRYCHUNK good.qlib | cut -d : -f 1)
[[ ${#begins[@]} == 2 ]] || fail "chunks: ${begins[*]}"
begins+=($((begins[1] + $(od -A n -t u4 -j $((begins[1] + 8)) -N 4 good.qlib)))) # where the second one ends
for chunk in 0 1; do
  named=0
  for ((offset = begins[chunk] + 100; offset < begins[chunk + 1]; offset += (begins[chunk + 1] - begins[chunk]) / 8)); do
    with_byte "$offset" $(($(byte_at "$offset") ^ 0x41))
    for command in 'info' 'match -q CO -o x.sdf' 'match -q CO --verify 1% -o x.tsv' 'grep -o CO' 'similar -q CCO -k 3 -o x.tsv' \
      'cluster --threshold 0.5 -o x.tsv' 'pick -n 2 -o x.tsv'; do
      read -r -a words <<<"$command"
      status=0
      if [[ ${words[0]} == grep ]]; then words+=(bad.qlib); else words=("${words[0]}" bad.qlib "${words[@]:1}"); fi
      "$quarry" "${words[@]}" >out 2>err || status=$?
      [[ $status == 2 ]] || continue
      grep -q "^quarry: bad.qlib: chunk $chunk[,:]" err || fail "no chunk $chunk, byte $offset, $command"
      named=$((named + 1))
    done
  done
  ((named >= 24)) || fail "$named messages of chunk $chunk"
done

# A newer version: its number follows eight bytes of magic and four of byte order.
with_byte 12 200
expect_error 'version 200' "$quarry" info bad.qlib
