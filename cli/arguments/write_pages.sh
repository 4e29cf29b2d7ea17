#!/bin/sh
# Has the program write its manual pages and completions: write_pages.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/man" "$folder/bash" "$folder/zsh" "$folder/fish"
"$program" --man >"$folder/man/quarry.1"
# The page of the program refers to those of its verbs.
for verb in $(sed -n 's/^\.BR quarry.*-\([a-z]*\) (1).*/\1/p' "$folder/man/quarry.1"); do
  "$program" --man "$verb" >"$folder/man/quarry-$verb.1"
done
"$program" --completion bash >"$folder/bash/quarry"
"$program" --completion zsh >"$folder/zsh/_quarry"
"$program" --completion fish >"$folder/fish/quarry.fish"
