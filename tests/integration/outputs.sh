#!/usr/bin/env bash
# Nothing is lost: standard streams that are closed or full, outputs that are inputs or each other, several outputs at once.
source "$(dirname "$0")/support.bash" "$1"
write_molecules
write_queries
printf '1 2\n2 3\n1 3\n' >graph.txt
"$quarry" index molecules.smi -o molecules.qlib --quiet
run() { bash -c "$@"; }
export quarry

# Standard output closed: files are written all the same, and what must be printed is an error.
expect 0 run '"$quarry" match molecules.qlib queries.smarts -o hits.tsv --quiet >&-'
expect_text hits.tsv aspirin
expect 0 run '"$quarry" similar --matrix molecules.smi -o all.npy --quiet >&-'
[[ -s all.npy ]] || fail 'no matrix'
expect 0 run '"$quarry" cluster molecules.smi --threshold 0.5 -o clusters.tsv --quiet >&-'
expect_lines clusters.tsv 9
expect 0 run '"$quarry" pick molecules.smi -n 2 -o picks.smi --quiet >&-'
expect_lines picks.smi 2
expect 0 run '"$quarry" mine graph.txt triangle --list -o triangles.tsv --save graph.qgraph --quiet >&-'
expect_lines triangles.tsv 2
[[ -s graph.qgraph ]] || fail 'no graph'
expect 0 run '"$quarry" index - -o stdin.qlib --quiet <molecules.smi >&-'
expect 0 "$quarry" info stdin.qlib
expect_error 'cannot write standard output' run '"$quarry" match molecules.qlib queries.smarts --quiet >&-'
for to in '>&-' '>/dev/full'; do # what was there stays
  echo old >hits.tsv
  expect_error 'cannot write standard output' run '"$quarry" match molecules.qlib queries.smarts -o hits.tsv --json --quiet '"$to"
  [[ $(cat hits.tsv) == old ]] || fail "hits.tsv was replaced: $to"
done
expect_error 'cannot write standard output' run '"$quarry" --help >/dev/full'
expect_error 'standard input' run '"$quarry" match - queries.smarts <&-'
expect 0 run '"$quarry" match molecules.qlib queries.smarts -o hits.tsv --quiet <&- >&- 2>&-'

# Standard error closed or full: the messages are lost, and nothing else.
for to in '2>&-' '2>/dev/full'; do
  rm -f hits.tsv
  expect 0 run '"$quarry" match molecules.qlib queries.smarts -o hits.tsv '"$to"
  expect_text hits.tsv aspirin
  expect 1 run '"$quarry" match molecules.qlib -q "[Br]" -o none.tsv '"$to"
  expect 2 run '"$quarry" match missing.smi queries.smarts '"$to"
  expect 0 run '"$quarry" mine graph.txt triangle '"$to"
  expect 0 run '"$quarry" index molecules.smi -o again.qlib '"$to"
done

# Standard output by another name is never replaced, and appends where the shell appends.
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
  echo keep >file
  "$quarry" match molecules.qlib queries.smarts -o $name --quiet >>file
  [[ $(head -n 1 file) == keep ]] && expect_lines file 15 || fail "appending to $name"
  (echo first && "$quarry" match molecules.qlib queries.smarts -o $name --json --quiet && echo last) >file
  [[ $(head -n 1 file) == first && $(tail -n 1 file) == last ]] && expect_lines file 17 || fail "redirected $name"
done
expect 0 "$quarry" mine graph.txt triangle --list -o /dev/stdout
expect_lines out 2

