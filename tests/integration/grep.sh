#!/usr/bin/env bash
# `quarry grep` keeps the manners of grep: lines as they are, their order, -c -v -m, several files, standard input.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
lines() { printf '%s\n' "$@" >wanted; }

expect 0 "$quarry" grep 'C#N' molecules.smi
lines 'N#Cc1ccccc1 benzonitrile' && expect_same out wanted
[[ ! -s err ]] || fail 'grep talks without need'
expect 0 "$quarry" grep c1ccccc1 molecules.smi
grep c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -v c1ccccc1 molecules.smi
grep -v c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -c c1ccccc1 molecules.smi
lines 4 && expect_same out wanted
expect 0 "$quarry" grep -c -v c1ccccc1 molecules.smi
lines 4 && expect_same out wanted
expect 0 "$quarry" grep -m 2 c1ccccc1 molecules.smi
grep -m 2 c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -c -m 3 c1ccccc1 molecules.smi
lines 3 && expect_same out wanted
expect 0 "$quarry" grep -m 9 '[#6,#11]' molecules.smi
expect_same out molecules.smi

# Exit status
expect 1 "$quarry" grep '[Br]' molecules.smi
[[ ! -s out ]] || fail 'lines where nothing matches'
expect 1 "$quarry" grep -c '[Br]' molecules.smi
lines 0 && expect_same out wanted
expect 1 "$quarry" grep -v '*' molecules.smi
expect 1 "$quarry" grep -m 0 '*' molecules.smi
expect_error 'query refused: SMARTS 1 .*not closed$' "$quarry" grep 'C(C' molecules.smi # told once
expect_error 'absent' "$quarry" grep C absent.smi

# A line is printed as it was written.
printf '%s\n' 'OCC  two  words' $'C(O)C\ttab\tand more' 'CCO' '  CO leading' >odd.smi
expect 0 "$quarry" grep O odd.smi
expect_same out odd.smi
printf '%s\n' 'id,smiles,note' '1,CCO,"a, b"' '2,CC,x' '3,CO,"two' 'lines"' >odd.csv
expect 0 "$quarry" grep O odd.csv
lines 'id,smiles,note' '1,CCO,"a, b"' '3,CO,"two' 'lines"' && expect_same out wanted
# So the output of a table is one; nothing else has a header.
cp out found.csv
expect 0 "$quarry" grep CCO found.csv
lines 'id,smiles,note' '1,CCO,"a, b"' && expect_same out wanted
expect 1 "$quarry" grep Br odd.csv && lines 'id,smiles,note' && expect_same out wanted
expect 0 "$quarry" grep -c O odd.csv && lines 2 && expect_same out wanted
expect 0 "$quarry" grep -H CCO odd.csv && lines 'odd.csv:1,CCO,"a, b"' && expect_same out wanted
printf 'smiles name mass\nCCO ethanol 46\n' >named.smi
expect 0 "$quarry" grep O named.smi && expect_same out named.smi
expect 0 "$quarry" grep -h CCO odd.csv named.smi odd.csv
lines 'id,smiles,note' '1,CCO,"a, b"' 'CCO ethanol 46' '1,CCO,"a, b"' && expect_same out wanted
[[ $(grep -c 'named.smi has other columns than odd.csv' err) == 1 && $(grep -c 'has other' err) == 1 ]] || fail "$(<err)"
printf 'a,b\n' >two.csv
expect_error 'named smiles; its columns are: a, b (--smiles-column NAME)$' "$quarry" grep C two.csv

# Standard input, compressed input, library, SDF
expect 0 "$quarry" grep 'C#N' - <molecules.smi
expect_lines out 1
expect 0 "$quarry" grep 'C#N' <molecules.smi
expect_lines out 1
gzip -k molecules.smi
expect 0 "$quarry" grep 'C#N' molecules.smi.gz
expect_lines out 1
"$quarry" index molecules.smi -o molecules.qlib --quiet
expect 0 "$quarry" grep c1ccccc1 molecules.qlib
grep c1ccccc1 molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -m 2 c1ccccc1 molecules.qlib
expect_lines out 2
"$quarry" match molecules.smi -q '[#6]' -o molecules.sdf --quiet
expect 0 "$quarry" grep 'C#N' molecules.sdf
sed -n '/^benzonitrile$/,$p' molecules.sdf >wanted && expect_same out wanted

