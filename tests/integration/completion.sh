#!/usr/bin/env bash
# The completions of shells: bash completes verbs, options, their words and files; every option of --help is in each.
source "$(dirname "$0")/support.bash" "$1"
for shell in bash zsh fish; do
  expect 0 "$quarry" --completion $shell
  cp out completion.$shell
  if command -v $shell >/dev/null; then expect 0 $shell -n completion.$shell; fi
done
expect_error 'bash, zsh or fish' "$quarry" --completion tcsh

compopt() { :; } # outside a running completion bash has none
# shellcheck disable=SC1091 # written above
source ./completion.bash
[[ $(complete -p quarry) == 'complete -F _quarry quarry' ]] || fail 'the function is not registered'
# completes WORD... : what bash offers for the last word, one a line, in `offered`.
completes() {
  COMP_WORDS=(quarry "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _quarry
  printf '%s\n' "${COMPREPLY[@]}" | sort >offered
}
offers() { printf '%s\n' "$@" | sort | cmp -s - offered || fail "offered: $(tr '\n' ' ' <offered)"; }

completes he && offers help
completes help m && offers match merge mine
completes help match '' && offers ''
grep -q "seen_subcommand_from help' -f -a 'index info match " completion.fish || fail 'fish offers no verbs after help'
touch 'drugs file.smi' drugs.qlib hits.tsv
completes m && offers match merge mine
completes match --mo && offers --mode
completes match drugs.qlib --mode '' && offers all count first unique
completes mine g --method = && offers auto cliques formulas search
completes mine g --method = f && offers formulas
completes match d && offers 'drugs file.smi' drugs.qlib
completes match --output h && offers hits.tsv
completes match --threads '' && offers ''
completes '' && grep -v -e '^--' -e '^help$' offered >verbs
[[ $(wc -l <verbs) == 17 ]] || fail "verbs: $(cat verbs)"
while read -r verb; do
  expect 0 "$quarry" "$verb" --help
  # -h is not offered where it asks for help.
  grep -o '^  -[^ ]*' out | sed 's/^  -h,--help$/--help/' | tr -d ' ' | tr ',' '\n' | sort >in_help
  completes "$verb" -
  expect_same in_help offered
  expect_text completion.zsh "^    $verb)$"
  grep "seen_subcommand_from $verb'" completion.fish | sed 's/ -s h -l help / -l help /' |
    grep -o -e ' -[sl] [a-zA-Z0-9-]*' | sed -e 's/ -s /-/' -e 's/ -l /--/' | sort >in_fish
  expect_same in_help in_fish
done <verbs
