#!/usr/bin/env bash
# mine: answers that can be checked by eye, every job and output, the keys of --json, and errors before any work.
source "$(dirname "$0")/support.bash" "$1"
# Two triangles that share an edge, with a tail; ids are far apart.
printf '# a comment\n10 20\n20 30\n10 30\n20 40\n30 40\n40 900000000000\n' >graph.txt
printf '10 1\n20 2\n30 2\n40 1\n900000000000 3\n' >labels.txt

expect 0 "$quarry" mine graph.txt triangle diamond 'a-b, b-c' --quiet
printf 'pattern\tsemantics\tsubgraphs\tembeddings\tautomorphisms\n' >expected
printf 'triangle\tedge-induced\t2\t12\t6\ndiamond\tedge-induced\t1\t4\t4\na-b, b-c\tedge-induced\t10\t20\t2\n' >>expected
expect_same expected out
expect 0 "$quarry" mine graph.txt wedge --semantics vertex-induced --quiet
expect_text out '^wedge	vertex-induced	4	8	2$'
expect 1 "$quarry" mine graph.txt 4-clique --quiet
expect_text out '^4-clique	edge-induced	0	0	24$'
for options in '--method search' '--method search --orientation large-first' '--intersection merge --method search' \
  '--method search --intersection bitmap --bitmap-degree 1' '--method search --split vertices' '--method formulas' \
  '--method search --intersection search'; do
  # shellcheck disable=SC2086 # the words of an option
  expect 0 "$quarry" mine graph.txt tailed-triangle --quiet $options
  expect_text out '^tailed-triangle	edge-induced	5	10	2$'
done

# Labels.
expect 0 "$quarry" mine graph.txt 'a:1-b:2, b-c:2, a-c' --vertex-labels labels.txt --quiet
expect_text out '	2	4	2$'
expect 1 "$quarry" mine graph.txt 'a:1-b:1' --vertex-labels labels.txt --quiet
expect_error 'the graph has none' "$quarry" mine graph.txt 'a:1-b:1' --quiet
printf '1 2 7\n2 3 8\n1 3 7\n' >edges.txt
expect 0 "$quarry" mine edges.txt 'a-[7]-b, b-[7]-c' --edge-labels --quiet
expect_text out '	1	2	2$'

# The keys of --json, in their order; a count of more than 64 bits is a number.
expect 0 "$quarry" mine graph.txt triangle --json --threads 1 --quiet
sed -E 's/:[0-9.e-]+([,}])/:0\1/g' out >shape
printf '%s%s%s\n' '{"graph":"graph.txt","vertices":0,"edges":0,"pattern":"triangle","semantics":"edge-induced",' \
  '"subgraphs":0,"embeddings":0,"automorphisms":0,"method":"formulas","cost":0,"seconds":{"read":0,"prepare":0,"plan":0,"run":0,"total":0},' \
  '"threads":0,"device":"host"}' >expected
expect_same expected shape
json_is subgraphs 2 && json_is embeddings 12 && json_is vertices 5 && json_is edges 6
seq -f '0 %.0f' 1 300000 >star.txt
expect 0 "$quarry" mine star.txt star:4 --json --quiet
json_is subgraphs 337493250041249925000

# One pattern of several overflows: its row says so, the others are counted.
seq -f '0 %.0f' 1 1000000 >hub.txt
expect 2 "$quarry" mine hub.txt star:7 star:5 star:3 --quiet
expect_text out '^star:7	edge-induced	overflow	overflow	5040$'
expect_text out '^star:5	edge-induced	8333250000291666250000200000	'
expect_text out '^star:3	edge-induced	166666166667000000	'
expect_text err "'star:7' overflowed: .*; the others were counted$"
expect 2 "$quarry" mine hub.txt star:7 star:3 --json --quiet
expect_text out '"pattern":"star:7",.*"subgraphs":"overflow","embeddings":"overflow"'
expect_text out '"pattern":"star:3",.*"subgraphs":166666166667000000,'
expect 2 "$quarry" mine hub.txt star:7 --quiet

