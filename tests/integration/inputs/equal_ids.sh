#!/usr/bin/env bash
# Molecules with the id of an earlier one: a warning with their number, and rows that can be told apart; and files whose
# columns are the other way round.
source "$(dirname "$0")/../support.bash" "$1"
printf '%s\n' 'CCO a' 'CCN b' 'CCC a' '' 'C(C b' 'CCCl c' 'CCBr b' >one.smi
printf '%s\n' 'CCO a' 'CCN d' 'CCC a' 'CCF e' >two.smi
told='rows have the id of an earlier one: tables name them file:id, or file:line:id$'
names() { # FILE NAME...: the first column is these names
  tail -n +2 "$1" | tr ',' '\t' | cut -f 1 >got
  printf '%s\n' "${@:2}" | cmp -s - got || fail "got $(cat got)"
}

# A rejected row counts too, for its id stands in the table of rejected rows.
in_text=(a b one.smi:3:a c one.smi:7:b two.smi:a d two.smi:3:a e)
for threads in 1 3; do
  expect 0 "$quarry" match one.smi two.smi -q C --threads $threads
  expect_text err "^quarry: 5 $told"
  names out "${in_text[@]}"
done
expect 0 "$quarry" match one.smi two.smi -q C -o hits.csv --per-molecule --matched kept.smi --unmatched kept.sdf --rejects bad.tsv
names hits.csv "${in_text[@]}"
expect_text bad.tsv '^one.smi:5	b	'
# Files of molecules keep their ids.
cut -f 2 kept.smi | tr '\n' ' ' | cmp -s - <(printf 'a b a c b a d a e ') || fail "$(cat kept.smi)"
expect 0 "$quarry" match one.smi two.smi -q C -o hits.jsonl --quiet
expect_text hits.jsonl '^{"molecule":"two.smi:3:a",'
[[ ! -s err ]] || fail 'a warning with --quiet'

# A library keeps ids as they are, and a run names its molecules by their number.
expect 0 "$quarry" index one.smi -o one.qlib
expect_text err '^quarry: 3 rows have the id of an earlier one: the library keeps the ids as they are$'
expect 0 "$quarry" match one.qlib two.smi one.qlib -q C
expect_text err "^quarry: 9 $told"
names out a b one.qlib:3:a c one.qlib:5:b two.smi:a d two.smi:3:a e \
  one.qlib:a one.qlib:b one.qlib:3:a#2 one.qlib:c one.qlib:5:b#2
[[ -z $(sort got | uniq -d) ]] || fail 'two rows of one name'
printf '%s\n' 'CCO a' 'CCN b' >distinct.smi
expect 0 "$quarry" match distinct.smi -q C
expect_no_text err 'earlier'
# A library says that its ids differ, which another file may not.
expect 0 "$quarry" index distinct.smi -o distinct.qlib
grep -q distinct_ids distinct.qlib || fail 'the library does not say that its ids differ'
grep -q distinct_ids one.qlib && fail 'a library with equal ids says that they differ'
expect 0 "$quarry" index distinct.qlib --stereo -o resolved.qlib
grep -q distinct_ids resolved.qlib || fail 'a library whose stereo marks are resolved does not say that its ids differ'
expect 0 "$quarry" match distinct.qlib -q C
expect_no_text err 'earlier'
names out a b
expect 0 "$quarry" match distinct.qlib distinct.smi distinct.qlib -q C
expect_text err "^quarry: 4 $told"
names out a b distinct.smi:a distinct.smi:b distinct.qlib:a distinct.qlib:b

# What similar, cluster and pick name.
for query in one.qlib 'one.smi --normalize canonical'; do
  # shellcheck disable=SC2086 # the words of a command
  expect 0 "$quarry" similar $query two.smi -k 1
  names out a b "${query%% *}:3:a" c "${query%% *}:$([[ $query == one.qlib ]] && echo 5 || echo 7):b"
done
expect 0 "$quarry" similar -q 'CCC a' two.smi -k 1
expect_text out '^a	two.smi:3:a	1$'
expect 0 "$quarry" similar -q 'CCC a' -q 'CCO a' two.smi -k 1
expect_text out '^-q:2:a	a	1$'
expect_text err "^quarry: 1 row has the id of an earlier one"
for library in one.qlib 'one.qlib --normalize canonical'; do
  # shellcheck disable=SC2086
  expect 0 "$quarry" cluster $library --threshold 0.5 -o clusters.tsv
  expect_text clusters.tsv 'one.qlib:3:a' && expect_text clusters.tsv 'one.qlib:5:b'
done
expect 2 "$quarry" match one.smi -q C --strict
expect_text err '^quarry: --strict: 1 rejected row, 1 warning; no file was written$'

# Ids first and SMILES second: most rows are rejected, and the reason is in sight.
printf '%s\n' 'a CCO' 'b CCN' 'C CCC' >swapped.smi
hint='swapped.smi: its ids seem to be the SMILES; a row is a SMILES and then its id'
expect 0 "$quarry" match swapped.smi -q C
expect_text err "^quarry: $hint"
sed -i '$d' swapped.smi
expect_error "$hint" "$quarry" match swapped.smi -q C
printf '%s\n' 'CCO a' 'x b' 'y CC' 'z d' >bad.smi
expect 0 "$quarry" match bad.smi -q C
expect_no_text err 'seem to be'
