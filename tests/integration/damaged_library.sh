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
  grep -q -E '(offsets|kinds|codes|table|ids|records|rejected|similar|header|directory|footer)' err && sections=$((sections + 1))
  status=0
  "$quarry" match bad.qlib queries.smarts --mode count --quiet >out 2>err || status=$?
  [[ $status == 2 ]] || { [[ $status == 0 ]] && expect_same out answers; } || fail "status $status, byte $offset"
done
[[ $messages -ge 50 && $sections -ge $((messages * 9 / 10)) ]] || fail "$sections of $messages messages name a section"

# A newer version: its number follows eight bytes of magic and four of byte order.
with_byte 12 200
expect_error 'version 200' "$quarry" info bad.qlib
