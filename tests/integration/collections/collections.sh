#!/usr/bin/env bash
# Collections: what each verb answers is what it answers for one library of all rows in that order; what is refused.
source "$(dirname "$0")/../support.bash" "$1"

# Three inputs in parts of their own, and the same rows in one library.
awk '!/^#/' "$examples/drugs.smi" >drugs.smi
sed -n '1,20p' drugs.smi >a.smi
(echo 'smiles,id' && sed -n '21,50p' drugs.smi | tr ' \t' ',' | cut -d, -f1,2) >b.csv
sed -n '51,$p' drugs.smi | gzip >c.smi.gz
expect 0 "$quarry" index drugs.smi -o one.qlib
expect 0 "$quarry" index a.smi b.csv c.smi.gz -o c.qlibs --json
json_is parts 3 && json_is parts_made 3 && json_is inputs 3
expect 0 "$quarry" index a.smi -o a.qlib
expect 0 "$quarry" index b.csv c.smi.gz -o bc.qlib # several inputs in one library
expect 0 "$quarry" index b.csv c.smi.gz -o bc.qlibs
molecules=$(wc -l <drugs.smi)

# same COMMAND...: with what is searched in place of LIB, the output is that of the one library.
same() {
  local form
  for form in one.qlib c.qlibs c.qlibs/ 'a.qlib bc.qlib' 'a.qlib bc.qlibs'; do
    local command=()
    for word in "$@"; do
      # shellcheck disable=SC2206
      [[ $word == LIB ]] && command+=($form) || command+=("$word")
    done
    "$quarry" "${command[@]}" --quiet >same.out 2>err || [[ $? == 1 ]] || fail "status of ${command[*]}: $(cat err)"
    [[ $form != one.qlib ]] || mv same.out same.one
    [[ $form == one.qlib ]] || expect_same same.one same.out
  done
}
same match LIB "$examples/alerts.smarts"
same match LIB "$examples/alerts.smarts" --mode all --per-molecule --threads 1
same match LIB -q '[NX3][CX3]=O amide' --mode unique --threads 3
same similar -q 'CC(=O)Oc1ccccc1C(=O)O aspirin' LIB -k 5
same similar drugs.smi LIB -k 3 --threads 3
same similar drugs.smi LIB --threshold 0.4 --metric ecfp4
same cluster LIB --threshold 0.5
same cluster LIB --threshold 0.5 --normalize canonical
same pick LIB -n 12
same grep -h 'c1ccccc1' LIB

# Verbs that take text take it beside libraries.
expect 0 "$quarry" cluster one.qlib --threshold 0.5 --quiet
mv out expected
expect 0 "$quarry" cluster a.smi bc.qlibs --threshold 0.5 --quiet
expect_same expected out
expect 0 "$quarry" match a.smi bc.qlibs "$examples/alerts.smarts" --quiet
mv out found
expect 0 "$quarry" match one.qlib "$examples/alerts.smarts" --quiet
expect_same out found

# The first positional is an input, and so is each further one that is a library, a collection or named as molecules are.
printf 'c1ccccc1 ring\n' >queries.txt
printf 'smarts\tid\nC#N\tnitrile\n' >queries.tsv
expect 0 "$quarry" match a.smi bc.qlibs queries.txt queries.tsv --quiet --json
json_is queries 2 && json_is rows "$molecules"
mv c.qlibs renamed # a folder with a manifest, whatever its name
expect 0 "$quarry" match a.qlib renamed queries.txt --quiet --json
json_is queries 1 && json_is rows $((molecules + 20))
mv renamed c.qlibs
cp queries.txt queries.smi
expect 0 "$quarry" match c.qlibs --queries queries.smi --input a.smi --quiet --json
json_is queries 1 && json_is rows $((molecules + 20))

# What a collection says of itself.
expect 0 "$quarry" info c.qlibs
expect_text out "molecules   $molecules"
expect_text out 'parts       3'
expect_text out 'source      a.smi and 2 more'
expect_text out 'checksums ok'
expect 0 "$quarry" info c.qlibs a.qlib --json
expect_lines out 2
head -n 1 out | grep -q '"parts":3,"inputs":\[{"name":"a.smi","identity":"[0-9]* bytes, checksum [0-9a-f]*","rows":20,' ||
  fail "other inputs: $(head -n 1 out)"

