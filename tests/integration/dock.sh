#!/usr/bin/env bash
# quarry dock: jobs, formats of its outputs, what it refuses, and rows = ok + rejected.
source "$(dirname "$0")/support.bash" "$1"

pocket=$examples/pocket.pdb ligands=$examples/ligands.smi
box=(--center 0,0,0 --size 16,16,16)
fast=(--effort screen --restarts 32 --max-poses 8 --poses 3)
dock() { "$quarry" dock "$pocket" "$ligands" "${box[@]}" "${fast[@]}" "$@"; }
# column NAME FILE: the cells of a column.
column() { awk -F '\t' -v name="$1" 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == name) at = i; next} {print $at}' "$2"; }
without_time() { awk -F '\t' -v OFS='\t' 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == "cpu_seconds") at = i} {$at = ""} 1' "$1"; }
num_records() { grep -c '^\$\$\$\$$' "$1" || true; }
columns='id	status	score	inter	intra	torsions	heavy_atoms	poses	bumps	min_distance	overlap	internal_clash	strained	too_far	valid	cpu_seconds'

# What a receptor lacks is said.
{
  grep -v -e ' CB ' -e '^END' "$pocket"
  echo 'HETATM 9998  C1  QQQ Z   1       8.500   0.000   0.000  1.00  0.00           C'
  echo 'HETATM 9999  C2  QQQ Z   1       8.500   1.500   0.000  1.00  0.00           C'
} >lacking.pdb
expect 0 "$quarry" dock lacking.pdb "$ligands" "${box[@]}" "${fast[@]}" --table lacking.tsv
expect_text err "'lacking.pdb' lacks [0-9]* atoms: .*:CB"
expect_text err "'lacking.pdb' has 1 residue without a template, typed by the lengths of bonds: Z:QQQ 1"

# So is what is there twice, a ligand in the receptor, and what of a ligand is not docked. Poses differ whatever the symmetry.
{
  grep -v '^END' "$pocket"
  awk '/^ATOM/ {print substr($0, 1, 21) "Y" substr($0, 23)}' "$pocket"
} >twice.pdb
printf 'c1ccccc1 benzene\nCC(=O)O.CCNCC salt\nCC(O)F open\nC[C@H](O)F open\n' >symmetric.smi
expect 0 "$quarry" dock twice.pdb symmetric.smi "${box[@]}" "${fast[@]}" --table twice.tsv
expect_text err "'twice.pdb' has [0-9]* atoms at the position of another one"
expect_text err 'transition metal were not docked, of 1 ligand; the first: CC(=O)O of .salt.$'
expect_text err "left open in 1 ligand, and one form of each was docked; the first: 'open'"
expect_text err '1 row has the id of an earlier one: their rows and poses cannot be told apart by it'
expect 0 "$quarry" dock "$pocket" symmetric.smi "${box[@]}" --effort screen -o symmetric.sdf --quiet
sed -n '/^benzene/,/^M  END/p' symmetric.sdf | awk '$4 == "C" {x += $1; y += $2; z += $3; if (++n % 6 == 0) {print x / 6, y / 6, z / 6; x = y = z = 0}}' >centers
awk '{for (i = 1; i < NR; ++i) if (($1 - x[i]) ^ 2 + ($2 - y[i]) ^ 2 + ($3 - z[i]) ^ 2 < 0.04) {print; bad = 1}; x[NR] = $1; y[NR] = $2; z[NR] = $3} END {exit bad || NR < 2}' centers ||
  fail "poses of benzene in one place: $(<centers)"
{
  grep -v '^END' "$pocket"
  echo 'HETATM 9998  C1  QQQ Z   1       0.500   0.000   0.000  1.00  0.00           C'
  echo 'HETATM 9999  C2  QQQ Z   1       0.500   1.500   0.000  1.00  0.00           C'
} >holo.pdb
grep QQQ holo.pdb >native.pdb
expect 0 "$quarry" dock holo.pdb symmetric.smi --autobox-ligand native.pdb "${fast[@]}" --table holo.tsv
expect_text err 'has 2 atoms where --autobox-ligand has them: it seems to hold that ligand'