# Rows: listed in the same order for any number of threads, sampled, counted at each vertex.
expect 0 "$quarry" mine graph.txt triangle --list -o triangles.tsv --quiet
expect_lines triangles.tsv 3
head -n 1 triangles.tsv | grep -qx 'v0	v1	v2' || fail "header: $(head -n 1 triangles.tsv)"
expect 0 "$quarry" mine graph.txt 'x-y, y-z, x-z' --list --quiet
expect_text out '^x	y	z$'
for threads in 1 2; do
  expect 0 "$quarry" mine --generate rmat:8:6:1 house --list -o list.$threads.csv --threads $threads --quiet
  expect 0 "$quarry" mine --generate rmat:8:6:1 house --sample 50 --seed 3 -o sample.$threads.csv --threads $threads --quiet
  expect 0 "$quarry" mine --generate rmat:8:6:1 house --per-vertex -o vertices.$threads.csv --threads $threads --quiet
done
for rows in list sample vertices; do expect_same $rows.1.csv $rows.2.csv; done
expect_lines sample.1.csv 51
[[ $(tail -n +2 sample.1.csv | sort -u | grep -Fxf list.1.csv | wc -l) == 50 ]] || fail 'a sample is no part of the list'
expect 0 "$quarry" mine --generate rmat:8:6:1 house --quiet
count=$(cut -f 3 out | tail -n 1)
expect_lines list.1.csv $((count + 1))
[[ $(tail -n +2 vertices.1.csv | awk -F, '{sum += $2} END {printf "%d", sum}') == $((5 * count)) ]] || fail 'per vertex'
expect 0 "$quarry" mine graph.txt triangle --per-vertex --quiet
printf 'vertex\tsubgraphs\n10\t1\n20\t2\n30\t2\n40\t1\n900000000000\t0\n' >expected
expect_same expected out
expect 0 "$quarry" mine --generate complete:10 triangle --list -o all.tsv.gz --quiet
[[ $(gzip -dc all.tsv.gz | wc -l) == 121 ]] || fail 'compressed list'

# A list that ends early is the beginning of the list, and says that there is more.
expect 0 "$quarry" mine graph.txt triangle --list --limit 1 -o one.tsv --json
head -n 2 triangles.tsv | cmp -s - one.tsv || fail "--limit 1: $(cat one.tsv)"
expect_text err 'triangle, edge-induced: 1 subgraph in .*; there are more (--limit)$'
json_is truncated true && json_is subgraphs 1
expect 0 "$quarry" mine graph.txt triangle --list --limit 2 -o two.tsv --json
expect_same triangles.tsv two.tsv
json_is truncated false
expect 0 "$quarry" mine --generate complete:1000 9-clique --list --limit 5 --quiet
expect_lines out 6

# Estimates, motifs, generated and saved graphs.
expect 0 "$quarry" mine --generate complete:30 house --estimate --descents 1000 --quiet
expect_text out '^house, edge-induced: about 8.*e+06 subgraphs, 95 % between 7.*e+06 and 8.*e+06'  # 8,550,360
expect 1 "$quarry" mine hub.txt star:10 --estimate --descents 100 --quiet
expect_text out '^star:10, edge-induced: none of 100 descents hit, which says only that there are at most 8.*e+57 subgraphs'
expect_error '1 to 1000000000000' "$quarry" mine graph.txt triangle --estimate --descents 9223372036854775807
expect_error '1 to 1000000000000' "$quarry" mine graph.txt triangle --estimate --descents 0
expect_error "descents goes with --estimate" "$quarry" mine graph.txt triangle --descents 10
expect_error "seed goes with --sample or --estimate" "$quarry" mine graph.txt triangle --seed 3
expect_error "makes graphs without labels" "$quarry" mine --generate complete:4 triangle --edge-labels
expect 0 "$quarry" mine graph.txt triangle --save plain.qgraph --quiet
expect_error "without labels of edges" "$quarry" mine plain.qgraph triangle --edge-labels
expect_error "rejects goes with --skip-bad" "$quarry" mine graph.txt triangle --rejects bad.tsv
expect_absent bad.tsv
expect_error 'from 0 to 18446744073709551615' "$quarry" mine graph.txt triangle --estimate --seed 18446744073709551616
expect_error 'from 0 to 9223372036854775807' "$quarry" mine graph.txt triangle --memory 9223372036854775808
expect_error 'from 1 to 9223372036854775807' "$quarry" mine graph.txt triangle --list --limit 0
expect 0 "$quarry" mine --generate complete:5 --motifs 4 --quiet
printf 'pattern\tedge-induced\tvertex-induced\tautomorphisms\n3-star\t20\t0\t6\n4-path\t60\t0\t2\n' >expected
printf 'tailed-triangle\t60\t0\t2\n4-cycle\t15\t0\t8\ndiamond\t30\t0\t4\n4-clique\t5\t5\t24\n' >>expected
expect_same expected out
expect 0 "$quarry" mine --generate complete:5 --motifs 5 --json --quiet && expect_lines out 42
# A text whose edges are in scratch files gives the same file, and leaves nothing.
"$quarry" mine --generate rmat:16:12:1 wedge --save large.txt --quiet >out
mkdir scratch
expect 0 "$quarry" mine large.txt --save memory.qgraph --quiet
expect 0 "$quarry" mine large.txt --save scratch.qgraph --scratch scratch --memory 1000000000 --quiet
[[ ! -s out ]] || fail 'a graph that is only saved has no rows'
expect 0 "$quarry" mine large.txt --save again.qgraph --quiet --json
json_is vertices 65536 && cmp memory.qgraph again.qgraph
expect_error 'one PATTERN' "$quarry" mine large.txt --save never.qgraph --list
expect_error 'writes the whole graph' "$quarry" mine large.txt --save never.qgraph --shard 1/2
expect_error 'needs a PATTERN' "$quarry" plan job --shards 2 -- mine large.txt --save never.qgraph
cmp memory.qgraph scratch.qgraph || fail 'another graph with --scratch'
rmdir scratch || fail 'a scratch file was left behind'
expect_error "cannot write a scratch file in 'scratch'" "$quarry" mine large.txt --save never.qgraph --scratch scratch
if [[ $(id -u) == 0 ]] && mkdir scratch && mount -t tmpfs -o size=4m tmpfs scratch 2>/dev/null; then
  expect_error "cannot write a scratch file in 'scratch': No space left on device" "$quarry" mine large.txt --save never.qgraph --scratch scratch
  umount scratch
