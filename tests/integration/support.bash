# shellcheck shell=bash disable=SC2034 # the scripts that source this use its variables
# Shared by the integration scripts: `source support.bash PROGRAM` enters an empty folder that is removed at the end.
# Every check ends the script with a message that names script and line.
set -euo pipefail

quarry=$(realpath "$1")
examples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../examples")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  local depth=$((${#BASH_LINENO[@]} - 2))
  echo "$(basename "$0"), line ${BASH_LINENO[$depth]}: $1" >&2
  for file in out err; do
    [[ -s $file ]] && { echo "--- std$file" >&2; head -n 20 "$file" >&2; }
  done
  exit 1
}

# expect STATUS COMMAND...: runs it with standard output in `out` and standard error in `err`.
expect() {
  local wanted=$1 status=0
  shift
  "$@" >out 2>err || status=$?
  [[ $status == "$wanted" ]] || fail "status $status instead of $wanted: $*"
}

# expect_error PATTERN COMMAND...: exit 2 and one sentence on standard error that starts with "quarry: ".
expect_error() {
  local pattern=$1
  shift
  expect 2 "$@"
  [[ $(wc -l <err) == 1 ]] || fail "not one sentence: $*"
  grep -q '^quarry: ' err || fail "not a sentence of quarry: $*"
  grep -q -i -e "$pattern" err || fail "the message does not say '$pattern': $*"
}

expect_text() { grep -q -e "$2" "$1" || fail "'$2' is not in $1: $(head -n 5 "$1")"; }
expect_no_text() { ! grep -q -e "$2" "$1" || fail "'$2' is in $1"; }
expect_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2" | head -n 10)"; }
expect_lines() { [[ $(wc -l <"$1") == "$2" ]] || fail "$1 has $(wc -l <"$1") lines, not $2"; }
expect_absent() {
  local path
  for path in "$@"; do [[ ! -e $path ]] || fail "$path was left behind"; done
}
# No temporary file of quarry anywhere below the folder.
expect_clean() {
  local left
  left=$(find "$folder" -name '.quarry-*')
  [[ -z $left ]] || fail "left behind: $left"
}
# json_is KEY VALUE: of the last line of `out`.
json_is() { tail -n 1 out | grep -q "\"$1\":$2[,}]" || fail "JSON: $1 is not $2: $(tail -n 1 out)"; }

# Eight molecules and five queries whose answers can be told by eye.
write_molecules() {
  printf '%s\n' 'CCO ethanol' 'c1ccccc1 benzene' 'CC(=O)O acetic_acid' 'c1ccccc1C(=O)O benzoic_acid' \
    'CC(=O)Oc1ccccc1C(=O)O aspirin' 'C1CC1 cyclopropane' '[Na+].[Cl-] salt' 'N#Cc1ccccc1 benzonitrile' >molecules.smi
}
write_queries() {
  printf '%s\n' '# comment' '' 'c1ccccc1 ring' 'C(=O)[OX2H1] acid' 'C#N nitrile' '[#7,#8] n_or_o' '[Br] bromine' \
    >queries.smarts
}
write_counts() {
  printf 'molecule\tquery\tcount\tstatus\n' >counts.tsv
  printf '%s\t%s\t%s\tok\n' ethanol n_or_o 1 benzene ring 12 acetic_acid acid 1 acetic_acid n_or_o 2 \
    benzoic_acid ring 12 benzoic_acid acid 1 benzoic_acid n_or_o 2 aspirin ring 12 aspirin acid 1 aspirin n_or_o 4 \
    benzonitrile ring 12 benzonitrile nitrile 1 benzonitrile n_or_o 1 >>counts.tsv
}