# Several files: names in front, the others are searched where one is missing.
cp molecules.smi more.smi
expect 0 "$quarry" grep 'C#N' molecules.smi more.smi
lines 'molecules.smi:N#Cc1ccccc1 benzonitrile' 'more.smi:N#Cc1ccccc1 benzonitrile' && expect_same out wanted
expect 0 "$quarry" grep -c --no-filename 'C#N' molecules.smi more.smi
lines 1 1 && expect_same out wanted
expect 2 "$quarry" grep -c 'C#N' molecules.smi absent.smi more.smi
lines molecules.smi:1 more.smi:1 && expect_same out wanted
expect_text err "^quarry: .*absent.smi"

# Rejected rows: neither selected nor hidden.
(echo 'c1ccc broken' && cat molecules.smi) >rejected.smi
for option in '' -v; do
  expect 0 "$quarry" grep $option 'C#N' rejected.smi
  expect_no_text out broken
  expect_text err '^quarry: rejected.smi, line 1: '
  [[ $(tail -n 1 err) == 'quarry: rejected.smi: rows 9 = ok 8 + rejected 1' ]] || fail 'closing line'
done
expect 0 "$quarry" grep --quiet 'C#N' rejected.smi
[[ ! -s err ]] || fail '--quiet is not quiet'

# Queries from files: each is looked for; all that stands alone is a file then.
printf 'C#N nitrile\n[Na+] sodium\n' >two.smarts
echo 'C1CC1' >three.smarts
expect 0 "$quarry" grep -f two.smarts molecules.smi
grep -e '#' -e Na molecules.smi >wanted && expect_same out wanted
expect 0 "$quarry" grep -f two.smarts -f three.smarts -c molecules.smi molecules.qlib
lines molecules.smi:3 molecules.qlib:3 && expect_same out wanted
expect_error 'name a file after -f' "$quarry" grep -f - molecules.smi
expect_error 'nothing to look for' "$quarry" grep
expect_error 'refused' bash -c "'$quarry' grep -f rejected.smi molecules.smi 2>&1 | tail -n 1 >&2; exit \${PIPESTATUS[0]}"

# Names of files
echo 'CCO ethanol' >ethanol.smi
expect 0 "$quarry" grep -l 'C#N' molecules.smi ethanol.smi molecules.qlib
lines molecules.smi molecules.qlib && expect_same out wanted
expect 0 "$quarry" grep -L 'C#N' molecules.smi ethanol.smi molecules.qlib
lines ethanol.smi && expect_same out wanted
expect 1 "$quarry" grep -L 'C#N' ethanol.smi
expect_same out wanted
expect 1 "$quarry" grep -l 'C#N' ethanol.smi
[[ ! -s out ]] || fail '-l names a file without hits'
expect 0 "$quarry" grep -l -v 'C#N' molecules.smi - <ethanol.smi
lines molecules.smi '(standard input)' && expect_same out wanted
expect 0 "$quarry" grep -H 'C#N' molecules.smi
lines 'molecules.smi:N#Cc1ccccc1 benzonitrile' && expect_same out wanted
expect 0 "$quarry" grep -h 'C#N' molecules.smi more.smi
lines 'N#Cc1ccccc1 benzonitrile' 'N#Cc1ccccc1 benzonitrile' && expect_same out wanted
expect_error 'excludes' "$quarry" grep -l -L C molecules.smi
expect 0 "$quarry" grep --help
expect_text out '--no-filename' && expect_no_text out '-h,--help'

# Nothing printed; a line that is found outweighs a file that cannot be read.
expect 0 "$quarry" grep -q 'C#N' rejected.smi absent.smi
[[ ! -s out && ! -s err ]] || fail '-q is not silent'
expect 1 "$quarry" grep -q '[Br]' molecules.smi
expect 2 "$quarry" grep -q '[Br]' absent.smi molecules.smi

# Matched atoms, each set once
expect 0 "$quarry" grep -o 'C(=O)[OX2H]' molecules.smi
lines 'O=CO' 'O=CO' 'O=CO' && expect_same out wanted
expect 0 "$quarry" grep -o -f two.smarts molecules.smi molecules.qlib
lines 'molecules.smi:[Na+]' 'molecules.smi:C#N' 'molecules.qlib:[Na+]' 'molecules.qlib:C#N' && expect_same out wanted
expect 0 "$quarry" grep -o 'N#Cc' molecules.sdf && lines 'cC#N' && expect_same out wanted
expect 0 "$quarry" grep -o --explicit-h 'O[#1]' ethanol.smi && lines '[H]O' && expect_same out wanted
expect 0 "$quarry" grep -o O odd.csv && lines O O && expect_same out wanted
expect 0 "$quarry" grep -o -c O molecules.smi && lines 4 && expect_same out wanted
expect 0 "$quarry" grep -o -v C#N molecules.smi && [[ ! -s out ]] || fail '-o -v prints something'

