#!/usr/bin/env bash
# Every input and output format holds the same answers.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries
write_counts

match() { expect 0 "$quarry" match "$@" --quiet; }
count_of() {
  match "$1" queries.smarts --mode count "${@:2}"
  [[ ! -s err ]] || fail '--quiet is not quiet'
  expect_same out counts.tsv
}

# Inputs
count_of molecules.smi
sed 's/$/\r/' molecules.smi >crlf.smi && count_of crlf.smi
(echo 'smiles name' && sed 's/ /\t/' molecules.smi && echo) >tabs.smi && count_of tabs.smi
gzip -k molecules.smi && count_of molecules.smi.gz
(echo 'mass,Name,SMILES' && sed 's/\(.*\) \(.*\)/1.5,\2,"\1"/' molecules.smi) >table.csv && count_of table.csv
(echo 'key;structure' && sed 's/\(.*\) \(.*\)/\2;\1/' molecules.smi) >other.csv
count_of other.csv --smiles-column structure --id-column key
expect 0 "$quarry" match - queries.smarts --mode count --quiet <molecules.smi
expect_same out counts.tsv
cp molecules.smi noextension
expect_error 'format' "$quarry" match noextension queries.smarts
count_of noextension --format smi
expect 0 "$quarry" index molecules.smi -o molecules.qlib && count_of molecules.qlib
cp molecules.qlib renamed.bin && count_of renamed.bin

# Outputs of pairs
match molecules.smi queries.smarts --mode count -o hits.tsv && expect_same hits.tsv counts.tsv
[[ ! -s out ]] || fail 'output on standard output in spite of -o'
match molecules.smi queries.smarts --mode count -o hits.csv && tr '\t' , <counts.tsv >counts.csv
expect_same hits.csv counts.csv
match molecules.smi queries.smarts --mode count -o hits.tsv.gz && gzip -dc hits.tsv.gz >plain
expect_same plain counts.tsv
match molecules.smi queries.smarts --mode count -o hits.jsonl
expect_lines hits.jsonl 13
expect_text hits.jsonl '^{"molecule":"benzene","query":"ring","count":12,"status":"ok"}$'

# Mappings: data atom per query atom
match molecules.smi -q 'C(=O)[OX2H1] acid' --mode all -o all.tsv
expect_text all.tsv $'^molecule\tquery\tcount\tstatus\tmapping$'
expect_text all.tsv $'^benzoic_acid\tacid\t1\tok\t6,7,8$'
match molecules.smi -q c1ccccc1 --mode unique -o unique.csv
expect_text unique.csv '^benzene,1,1,ok,"[0-5],[0-5],[0-5],[0-5],[0-5],[0-5]"$'
match molecules.smi -q '[#8]' --mode all -o all.jsonl
expect_text all.jsonl '"molecule":"acetic_acid","query":"1","count":2,"status":"ok","mappings":\[\[2\],\[3\]\]}$'
match molecules.smi -q '[#8]' --mode all -o all.tsv && expect_text all.tsv $'^acetic_acid\t1\t2\tok\t2;3$'

# Outputs of molecules
match molecules.smi queries.smarts -o found.smi.zst
grep -v -e salt -e cyclopropane molecules.smi | tr ' ' '\t' >wanted.smi
expect 0 "$quarry" grep '*' found.smi.zst && expect_same out wanted.smi
match molecules.smi queries.smarts -o found.sdf
[[ $(grep -c '^\$\$\$\$$' found.sdf) == 6 ]] || fail 'records in found.sdf'
count_of found.sdf
match found.sdf -q 'C#N' -o again.sdf && sed -n '/^benzonitrile$/,$p' found.sdf >wanted.sdf
expect_same again.sdf wanted.sdf
match found.sdf -q 'C#N' -o again.smi && expect_text again.smi $'^N#Cc1ccccc1\tbenzonitrile$'
expect 0 "$quarry" index found.sdf -o found.qlib && match found.qlib -q 'C#N' -o again.sdf
expect_same again.sdf wanted.sdf

# JSON is the last line of standard output, after the table
expect 0 "$quarry" match molecules.smi queries.smarts --mode count --json --quiet
head -n -1 out | cmp -s - counts.tsv || fail 'table before JSON'
json_is hits 13
expect_clean
