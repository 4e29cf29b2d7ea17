#!/usr/bin/env bash
# Every input and output format holds the same answers.
source "$(dirname "$0")/../support.bash" "$1"
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
grep -v -e salt -e cyclopropane molecules.smi | tr ' ' '\t' |
  paste - <(printf '%s\n' n_or_o ring 'acid;n_or_o' 'ring;acid;n_or_o' 'ring;acid;n_or_o' 'ring;nitrile;n_or_o') >wanted.smi
expect 0 "$quarry" grep '*' found.smi.zst && expect_same out wanted.smi
match molecules.smi queries.smarts -o found.sdf
[[ $(grep -c '^\$\$\$\$$' found.sdf) == 6 ]] || fail 'records in found.sdf'
count_of found.sdf
match found.sdf -q 'C#N' -o again.sdf && sed -n '/^benzonitrile$/,$p' found.sdf | sed 's/^ring;nitrile;n_or_o$/1/' >wanted.sdf
expect_same again.sdf wanted.sdf
match found.sdf -q 'C#N' -o again.smi && expect_text again.smi $'^N#Cc1ccccc1\tbenzonitrile\t1$'
expect 0 "$quarry" index found.sdf -o found.qlib && match found.qlib -q 'C#N' -o again.sdf
expect_same again.sdf wanted.sdf

# Molecules with what matches them, and with all that the input says of them
item() { sed -n "/^>  <$1>/{n;p}" "$2"; }
printf 'Catalog_ID;smiles;MW;note\nZ 1;CC(=O)O |r|;60;"a;b"\nZ2;OCCO;62;\nZ3;CC;30;c\n' >vendor.csv
match vendor.csv -q '[OX2H] alcohol' -q C=O --mode unique -o hits.sdf --matched hits.smi --unmatched clean.smi
[[ $(grep -c '^\$\$\$\$$' hits.sdf) == 2 ]] || fail 'records in hits.sdf'
for pair in 'Catalog_ID:Z 1,Z2,' 'MW:60,62,' 'note:a;b,,' 'quarry_queries:alcohol;2,alcohol,' \
  'quarry_counts:1;1,2,' 'quarry_atoms:3;1,2,0 3,'; do
  [[ $(item "${pair%%:*}" hits.sdf | tr '\n' ,) == "${pair#*:}" ]] || fail "item ${pair%%:*}: $(item "${pair%%:*}" hits.sdf)"
done
printf '%s\n' $'smiles\tid\tquarry_queries\tquarry_counts\tquarry_atoms\tCatalog_ID\tMW\tnote' \
  $'CC(=O)O\tZ 1\talcohol;2\t1;1\t3;1,2\tZ 1\t60\ta;b' $'OCCO\tZ2\talcohol\t2\t0 3\tZ2\t62\t' >wanted
expect_same hits.smi wanted
printf '%s\n' $'smiles\tid\tCatalog_ID\tMW\tnote' $'CC\tZ3\tZ3\t30\tc' >wanted && expect_same clean.smi wanted
match vendor.csv -q '[OX2H] alcohol' --mode count -o hits.smi && expect_text hits.smi $'^OCCO\tZ2\talcohol\t2\tZ2\t62\t$'
match vendor.csv -q '[OX2H] alcohol' --mode count --max-matches 1 -o hits.smi
expect_text hits.smi $'^OCCO\tZ2\talcohol\t1+\tZ2\t62\t$'
match vendor.csv -q '[OX2H] alcohol' --mode unique --verify 100% -o hits.smi

# The same as tables. A column id is that of the ids, and columns of an earlier run are written anew.
match vendor.csv -q '[OX2H] alcohol' --matched hits.csv --unmatched clean.jsonl
printf '%s\n' smiles,id,quarry_queries,Catalog_ID,MW,note 'CC(=O)O,Z 1,alcohol,Z 1,60,a;b' OCCO,Z2,alcohol,Z2,62, >wanted
expect_same hits.csv wanted
printf '%s\n' '{"smiles":"CC","id":"Z3","Catalog_ID":"Z3","MW":"30","note":"c"}' >wanted && expect_same clean.jsonl wanted
match hits.csv -q CC=O -q OCCO --matched again.tsv -o again.smi
printf '%s\n' $'smiles\tid\tquarry_queries\tCatalog_ID\tMW\tnote' $'CC(=O)O\tZ 1\t1\tZ 1\t60\ta;b' \
  $'OCCO\tZ2\t2\tZ2\t62\t' >wanted
expect_same again.tsv wanted && expect_same again.smi wanted
match hits.csv -q OCCO --id-column Catalog_ID -o again.smi # another column has the ids
expect_text again.smi $'^smiles\tid\tquarry_queries\tid_2\tCatalog_ID\tMW\tnote$'
printf 'CCO\tethanol\tx\ty\n' >plain.smi
match plain.smi -q CCO --matched rest.csv
printf '%s\n' smiles,id,quarry_queries CCO,ethanol,1 >wanted && expect_same rest.csv wanted

