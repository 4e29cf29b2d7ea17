#!/usr/bin/env bash
# A library with conformers: --3d, --conformers and --stereo are recorded, the section is checked and shown, and a damaged
# one is named.
source "$(dirname "$0")/support.bash" "$1"
printf '%s\n' 'CCO ethanol' 'CC(N)C(=O)O alanine' 'OB(O)c1ccccc1 boron' >rows.smi

expect 0 "$quarry" index rows.smi -o plain.qlib --quiet
expect 0 "$quarry" info plain.qlib
! grep -q conformers out || fail 'a library without --3d has conformers'
expect 0 "$quarry" index rows.smi -o small.qlib --3d --quiet
expect 0 "$quarry" index rows.smi -o large.qlib --3d --conformers 3 --stereo 2 --quiet
expect 0 "$quarry" info large.qlib
expect_text out '^conformers '
expect_text out '  options  *--3d --conformers 3 --stereo 2'
# 24 bytes of offsets and headers for a molecule and its isomers, 12 for an atom of a conformer: 9 atoms, two isomers of 13.
section() { "$quarry" info "$1" | awk '$1 == "conformers" { gsub(",", "", $2); print $2 }'; }
[[ $(section small.qlib) -eq $((4 * 4 + 3 * 8 + 12 * (9 + 13))) ]] || fail "bytes of one conformer each: $(section small.qlib)"
[[ $(section large.qlib) -eq $((4 * 4 + 4 * 8 + 3 * 12 * (9 + 2 * 13))) ]] || fail "bytes of three: $(section large.qlib)"

# The same bytes for any number of threads.
export SOURCE_DATE_EPOCH=0
expect 0 "$quarry" index rows.smi -o one.qlib --3d --stereo 2 --threads 1 --quiet
expect 0 "$quarry" index rows.smi -o two.qlib --3d --stereo 2 --threads 2 --quiet
cmp one.qlib two.qlib || fail 'threads change a library'

expect_error 'conformers' "$quarry" index rows.smi -o bad.qlib --3d --conformers 0
expect_error 'give it too' "$quarry" index rows.smi -o bad.qlib --stereo 2
expect_absent bad.qlib
expect_clean

# Combinations of centres that do not exist, as in a cage, are no forms.
printf 'NC12CC3CC(CC(C3)C1)C2 amantadine\nCC1CCC(O)CC1 cyclohexanol\n' >cage.smi
expect 0 "$quarry" index cage.smi -o cage.qlib --3d --stereo 8 --quiet
expect 0 "$quarry" dock "$examples/pocket.pdb" cage.qlib --center 4,-4,4 --size 16,16,16 --effort screen --table cage.tsv --quiet
printf 'id\tstatus\namantadine\tok\ncyclohexanol\tok\ncyclohexanol_2\tok\n' | cmp - <(cut -f 1,2 cage.tsv) || fail 'other forms'