# The example, with its expected scores.
expect 0 "$quarry" dock "$pocket" "$ligands" --center 0,0,0 --size 18,18,18 -o poses.sdf --table scores.tsv --json
[[ $(head -n 1 scores.tsv) == "$columns	stage	reason" ]] || fail "columns: $(head -n 1 scores.tsv)"
paste <(column id scores.tsv) <(column score scores.tsv) >found
tail -n +2 "$examples/scores.tsv" | paste found - | awk '{d = $2 - $4; if ($1 != $3 || d > 0.1 || d < -0.1) {print; bad = 1}} END {exit bad}' ||
  fail 'the scores of the example changed'
num_ligands=$(wc -l <"$ligands")
json_is rows "$num_ligands"
json_is ok "$num_ligands"
json_is rejected 0
json_is grid_spacing 0.375
json_is receptor_atoms "$(grep -c ^ATOM "$pocket")"
for key in rows ok rejected truncated resumed poses receptor_atoms box scoring effort restarts iterations max_poses seed threads \
  device version ligands_per_second cpu_seconds_per_ligand seconds read prepare grids dock filter score refine check write total; do
  expect_text out "\"$key\":"
done
expect_text err "rows $num_ligands = ok $num_ligands + rejected 0"
expect_text err 'box center 0.000,0.000,0.000 size 18.000,18.000,18.000'

# An SDF record is that of the ligand with other coordinates; its data items stay, and those of a pose replace their like.
for name in score inter intra rank cluster bumps seed restart; do expect_text poses.sdf "^>  <$name>\$"; done
head -n 60 poses.sdf | grep -q '  1  2  1  0' || fail 'no bond'
awk '/^\$\$\$\$/ {exit} /^M  END/ {print; print ">  <supplier>\nsomeone\n\n>  <score>\nhigh\n"; after = 1; next} !after' poses.sdf >one.sdf
echo '$$$$' >>one.sdf
expect 0 "$quarry" dock "$pocket" one.sdf "${box[@]}" "${fast[@]}" -o again.sdf.gz --quiet
gzip -dc again.sdf.gz >again.sdf
expect_text again.sdf '^someone$'
expect_no_text again.sdf '^high$'
[[ $(num_records again.sdf) -ge 1 && $(num_records again.sdf) -le 3 ]] || fail 'not one to three poses'
cut -c 31- one.sdf | sed -n 4,30p >one.atoms
cut -c 31- again.sdf | sed -n 4,30p >again.atoms
head -n 20 one.atoms >one.head
head -n 20 again.atoms >again.head
expect_same one.head again.head

# Scoring what was written gives what was written; a minimum is no worse; titles may be the same.
expect 0 "$quarry" dock "$pocket" poses.sdf --score-only --explain --table rescored.tsv --quiet
[[ $(column id rescored.tsv | wc -l) == $(num_records poses.sdf) ]] || fail 'not a row a pose'
awk '/^>  <score>/ {getline; print}' poses.sdf >written
paste written <(column score rescored.tsv) | awk '{d = $1 - $2; if (d > 0.02 || d < -0.02) {print; bad = 1}} END {exit bad}' ||
  fail 'poses have another score when they are read again'
for name in gauss1 gauss2 repulsion hydrophobic hydrogen_bond n_tors; do column $name rescored.tsv | grep -qE '^[0-9]+\.[0-9]{4}$'; done
expect 0 "$quarry" dock "$pocket" poses.sdf --minimize -o minima.sdf --table minima.tsv --quiet
paste <(column inter rescored.tsv) <(column intra rescored.tsv) <(column inter minima.tsv) <(column intra minima.tsv) |
  awk '$3 + $4 > $1 + $2 + 0.001 {print; bad = 1} END {exit bad}' || fail 'a minimum is worse than where it began'
[[ $(num_records minima.sdf) == $(num_records poses.sdf) ]] || fail 'poses are missing'
for name in rank cluster restart seed; do  # of the search that they come from
  awk -v name=">  <$name>" '$0 == name {getline; print}' poses.sdf >wanted
  awk -v name=">  <$name>" '$0 == name {getline; print}' minima.sdf >found
  expect_same wanted found