else
  echo 'skipped: a full scratch folder, which needs root and tmpfs'
fi
expect_absent never.qgraph
expect 0 "$quarry" mine --generate rmat:8:6:1 triangle --save graph.qgraph --quiet && cp out first
expect 0 "$quarry" mine graph.qgraph triangle --quiet && expect_same first out
expect 0 "$quarry" mine graph.txt triangle
expect_text err '5 vertices, 6 edges'

# Rows with more columns than two; an adjacency list of a complete graph of four vertices.
printf '1 2 7 a\n2 3 7 b\n1 3 7 c\n' >columns.txt
expect 0 "$quarry" mine columns.txt triangle
expect_text err '; 2 columns ignored in 3 rows$'
printf '1 2 3\n2 3 1\n' >three.txt
expect 1 "$quarry" mine three.txt triangle
expect_text err '; 1 column ignored in 2 rows (--edge-labels reads it; --format adjlist takes a row for a vertex and'
expect 0 "$quarry" mine three.txt triangle --format adjlist
printf '1 2 x\n2 3\n1 3\n' >ragged.txt
expect 0 "$quarry" mine ragged.txt triangle
expect_text err '; 1 column ignored in 1 row; 2 rows have another number of columns than the first (3)$'
printf '1 2 3 4\n2 3 4\n3 4 5\n' >list.txt
expect_error 'line 2: .*adjlist where a row is a vertex and its neighbours.*(--format)' "$quarry" mine list.txt triangle
expect 0 "$quarry" mine list.txt triangle --format adjlist --quiet
expect_text out '^triangle	edge-induced	4	24	6$'