# Aromatic or aliphatic
printf '%s\n' 'C1CCCCC1 cyclohexane' 'c1ccccc1 benzene' 'C=C ethene' 'N1C=CC=C1 pyrrole' 'CC ethane' >rings.smi
found() { expect 0 "$quarry" grep "${@:2}" rings.smi && [[ $(cut -d ' ' -f 2 out | tr '\n' ' ') == "$1 " ]] || fail "$1: $(cat out)"; }
found benzene 'c1ccccc1'
found 'cyclohexane benzene' -i 'c1ccccc1'
found 'cyclohexane benzene' -i 'C1CCCCC1'
found 'benzene ethene pyrrole' -i 'C=C'
found 'cyclohexane benzene ethene pyrrole ethane' -i 'A'
found 'cyclohexane benzene pyrrole ethane' -i 'C-C'
found 'benzene pyrrole' 'c:c'
found 'cyclohexane benzene ethene pyrrole ethane' -i 'c:c'
found pyrrole -i '[!c]'
found 'cyclohexane benzene ethene pyrrole ethane' -i '[$([!a])]'

# JSON, and colours: never in a pipe unless asked for
expect 0 "$quarry" grep 'C#N' molecules.smi rejected.smi --json --quiet
json_is files 2 && json_is rows 17 && json_is ok 16 && json_is rejected 1 && json_is selected 2
json_is queries 1 && json_is queries_refused 0
printf '%s\n' 'C#N nitrile' 'C(C broken' >mixed.smarts
expect 0 "$quarry" grep --file mixed.smarts --allow-refused molecules.smi --json --quiet
json_is queries 1 && json_is queries_refused 1
expect 0 "$quarry" grep --color always 'C#N' molecules.smi more.smi
red=$'\e[1;31m' plain=$'\e[m' colon=$'\e[36m:\e[m'
for file in molecules more; do echo $'\e[35m'"$file.smi$plain$colon${red}N$plain#${red}C${plain}c1ccccc1 benzonitrile"; done >wanted
expect_same out wanted
printf '[2H]C([O-])%%12CC%%12Br x\nCC[Si]Cl y\n' >atoms.smi
expect 0 "$quarry" grep --color always '[Si]Cl' atoms.smi
echo "CC${red}[Si]$plain${red}Cl$plain y" >wanted && expect_same out wanted
expect 0 "$quarry" grep --color always Br atoms.smi
lines '[2H]C([O-])%12CC%12Br x' && expect_same out wanted  # hydrogens among the atoms
expect 0 "$quarry" grep --color always -o 'C#N' molecules.smi
echo "${red}C#N$plain" >wanted && expect_same out wanted
expect 0 "$quarry" grep 'C#N' molecules.smi && expect_no_text out $'\e'
if command -v script >/dev/null; then
  script -qec "$quarry grep 'C#N' molecules.smi" /dev/null >out </dev/null && expect_text out $'\e'
  NO_COLOR=1 script -qec "$quarry grep 'C#N' molecules.smi" /dev/null >out </dev/null && expect_no_text out $'\e'
fi

# A reader that has seen enough ends the program without a word.
seq 40000 | sed 's/.*/CCO ethanol&/' >many.smi
("$quarry" grep C many.smi 2>pipe_err || echo $? >pipe_status) | head -n 1 >first
lines 'CCO ethanol1' && expect_same first wanted
[[ ! -s pipe_err ]] || fail "broken pipe: $(cat pipe_err)"
[[ $(cat pipe_status) == 141 ]] || fail "status $(cat pipe_status) after a broken pipe"
("$quarry" match many.smi -q C --summary pipe.tsv 2>pipe_err || true) | head -n 1 >first
expect_absent pipe.tsv
expect_clean

# The others go on without a query that cannot be used where that is asked for.
printf 'C( bad\nc1ccccc1 ring\n' >refused.smarts
expect 2 "$quarry" grep -c -f refused.smarts molecules.smi
expect_text err 'give --allow-refused'
expect 0 "$quarry" grep -c --allow-refused -f refused.smarts molecules.smi
expect_text err '^quarry: query refused: refused.smarts line 1'