done
awk '/^>  <rank>/ {getline; rank = $1} /^>  <cluster>/ {getline; if ($1 > rank || $1 < 1) {print; bad = 1}} END {exit bad}' poses.sdf ||
  fail 'a cluster is no rank'
expect 0 "$quarry" dock "$pocket" poses.sdf --score-only --scoring vinardo --vinardo-divisor paper --table paper.tsv --quiet
expect 0 "$quarry" dock "$pocket" poses.sdf --score-only --scoring vinardo --vinardo-divisor vina --table divisor.tsv --quiet
paste <(column inter paper.tsv) <(column score paper.tsv) <(column score divisor.tsv) <(column n_tors rescored.tsv) | awk '
  function off(a, b) {return a - b > 0.0002 || b - a > 0.0002}
  off($2, $1 / (1 + 0.02 * $4)) || off($3, $1 / (1 + 0.05846 * $4)) {print; bad = 1} END {exit bad}' || fail 'divisor of Vinardo'

# Formats: the same numbers; rank 1 is the best; --top sorts.
expect 0 dock --table all.tsv -o all.pdbqt --quiet
expect 0 dock --table all.csv --quiet --threads 1
expect 0 dock --table all.jsonl --quiet
expect 0 dock --quiet
without_time out >printed
without_time all.tsv >expected
expect_same expected printed
tr ',' '\t' <all.csv >commas.tsv
without_time commas.tsv >commas
expect_same expected commas
[[ $(grep -o '"score":[^,]*' all.jsonl | cut -d: -f2) == $(column score all.tsv) ]] || fail 'JSON lines have other scores'
for part in MODEL ROOT ENDROOT BRANCH ENDBRANCH TORSDOF ENDMDL; do expect_text all.pdbqt "^$part"; done
[[ $(grep -c '^BRANCH' all.pdbqt) == $(grep -c '^ENDBRANCH' all.pdbqt) ]] || fail 'branches are not closed'
expect 0 dock --top 3 --table top.tsv -o top.sdf --quiet
expect_lines top.tsv 4
column score all.tsv | sort -g | head -n 3 >best
column score top.tsv >found
expect_same best found
[[ $(awk '/^>  <rank>/ {getline; if ($1 == 1) ++n} END {print n}' top.sdf) == 3 ]] || fail 'not three ligands'

# Shards join in order; several targets come one after the other.
for shard in 1 2 3; do expect 0 dock --shard $shard/3 --table shard$shard.tsv -o shard$shard.sdf --quiet; done
(cat shard1.tsv && tail -q -n +2 shard2.tsv shard3.tsv) >joined.tsv
without_time joined.tsv >joined
expect_same expected joined
expect 0 dock -o all.sdf --quiet
cat shard?.sdf >joined.sdf
expect_same all.sdf joined.sdf
printf 'name\treceptor\tcenter\tsize\none\t%s\t0,0,0\t16,16,16\nother\t%s\t0,0,1\t14,14,14\n' "$pocket" "$pocket" >targets.tsv
expect 0 "$quarry" dock --targets targets.tsv "$ligands" "${fast[@]}" --table targets.out.tsv -o targets.sdf --json
json_is rows $((2 * num_ligands))
expect_text out '"box":\[{"target":"one","center":\[0.0,0.0,0.0\],"size":\[16.0,16.0,16.0\]},{"target":"other",'
expect_text err "^target 'other': box center 0.000,0.000,1.000 size 14.000,14.000,14.000$"
[[ $(head -n 1 targets.out.tsv) == "target	$columns	stage	reason" ]] || fail 'no column of targets'
column target targets.out.tsv | uniq -c | awk '{print $1, $2}' >found
printf '%s one\n%s other\n' "$num_ligands" "$num_ligands" >wanted
expect_same wanted found
column score targets.out.tsv | head -n "$num_ligands" >found
column score all.tsv >wanted
expect_same wanted found
for shard in 1 2 3; do
  expect 0 "$quarry" dock --targets targets.tsv "$ligands" "${fast[@]}" --shard $shard/3 --table shard$shard.tsv -o shard$shard.sdf --quiet