# Rejected rows say which input they are from.
printf '%s\n' 'CCO a' 'C(C b' >bad1.smi
printf '%s\n' 'C(C c' 'N a' >bad2.smi
expect 0 "$quarry" index bad1.smi bad2.smi -o bad.qlibs --rejects rejects.tsv --json
expect_text err '1 row has the id'
json_is equal_ids 1 && json_is rejected 2
[[ $(cut -f 1,2 rejects.tsv) == $'line\tid\nbad1.smi:2\tb\nbad2.smi:1\tc' ]] || fail "$(cat rejects.tsv)"
expect 0 "$quarry" match bad.qlibs -q 'C' --rejects again.tsv --quiet
expect_same rejects.tsv again.tsv
expect_text out 'a' # the first of two rows with this id keeps it, as within one library
expect 0 "$quarry" match bad.qlibs -q '[C,N] x' --mode count --quiet
expect_text out '^bad.qlibs:2:a'

# The same command again has nothing to do; new inputs are added, given alone or with the others.
cp -r c.qlibs before.qlibs
expect 0 "$quarry" index a.smi b.csv c.smi.gz -o c.qlibs --json
json_is parts_made 0
diff -r before.qlibs c.qlibs || fail 'something changed'
cp bad1.smi d.smi
expect 0 "$quarry" index d.smi -o c.qlibs --json --quiet
json_is parts 4 && json_is parts_made 1
rm -r c.qlibs
expect 0 "$quarry" index a.smi b.csv -o c.qlibs --quiet
expect 0 "$quarry" index a.smi b.csv c.smi.gz -o c.qlibs --quiet
diff -r before.qlibs c.qlibs || fail 'other parts'
# A new input that stands between old ones comes after them.
expect 0 "$quarry" index a.smi d.smi b.csv c.smi.gz -o c.qlibs --quiet
expect 0 "$quarry" info c.qlibs --json
grep -q '"name":"c.smi.gz".*"name":"d.smi"' out || fail 'd.smi is not the last'

# Refused by name, and nothing changes.
cp -r c.qlibs before4.qlibs
refuse() { # PATTERN COMMAND...
  expect_error "$@"
  diff -r before4.qlibs c.qlibs || fail 'something changed'
}
index=("$quarry" index)
refuse "'d.smi' is in 'c.qlibs' and not among the inputs.*--restart" "${index[@]}" a.smi b.csv c.smi.gz -o c.qlibs
refuse "options '', and they are '--explicit-h' now; --restart" "${index[@]}" d.smi -o c.qlibs --explicit-h
refuse "options '', and they are '--no-lingos' now" "${index[@]}" d.smi -o c.qlibs --no-lingos
refuse "options '', and they are '--ecfp4' now" "${index[@]}" d.smi -o c.qlibs --ecfp4
cp a.smi kept.smi
sed -i '1s/ / x/' a.smi
refuse "'a.smi' was [0-9]* bytes, checksum .* when 'c.qlibs' was made of it, and is" "${index[@]}" a.smi b.csv c.smi.gz d.smi -o c.qlibs
mv kept.smi a.smi
refuse "'a.smi' is given twice" "${index[@]}" a.smi a.smi -o c.qlibs
refuse 'cannot open gone.smi: No such file' "${index[@]}" gone.smi -o c.qlibs
refuse "'a.qlib' is a library already" "${index[@]}" a.qlib -o c.qlibs
refuse "holds SMILES, and 'x.sdf' SDF records" "${index[@]}" "$(printf '%s\n' x '' '' '  1  0  0  0  0  0  0  0  0  0999 V2000' '    0.0000    0.0000    0.0000 C   0  0' 'M  END' '$$$$' >x.sdf && echo x.sdf)" -o c.qlibs
printf '' >empty.smi
expect 2 "${index[@]}" empty.smi -o none.qlibs --quiet
grep -q "'empty.smi' holds no molecule" err || fail "$(<err)"
refuse 'are for collections' "${index[@]}" a.smi -o new.qlib --part-rows 5
refuse 'is for one input' "${index[@]}" a.smi b.csv -o new.qlib --resume
expect_absent new.qlib new.qlibs
expect 0 "${index[@]}" a.smi b.csv c.smi.gz -o c.qlibs --restart --quiet
diff -r before.qlibs c.qlibs || fail 'other parts'
mkdir unfinished.qlibs
expect_error "'unfinished.qlibs' has no manifest.json: its index run has not ended; run it again" "$quarry" match unfinished.qlibs -q C
expect_error 'cannot open gone.qlibs' "$quarry" match gone.qlibs -q C
printf '{"format":' >unfinished.qlibs/manifest.json
expect_error 'unfinished.qlibs/manifest.json is no JSON' "$quarry" info unfinished.qlibs
printf '%s\n' 'C(C b' >none.smi
expect_error "'none.smi' holds no molecule that can be read (1 row)" "${index[@]}" none.smi -o none.qlibs --quiet

