#!/usr/bin/env bash
# `plan`, `work`, `status` and `merge`: outputs have the bytes of the verb alone, for every format and any number of shards.
source "$(dirname "$0")/../support.bash" "$1"

write_molecules
write_queries
# Ids that come twice, and in two files; rows that are rejected; more rows than shards.
for copy in 1 2 3 4 5; do awk -v copy=$copy '{print $1, (copy > 3 ? $2 : $2 copy)}' molecules.smi; done >first.smi
printf '%s\n' 'C1CC bad_ring' 'CCO ethanol' 'c1ccccc1O phenol' 'not_smiles bad' >second.smi
"$quarry" index first.smi -o first.qlib --quiet
"$quarry" index second.smi -o second.qlib --quiet
printf 'smiles,name,mass\nCCO,ethanol,46\nc1ccccc1,benzene,78\nCC(=O)O,acid,60\n' >table.csv

# same NAME SHARDS COMMAND...: the outputs, standard output and status of the command and of its job.
same() {
  local name=$1 shards=$2 status=0 merged=0
  shift 2
  rm -rf alone merged "$name"
  mkdir alone merged
  (cd alone && "$quarry" "$@" >stdout 2>../err) || status=$?
  (cd merged && expect 0 "$quarry" plan "../$name" --shards "$shards" --quiet -- "$@" && rm out err)
  expect 0 "$quarry" work "$name" --quiet
  (cd / && "$quarry" merge "$folder/$name" >"$folder/merged/stdout" 2>"$folder/err") || merged=$?
  [[ $status == "$merged" ]] || fail "$*: merge ends with $merged, alone with $status"
  diff -r alone merged >differences || fail "$*: $(head -n 5 differences)"
  expect_clean
}

for input in first.qlib first.smi 'first.qlib second.smi' 'first.smi second.qlib'; do
  read -ra inputs <<<"$input"
  inputs=("${inputs[@]/#/../}")
  for shards in 1 7 40; do
    same job $shards match "${inputs[@]}" ../queries.smarts --mode count --summary summary.tsv
  done
  for mode in first all unique; do
    same job 5 match "${inputs[@]}" ../queries.smarts --mode $mode -o hits.csv --rejects rejects.tsv
    same job 5 match "${inputs[@]}" ../queries.smarts --mode $mode -o hits.jsonl.zst
    same job 5 match "${inputs[@]}" ../queries.smarts --mode $mode -o hits.qhits
  done
  same job 6 match "${inputs[@]}" ../queries.smarts --per-molecule --matched m.smi --unmatched u.smi.gz -o table.tsv
  same job 40 match "${inputs[@]}" ../queries.smarts --mode count -o counts.npz
  same job 6 match "${inputs[@]}" ../queries.smarts --invert -o clean.smi
  same job 6 match "${inputs[@]}" ../queries.smarts -o found.sdf
done
same job 3 match ../table.csv ../queries.smarts -o found.smi --summary s.tsv
same job 4 match ../first.qlib -q '[Br]' # nothing found: 1 either way
# Words in brackets are no lists.
same job 4 match ../first.qlib -q '[OX2H]' -q '[N,O]' -q '[#6]' --mode count

# Inputs of the first folder, rows of others; k nearest and thresholds.
# The larger side is cut, rows or columns.
for shards in 1 5 60; do
  same job $shards similar ../second.smi ../first.qlib -k 2 -o pairs.tsv
  same job $shards similar ../second.qlib ../first.smi ../first.qlib ../second.smi -k 90 -o pairs.csv
  same job $shards similar -q 'CCO one' -q 'c1ccccc1O two' ../first.qlib --threshold 0.2 -k 4
  same job $shards similar ../first.qlib ../second.smi ../second.smi -k 3 --rejects rejects.tsv
  same job $shards similar --matrix ../second.smi ../first.smi --threshold 0.1 -o pairs.jsonl.zst
  same job $shards cluster ../first.smi --threshold 0.4 -o clusters.csv --rejects rejects.tsv
  same job $shards cluster ../first.qlib ../second.qlib --threshold 1
done
same job 9 similar ../first.smi ../first.qlib --threshold 0.3 -o pairs.jsonl
same job 4 similar --matrix ../first.qlib --threshold 0.5 -o pairs.csv.gz
same job 4 similar -q 'ClCl none' ../first.qlib --threshold 0.9 # nothing found: 1 either way

# Shards of index are whole files, some without a row or a molecule, and make the collection of one run.
mkdir files
for number in 1 2 3 4 5 6 7; do
  awk -v number=$number 'BEGIN {for (i = 0; i < (number == 5 ? 40000 : 900 * number); ++i) print (i % 97 == 5 ? "C(C" : i % 3 ? "CCO" : "CCN"), "id" i % 800}' >files/$number.smi