done
cat shard?.sdf >joined.sdf
expect_same targets.sdf joined.sdf
(cat shard1.tsv && tail -q -n +2 shard2.tsv shard3.tsv) >joined.tsv
without_time joined.tsv >joined
without_time targets.out.tsv >wanted
expect_same wanted joined
# What is wrong with any of them is said before the first is docked.
sed 's/0,0,1/500,2,3/' targets.tsv >off.tsv
expect_error "target 'other': no receptor atom is within 8 A of the box" "$quarry" dock --targets off.tsv "$ligands" --table off.out.tsv
expect_absent off.out.tsv
# A file of one target is read as one of several.
head -n 2 targets.tsv >only.tsv
expect 0 "$quarry" dock --targets only.tsv "$ligands" "${fast[@]}" --table only.out.tsv --json
expect_text out '"box":\[{"target":"one","center":\[0.0,0.0,0.0\],"size":\[16.0,16.0,16.0\]}\]'
[[ $(head -n 1 only.out.tsv) == "target	$columns	stage	reason" ]] || fail 'no column of the only target'
sed 2d off.tsv >only_off.tsv
expect_error "target 'other': no receptor atom is within 8 A of the box" "$quarry" dock --targets only_off.tsv "$ligands" --table off.out.tsv
sed "s|other.*pocket.pdb|other\tgone.pdb|" targets.tsv >gone.tsv
expect_error "target 'other': .*gone.pdb" "$quarry" dock --targets gone.tsv "$ligands" --table off.out.tsv

# Where the pocket is: by a ligand, a file, cavities.
expect 0 "$quarry" dock "$pocket" "$ligands" --autobox-ligand one.sdf --pad 4 "${fast[@]}" --table autobox.tsv --quiet
echo '{"center": [0, 0, 0], "size": [16, 16, 16], "margin": 8}' >box.json
expect_no_text err 'as far as the receptor'
# Between -0.6 and 0.9 a sum of doubles says 0.15000000000000002.
printf '%s\n' ethane '' '' '  2  1  0  0  0  0  0  0  0  0999 V2000' '   -0.6000    0.0000    0.0000 C   0  0' \
  '    0.9000    0.0000    0.5000 C   0  0' '  1  2  1  0' 'M  END' '$$$$' >ethane.sdf
expect 0 "$quarry" dock "$pocket" "$ligands" --autobox-ligand ethane.sdf "${fast[@]}" --table ethane.tsv --json --quiet
expect_text out '"box":{"center":\[0.15,0.0,0.25\],'
expect 0 "$quarry" dock "$pocket" "$ligands" --autobox-ligand "$pocket" --pad 0 "${fast[@]}" --table whole.tsv --quiet
expect_text err 'are spread as far as the receptor, and the box is around all of it'
expect 0 "$quarry" dock "$pocket" "$ligands" --box box.json "${fast[@]}" --table boxed.tsv --quiet
without_time boxed.tsv >boxed
expect_same expected boxed
expect 0 "$quarry" dock "$pocket" --find-pockets 3
expect_text out '^pocket1	'
expect 0 "$quarry" dock "$pocket" --find-pockets 3 --table pockets.csv
[[ $(tr ',' '\t' <pockets.csv | cut -f 1 | tail -n +2 | head -n 1) == pocket1 ]] || fail 'no table of pockets'
expect 0 "$quarry" dock "$pocket" --find-pockets 3
awk -F '\t' '$1 == "pocket1" && $2 * $2 + $3 * $3 + $4 * $4 < 9 {found = 1} END {exit !found}' out || fail 'the pocket is elsewhere'
expect 0 "$quarry" dock "$pocket" "$ligands" "${fast[@]}" --table found.tsv --quiet --find-pockets
[[ $(head -n 1 found.tsv) == "$columns	stage	reason" ]] || fail 'one pocket needs no column'

# Labels, and a picture.
awk '{print $2 "\t" (NR % 3 == 0 ? "active" : "decoy")}' "$ligands" >labels.tsv
expect 0 dock --labels labels.tsv --plot roc.svg --table labelled.tsv --json
for key in actives decoys auc ef1 ef5 ef10 bedroc20; do tail -n 1 out | grep -q "\"enrichment\":.*\"$key\":" || fail "no $key"; done
expect_text roc.svg '^<svg '
expect_text roc.svg '^</svg>$'