# An output that is an input, or another output, is refused by both options, and nothing is written.
expect_one() {
  mkdir before
  find . -maxdepth 1 -type f -name '*.*' -exec cp {} before ';'
  expect_error "$1.*$2" "$quarry" "${@:3}"
  local file
  for file in before/*; do cmp -s "$file" "${file#before/}" || fail "${file#before/} was changed: ${*:3}"; done
  rm -r before
  expect_clean
}
printf '1 4\n2 4\n3 5\n' >labels.txt
printf '# a comment\ne 1 4\n' >updates.txt
ln molecules.smi linked.smi
ln -s graph.txt symlink.txt
expect_one --rejects INPUT mine graph.txt triangle --skip-bad --rejects graph.txt
expect_one --rejects INPUT mine graph.txt triangle --skip-bad --rejects ./symlink.txt
expect_one --output --vertex-labels mine graph.txt --vertex-labels labels.txt triangle --list -o labels.txt
expect_one --save INPUT mine graph.txt triangle --save graph.txt
expect_one --save --rejects mine graph.txt triangle --save new.txt --skip-bad --rejects ./new.txt
expect_one --output --updates watch graph.txt triangle --updates updates.txt -o updates.txt
expect_one --output INPUT watch graph.txt triangle --updates updates.txt -o graph.txt
expect_one --output --summary match molecules.smi queries.smarts -o new.tsv --summary new.tsv
expect_one --output --summary match molecules.smi queries.smarts -o new.tsv --summary ../"$(basename "$PWD")"/new.tsv
expect_one --rejects FILE match molecules.smi queries.smarts --rejects queries.smarts
expect_one --output --rejects match molecules.smi queries.smarts --rejects -
expect_one --output --rejects index molecules.smi -o new.qlib --rejects new.qlib
expect_one --output IN index molecules.smi -o linked.smi
expect_one --output --rejects similar molecules.smi molecules.smi -k 1 -o new.tsv --rejects ./new.tsv
expect_one --output INPUT cluster molecules.smi --threshold 0.5 -o linked.smi
expect_one --output INPUT pick molecules.smi -n 2 -o molecules.smi
expect_absent new.txt new.tsv new.qlib
from() { # FILE COMMAND...: FILE is standard input
  "$quarry" "${@:2}" <"$1"
}
expect_one_from() {
  cp "$3" kept
  expect_error "$1.*$2" from "$3" "${@:4}"
  cmp -s "$3" kept || fail "$3 was changed: ${*:4}"
}
expect_one_from --output 'standard input' molecules.smi match - queries.smarts -o molecules.smi
expect_one_from --output 'standard input' molecules.smi cluster - --format smi --threshold 0.5 -o linked.smi
expect_one_from --output 'standard input' graph.txt mine - triangle --list -o symlink.txt
expect_one_from --output 'standard input' updates.txt watch graph.txt triangle --updates - -o updates.txt
"$quarry" index molecules.smi -o parts.qlibs --quiet
for file in part-000000.qlib manifest.json; do
  expect_one --rejects INPUT match parts.qlibs queries.smarts -o new.tsv --rejects parts.qlibs/$file
done
mkdir sets
printf 'smarts,id\nC,c\n' >sets/mine.csv
cp sets/mine.csv set
expect_one --output --sets-dir match molecules.smi --set mine --sets-dir sets -o sets/mine.csv
expect_same sets/mine.csv set
expect_one --summary 'the ledger' match molecules.smi queries.smarts -o new.tsv --resume --summary new.tsv.ledger
expect_one --rejects 'the ledger' match molecules.smi queries.smarts -o new.tsv --restart --rejects new.tsv.ledger-wal
for command in 'grep C molecules.smi' 'sets --verify molecules.smi' 'match molecules.smi queries.smarts'; do
  cp molecules.smi kept
  expect_error "standard output.*'molecules.smi'" run "\"\$quarry\" $command >>molecules.smi"
  expect_same molecules.smi kept
done
for file in parts.qlibs/part-000000.qlib parts.qlibs/manifest.json sets/mine.csv; do
  cp "$file" kept
  for command in 'grep C parts.qlibs' 'match parts.qlibs --set mine --sets-dir sets' 'sets mine --sets-dir sets'; do
    if [[ $file == sets/* ]]; then [[ $command != grep* ]] || continue; else [[ $command != sets* ]] || continue; fi
    expect_error 'standard output.*parts.qlibs\|standard output.*--sets-dir' run "\"\$quarry\" $command >>$file"
    expect_same "$file" kept
  done
done
expect 0 run '"$quarry" sets mine --sets-dir sets >sets/copy.smarts' # which the shell has just made
[[ -s sets/copy.smarts ]] || fail 'the set was not written'

# So are inputs that a list or a table names, and what a job is done from.
echo molecules.smi >list
expect_one --output 'a list' index --files-from list -o molecules.smi
expect_one --rejects 'a list' index --files-from list -o new.qlib --rejects molecules.smi
cp "$examples/pocket.pdb" pocket.pdb
printf 'p1 pocket.pdb 0,0,0 7,7,7\n' >targets.txt
expect_one --rejects 'a list' dock molecules.smi --targets targets.txt --effort screen --table new.tsv --rejects pocket.pdb
"$quarry" plan job --shards 1 --quiet -- match molecules.smi queries.smarts -o hits.tsv
"$quarry" work job --quiet
cp job/job.json kept
expect_error --rejects "$quarry" merge job --rejects job/job.json
expect_same job/job.json kept

expect 0 from molecules.smi match molecules.smi queries.smarts -o new.tsv --quiet
expect 0 run '"$quarry" match molecules.smi queries.smarts --rejects /dev/stderr --quiet >log 2>&1'
rm -r new.tsv parts.qlibs sets set kept job list log
expect_error 'where standard output goes' run '"$quarry" match molecules.smi queries.smarts -o new.tsv 2>&1 >new.tsv | cat >&2; exit "${PIPESTATUS[0]}"'
expect 0 "$quarry" match molecules.smi queries.smarts -o /dev/null --summary /dev/null --rejects /dev/null

# A .npz file is as any other: through a link to its target, into a pipe, the same bytes each time.
sparse() { "$quarry" similar --matrix molecules.smi --threshold 0.2 --quiet -o "$1"; }
sparse one.npz && sleep 2 && sparse two.npz
expect_same one.npz two.npz
echo old >target && ln -s target link.npz
sparse link.npz
[[ -L link.npz ]] && expect_same target one.npz || fail 'the link was replaced'
mkfifo pipe.npz
timeout 60 cat pipe.npz >three &
timeout 60 "$quarry" similar --matrix molecules.smi --threshold 0.2 --quiet -o pipe.npz
wait
expect_same three one.npz
expect_error 'cannot write missing/a.npz' sparse missing/a.npz
expect_clean

# An empty name is no output.
for option in -o --summary --rejects; do
  expect_error 'the file is empty' "$quarry" match molecules.smi queries.smarts $option ''
done
expect_error 'the file is empty' "$quarry" index molecules.smi -o ''
expect_error 'the file is empty' "$quarry" mine graph.txt triangle --save ''

# All outputs appear together, or none: here a folder takes the name of the second while the first is complete.
mkfifo rows
echo old >one.tsv
(cat molecules.smi && sleep 1 && mkdir two.tsv) >rows &
expect_error 'cannot write two.tsv' "$quarry" match rows queries.smarts --format smi -o one.tsv --summary two.tsv --quiet
wait
[[ $(cat one.tsv) == old ]] || fail 'the first of two outputs was replaced alone'
expect_clean
rmdir two.tsv && rm one.tsv
(cat molecules.smi && sleep 1 && mkdir two.tsv) >rows &
expect_error 'cannot write two.tsv' "$quarry" match rows queries.smarts --format smi -o one.tsv --summary two.tsv --quiet
wait
expect_absent one.tsv
expect_clean
rmdir two.tsv
expect 0 "$quarry" match molecules.smi queries.smarts -o one.tsv --summary two.tsv --rejects three.tsv --quiet
expect_lines two.tsv 6
expect_lines three.tsv 1
expect_clean

# What killed processes have left behind goes with the next run into the folder, and what a living one writes stays.
mkdir folder
echo dead >folder/.quarry-1-0.part
echo alive >folder/.quarry-1-1.part
exec 9<>folder/.quarry-1-1.part
flock 9
expect 0 "$quarry" match molecules.smi queries.smarts -o folder/hits.tsv --quiet
expect_absent folder/.quarry-1-0.part
[[ -e folder/.quarry-1-1.part ]] || fail 'the file of a living process was removed'
exec 9>&-
expect 0 "$quarry" match molecules.smi queries.smarts -o folder/hits.tsv --quiet
expect_clean
