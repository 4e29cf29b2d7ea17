#!/usr/bin/env bash
# similar, cluster and pick: right answers that can be checked by eye, every output, and errors before any work.
source "$(dirname "$0")/support.bash" "$1"
printf '%s\n' 'CCCCCC hexane' 'CCCCCCC heptane' 'c1ccccc1 benzene' 'CCCCCO pentanol' 'CC ethane' >few.smi
expect 0 "$quarry" index few.smi -o few.qlib --quiet
expect 0 "$quarry" index few.smi -o plain.qlib --no-lingos --quiet
expect 0 "$quarry" info few.qlib && expect_text out '^fingerprints '
expect 0 "$quarry" info plain.qlib && expect_no_text out '^fingerprints '

# CCCCCC has the LINGO CCCC three times, CCCCCCC four times, CCCCCO twice beside CCCO.
printf 'query\tmolecule\tsimilarity\nhexane\thexane\t1\nhexane\theptane\t0.75\nhexane\tpentanol\t0.5\n' >nearest.tsv
for library in few.smi few.qlib plain.qlib; do
  expect 0 "$quarry" similar -q 'CCCCCC hexane' $library -k 3 -o got.tsv --json
  expect_same nearest.tsv got.tsv
  json_is rows 1 && json_is columns 5 && json_is pairs 5 && json_is kept 3 && json_is device '"host"'
  for key in read pack compare write total; do tail -n 1 out | grep -q "\"$key\":" || fail "no seconds $key"; done
  expect 0 "$quarry" similar -q 'CCCCCC hexane' $library --threshold 0.5
  expect_same nearest.tsv out
  expect 0 "$quarry" similar -q 'CCCCCC hexane' $library --threshold 0.5 -k 1
  expect_lines out 2
  expect 1 "$quarry" similar -q 'NNNNNNNN' $library --threshold 0.1
  expect_lines out 1
done
expect 0 "$quarry" similar few.smi few.qlib -k 1 -o self.csv --quiet
printf 'query,molecule,similarity\n' >expected.csv
for id in hexane heptane benzene pentanol ethane; do echo "$id,$id,1"; done >>expected.csv
expect_same expected.csv self.csv
expect 0 "$quarry" similar few.smi few.qlib -k 1 -o self.jsonl.gz --quiet
gzip -dc self.jsonl.gz | grep -q '{"query":"ethane","molecule":"ethane","similarity":1.0}' || fail 'jsonl'
expect 0 "$quarry" similar -q 'CCCCCC' few.smi -k 2 --metric ecfp4 && expect_text out 'hexane	1$'
expect 0 "$quarry" similar -q 'C1=CC=CC=C1' few.smi -k 1 --normalize canonical && expect_text out 'benzene	1$'
expect 0 "$quarry" similar -q 'CCCCCC' few.smi -k 5 --lingo-length 2 && expect_text out 'ethane	0.2$'
printf '%s\n' 'ClCl a' 'LL b' >halogens.smi
expect 0 "$quarry" similar -q 'ClCl' halogens.smi -k 1 --fold-halogens --lingo-length 2 && expect_text out 'a	1$'

# ECFP4 is the same whether it is stored or computed; a library that does not store it says so once.
expect 0 "$quarry" index few.smi -o both.qlib --ecfp4 --quiet
expect 0 "$quarry" index few.smi -o only.qlib --ecfp4 --no-lingos --quiet
for library in few.smi few.qlib both.qlib only.qlib; do
  expect 0 "$quarry" similar few.smi $library -k 5 --metric ecfp4 -o e.$library.tsv --json
  case $library in
    few.smi) json_is fingerprints '{"stored":0,"computed":10}' && expect_no_text err 'note: ' ;;
    few.qlib) json_is fingerprints '{"stored":0,"computed":10}' &&
      expect_text err "note: 'few.qlib' does not store the ECFP4 fingerprints of 5 molecules, which are computed now" &&
      [ "$(grep -c 'note: ' err)" = 1 ] || fail 'not one note' ;;
    *) json_is fingerprints '{"stored":5,"computed":5}' && expect_no_text err 'note: ' ;;
  esac
  expect_same e.few.smi.tsv e.$library.tsv
  expect 0 "$quarry" similar --matrix $library --metric ecfp4 -o e.$library.npy --quiet
  expect_same e.few.smi.npy e.$library.npy
  expect 0 "$quarry" cluster $library --threshold 0.3 --metric ecfp4 -o c.$library.tsv --quiet
  expect_same c.few.smi.tsv c.$library.tsv
  expect 0 "$quarry" pick $library -n 4 --metric ecfp4 -o p.$library.smi --quiet
  expect_same p.few.smi.smi p.$library.smi
  expect 0 "$quarry" similar few.smi $library -k 5 --quiet -o l.$library.tsv
  expect_same l.few.smi.tsv l.$library.tsv
