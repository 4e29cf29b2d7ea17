#!/usr/bin/env bash
# bzip2 and xz wherever gzip and zstd are read: molecules, queries, graphs, updates, receptors and ligands; and written.
source "$(dirname "$0")/../support.bash" "$1"
write_molecules
write_queries
write_counts
export SOURCE_DATE_EPOCH=1000000000 # a library holds the time at which it was made
awk '!/^#/' "$examples/ligands.smi" | head -n 2 >ligands.smi
cp "$examples/pocket.pdb" "$examples/accounts.graph" "$examples/accounts.updates" .
# As a user has them, from the programs of that name. PIECES of a file are streams one after the other.
pack() { # PROGRAM FILE
  "$1" -k "$2"
  head -n 3 "$2" | "$1" >"pieces.$2.$1"
  tail -n +4 "$2" | "$1" >>"pieces.$2.$1"
}
pocket=(--center 0,0,0 --size 7,7,7 --effort screen --restarts 2 --max-poses 1)
expect 0 "$quarry" dock pocket.pdb ligands.smi "${pocket[@]}" -o poses.sdf --quiet
expect 0 "$quarry" watch accounts.graph 'a-b, b-c, a-c' --updates accounts.updates -o alerts.tsv --quiet
"$quarry" mine accounts.graph triangle wedge --quiet >mined

for program in bzip2 xz; do
  [[ $program == bzip2 ]] && end=bz2 || end=xz
  for file in molecules.smi queries.smarts accounts.graph accounts.updates pocket.pdb ligands.smi; do pack $program $file; done
  mv pieces.molecules.smi.$program pieces.smi.$end
  for molecules in molecules.smi.$end pieces.smi.$end; do
    expect 0 "$quarry" match $molecules queries.smarts.$end --mode count --quiet && expect_same out counts.tsv
  done
  expect 0 "$quarry" match - queries.smarts --mode count --quiet <molecules.smi.$end && expect_same out counts.tsv
  cp molecules.smi.$end renamed.smi # the content says what it is, not the name
  expect 0 "$quarry" match renamed.smi queries.smarts --mode count --quiet && expect_same out counts.tsv
  expect 0 "$quarry" index molecules.smi.$end -o packed.qlib --quiet
  expect 0 "$quarry" match packed.qlib queries.smarts --mode count --quiet && expect_same out counts.tsv
  expect 0 "$quarry" mine accounts.graph.$end triangle wedge --quiet && expect_same out mined
  expect 0 "$quarry" watch accounts.graph.$end 'a-b, b-c, a-c' --updates accounts.updates.$end -o got.tsv --quiet
  expect_same got.tsv alerts.tsv
  expect 0 "$quarry" dock pocket.pdb.$end ligands.smi.$end "${pocket[@]}" -o got.sdf.$end --quiet
  $program -dc got.sdf.$end >got.sdf && expect_same got.sdf poses.sdf
  expect 0 "$quarry" match molecules.smi queries.smarts --mode count -o hits.tsv.$end --quiet
  $program -dc hits.tsv.$end >hits.tsv && expect_same hits.tsv counts.tsv

  # Cut short or damaged: an error that names the file, and no output.
  "$program" -c molecules.smi | head -c 100 >cut.smi.$end
  expect_error "cut.smi.$end beyond line .*cut short" "$quarry" match cut.smi.$end queries.smarts -o none.tsv
  (head -c 60 molecules.smi.$end && printf damage && tail -c +67 molecules.smi.$end) >bad.smi.$end
  expect_error "bad.smi.$end beyond line .*damaged" "$quarry" match bad.smi.$end queries.smarts -o none.tsv
  (cat molecules.smi.$end && echo trailing) >bad.smi.$end
  expect_error "bad.smi.$end beyond line .*\(damaged\|cut short\)" "$quarry" match bad.smi.$end queries.smarts -o none.tsv
  expect_absent none.tsv
done

# Memory is bounded, whatever a file asks for.
xz -k --lzma2=dict=1GiB -c molecules.smi >huge.smi.xz
expect_error 'huge.smi.xz.*MiB of memory' "$quarry" match huge.smi.xz queries.smarts

# Files that a thread decompresses ahead, whole and cut short in the middle.
awk '{smiles[NR] = $1} END {for (i = 0; i < 120000; ++i) print smiles[i % NR + 1], "m" i}' molecules.smi >large.smi
expect 0 "$quarry" grep -c 'C(=O)O' large.smi && cp out wanted
for program in gzip zstd bzip2 xz; do
  "$program" -c large.smi >packed
  expect 0 "$quarry" grep -c 'C(=O)O' --format smi packed && expect_same out wanted
  expect 0 "$quarry" grep -c 'C(=O)O' - <packed && expect_same out wanted
  head -c $(($(stat -c %s packed) - 9)) packed >cut
  expect_error 'cut beyond line .*cut short' "$quarry" grep -c 'C(=O)O' --format smi cut
  expect 0 "$quarry" grep -m 3 'C(=O)O' --format smi packed && expect_lines out 3
done
