#!/usr/bin/env bash
# Exit status, and one clear sentence for whatever cannot be done; nothing half done is left behind.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries
"$quarry" index molecules.smi -o molecules.qlib --quiet

# Usage
expect 0 "$quarry" --version
expect_text out '^quarry [0-9.]* (RDKit [0-9.]*)$'
for verb in index info match cat grep doctor; do
  expect 0 "$quarry" $verb --help
  expect_text out "Example: quarry $verb"
done
expect_error 'subcommand' "$quarry"
expect 0 "$quarry" help
expect_text out '^Usage: quarry '
expect 0 "$quarry" help match
expect_text out '^Usage: quarry match '
expect_error "there is no verb 'unknown' (see" "$quarry" unknown
expect_error "there is no verb 'mtach', did you mean 'match'?" "$quarry" mtach
expect_error "there is no verb 'mtach', did you mean 'match'?" "$quarry" help mtach
expect_error "there is no verb 'mtach', did you mean 'match'?" "$quarry" mtach --help
expect_error "nor edges (a-b, b-c), did you mean 'triangle'?" "$quarry" mine --generate complete:5 trianglee
expect_error "did you mean '7-clique'? Blanks around its dash make it an edge" \
  "$quarry" mine --generate complete:8 7-cliqe
expect 0 "$quarry" mine --generate complete:8 '7 - cliqe'
expect_error "'7-klik' is not the name of a pattern. Blanks around its dash make it an edge" \
  "$quarry" mine --generate complete:8 7-klik
expect_error "'k-clique' is not the name" "$quarry" mine --generate complete:8 k-clique
expect_error "did you mean 'tailed-triangle'?" "$quarry" mine --generate complete:8 tailed-triangl
expect 0 "$quarry" mine --generate complete:8 v1-v2 1-2 a-b-c-a one-two-three
expect_error "did you mean 'clique:7'?" "$quarry" mine --generate complete:8 cliqe:7
expect_error "RDKit's are pains, .*, did you mean 'pains'?" "$quarry" match molecules.smi --set pain
expect_error "to compare with, did you mean 'brenk'?" "$quarry" sets brnk --verify molecules.smi
expect_error "there is no option '--sumary', did you mean '--summary'?" "$quarry" match --sumary=x
expect_error "there is no option '--colour' (see" "$quarry" match --colour
expect_error "'x' is one argument too many" "$quarry" doctor x
expect_error "'al' is none of first, all, count, unique" "$quarry" match molecules.smi queries.smarts --mode al
expect_error "did you mean 'formulas'?" "$quarry" mine --generate complete:5 triangle --method fromulas
expect_error 'output' "$quarry" index molecules.smi
expect_error 'refine' "$quarry" match molecules.smi queries.smarts --refine 7
expect_error 'mode' "$quarry" match molecules.smi queries.smarts --mode some
expect_error 'device' "$quarry" match molecules.smi queries.smarts --device gpu
for share in 0% 0 -1 101% 1x nan ''; do
  expect_error "^quarry: --verify takes a percentage above 0 and at most 100, not '$share'" \
    "$quarry" match molecules.smi queries.smarts --verify "$share"
done
expect_error "^quarry: --audit takes a percentage from 0 to 100, not '101%'" \
  "$quarry" match molecules.smi queries.smarts --audit 101%
expect 0 "$quarry" match molecules.smi queries.smarts --audit 0%
expect_error "window: 'x' is not a number of 0 or more" "$quarry" watch g triangle --updates u --window x
for option in --rate --wait-ms --checkpoint-every; do
  expect_error "${option#--}: 'x' is not a number from 0 to 1000000000" "$quarry" watch g triangle --updates u $option x
done
for word in x 1.1 -0.1 nan 0.5x ''; do
  expect_error "threshold: '$word' is not a number from 0 to 1 " "$quarry" cluster molecules.smi --threshold "$word"
  expect_error "threshold: '$word' is not a number from 0 to 1 " "$quarry" pick molecules.smi -n 2 --threshold "$word"
done
expect_error "pad: 'x' is not a number from 0 to 1000" "$quarry" dock p l --autobox-ligand a --pad x
expect_error 'molecules.smi: the column of SMILES' "$quarry" match molecules.smi queries.smarts --smiles-column structure
expect_error 'no query' "$quarry" match molecules.smi
expect_error 'standard input' "$quarry" match - - </dev/null

# Found, nothing found
for input in molecules.smi molecules.qlib; do
  expect 0 "$quarry" match $input -q 'C#N'
  expect 1 "$quarry" match $input -q '[Br]' --json
  json_is hits 0
done