done
expect 0 "$quarry" cluster both.qlib --threshold 0.3 --metric ecfp4 --json
json_is fingerprints '{"stored":5,"computed":0}'
{
  printf 'methane\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n'
  printf '    0.0000    0.0000    0.0000 C   0  0\nM  END\n$$$$\n'
} >one.sdf
expect_error "is for SMILES: 'one.sdf' holds SDF records" "$quarry" index one.sdf -o sdf.qlib --ecfp4
expect_absent sdf.qlib

# Matrices, read by NumPy and SciPy themselves.
expect 0 "$quarry" similar --matrix few.smi -o all.npy --quiet
expect 0 "$quarry" similar --matrix few.smi few.qlib -o two.npy.gz --quiet && gzip -dc two.npy.gz | cmp -s - all.npy ||
  fail 'one input and two differ'
expect 0 "$quarry" similar --matrix few.smi --threshold 0.5 -o some.npz --quiet
expect 0 "$quarry" similar --matrix few.smi --threshold 0.5 -o some.tsv --quiet
expect_lines some.tsv 10
/usr/bin/python3 - <<'EOF' || fail 'NumPy and SciPy read something else'
import numpy, scipy.sparse
dense, sparse = numpy.load("all.npy"), scipy.sparse.load_npz("some.npz")
assert dense.dtype == numpy.float32 and dense.shape == (5, 5) and dense.flags.c_contiguous
assert (dense == dense.T).all() and (dense.diagonal() == 1).all()
assert dense[0, 1] == 0.75 and dense[0, 2] == 0
assert sparse.nnz == 9 and (sparse.toarray() == numpy.where(dense >= 0.5, dense, 0)).all()
EOF

# Clusters: heptane has most neighbours at 0.6 but ties with hexane, which comes first.
expect 0 "$quarry" cluster few.smi --threshold 0.6 -o clusters.tsv --json
printf 'molecule\tcluster\tcentroid\nhexane\t1\thexane\nheptane\t1\thexane\nbenzene\t2\tbenzene\n' >expected.tsv
printf 'pentanol\t3\tpentanol\nethane\t4\tethane\n' >>expected.tsv
expect_same expected.tsv clusters.tsv
json_is clusters 4 && json_is singletons 3 && json_is largest 2
expect 0 "$quarry" pick few.qlib -n 3 --quiet
printf 'CCCCCC\thexane\nc1ccccc1\tbenzene\nCC\tethane\n' >expected.smi
expect_same expected.smi out
expect 0 "$quarry" pick few.qlib -n 5 --threshold 0.1 --first 3 --quiet
expect_lines out 3

# The picture.
expect 0 "$quarry" similar --explain 'CCCCO' 'CCCCN'
printf 'CCCCO\n^^^^\nCCCCN\n^^^^\n1 LINGO shared of 3: similarity 0.33333334\n' >expected
sed 's/ *$//' out | cmp -s - expected || fail 'explain'