# Isomers count for their molecule; labels of other molecules are an error at the end, and what was docked is there.
awk '{print $1, $2 "_2"}' "$ligands" >isomers.smi
expect 0 "$quarry" dock "$pocket" isomers.smi "${box[@]}" "${fast[@]}" --labels labels.tsv --table isomers.tsv --json
tail -n 1 out | grep -q '"enrichment":{"actives":[1-9]' || fail 'isomers are not counted'
awk '{print $1, $2 "_1"}' "$ligands" >numbered.smi  # no isomers
expect 2 "$quarry" dock "$pocket" numbered.smi "${box[@]}" "${fast[@]}" --labels labels.tsv --table numbered.tsv
expect_text err '0 actives and 0 decoys'
printf 'other\tactive\nmore\tdecoy\n' >others.tsv
expect 2 dock --labels others.tsv --table kept.tsv
expect_text err '0 actives and 0 decoys'
expect_lines kept.tsv $((num_ligands + 1))

# Redocking: what is no folder is ignored, a complex that fails is a row.
mkdir -p complexes/first complexes/second complexes/broken
touch complexes/README.md
for name in first second; do
  gzip -c "$pocket" >complexes/$name/receptor.pdb.gz
  cp one.sdf complexes/$name/ligand_start.sdf
  echo '{"center": [0, 0, 0], "size": [16, 16, 16], "metal_dist": 12.5}' >complexes/$name/box.json
  cp one.sdf complexes/$name/ligand.sdf
done
expect 0 "$quarry" dock --redock complexes --prepare --table redock.tsv "${fast[@]}" --json
[[ $(head -n 1 redock.tsv) == 'id	heavy_atoms	torsions	metal_distance	top1_rmsd	best3_rmsd	best_rmsd	poses	score	valid	cpu_seconds	grid_seconds	failure	reason' ]] ||
  fail "columns of redock: $(head -n 1 redock.tsv)"
expect_lines redock.tsv 4
[[ $(column id redock.tsv | tr '\n' ' ') == 'broken first second ' ]] || fail 'other complexes'
[[ $(column top1_rmsd redock.tsv | head -n 1) == nan ]] || fail 'a failed complex has no nan'
[[ $(column metal_distance redock.tsv | tail -n 1) == 12.500 ]] || fail 'metal_distance'
sed 's/12.5/null/' -i complexes/second/box.json
expect 0 "$quarry" dock --redock complexes --prepare --table redock.tsv "${fast[@]}" --json
[[ $(column metal_distance redock.tsv | tail -n 1) == nan ]] || fail 'metal_distance that is null'
[[ $(column score redock.tsv | sed -n 2p) == $(column score redock.tsv | sed -n 3p) ]] || fail 'the same complex has two scores'
expect_no_text out '"dock":0.0,'
expect_no_text out '"read":0.0,'
tail -n 1 out | grep -q '"redock":{"complexes":3,"top1_2A":[0-9]*,"top1_1A":[0-9]*,"top3_2A":[0-9]*,"any_2A":[0-9]*,"valid_2A":[0-9]*}' || fail 'JSON of redock'
json_is rejected 1

mkdir complexes/wide  # said though it cannot be docked
cp complexes/first/* complexes/wide
echo '{"center": [900, 0, 0], "size": [78, 78, 78]}' >complexes/wide/box.json
expect 0 "$quarry" dock --redock complexes --prepare --table redock.tsv "${fast[@]}" --json
expect_text err "the box of complex 'wide' .*0.390 A apart instead of 0.375"
expect_no_text err "of complex 'first'"

# Rows that cannot be docked are named, and the run goes on.
cat >bad.smi <<'SMILES'
CCO good
OB(O)c1ccccc1 boron
C(C)(C)(C)(C)C valence
[Na+] sodium
not_a_smiles broken
CC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)CCCC(C)C long
SMILES
expect 0 "$quarry" dock "$pocket" bad.smi "${box[@]}" "${fast[@]}" --table bad.tsv --rejects rejects.tsv --json
json_is rows 6
tail -n 1 out | sed 's/.*"rows":\([0-9]*\),"ok":\([0-9]*\),"rejected":\([0-9]*\),.*/\1 \2 \3/' |
  awk '$1 != $2 + $3 || $3 < 3 {exit 1}' || fail 'rows are not ok + rejected'
