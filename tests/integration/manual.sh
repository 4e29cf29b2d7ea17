#!/usr/bin/env bash
# The manual pages: every option that --help shows is in them, and those who render them find nothing to complain of.
source "$(dirname "$0")/support.bash" "$1"
export SOURCE_DATE_EPOCH=1700000000

# check_page PAGE SECTION...: the sections are there, in this order, and roff is well-formed.
check_page() {
  grep '^\.SH' "$1" | cut -d ' ' -f 2- >sections
  printf '%s\n' "${@:2}" >wanted
  expect_same sections wanted
  expect_text "$1" '^\.TH [A-Z\\-]* 1 2023-11-14 "quarry [0-9.]* (RDKit [0-9.]*)" "User Commands"$'
  if command -v mandoc >/dev/null; then expect 0 mandoc -T lint "$1"; fi
  if command -v groff >/dev/null; then
    groff -man -ww -T utf8 "$1" 2>complaints >/dev/null
    [[ ! -s complaints ]] || fail "groff: $(cat complaints)"
  fi
}

expect 0 "$quarry" --man
cp out quarry.1
check_page quarry.1 NAME SYNOPSIS DESCRIPTION VERBS OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'
for verb in index info match cat grep sets similar cluster pick mine watch dock plan work status merge doctor; do
  expect_text quarry.1 "^.fB$verb.fR$"
  expect_text quarry.1 "^.BR quarry..$verb (1)"
  expect 0 "$quarry" --man $verb
  cp out page
  check_page page NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'
  expect 0 "$quarry" $verb --help
  grep -o '^  -[^ ]*' out | tr -d ' ' | tr ',' '\n' | sort >in_help
  sed -e 's/\\-/-/g' page | grep '^\\fB-' | grep -o 'fB-[a-zA-Z0-9-]*' | cut -c 3- | sort >in_page
  expect_same in_help in_page
done
[[ $(grep -c '^\.BR' quarry.1) == 17 ]] || fail 'a verb is missing above'
expect_error 'one verb' "$quarry" --man unknown
expect_error 'one verb' "$quarry" --man match info