done
echo 'C1CC bad' >files/9.smi
gzip files/3.smi && zstd -q --rm files/4.smi
ls files/*.zst files/*.gz | sed 's|^|../|' >list.txt
printf 'files/7.smi\nfiles/2.smi\n' | sed 's|^|../|' >objects.txt
for shards in 1 3 9 20; do
  same job $shards index '../files/*.smi*' -o store.qlibs --part-rows 1000 --rejects rejects.tsv
  same job $shards index ../files/2.smi ../files/1.smi --files-from ../list.txt -o store.qlibs --ecfp4
  same job $shards index --files-from ../objects.txt --fetch 'cat {}' -o store.qlibs --quiet
done
# A collection that is there gets what is new; the second merge has nothing to do; a merge that was stopped goes on.
"$quarry" index files/*.smi* -o whole.qlibs --part-rows 1000 --quiet 2>err
"$quarry" index files/[12].smi -o grown.qlibs --part-rows 1000 --quiet 2>err
"$quarry" plan grow --shards 5 --quiet -- index files/[3-9].smi* -o grown.qlibs --part-rows 1000
"$quarry" work grow --quiet
for turn in 1 2; do
  expect 0 "$quarry" merge grow
  diff -r whole.qlibs grown.qlibs || fail "turn $turn"
done
rm grown.qlibs/manifest.json grown.qlibs/part-00000[5-9].qlib
"$quarry" plan again --shards 4 --quiet -- index files/*.smi* -o grown.qlibs --part-rows 1000
"$quarry" work again --quiet
expect 0 "$quarry" merge again
diff -r whole.qlibs grown.qlibs || fail 'a merge that was stopped'
expect 0 "$quarry" info grown.qlibs
truncate -s -1 "$(ls again/collections/*/part-000000.qlib | tail -n 1)"
rm -r grown.qlibs
expect_error 'part-000000.qlib. is not the part that its manifest lists' "$quarry" merge again
expect_absent grown.qlibs/manifest.json
rm -rf grown.qlibs
# Collections of shards that are damaged, exchanged or gone are named, and so are outputs that would replace what is read.
fresh() {
  rm -rf twice parts.qlibs
  "$quarry" plan twice --shards 2 --quiet -- index 'files/[12].smi' -o parts.qlibs
  "$quarry" work twice --quiet
}
refused() {
  expect_error "$1" "$quarry" merge twice
  expect_absent parts.qlibs/manifest.json
}
fresh
cp twice/collections/0000000.qlibs/part-000000.qlib part
printf X | dd of=part bs=1 seek=5000 conv=notrunc status=none
mv part twice/collections/0000000.qlibs/part-000000.qlib
refused 'is not the part that its manifest lists'
fresh
mv twice/collections/0000000.qlibs other && mv twice/collections/0000001.qlibs twice/collections/0000000.qlibs
mv other twice/collections/0000001.qlibs
refused 'is missing, or is not what shard 0 made'
fresh
rm -r twice/collections/0000001.qlibs
refused 'is missing, or is not what shard 1 made'
rm twice/shards/0000/0000001.json
expect 0 "$quarry" work twice
expect 0 "$quarry" merge twice
cp files/1.smi kept.smi && echo files/2.smi >here.txt
expect_error 'would be replaced' "$quarry" merge twice --rejects files/1.smi
expect_error 'would be replaced' "$quarry" plan never --shards 2 -- index 'files/[12].smi' -o x.qlibs --rejects files/1.smi
expect_error 'would be replaced' "$quarry" plan never --shards 2 -- index --files-from here.txt -o x.qlibs --rejects files/2.smi
# A job that is refused leaves nothing, though its inputs were packed before.
expect_error 'would be replaced' "$quarry" plan never --shards 2 -- match first.smi queries.smarts -o hits.tsv --rejects queries.smarts
expect_error 'at least one molecule\|no molecule\|rejected' "$quarry" plan never --shards 2 -- match files/9.smi -q C -o hits.tsv
expect_absent never
expect_same files/1.smi kept.smi
expect_error 'not named .qlibs' "$quarry" merge twice -o x.tsv
expect_error 'is in the folder of the job' "$quarry" merge twice -o twice/collections/0000000.qlibs
expect_error 'is in the folder of the job' "$quarry" merge twice --rejects ./twice/../twice/shards/0000/0000000.json
"$quarry" index files/1.smi files/2.smi -o parts.qlibs --quiet --restart 2>err
"$quarry" plan overlap --shards 2 --quiet -- index files/2.smi files/6.smi -o parts.qlibs
"$quarry" work overlap --quiet
expect_error "'files/1.smi' is in 'parts.qlibs' and not among the inputs" "$quarry" merge overlap
rm parts.qlibs/manifest.json parts.qlibs/part-000001.qlib
expect_error "was begun with 'files/1.smi', which is not among the inputs" "$quarry" merge overlap

