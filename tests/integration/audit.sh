#!/usr/bin/env bash
# Rows that are read without RDKit: the share that RDKit reads too, and stereo marks, which are read where they are asked for.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries
rows=$(wc -l <molecules.smi)
audited() { tail -n 1 out | sed -n 's/.*"audit":{"rows":\([0-9]*\),"differences":0}.*/\1/p'; }

expect 0 "$quarry" index molecules.smi -o a.qlib --audit 100% --json
[[ $(audited) -gt $((rows / 2)) && $(audited) -le $rows ]] || fail "all rows are audited: $(cat out)"
expect_text err "; audited $(audited) rows$"
expect 0 "$quarry" index molecules.smi -o b.qlib --audit 0 --json
[[ $(audited) == 0 ]] || fail "--audit 0 audits nothing: $(cat out)"
expect_no_text err 'audited'
expect 0 "$quarry" match a.qlib queries.smarts -o a.tsv
expect_no_text err 'audited'
expect 0 "$quarry" match b.qlib queries.smarts -o b.tsv
expect 0 "$quarry" match molecules.smi queries.smarts -o c.tsv --audit 100
expect_text err '; audited [0-9]* rows; read'
expect_same a.tsv b.tsv
expect_same a.tsv c.tsv
expect 0 "$quarry" grep c1ccccc1 molecules.smi --audit 100% --json
[[ $(audited) -gt 0 ]] || fail "grep audits: $(cat out)"
expect_error "audit takes a percentage from 0 to 100, not '101'" "$quarry" index molecules.smi -o c.qlib --audit 101

# Only with --chirality does a query find one of the two forms.
printf '%s\n' 'N[C@@H](C)C(=O)O L' 'N[C@H](C)C(=O)O D' 'C/C=C/C E' 'C/C=C\C Z' >stereo.smi
expect 0 "$quarry" index stereo.smi -o raw.qlib
expect 0 "$quarry" index stereo.smi --stereo -o resolved.qlib
expect 0 "$quarry" index raw.qlib --stereo -o later.qlib
expect 0 "$quarry" info raw.qlib
expect_text out '  stereo  *in the records$'
for library in resolved later; do
  expect 0 "$quarry" info $library.qlib
  expect_text out '  stereo  *resolved$'
  expect_text out '  options  *--stereo$'
done
for input in stereo.smi raw.qlib resolved.qlib later.qlib; do
  for query in 'N[C@@H](C)C(=O)O' 'C/C=C/C'; do
    expect 0 "$quarry" match "$input" -q "$query"
    expect_lines out 3
    expect 0 "$quarry" match "$input" -q "$query" --chirality
    expect_lines out 2
    expect 0 "$quarry" grep "$query" "$input"
    expect_lines out 2
    expect 0 "$quarry" grep --chirality "$query" "$input"
    expect_lines out 1
  done
done
# A run says how many records it had RDKit read, which are those that a query asks for.
expect 0 "$quarry" match raw.qlib -q 'C/C=C/C' --chirality --json
expect_text err '; stereo marks of 2 molecules resolved; read'
expect_text out '"stereo_resolved":2[,}]'
expect 0 "$quarry" match resolved.qlib -q 'C/C=C/C' --chirality --json
expect_no_text err 'resolved'
expect_text out '"stereo_resolved":0[,}]'
expect 0 "$quarry" match raw.qlib -q C --chirality
expect_no_text err 'resolved'
for input in stereo.smi raw.qlib resolved.qlib; do
  expect 0 "$quarry" match $input -q C --verify 100%
  expect 0 "$quarry" match $input -q 'C/C=C/C' --chirality --verify 100%
done

# A library stays as it is, and becomes another one only by --stereo alone.
expect_error "'raw.qlib' is a library already" "$quarry" index raw.qlib -o no.qlib
expect_error "'raw.qlib' is a library already; --stereo alone" "$quarry" index raw.qlib --stereo --3d -o no.qlib
expect_error "'later.qlib' has its stereo marks resolved" "$quarry" index later.qlib --stereo -o no.qlib
expect_error 'give it too' "$quarry" index --stereo 2 stereo.smi -o no.qlib
expect 0 "$quarry" index -o before.qlib --stereo stereo.smi
expect 0 "$quarry" info before.qlib
expect_text out '  stereo  *resolved$'