# SDF as it was read: coordinates, items, those of an earlier run replaced; atoms as the record numbers them
match hits.sdf -q '[OX2H] acid' -q O=C --mode all -o again.sdf
[[ $(item MW again.sdf | tr '\n' ,) == 60,62, && $(item quarry_queries again.sdf | tr '\n' ,) == 'acid;2,acid,' ]] || fail 'items again'
[[ $(item quarry_atoms again.sdf | tr '\n' ,) == '3;2,1,0 3,' ]] || fail 'atoms again'
sed '/^>/,$d' hits.sdf >one && sed '/^>/,$d' again.sdf >two && expect_same one two
match hits.sdf -q N --invert -o again.sdf && expect_no_text again.sdf quarry_
{
  printf '%s\n' hydrogens '' '' '  4  3  0  0  0  0  0  0  0  0999 V2000'
  for atom in H O C N; do printf '%10.4f%10.4f%10.4f %s   0  0\n' 1.5 $((RANDOM % 9)) 0 $atom; done
  printf '%s\n' '  1  2  1  0' '  2  3  1  0' '  3  4  1  0' 'M  END' '>  <x>' 1
} >hydrogens.sdf
match hydrogens.sdf -q 'NC x' --mode all -o out.sdf
[[ $(item quarry_atoms out.sdf) == 3,2 && $(item x out.sdf) == 1 ]] || fail "atoms beside hydrogens: $(cat out.sdf)"
match hydrogens.sdf -q 'NC x' --mode all -o out.smi && expect_text out.smi $'^NCO\thydrogens\tx\t1\t0,1$'
expect 0 "$quarry" index hydrogens.sdf -o hydrogens.qlib && match hydrogens.qlib -q 'NC x' --mode all -o again.sdf
expect_same again.sdf out.sdf

# Several files: columns by name, those that cannot be kept are named.
printf 'smiles,name,MW,extra\nCCO,e,46,1\n' >other.csv
expect 0 "$quarry" match vendor.csv --input other.csv --input molecules.smi -q '[OX2H] alcohol' -o hits.smi
expect_text hits.smi $'^CCO\te\talcohol\t\t46\t$' && expect_text hits.smi $'^CCO\tethanol\talcohol\t\t\t$'
expect_text err '^quarry: rows of SMILES have the columns of the first file; not kept of other.csv: name, extra$'
printf 'CCO e |r|\t46\tx\nCC\n' >plain.smi
match plain.smi -q O -o hits.sdf && [[ $(item 'column 3' hits.sdf) == 46 && $(item 'column 4' hits.sdf) == x ]] || fail 'columns of SMILES'
match plain.smi -q O -o hits.smi && expect_text hits.smi $'^CCO\te\t1\t46\tx$'

# JSON is the last line of standard output, after the table
expect 0 "$quarry" match molecules.smi queries.smarts --mode count --json --quiet
head -n -1 out | cmp -s - counts.tsv || fail 'table before JSON'
json_is hits 13
expect_clean

# Columns of one name, and without a name, keep their values: each gets a name of its own.
printf 'smiles,A,A,id,A_2,,A\nCCO,1,2,x,3,4,5\n' >columns.csv
expect 0 "$quarry" match columns.csv -q C --matched columns.jsonl -o /dev/null --quiet
expect_text columns.jsonl '"A":"1","A_3":"2","A_2":"3","column 6":"4","A_4":"5"}'
printf 'SMILES\tID\tpIC50\tpIC50\nCCO\tx\t5.1\t7.9\n' >columns.smi
expect 0 "$quarry" match columns.smi -q C --matched columns.csv --unmatched none.csv -o /dev/null --quiet
expect_text columns.csv '^smiles,id,quarry_queries,pIC50,pIC50_2$'
expect_text columns.csv '^CCO,x,1,5.1,7.9$'
expect 0 "$quarry" match columns.smi -q C --matched columns.sdf -o /dev/null --quiet
expect_text columns.sdf '^>  <pIC50_2>$'
printf ',smiles,other,id\n0,CCO,1,a\n' >unnamed.csv
expect 0 "$quarry" match unnamed.csv -q C -o unnamed.sdf --quiet
expect_text unnamed.sdf '^>  <column 1>$'
printf 'smiles\tid\tID\tprice\nCCO\ta\tb\t3\n' >twice.smi
expect 0 "$quarry" match twice.smi -q C --matched twice.csv -o /dev/null --quiet
printf '%s\n' smiles,id,quarry_queries,ID_2,price CCO,a,1,b,3 | cmp - twice.csv || fail 'a column called id is lost'
# And other columns than those of the SMILES and the ids, though they are called so.
printf 'smiles,canonical,id,name\nCCO,OCC,i1,n1\n' >other.csv
expect 0 "$quarry" match other.csv -q C --smiles-column canonical --id-column name --matched other.jsonl -o /dev/null --quiet
expect_text other.jsonl '^{"smiles":"OCC","id":"n1","quarry_queries":"1","smiles_2":"CCO","id_2":"i1","name":"n1"}$'

# A cell that begins with a quote is in quotes, also between tabs, so that programs that read it do not join rows.
printf 'CCO "x\nCCN y"y\n' >quotes.smi
expect 0 "$quarry" match quotes.smi -q C --matched quotes.tsv --summary quotes-summary.tsv -o quotes-hits.tsv --quiet
printf 'smiles\tid\tquarry_queries\nCCO\t"""x"\t1\nCCN\ty"y\t1\n' | cmp - quotes.tsv || fail 'other quotes'
printf 'molecule\tquery\tcount\tstatus\n"""x"\t1\t1\tok\ny"y\t1\t1\tok\n' | cmp - quotes-hits.tsv || fail 'other quotes'
expect 0 "$quarry" match quotes.tsv -q C -o again.tsv --quiet
cmp quotes-hits.tsv again.tsv || fail 'ids that were written are read otherwise'
expect 0 "$quarry" match quotes.smi -q C -o quotes-again.smi --quiet
expect_text quotes-again.smi '^CCO	"x	1$'
