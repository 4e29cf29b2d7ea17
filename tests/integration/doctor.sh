#!/usr/bin/env bash
# `quarry doctor` names the machine and passes its self test.
source "$(dirname "$0")/support.bash" "$1"
expect 0 "$quarry" doctor
for word in quarry cpu simd threads '\(devices\|cuda\|hip\|sycl\)'; do expect_text out "^$word[ :][^ ]* *[^ ]"; done
expect_text out '^self test ok: .* pairs checked on host, all right; [0-9.]* M pairs/s$'
expect 0 "$quarry" doctor --json
expect_text out '"status":"ok"'
expect_error 'temp' env TMPDIR="$folder/absent" "$quarry" doctor