expect_error "cannot write gone/x.qlibs: No such file" "${index[@]}" a.smi -o gone/x.qlibs
printf 'text' >file.qlibs
expect_error "cannot write file.qlibs: Not a directory" "${index[@]}" a.smi -o file.qlibs
expect_text file.qlibs 'text'
# With --strict a rejected row keeps the manifest away, and without it the run goes on.
expect_error "strict: 1 rejected row; the parts in 'strict.qlibs' wait for another run, and are no collection yet" "${index[@]}" bad1.smi -o strict.qlibs --strict --quiet
expect_absent strict.qlibs/manifest.json
expect 0 "${index[@]}" bad1.smi -o strict.qlibs --quiet --json
json_is parts_made 0

# A part that is missing, damaged, or another one.
cp -r c.qlibs damaged.qlibs
rm damaged.qlibs/part-000001.qlib
expect_error 'cannot open damaged.qlibs/part-000001.qlib' "$quarry" match damaged.qlibs -q C
cp c.qlibs/part-000000.qlib damaged.qlibs/part-000001.qlib
expect_error 'damaged.qlibs/part-000001.qlib: .*was the file replaced' "$quarry" match damaged.qlibs -q C
cp c.qlibs/part-000001.qlib damaged.qlibs/part-000001.qlib
printf 'x' | dd of=damaged.qlibs/part-000001.qlib bs=1 seek=2000 conv=notrunc 2>dd.err
expect 2 "$quarry" info damaged.qlibs
expect_text err 'damaged.qlibs/part-000001.qlib'

# Lists, patterns, and what a command fetches.
mkdir store
cp a.smi b.csv c.smi.gz store
printf '%s\n' store/a.smi '' store/b.csv store/c.smi.gz >list.txt
expect 0 "${index[@]}" --files-from list.txt -o list.qlibs --quiet
expect 0 "${index[@]}" --files-from - -o list2.qlibs --quiet <list.txt
diff -r list.qlibs list2.qlibs || fail 'other parts'
expect 0 "${index[@]}" 'store/*' -o pattern.qlibs --quiet
diff -r list.qlibs pattern.qlibs || fail 'other parts'
expect_error "no file fits 'store/\*.sdf'" "${index[@]}" 'store/*.sdf' -o x.qlibs
expect_error "the list 'gone' cannot be read" "${index[@]}" --files-from gone -o x.qlibs
expect_error 'names no file' "${index[@]}" --files-from - -o x.qlibs </dev/null
expect_error 'there are no molecules' "${index[@]}" -o x.qlibs
printf '%s\n' a.smi b.csv c.smi.gz >names
expect 0 "${index[@]}" --files-from names --fetch 'cat store/{}' -o fetched.qlibs --quiet
for name in list fetched; do "$quarry" grep -h c1ccccc1 $name.qlibs >$name.out || fail "status $?"; done
expect_same list.out fetched.out
cp a.smi store/d.smi
echo d.smi >>names
rm store/a.smi # what is there is not fetched again
expect 0 "${index[@]}" --files-from names --fetch 'cat store/{}' -o fetched.qlibs --quiet --json
json_is parts_made 1
printf 'e.smi\n' >>names
expect 2 "${index[@]}" --files-from names --fetch 'cat store/{}' -o fetched.qlibs --quiet
expect_text err "^quarry: 'cat store/e.smi' ended with status 1"
expect_error 'cannot run .no-such-program' "${index[@]}" --files-from names --fetch 'no-such-program {}' -o fetched.qlibs
expect_error 'has no {}' "${index[@]}" --files-from names --fetch 'cat' -o x.qlibs
expect_error 'make it a run of its own' "${index[@]}" a.smi --files-from names --fetch 'cat {}' -o x.qlibs
# A command that fails in the middle of its output adds nothing.
printf '#!/bin/sh\nhead -c 300 "store/$1"\nexit 3\n' >broken.sh
chmod +x broken.sh
cp b.csv store/f.csv
echo f.csv >f.names
expect_error "'./broken.sh f.csv' ended with status 3" "${index[@]}" --files-from f.names --fetch './broken.sh {}' -o f.qlibs --quiet
expect_absent f.qlibs
expect 0 "${index[@]}" - -o piped.qlibs --quiet < <(zcat c.smi.gz)
expect 0 "$quarry" info piped.qlibs --json
json_is rows $((molecules - 50))