# Ids that are text come back in every table.
printf 'source,target\nbob,"Ann, the first"\nbob,carol\ncarol,"Ann, the first"\ndan,bob\n' >people.csv
expect 0 "$quarry" mine people.csv triangle --list --save people.tsv -o rows.csv
expect_text err "'people.csv', names: rows 4 = ok 4 + rejected 0; 4 vertices, 4 edges; the first row names the columns"
printf 'v0,v1,v2\n"Ann, the first",carol,bob\n' >expected
expect_same expected rows.csv
expect 0 "$quarry" mine people.tsv triangle --per-vertex --quiet
printf 'vertex\tsubgraphs\nAnn, the first\t1\nbob\t1\ncarol\t1\ndan\t0\n' >expected
expect_same expected out
printf 'bob\t2\nAnn, the first\t1\ncarol\t2\ndan\t3\n' >jobs.tsv
expect 0 "$quarry" mine people.csv 'a:1-b:2' --vertex-labels jobs.tsv --list --quiet
expect_lines out 3
printf 'graph [ directed 1\n node [ id 1 label "ann" ]\n node [ id 2 label "bob" ]\n node [ id 3 label "cid" ]\n' >small.gml
printf ' edge [ source 1 target 2 weight 4 ]\n edge [ source 2 target 3 ]\n edge [ source 3 target 1 ]\n]\n' >>small.gml
expect 0 "$quarry" mine small.gml triangle --list
expect_text out '^cid	bob	ann$\|^ann	\|^bob	'
expect_text err 'gml: .*; vertices are named by label; directed edges are read as undirected; data of edges ignored: weight$'
expect_error 'cannot be read as gml: ' "$quarry" mine - triangle --format gml --quiet <people.csv
expect_error 'begins as a file of the format gml: name the format (--format)' "$quarry" mine - triangle --quiet <small.gml
printf '1 2\r2 3\r1 3\r' >returns.txt
expect 0 "$quarry" mine returns.txt triangle --quiet
echo '1 2' >one.txt
expect 0 "$quarry" mine one.txt a-b
expect_text err 'rejected 0; 2 vertices, 1 edge$'
# JSON is no list of edges.
echo '{"directed": false, "nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}' >nodelink.json
echo '[[1, 2], [2, 3], [1, 3]]' >pairs.json
for file in nodelink.json pairs.json; do
  expect_error "$file begins with . as JSON does, which is no format of graphs here (edges, names, .*qgraph) (--format)" \
    "$quarry" mine $file triangle
done
expect 1 "$quarry" mine pairs.json triangle --format names --quiet
printf '<?xml version="1.0"?>\n<gexf version="1.2"><graph/></gexf>\n' >graph.gexf
expect_error 'graph.gexf is GEXF, which is not read: save the graph as GraphML' "$quarry" mine graph.gexf triangle
expect_error 'standard input is GEXF' "$quarry" mine - triangle <graph.gexf
expect_error 'keeps no ids that are text' "$quarry" mine people.csv triangle --save people.qgraph --quiet
expect_error 'updates name vertices by whole numbers' "$quarry" watch people.tsv triangle --updates /dev/null --quiet

# Errors, one sentence each.
expect_error 'needs a GRAPH' "$quarry" mine
expect_error 'needs a PATTERN' "$quarry" mine graph.txt
expect_error 'no such file' "$quarry" mine absent.txt triangle
expect_error 'neither the name' "$quarry" mine graph.txt tri --quiet
expect_error 'disconnected' "$quarry" mine graph.txt 'a-b, c-d' --quiet
expect_error 'has no edge' "$quarry" mine graph.txt 'a, a' --quiet
expect 0 "$quarry" mine --generate rmat:6:4:1 diamond --list -o whole.tsv --quiet
for shard in 1 2 3; do
  expect 0 "$quarry" mine --generate rmat:6:4:1 diamond --list --shard $shard/3 -o shard.tsv --quiet
  tail -n +$((shard == 1 ? 1 : 2)) shard.tsv >>shards.tsv
done
expect_same whole.tsv shards.tsv
expect_error 'such as 2/8' "$quarry" mine graph.txt triangle --shard 3/2 --quiet
expect_error 'such as 2/8' "$quarry" mine graph.txt triangle --shard x --quiet
expect_error 'in shards' "$quarry" mine graph.txt --motifs 4 --shard 1/2 --quiet
expect_error 'in shards' "$quarry" mine graph.txt triangle --method formulas --shard 1/2 --quiet
expect_error 'the limit is 16' "$quarry" mine graph.txt 17-clique --quiet
expect_error 'name none' "$quarry" mine graph.txt triangle --motifs 4
expect_error 'one PATTERN' "$quarry" mine graph.txt triangle wedge --list
expect_error 'excludes' "$quarry" mine graph.txt triangle --list --per-vertex
expect_error 'cannot be counted by formulas' "$quarry" mine graph.txt 6-cycle --method formulas --quiet
expect_error 'names no output format' "$quarry" mine graph.txt triangle --list -o rows.xls
expect_error 'is for the rows' "$quarry" mine graph.txt triangle -o rows.tsv
expect_error 'limit goes with --list' "$quarry" mine graph.txt triangle --sample 3 --limit 2
expect_error 'would be replaced' "$quarry" mine graph.txt triangle --list -o graph.txt
expect_error 'bytes of memory' "$quarry" mine graph.txt house --memory 100 --quiet
expect_absent rows.xls rows.tsv people.qgraph
expect_clean
