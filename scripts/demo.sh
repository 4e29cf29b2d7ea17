#!/usr/bin/env bash
# Sets up, builds the program and the Python module, and runs their jobs: packs and searches the sample molecules of examples/, compares them,
# counts patterns in a graph that it makes, and follows patterns in a graph that changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C.UTF-8

./scripts/setup.sh demo
echo "Building quarry (some minutes the first time) ..." >&2
mkdir -p build
configure=(cmake build/release)  # as it was configured
if [ ! -f build/release/build.ninja ]; then configure=(cmake --preset program); fi
"${configure[@]}" -DQUARRY_PYTHON=ON >build/configure.log 2>&1 || {
  cat build/configure.log >&2
  exit 1
}
cmake --build --preset release --target quarry_cli quarry_python --parallel "$(./scripts/jobs.sh)" >&2

molecules=examples/drugs.smi queries=examples/alerts.smarts
folder=build/demo  # whoever wants to look at the results finds them there
rm -rf "$folder"
mkdir "$folder"

# Shows the command as a user would type it, and runs it.
show() {
  local argument line=quarry
  for argument in "$@"; do
    if [[ $argument == *[^A-Za-z0-9_./%=-]* ]]; then argument="'$argument'"; fi
    line+=" $argument"
  done
  printf '\n$ %s\n' "$line"
  ./build/release/quarry "$@"
}

show index "$molecules" -o "$folder/drugs.qlib"
show info "$folder/drugs.qlib"
show match "$folder/drugs.qlib" "$queries" --mode count -o "$folder/hits.tsv" --summary "$folder/summary.tsv" \
  --verify 100%

# The queries that most molecules match, and for each the three molecules where it is found most often.
num_shown=12
printf '\n%-28s %9s %10s   %s\n' query molecules embeddings "found most often in"
tail -n +2 "$folder/summary.tsv" | sort -t $'\t' -k3,3nr -k1,1 | awk -v last="$num_shown" 'NR <= last' | cut -f 1,3,4 |
  while IFS=$'\t' read -r query num_molecules embeddings; do
    top=$(awk -F '\t' -v query="$query" 'NR > 1 && $2 == query { print $3 "\t" $1 }' "$folder/hits.tsv" |
      sort -t $'\t' -k1,1nr -k2,2 | awk -F '\t' 'NR <= 3 { printf "%s%s (%s)", (NR > 1 ? ", " : ""), $2, $1 }')
    printf '%-28s %9s %10s   %s\n' "$query" "$num_molecules" "$embeddings" "$top"
  done

show match "$folder/drugs.qlib" --set pains --set zinc --per-molecule -o "$folder/flagged.tsv"
show sets pains zinc --verify "$molecules"

show grep -m 5 'C(=O)[OX2H1]' "$molecules"

show similar -q 'CC(=O)Oc1ccccc1C(=O)O aspirin' "$folder/drugs.qlib" -k 5 --quiet
show similar --explain 'CC(=O)Oc1ccccc1C(=O)O' 'CC(=O)Oc1ccccc1C(=O)OC'

show mine --generate rmat:14:16:1 triangle 4-clique house 'a-b-c-d-a'

show watch examples/accounts.graph --patterns examples/accounts.patterns --updates examples/accounts.updates

printf '\n$ python3 examples/molecules.py\n'
PYTHONPATH=build/release/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 examples/molecules.py

awk -F '\t' 'NR > 1 { queries++; found += $3 > 0; pairs += $3; embeddings += $4 }
  END { printf "\nDone: %d queries searched, %d of them found, in %d (molecule, query) pairs with %d embeddings.\n",
        queries, found, pairs, embeddings }' "$folder/summary.tsv"