"$quarry" plan strict --shards 2 --quiet -- index files/1.smi -o strict.qlibs --strict
"$quarry" work strict --quiet
expect 2 "$quarry" merge strict
expect_text err "--strict: 10 rejected rows.*; the parts in '.*strict.qlibs' wait for another run"
expect_absent strict.qlibs/manifest.json

awk 'BEGIN {srand(3); for (i = 0; i < 900; ++i) print int(rand() * 99), int(rand() * 99)}' >graph.txt
same job 7 mine ../graph.txt triangle house 'a-b, b-c, c-d, a-d' --method search --quiet
same job 7 mine ../graph.txt triangle --list -o triangles.tsv.zst
same job 5 mine ../graph.txt wedge --list
for size in 3 4 5; do same job 7 mine ../graph.txt --motifs $size; done

cp "$examples/pocket.pdb" .
awk '!/^#/' "$examples/ligands.smi" | head -n 3 >ligands.smi
dock=(dock ../pocket.pdb ../ligands.smi --center 0,0,0 --size 7,7,7 --effort screen --restarts 2 --max-poses 2)
same job 2 "${dock[@]}" -o poses.sdf --rejects rejects.tsv

# Verbs and options that cannot be cut into shards say so.
plan=("$quarry" plan no --shards 2 --)
expect_error 'pick.*not cut into shards' "${plan[@]}" pick first.smi -n 3
expect_error 'not named .qlibs' "${plan[@]}" index first.smi -o x.qlib
expect_error 'library already' "${plan[@]}" index first.qlib -o x.qlibs
expect_error 'restart' "${plan[@]}" index first.smi -o x.qlibs --restart
expect_error 'no file fits' "${plan[@]}" index 'none*.smi' -o x.qlibs
expect_error 'above 0' "${plan[@]}" cluster first.smi --threshold 0
expect_error 'no output format' "${plan[@]}" cluster first.smi --threshold 0.5 -o x.png
expect_error 'not cut into shards' "${plan[@]}" info first.qlib
expect_error 'verify' "${plan[@]}" match first.qlib queries.smarts --verify 5%
expect_error 'resume' "${plan[@]}" match first.qlib queries.smarts -o x.tsv --resume
expect_error 'estimate' "${plan[@]}" mine graph.txt triangle --estimate
expect_error 'top' "${plan[@]}" "${dock[@]//..\//}" --top 1
expect_error 'rows of pairs' "${plan[@]}" similar --matrix first.smi -o all.npy
expect_error 'standard input' "${plan[@]}" match - queries.smarts
mkfifo pipe.smi
expect_error "'pipe.smi' cannot" "${plan[@]}" match pipe.smi queries.smarts
expect_error 'no output format' "${plan[@]}" match first.qlib queries.smarts -o x.png
expect_error 'must be UTF-8' "${plan[@]}" match first.qlib -q $'C a\xff'
expect_error 'after --' "$quarry" plan no --shards 2
expect_error 'after --' "${plan[@]}" match --help
expect_error "there is no verb 'macth'" "${plan[@]}" macth first.qlib
expect_absent no/job.json