# Inputs that are not there or are nothing
: >empty.smi
: >empty.smarts
: >empty.qlib
printf '\n\n' >blank.smi
echo 'smiles id' >header.smi
mkdir directory directory.smi directory.qlib
for junk in junk.smi junk.sdf junk.qlib; do printf '\x01\xff\x00\x9c\xc3 \xfe\n%.0s' {1..300} >$junk; done
seq 20000 | sed 's/.*/CCO &/' | gzip | head -c 20000 >cut.smi.gz
printf '\x28\xb5\x2f\xfd broken' >broken.smi.zst
for input in absent.smi directory.smi absent.qlib empty.qlib directory.qlib junk.smi \
  junk.sdf junk.qlib cut.smi.gz broken.smi.zst; do
  expect_error "$input" "$quarry" match $input queries.smarts -o hits.tsv --summary summary.tsv
  expect_absent hits.tsv summary.tsv
  expect_error "$input" "$quarry" grep C $input
  [[ $input == *.qlib ]] && expect_error "$input" "$quarry" info $input
  expect_error "$input" "$quarry" index $input -o new.qlib
  expect_absent new.qlib
done
# Inputs without a row have nothing to find, alone or beside others; a library cannot be made of nothing.
echo 'smiles,id' >header.csv
for input in empty.smi blank.smi header.smi header.csv; do
  expect 1 "$quarry" match $input queries.smarts -o hits.tsv
  grep -q "^quarry: $input holds no molecules" err || fail "$input: $(<err)"
  expect_lines hits.tsv 1
  expect_error 'strict: 1 warning' "$quarry" match $input queries.smarts -o strict.tsv --strict --quiet
  expect_absent strict.tsv
  expect 1 "$quarry" grep -c C $input
  expect_text out '0'
  expect 0 "$quarry" grep -c C $input molecules.smi
  expect_lines out 2
  expect 1 "$quarry" similar molecules.smi $input -k 1
  expect 1 "$quarry" cluster $input --threshold 0.5
  expect_error "'$input' holds no molecules" "$quarry" index $input -o new.qlib
  expect_absent new.qlib
  expect 0 "$quarry" index $input molecules.smi -o new.qlibs --quiet
  expect 0 "$quarry" match new.qlibs -q 'C#N' --quiet
  rm -r new.qlibs hits.tsv
done
expect 1 "$quarry" grep C </dev/null
grep -q 'standard input holds no molecules' err || fail "$(<err)"
for queries in absent.smarts empty.smarts directory; do
  expect_error "$queries" "$quarry" match molecules.smi $queries
done
expect_error 'library' "$quarry" info molecules.smi
expect_error 'explicit' "$quarry" match molecules.qlib queries.smarts --explicit-h

# Outputs that cannot be written
for output in molecules.smi/below.tsv absent/below.tsv directory.tsv /dev/full; do
  mkdir -p directory.tsv
  expect_error "$output" "$quarry" match molecules.smi queries.smarts -o $output
  expect_error "$output" "$quarry" match molecules.smi queries.smarts -o hits.tsv --summary $output
  expect_error "$output" "$quarry" match molecules.smi queries.smarts -o hits.tsv --rejects $output
  expect_error "$output" "$quarry" index molecules.smi -o new.qlib --rejects $output
  expect_error "$output" "$quarry" index molecules.smi -o $output
  expect_absent new.qlib
done
# A limit on the size of files is a full disk too.
"$quarry" mine --generate complete:400 triangle --save big.txt --quiet >/dev/null
for command in 'mine big.txt a-b --list -o new.tsv' 'mine big.txt a-b --save new.tsv'; do
  expect_error 'new.tsv: File too large' bash -c "ulimit -f 64; exec '$quarry' $command --quiet"
  expect_absent new.tsv
done
expect_clean
expect_error 'names no output format' "$quarry" match molecules.smi queries.smarts -o hits.xls
expect_error 'names no output format' "$quarry" match molecules.smi queries.smarts -o hits.xls --resume
expect_absent hits.xls.ledger # a refused run leaves none
for input in molecules.smi molecules.qlib; do
  expect_error 'replaced' "$quarry" match $input queries.smarts --summary $input
done
expect_error 'replaced' "$quarry" index molecules.smi -o ./molecules.smi
expect_error 'library already' "$quarry" index molecules.qlib -o new.qlib
for command in 'match molecules.smi queries.smarts' 'grep C molecules.smi' 'info molecules.qlib' \
  'index molecules.smi -o new.qlib --json --quiet'; do
  status=0
  # shellcheck disable=SC2086 # the words of a command
  "$quarry" $command >/dev/full 2>err || status=$?
  [[ $status == 2 ]] || fail "status $status on a full disk: $command"
  expect_text err '^quarry: cannot write standard output: No space left'
done
expect_clean