expect_lines bad.tsv 7
column status bad.tsv | grep -c rejected >found
tail -n +2 rejects.tsv | wc -l >wanted
expect_same wanted found
column heavy_atoms bad.tsv | grep -c nan >found
[[ $(<found) -ge 3 ]] || fail 'what is not known is not nan'
expect_text rejects.tsv '^2	2	boron	[a-z]*	.*B'
expect_text err "row 2 ('boron') rejected: "
expect_text err 'rows 6 = ok'

# A ligand that does not fit in the box, though it is shorter than the box is from corner to corner.
expect 1 "$quarry" dock "$pocket" one.sdf --center 0,0,0 --size 14,0.5,0.5 "${fast[@]}" --table thin.tsv --quiet
expect_text thin.tsv 'no pose fits in the box, the best one reaches [0-9.]* A beyond it: enlarge the box'

# Large molecules are rejected before RDKit reads them, and all that follows a SMILES may be its id.
printf 'CCO ethanol\tx\nCCCO propanol\n' >alcohols.smi
expect 0 "$quarry" dock "$pocket" alcohols.smi "${box[@]}" "${fast[@]}" --table bad.tsv --max-atoms 3 --id-rest --json
json_is ok 1 && json_is rejected 1
expect_text bad.tsv '^ethanol x	ok'
expect_text err "row 2 ('propanol') rejected: read: the molecule has 4 atoms; at most 3 are read"
expect 0 "$quarry" dock "$pocket" alcohols.smi "${box[@]}" "${fast[@]}" --table bad.tsv --max-atoms 0 --json
json_is ok 2
expect_text bad.tsv '^ethanol	ok'

expect 1 "$quarry" dock "$pocket" - --format smi "${box[@]}" "${fast[@]}" --quiet <<<'OB(O)C boron'
expect 0 "$quarry" dock "$pocket" - --format smi "${box[@]}" "${fast[@]}" --quiet <<<'CCO ethanol'

refuse() { expect_error "$1" "$quarry" dock "${@:2}"; }
refuse 'where is the pocket' "$pocket" "$ligands"
refuse 'give one of' "$pocket" "$ligands" --box box.json --find-pockets 2
refuse 'need no box: leave out --center, --size' "$pocket" poses.sdf --score-only "${box[@]}"
refuse 'need no box: leave out --autobox-ligand, --pad' "$pocket" poses.sdf --minimize --autobox-ligand one.sdf --pad 4
refuse 'need no box: leave out --find-pockets' "$pocket" poses.sdf --score-only --find-pockets 2
refuse 'from its box.json: leave out --box' --redock complexes --box box.json
refuse 'pad goes with --autobox-ligand' "$pocket" "$ligands" --box box.json --pad 4
refuse 'go together' "$pocket" "$ligands" --center 0,0,0
refuse 'three numbers' "$pocket" "$ligands" --center 0,0 --size 1,1,1
refuse 'must be positive' "$pocket" "$ligands" --center 0,0,0 --size 0,1,1
refuse 'takes RECEPTOR LIGANDS, and 1 file' "$pocket" --box box.json
refuse 'no file beside --redock' "$pocket" --redock complexes
refuse 'only LIGANDS beside --targets FILE' "$pocket" "$ligands" --targets targets.tsv
refuse "6 files were given: $pocket, $ligands, 0, 0, 9, 9" "$pocket" "$ligands" --center 0 0 0 --size 9 9 9
refuse 'format of the ligands .*mol2, .*qlib' "$pocket" "$pocket" --box box.json
refuse 'known are .* pdb,' "$pocket" "$ligands" --autobox-ligand "$ligands"
refuse 'none.pdb' none.pdb "$ligands" --box box.json
refuse 'none.smi' "$pocket" none.smi --box box.json
refuse 'none.json' "$pocket" "$ligands" --box none.json
expect 2 "$quarry" dock "$pocket" "$ligands" --center 900,0,0 --size 78,78,78  # said before the maps are made
expect_text err '0.390 A apart instead of 0.375'
refuse "A of the box.*in the receptor's coordinates" "$pocket" "$ligands" --center 90,0,0 --size 10,10,10
refuse 'shard' "$pocket" "$ligands" --box box.json --shard 4/3
refuse 'shard' "$pocket" "$ligands" --box box.json --shard 0/3
refuse 'shard' "$pocket" "$ligands" --box box.json --shard 1
for shard in 3/4x 3x/4 ' 3/4' -9223372036854775808/3; do  # the first was taken for 1/4
  refuse 'such as 2/8' "$pocket" "$ligands" --box box.json "--shard=$shard"