# Many molecules: the same bytes for any number of threads.
for copy in $(seq 45); do sed "s/\$/_$copy/" "$examples/drugs.smi"; done >many.smi
expect 0 "$quarry" index many.smi -o many.qlib --quiet
for threads in 1 2 7; do
  expect 0 "$quarry" similar "$examples/drugs.smi" many.qlib -k 50 -o k.$threads.tsv --threads $threads --quiet
  expect 0 "$quarry" similar "$examples/drugs.smi" many.smi --threshold 0.4 -o t.$threads.tsv --threads $threads --quiet
  expect 0 "$quarry" similar --matrix "$examples/drugs.smi" many.qlib -o m.$threads.npy --threads $threads --quiet
  expect 0 "$quarry" cluster many.qlib --threshold 0.5 -o c.$threads.tsv --threads $threads --quiet
  expect 0 "$quarry" pick many.qlib -n 40 -o p.$threads.smi --threads $threads --quiet
done
for threads in 2 7; do
  expect_same k.1.tsv k.$threads.tsv && expect_same t.1.tsv t.$threads.tsv && expect_same m.1.npy m.$threads.npy
  expect_same c.1.tsv c.$threads.tsv && expect_same p.1.smi p.$threads.smi
done

# Rows that cannot be used are named, and the run goes on; all of them: an error, but the reasons are written.
printf 'CCCCCC hexane\nCC\xc3\xa9 accent\nc1ccc open\n' >rows.smi
expect 0 "$quarry" similar rows.smi few.smi -k 1 --rejects rejects.tsv
expect_text err '^rows 8 = ok 6 + rejected 2; '
cut -f 1,2 rejects.tsv | tail -n 2 | tr '\t\n' '  ' | grep -qx '2 accent 3 open ' || fail "rejects: $(cat rejects.tsv)"
expect 0 "$quarry" similar rows.smi few.smi -k 1 --normalize as-is --rejects rejects.tsv # LINGOs are made of any text
expect_text err '^rows 8 = ok 7 + rejected 1; '
cut -f 1,2 rejects.tsv | tail -n 1 | grep -qx '2	accent' || fail "rejects: $(cat rejects.tsv)"
expect_error "^quarry: 'bad(': " "$quarry" similar --explain 'bad(' CCO
expect 0 "$quarry" pick rows.smi -n 1 --metric ecfp4 --rejects rejects.tsv
expect_text err '^rows 3 = ok 1 + rejected 2; '

# A record of a library that is too long is one of them; so are the rows that the library rejected.
fragments=$(printf '[13CH4:1234567].%.0s' {1..4094})  # long text that takes RDKit no time
printf '%s\n' 'CCCCCC hexane' 'c1ccc open' "${fragments}CCCCCCCCCCCCCCCCCCCCCCCCCCCCCC longest" \
  "${fragments}CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC longer" 'CCCCCCC heptane' >long.smi
expect_error "leave them out with --metric ecfp4" "$quarry" pick long.smi -n 1 --metric ecfp4 --lingo-length 5
expect_error "leave them out with --metric ecfp4" "$quarry" pick long.smi -n 1 --metric ecfp4 --fold-halogens
expect 0 "$quarry" index long.smi -o long.qlib --quiet
for option in --quiet --lingo-length=5 --metric=ecfp4; do
  expect 0 "$quarry" similar -q 'CCCCCC hexane' long.qlib -k 9 "$option" --json --rejects rejects.tsv
  json_is columns 3 && json_is rejected 2
  cut -f 1,2 rejects.tsv | tail -n +2 | tr '\t\n' '  ' | grep -qx '2 open 3 longer ' || fail "$(cut -c 1-200 rejects.tsv)"
  expect_text rejects.tsv 'molecule 3 of long.qlib: the SMILES has 65535 characters, the limit is 65534$'
done
expect 0 "$quarry" cluster long.qlib --threshold 0.5
expect_text err '^rows 5 = ok 3 + rejected 2; '
expect 0 "$quarry" pick long.qlib -n 1
expect_text err '^rows 5 = ok 3 + rejected 2; '
tail -n 2 rows.smi >bad.smi
expect_error 'holds no molecule that can be read' "$quarry" similar bad.smi few.smi -k 1
expect_error 'holds no molecule that can be read' "$quarry" cluster bad.smi --threshold 0.5 --metric ecfp4 \
  -o none.tsv --rejects bad.tsv
