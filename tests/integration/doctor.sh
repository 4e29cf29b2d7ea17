#!/usr/bin/env bash
# `quarry doctor` names the machine and passes its self test.
source "$(dirname "$0")/support.bash" "$1"
expect 0 "$quarry" doctor
for word in quarry cpu simd threads; do expect_text out "^$word  *[^ ]"; done
[[ $(tail -n 1 out) =~ ^self\ test\ ok:\ .*\ pairs\ checked,\ all\ right\;\ [0-9.]+\ M\ pairs/s$ ]] || fail 'self test'
expect 0 "$quarry" doctor --json
expect_text out '"status":"ok"'
expect_error 'temp' env TMPDIR="$folder/absent" "$quarry" doctor