# Few descriptors are enough for many parts.
mkdir many
for i in $(seq 100); do sed -n "$((i % molecules + 1))p" drugs.smi >many/$i.smi; done
expect 0 "${index[@]}" 'many/*.smi' -o many.qlibs --quiet
cat many/*.smi >all.smi
for command in "match LIB -q C --threads 1" "cluster LIB --threshold 0.6 --threads 2" "similar -q CCO LIB -k 3" "info LIB"; do
  # shellcheck disable=SC2086
  (ulimit -n 64 && "$quarry" ${command//LIB/many.qlibs} >out 2>err) || fail "$command"
done
(ulimit -n 64 && "$quarry" pick many.qlibs -n 9 --quiet >found) || fail 'pick'
cut -f 1 found >picks
"$quarry" pick all.smi -n 9 --quiet | cut -f 1 >expected
expect_same expected picks

# Two runs at once: one is refused, or both are right.
"${index[@]}" a.smi b.csv c.smi.gz -o two.qlibs --quiet 2>first.err &
first=$!
"${index[@]}" a.smi b.csv c.smi.gz -o two.qlibs --quiet 2>second.err || grep -q "another run is writing to 'two.qlibs'" second.err || fail "$(cat second.err)"
wait $first || grep -q "another run is writing to 'two.qlibs'" first.err || fail "$(cat first.err)"
diff -r c.qlibs two.qlibs || fail 'other parts'
expect_clean

# Batch logs show life: a line at once with --progress lines.
(sleep 1; cat a.smi) | "${index[@]}" - -o slow.qlibs --progress lines 2>err || fail "status $?"
expect_text err '^index: '

# A run that is to go on knows the collection that it searched.
cp -r bc.qlibs searched.qlibs
ln -s /dev/full hits.summary
search=("$quarry" match searched.qlibs -q C -o hits.tsv --summary hits.summary --resume --quiet)
expect_error 'hits.summary' "${search[@]}"
expect 0 "${index[@]}" d.smi -o searched.qlibs --quiet
expect_error "INPUT was 'searched.qlibs' with the manifest of .*--restart begins again" "${search[@]}"

# A job over collections, and what it was planned with.
expect 0 "$quarry" match c.qlibs bc.qlibs "$examples/alerts.smarts" -o plain.tsv --quiet
expect 0 "$quarry" plan job --shards 7 -- match c.qlibs bc.qlibs "$examples/alerts.smarts"
expect 0 "$quarry" work job --quiet
expect 0 "$quarry" merge job -o merged.tsv --quiet
expect_same plain.tsv merged.tsv
expect 0 "$quarry" plan other --shards 2 -- similar a.smi c.qlibs bc.qlibs -k 3
expect 0 "${index[@]}" d.smi -o bc.qlibs --quiet
expect_error 'bc.qlibs/manifest.json. has changed' "$quarry" work other --quiet
