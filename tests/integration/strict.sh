#!/usr/bin/env bash
# --strict: what would only be counted or warned of ends the run with status 2, and no file is written.
source "$(dirname "$0")/support.bash" "$1"

write_molecules
cp molecules.smi bad.smi
echo 'C1CC bad' >>bad.smi
echo 'c aromatic' >q.smarts
echo old >kept.tsv

# strict PATTERN COMMAND...: with --strict an error that keeps kept.tsv; without it no error.
strict() {
  local status=0
  expect 2 "${@:2}" --strict
  tail -n 1 err | grep -q -e "^quarry: --strict: $1; no file was written$" || fail "no error of --strict: ${*:2}"
  [[ $(cat kept.tsv) == old ]] || fail "kept.tsv was written: ${*:2}"
  expect_clean
  expect 2 "${@:2}" --strict --quiet
  [[ ! -e made ]] || fail 'an output was shown'
  "${@:2}" >out 2>err || status=$?
  [[ $status -lt 2 ]] || fail "status $status without --strict: ${*:2}"
  echo old >kept.tsv
  rm -f made*
}

strict '1 rejected row' "$quarry" match bad.smi q.smarts -o kept.tsv
strict '1 rejected row' "$quarry" match bad.smi q.smarts -o kept.tsv --unmatched made.smi
strict '1 rejected row' "$quarry" index bad.smi -o made.qlib
strict '1 rejected row' "$quarry" similar bad.smi molecules.smi -k 2 -o kept.tsv --normalize canonical
strict '1 rejected row' "$quarry" cluster bad.smi --threshold 0.5 -o kept.tsv --normalize canonical
strict '1 rejected row' "$quarry" pick bad.smi -n 2 -o kept.tsv --normalize canonical
strict '1 rejected row' "$quarry" grep c bad.smi
echo 'CC |$R1;$| labelled' >extended.smi
strict '1 warning' "$quarry" match extended.smi q.smarts -o kept.tsv
strict '1 warning' "$quarry" grep -c C extended.smi
printf 'smarts,id,severity\nC,c,high\n' >table.csv
strict '1 ignored column' "$quarry" match molecules.smi table.csv -o kept.tsv
mkdir sets && mv table.csv sets/mine.csv
strict '1 ignored column' "$quarry" match molecules.smi --set mine --sets-dir sets -o kept.tsv
printf 'C x\nN x\n' >twice.smarts
strict '1 warning' "$quarry" match molecules.smi twice.smarts -o kept.tsv
strict '1 warning' "$quarry" similar molecules.smi molecules.smi -k 2000 -o kept.tsv --normalize canonical
printf '1 2 7\n2 3 7\n1 3 7\n' >graph.txt
strict '1 ignored column' "$quarry" mine graph.txt triangle --list -o kept.tsv
printf '1 2\n2 3\n1 x\n1 3\n' >graph.txt
strict '1 rejected row' "$quarry" mine graph.txt triangle --list -o kept.tsv --skip-bad
printf -- '-e 1 3\n' >updates.txt
strict '1 rejected row' "$quarry" watch graph.txt triangle --updates updates.txt -o kept.tsv --skip-bad
cat "$examples/ligands.smi" bad.smi >ligands.smi
strict '.* rejected rows*, 2 warnings' "$quarry" dock "$examples/pocket.pdb" ligands.smi --center 0,0,0 --size 14,14,14 --effort screen -o made.sdf --table kept.tsv

# A job is not planned, and neither its folder nor its packed inputs stay.
expect_error '^quarry: --strict: 1 rejected row' "$quarry" plan job --shards 2 -- match bad.smi q.smarts --strict
expect_absent job
expect 0 "$quarry" plan job --shards 2 -- match bad.smi q.smarts --quiet

# Nothing to complain of: the same as without.
expect 0 "$quarry" match molecules.smi q.smarts -o one.tsv
expect 0 "$quarry" match molecules.smi q.smarts -o two.tsv --strict
expect_same one.tsv two.tsv