# A job has its own folder, exactly as many shards as are asked for, and outputs that its plan names.
job=(match first.qlib queries.smarts --mode count)
"$quarry" "${job[@]}" --summary alone.summary >alone.tsv 2>err
expect 0 "$quarry" plan hits --shards 41 -- "${job[@]}"
expect_text err "41 shards of quarry match in 'hits'"
expect_error 'holds a job already' "$quarry" plan hits --shards 41 -- "${job[@]}"
expect 0 "$quarry" status hits --missing
echo 0-40 | cmp - out || fail "missing: $(cat out)"
expect_error '41 of the 41 shards .* are missing: 0-40' "$quarry" merge hits -o hits.tsv
expect_error 'there is no shard 41' "$quarry" work hits --shard 41
for shard in 0 1 2 4 5 7 40; do expect 0 "$quarry" work hits --shard $shard --quiet; done
expect 0 "$quarry" status hits --missing
echo 3,6,8-39 | cmp - out || fail "missing: $(cat out)"
expect 0 "$quarry" status hits
expect_text out '^7 done, 34 missing'
expect 0 "$quarry" status hits --json
json_is done 7 && json_is missing 34 && json_is shards 41
expect_error '34 of the 41 shards' "$quarry" merge hits -o hits.tsv
expect_absent hits.tsv
expect 0 "$quarry" work hits
expect_text err '^34 shards done'
expect 0 "$quarry" work hits
expect_text err '^0 shards done'
expect 0 "$quarry" work hits --shard 3
expect_text err '^0 shards done'
expect 0 "$quarry" status hits --missing
echo | cmp - out || fail "missing: $(cat out)"
expect 0 "$quarry" merge hits -o hits.tsv.zst --summary hits.summary --rejects hits.rejects
zstd -dqc hits.tsv.zst | cmp - alone.tsv || fail 'merged rows differ'
expect_same hits.summary alone.summary
expect_text err '^rows 40 = ok 40'
expect_error 'no output for --matched' "$quarry" merge hits --matched m.smi
"$quarry" merge hits -o /dev/stdout --quiet | cmp - alone.tsv || fail 'other rows in a pipe'
# A job whose shards are pairs or neighbours makes any format of them, but molecules only of shards that hold these.
for format in csv jsonl qhits npz; do
  expect 0 "$quarry" merge hits -o late.$format
  expect 0 "$quarry" "${job[@]}" -o early.$format
  expect_same late.$format early.$format
done
expect_error 'hold pairs of molecules and queries for --output' "$quarry" merge hits -o hits.smi
expect 0 "$quarry" cat hits/shards/0000/0000001.hits.qhits.zst
head -n 2 alone.tsv | cmp - <(head -n 2 out) || fail 'a shard is no file of hits'
"$quarry" plan flags --shards 3 --quiet -- match first.qlib queries.smarts --per-molecule -o flags.tsv
"$quarry" work flags --quiet
expect_error 'hold .tsv for --output, not .csv' "$quarry" merge flags -o flags.csv
expect 0 "$quarry" plan near --shards 3 --quiet -- similar second.smi first.qlib -k 3 -o near.tsv
expect 0 "$quarry" work near --quiet
expect 0 "$quarry" merge near -o near.csv
expect 0 "$quarry" similar second.smi first.qlib -k 3 -o alone.csv
expect_same near.csv alone.csv
# The same where the queries are the larger side, and are cut.
"$quarry" plan far --shards 3 --quiet -- similar first.qlib second.smi -k 2 -o far.tsv
expect 0 "$quarry" work far --quiet
expect 0 "$quarry" merge far --quiet -o merged.jsonl
"$quarry" similar first.qlib second.smi -k 2 -o alone.jsonl --quiet
expect_same merged.jsonl alone.jsonl
"$quarry" plan wide --shards 3 --quiet -- similar second.smi first.qlib -k 9223372036854775807 -o near.tsv
"$quarry" work wide --quiet
expect 0 "$quarry" merge wide
"$quarry" similar second.smi first.qlib -k 0 -o alone.tsv.gz --quiet
gzip -dc alone.tsv.gz | cmp - near.tsv || fail 'a large k'
"$quarry" plan groups --shards 3 --quiet -- cluster first.smi --threshold 0.5
"$quarry" work groups --quiet
expect_error 'no output format' "$quarry" merge groups -o x.png
expect_error 'two outputs would go to' "$quarry" merge hits -o same.tsv --summary same.tsv
ln queries.smarts queries.tsv
expect_error 'would be replaced' "$quarry" merge hits -o queries.tsv
expect_absent hits.csv m.smi same.tsv

# Fewer molecules than shards: as many shards as were asked for.
expect 0 "$quarry" plan few --shards 60 -- "${job[@]}"
expect 0 "$quarry" work few
expect_text err '^60 shards done'
expect 0 "$quarry" merge few -o few.tsv
expect_same few.tsv alone.tsv

# --exit-zero, for every verb.
expect 1 "$quarry" match first.qlib -q '[Br]'
expect 0 "$quarry" match first.qlib -q '[Br]' --exit-zero
expect 0 "$quarry" grep '[Br]' first.smi --exit-zero
expect 0 "$quarry" mine graph.txt 12-clique --exit-zero
expect 2 "$quarry" match missing.qlib -q '[Br]' --exit-zero
for verb in index info match grep sets similar cluster pick mine watch dock plan work status merge doctor; do
  expect 0 "$quarry" $verb --help
  expect_text out '--exit-zero'
done
expect 0 "$quarry" plan none --shards 3 -- match first.qlib -q '[Br]'
expect 0 "$quarry" work none
expect 1 "$quarry" merge none -o none.tsv
expect 0 "$quarry" merge none -o none.tsv --exit-zero