expect_lines bad.tsv 3
expect_absent none.tsv
expect 0 "$quarry" similar few.smi few.qlib -k 1
expect_no_text err warning
for copy in 1 2 3; do echo "C1=CC=CC=C1C$copy"; done | sed 's/C.$/CO/' >kekule.smi
expect 0 "$quarry" cluster kekule.smi --threshold 0.5
expect_text err 'warning: only 0 of 3 sampled SMILES'

# The nearest of the same file are others, in every format and in shards.
printf '%s\n' 'CCO a' 'CCO b' 'CCCO c' 'CCCCCO d' >same.smi
expect 0 "$quarry" similar --matrix same.smi -k 1 --quiet
printf 'a\tb\t1\nb\ta\t1\n' >wanted
tail -n +2 out | head -n 2 >got && expect_same got wanted
cut -f 1,2 out >got && printf '%s\t%s\n' query molecule a b b a c d d c >wanted && expect_same got wanted
expect 0 "$quarry" similar --matrix same.smi -k 9 --quiet -o others.tsv
expect_lines others.tsv 13
expect 0 "$quarry" similar --matrix same.smi -k 9 -o others.npz
expect_text err '^quarry: asked for 9, the library has 3 others$'
expect_text err ', 12 pairs kept of 16; '
expect 0 "$quarry" similar --matrix same.smi same.smi -k 1 --quiet
expect_text out '^b	a	1$'
"$quarry" plan others --shards 3 --quiet -- similar --matrix same.smi -k 9 -o merged.tsv 2>/dev/null
"$quarry" work others --quiet && expect 0 "$quarry" merge others --quiet && expect_same merged.tsv others.tsv

# Errors, one sentence each.
expect_error 'which neighbours are wanted' "$quarry" similar few.smi few.qlib
expect_error 'needs QUERIES and LIBRARY' "$quarry" similar few.smi -k 1
expect_error 'bad(' "$quarry" similar -q 'bad( bad' few.smi -k 1
expect 0 "$quarry" similar few.smi few.qlib -k 1000
expect_text err '^quarry: asked for 1,000, the library has [0-9]*$'
expect_error 'npy' "$quarry" similar --matrix few.smi
expect_error 'npy' "$quarry" similar few.smi few.qlib -k 2 -o all2.npy
expect_error 'is for --matrix' "$quarry" similar few.smi few.qlib -k 2 -o all2.npz
expect_error 'names no output format' "$quarry" similar few.smi few.qlib -k 2 -o hits.sdf
expect_error "'C(C': SMILES Parse Error" "$quarry" similar -q 'C(C' few.qlib -k 1 --metric ecfp4
expect_error 'threshold' "$quarry" similar few.smi few.qlib --threshold 1.5
expect_error 'above 0' "$quarry" cluster few.smi --threshold 0
expect_error '-n 6: there are 5 molecules' "$quarry" pick few.smi -n 6
echo 'CCO one' >one.smi
expect 0 "$quarry" similar one.smi one.smi -k 1 --normalize canonical
expect_text err '; 1 x 1 molecule, 1 pair kept of 1; '
expect_error 'no such file' "$quarry" similar few.smi absent.qlib -k 1
expect_error 'cannot' "$quarry" similar few.smi few.qlib -k 1 -o absent/hits.tsv
expect_error 'cannot' "$quarry" similar --matrix few.smi --threshold 0.5 -o absent/some.npz
expect_absent all2.npy all2.npz hits.sdf absent
expect_clean

# Any text, also of -q; and no option that would change nothing.
printf 'hello h\n' >text.smi
expect 0 "$quarry" similar -q 'hello q' text.smi -k 1 --normalize as-is && expect_text out '^q	h	1$'
expect_error 'hello' "$quarry" similar -q 'hello q' text.smi -k 1
expect_error 'explicit-h' "$quarry" similar -q CCO few.smi -k 1 --metric ecfp4 --explicit-h # it would change nothing