done
refuse 'names no format of poses' "$pocket" "$ligands" --box box.json -o poses.pdb
refuse 'names no format of a table' "$pocket" "$ligands" --box box.json --table scores.xls
refuse "two outputs would go to 'same.sdf'" "$pocket" "$ligands" --box box.json -o same.sdf --table same.sdf
refuse 'is the input' "$pocket" one.sdf --box box.json -o one.sdf
refuse 'labels' "$pocket" "$ligands" --box box.json --plot roc.svg
refuse 'cannot write absent/roc.svg' "$pocket" "$ligands" --box box.json --labels labels.tsv --plot absent/roc.svg --table none.tsv
expect_absent none.tsv
refuse 'label is' "$pocket" "$ligands" --box box.json --labels "$ligands"
printf 'id label\n  ethanol  active\n\n' >one_sided.txt
refuse "'one_sided.txt' labels 1 active and 0 decoys" "$pocket" "$ligands" --box box.json --labels one_sided.txt
printf 'one\tactive\n\tdecoy\n' >no_id.txt
refuse 'no_id.txt, line 2: the label is' "$pocket" "$ligands" --box box.json --labels no_id.txt
refuse 'cannot read complexes' "$pocket" "$ligands" --box box.json --labels complexes
refuse 'cannot read complexes' --targets complexes "$ligands"
refuse 'name receptor center size' --targets "$ligands" "$ligands"
refuse 'has no folder' --redock complexes/first
refuse 'do not search: leave out --effort, --seed, --poses' "$pocket" poses.sdf --score-only --effort thorough --seed 2 --poses 3
refuse 'needs no search: leave out --seed' "$pocket" --find-pockets 2 --seed 3
refuse 'goes with --scoring vinardo' "$pocket" poses.sdf --score-only --vinardo-divisor vina
refuse 'docking a file' "$pocket" poses.sdf --score-only --top 3
refuse 'the table has a row for each' "$pocket" poses.sdf --score-only --rejects rejects.tsv
refuse 'leave out --restarts' "$pocket" poses.sdf --minimize --restarts 8
refuse 'explain is for' --redock complexes --explain
refuse 'a list of pockets is a table' "$pocket" --find-pockets 2 --json
refuse '1000000' "$pocket" "$ligands" --box box.json --restarts 1000001
: >empty.sdf
expect 1 "$quarry" dock "$pocket" empty.sdf --box box.json --table none.tsv
grep -q 'there are no ligands' err || fail "says $(<err)"
expect_lines none.tsv 1
grep -v ATOM "$pocket" >none.pdb
refuse 'no protein atoms.*give the file of the protein' none.pdb "$ligands" --box box.json
expect_clean

# A warning says that a PDBQT file lacks the polar hydrogens that the record leaves out.
{
  printf '%s\n' methanol '     made            3D' '' '  2  1  0  0  0  0  0  0  0  0999 V2000'
  printf '%10.4f%10.4f%10.4f %s   0  0\n' 0 0 0 C 1.4 0 0.1 O
  printf '%s\n' '  1  2  1  0' 'M  END' '$$$$'
} >bare.sdf
expect 0 "$quarry" dock "$examples/pocket.pdb" bare.sdf --score-only -o bare.pdbqt
expect_text err "^quarry: 1 pose with donors whose hydrogens are not in the record: 'bare.pdbqt' lacks them"
expect 0 "$quarry" dock "$examples/pocket.pdb" bare.sdf --score-only -o bare-scored.sdf
expect_no_text err 'donors whose hydrogens'
