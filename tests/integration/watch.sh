#!/usr/bin/env bash
# watch: alerts that can be checked by eye, every option, input and output, the keys of --json, and errors before any work.
source "$(dirname "$0")/support.bash" "$1"

# A path that becomes a triangle, loses it, and gets another with a new vertex; between them every fault there is.
printf '10 20\n20 30\n' >graph.txt
printf '%s\n' '# a comment' 'e 10 30' 'e 30 10' '-e 10 20' '-e 10 20' 'e 10 10' 'e 10 77' '-v 30' '-e 10 30 9' 'junk' '' \
  'v 77' 'e 77 10' 'e 77 30' >stream.txt
printf 'update\tsign\tpattern\tsubgraphs\tembeddings\n' >counts
printf '%s\t%s\t%s\t%s\t%s\n' 0 + triangle 1 6 0 + wedge 2 4 2 - triangle 1 6 2 - wedge 2 4 10 + wedge 1 2 \
  11 + triangle 1 6 11 + wedge 3 6 >>counts
watch_from() { "$quarry" watch graph.txt triangle wedge --quiet --updates "$@"; }
watch() { watch_from stream.txt "$@"; }
expect 0 watch --count
expect_same counts out

# Rows of matches: the vertices of a triangle in any order, the ends of a wedge in either.
sorted_vertices() { awk -F '\t' -v OFS='\t' 'NR > 1 && $3 == "triangle" {split("", v); for (i = 4; i < 7; ++i) v[i] = $i
  for (i = 4; i < 7; ++i) for (j = i + 1; j < 7; ++j) if (v[j] < v[i]) {t = v[i]; v[i] = v[j]; v[j] = t}
  print $1, $2, v[4], v[5], v[6]}' "$1"; }
expect 0 watch
cp out listed
expect 0 watch --list
expect_same listed out
head -n 1 out | grep -qx 'update	sign	pattern	vertices' || fail "header: $(head -n 1 out)"
sorted_vertices out >triangles
printf '0\t+\t10\t20\t30\n2\t-\t10\t20\t30\n11\t+\t10\t30\t77\n' >expected
expect_same expected triangles
[[ $(cut -f 1-3 out | grep -c wedge) == 8 ]] || fail 'not 8 wedges'
expect 0 watch --all-embeddings
[[ $(grep -c triangle out) == 18 && $(grep -c wedge out) == 16 && $(sort out | uniq -d | wc -l) == 0 ]] ||
  fail 'not every embedding once'
tail -n +2 listed | while read -r row; do grep -qxF "$row" out || fail "not among all: $row"; done

# At most --max-results rows of one update and pattern; the row and the object say where there were more.
expect 0 watch --max-results 2 --json -o few.tsv
printf 'update\tsign\tpattern\ttruncated\n' >expected
printf '%s\t%s\t%s\t%s\n' 0 + triangle 0 0 + wedge 0 0 + wedge 0 2 - triangle 0 2 - wedge 0 2 - wedge 0 10 + wedge 0 \
  11 + triangle 0 11 + wedge 1 11 + wedge 1 >>expected
cut -f 1-4 few.tsv >few
expect_same expected few
sed -n 1p out | grep -q '"truncated":false' || fail 'a list is cut that is not'
sed -n 2p out | grep -q '"truncated":1' || fail 'a cut list is not counted'

# What is there before any update.
printf -- '-1\t+\twedge\t1\t2\n' >before
expect 0 watch --initial --count
(head -n 1 counts && cat before && tail -n +2 counts) >expected
expect_same expected out
expect 0 watch --initial --all-embeddings
grep -- '^-1' out | sort >rows
printf -- '-1\t+\twedge\t20\t10\t30\n-1\t+\twedge\t20\t30\t10\n' >expected
expect_same expected rows
expect 0 watch --initial --all-embeddings --max-results 1
[[ $(grep -c -- '^-1	+	wedge	1' out) == 1 ]] || fail 'the first list is not cut'

# Where a pattern wants a label of one end alone, an edge may match in two ways, which are two subgraphs in every form.
printf 'v 1 1\nv 2 1\nv 3 2\n' >ends.graph
printf 'e 1 2\ne 1 3\n-e 1 2\ne 1 2\n' >ends.txt
for net in '' '--net --batch 2'; do
  # shellcheck disable=SC2086
  expect 0 "$quarry" watch ends.graph 'a:1-b' --updates ends.txt --quiet $net
  tail -n +2 out | cut -f 1,2 | uniq -c | awk '{print $2, $3, $1}' >rows
  # shellcheck disable=SC2086
  expect 0 "$quarry" watch ends.graph 'a:1-b' --updates ends.txt --quiet --count $net
  tail -n +2 out | awk '{print $1, $2, $4}' >numbers
  expect_same rows numbers
done

# A vertex that is removed takes its edges along.
printf '%s\n' 'e 10 30' '-v 30' 'v 10 5' >remove.txt
expect 1 "$quarry" watch graph.txt 'a:5-b' --updates remove.txt --quiet
expect 0 "$quarry" watch graph.txt triangle 'a-b' --updates remove.txt --cascade --count --quiet
printf '%s\t%s\t%s\t%s\t%s\n' update sign pattern subgraphs embeddings 0 + triangle 1 6 0 + a-b 1 2 1 - triangle 1 6 \
  1 - a-b 2 4 2 - a-b 1 2 >expected
expect_same expected out

# The first fault ends a strict run, and no file is left behind.
expect_error 'line 3.*duplicate edge' watch --strict -o strict.tsv
expect_absent strict.tsv
grep -v -e '30 10' -e '10 20' -e '10 10' -e '10 77' -e '-v' -e ' 9' -e junk stream.txt >right.txt
expect 0 "$quarry" watch graph.txt triangle --updates right.txt --strict --quiet
printf 'e 10 30\njunk\n' >junk.txt
expect_error "junk.txt, line 2, update 1: unreadable: the line begins with none of" "$quarry" watch graph.txt triangle --updates junk.txt --strict --quiet

# The keys of --json, in their order; faults are counted by kind.
expect 0 watch --json --digest --audit 5 --threads 1 -o rows.tsv
expect_same listed rows.tsv
expect_lines out 3
sed -E 's/:[0-9.e-]+([,}])/:0\1/g' out | sed -n '1p;3p' >shape
printf '%s%s%s%s\n%s%s%s%s%s%s%s\n' \
  '{"graph":"graph.txt","updates_file":"stream.txt","pattern":"triangle","automorphisms":0,"insertions":0,"deletions":0,' \
  '"invalid":0,"positive":0,"negative":0,"positive_subgraphs":0,"negative_subgraphs":0,"nonzero_updates":0,' \
  '"max_per_update":0,"truncated":false,"digest":"258b87a1e7f492a3","hash_positive":"b054665b9bb2fc77",' \
  '"hash_negative":"f740db8902d7156e","initial":0,"final":0}' \
  '{"run":true,"updates":0,"updates_per_second":0,"matches_per_second":0,' \
  '"seconds":{"read":0,"prepare":0,"run":0,"total":0},"cpu_seconds":{"run":0},' \
  '"response_us":{"start":{"p50":0,"p95":0,"p99":0,"max":0},"done":{"p50":0,"p95":0,"p99":0,"max":0}},' \
  '"versions":{"created":0,"freed":0,"most":0},"peak_bytes":0,' \
  '"invalid":{"duplicate edge":0,"absent edge":0,"wrong label":0,"loop":0,"unknown vertex":0,"vertex has edges":0,' \
  '"unreadable":0},' '"threads":0,"batch":0,"wait_ms":0,"device":"host","resumed_at":0}' >expected
expect_same expected shape
cp out objects
tail -n 1 objects | grep -q '"updates":12,' || fail 'not 12 updates'
for fault in 'duplicate edge' 'absent edge' 'wrong label' 'loop' 'unknown vertex' 'vertex has edges' unreadable; do
  tail -n 1 objects | grep -q "\"$fault\":1[,}]" || fail "$fault: not 1"
done
object_is() { # LINE KEY VALUE
  sed -n "$1p" objects | grep -q "\"$2\":$3[,}]" || fail "JSON: $2 is not $3: $(sed -n "$1p" objects)"
}
for pair in automorphisms:6 insertions:6 deletions:3 invalid:7 positive:12 negative:6 positive_subgraphs:2 \
  negative_subgraphs:1 nonzero_updates:3 max_per_update:6 initial:0 final:6; do
  object_is 1 "${pair%:*}" "${pair#*:}"
done
for pair in automorphisms:2 positive:12 negative:4 positive_subgraphs:6 negative_subgraphs:2 nonzero_updates:4 \
  max_per_update:6 initial:2 final:10; do
  object_is 2 "${pair%:*}" "${pair#*:}"
done
expect 0 watch --json --count
[[ $(grep -c '^{' out) == 3 ]] || fail 'no objects after the rows'
head -n 8 out >rows
expect_same counts rows

# What one update of a batch creates and another destroys is left out.
expect 0 watch --count --net --batch 64
printf '%s\t%s\t%s\t%s\t%s\n' update sign pattern subgraphs embeddings 11 + triangle 1 6 11 + wedge 4 8 >expected
expect_same expected out
expect 0 watch --net --batch 64
expect_lines out 8
expect_error 'neither --checkpoint' watch --net --max-results 1

# Objects as rows, and compressed files.
expect 0 watch -o rows.jsonl
sed -E 's/.*"update": ([0-9]+), "sign": "(.)", "pattern": "([a-z]+)", "vertices": \[([0-9]+), ([0-9]+), ([0-9]+)\]\}/\1\t\2\t\3\t\4\t\5\t\6/' \
  rows.jsonl >rows
tail -n +2 listed >expected
expect_same expected rows
expect 0 watch --count -o rows.jsonl
[[ $(sed -n 2p rows.jsonl) == '{"update": 0, "sign": "+", "pattern": "wedge", "subgraphs": 2, "embeddings": 4}' ]] ||
  fail "$(sed -n 2p rows.jsonl)"
expect 0 watch --max-results 1 -o rows.jsonl
grep -q '"pattern": "wedge", "truncated": true, "vertices": ' rows.jsonl || fail "$(head -n 2 rows.jsonl)"
for end in tsv.gz jsonl.gz; do
  expect 0 watch -o rows.$end
  expect 0 watch -o "rows.${end%.gz}"
  gzip -dc rows.$end | cmp -s - "rows.${end%.gz}" || fail "rows.$end"
done
# Rows of CSV all have the columns of the largest pattern.
expect 0 "$quarry" watch graph.txt triangle 4-path --quiet --updates stream.txt -o rows.csv
head -n 1 rows.csv | grep -qx 'update,sign,pattern,v0,v1,v2,v3' || fail "header: $(head -n 1 rows.csv)"
[[ $(awk -F, '{print NF}' rows.csv | sort -u) == 7 ]] || fail "columns: $(cat rows.csv)"
grep -qE '^0,\+,triangle,[0-9]+,[0-9]+,[0-9]+,$' rows.csv || fail "$(cat rows.csv)"
# A graph without vertices: updates bring all of them. An audit counts none when all are gone.
printf 'op,from,to,label,from_label,to_label\n+,1,2,7,5,5\n+,2,3,7,5,5\n-,1,2,,,\n-,2,3,,,\n' >labels.csv
: >nothing.txt
for graph in nothing.txt /dev/null; do
  expect 0 "$quarry" watch $graph 'a:5-[7]-b' --updates labels.csv --audit 1 --initial --count --quiet
  expect_lines out 5
done
printf 'v 0 1\nv 1 1\ne 0 1\n' >pair.graph
printf -- '-e 0 1\n-v 0\n-v 1\n' >gone.txt
expect 0 "$quarry" watch pair.graph 'a:1-b' --updates gone.txt --audit 1 --count --quiet
# Labels of ends that contradict the graph are faults; a vertex that is there keeps its label where none is stated.
printf 'v 1 5\nv 2 5\ne 1 2 7\n' >ends.graph
printf 'op,from,to,label,from_label,to_label\n+,1,3,7,6,5\n-,1,2,,5,9\n+,1,3,7,5,5\n-,1,2,,5,5\n' >ends.csv
expect 0 "$quarry" watch ends.graph 'a:5-[7]-b' --updates ends.csv --count
grep -q '4 updates: 2 applied, 2 skipped (2 wrong label); 2 subgraphs created, 2 destroyed' err || fail "$(<err)"
printf 'v 1\nv 4\n-v 4 0\n-v 1 0\n-e 1 2\n-v 1 5\n' >vertices.txt
expect 1 "$quarry" watch ends.graph 'a-b-c' --updates vertices.txt --count
grep -q '6 updates: 5 applied, 1 skipped (1 wrong label)' err || fail "$(<err)"
# Edges of a graph without labels have the label 0.
expect 0 "$quarry" watch graph.txt 'a-[7]-b' --updates labels.csv --count --quiet
expect_absent out.tsv

# Files of patterns, their names, and labels. The graph has a vertex label 1 and 2, and edge labels 7 and 8.
printf '%s\n' 'v 0 1' 'v 1 2' 'v 2 1' 'v 3 2' 'e 0 1 7' >labelled.graph
printf '%s\n' 't # pays' 'v 0 1' 'v 1 2' 'e 0 1 8' 't # both: ways' 'v 5 2' 'v 6 1' 'v 7 2' 'e 5 6 7' 'e 7 6 8' >two.graph
printf '%s\n' 't 2 1' 'v 0 2' 'v 1 2' 'e 0 1' >same.graph
printf '%s\n' 'v 9 1' 'v 3 2' 'e 9 3 7' | gzip >pays.graph.gz
printf '%s\n' 'e 3 0 8' 'e 1 3 7' '-e 0 1 7' 'v 9 2' '-v 2 1' 'e 0 9 7' >labelled.txt
gzip -k labelled.graph labelled.txt
mkdir -p folder && cp same.graph folder/
expect 0 "$quarry" watch labelled.graph 'x:1-[7]-y:2' --patterns two.graph --patterns folder/same.graph --patterns pays.graph.gz \
  --updates labelled.txt --quiet
printf '%s\n' 'update	sign	pattern	vertices' '0	+	pays	0	3' '0	+	both: ways	1	0	3' '1	+	same.graph	1	3' \
  '2	-	x:1-[7]-y:2	0	1' '2	-	both: ways	1	0	3' '2	-	pays.graph	1	0' '5	+	x:1-[7]-y:2	0	9' \
  '5	+	both: ways	9	0	3' '5	+	pays.graph	9	0' >expected
sed 's/^1\t+\tsame.graph\t3\t1$/1\t+\tsame.graph\t1\t3/' out >rows
# The vertices of a pattern stand in the order of their ids: in pays.graph vertex 3, with label 2, comes first.
expect_same expected rows
mv rows labelled.rows
expect 0 "$quarry" watch labelled.graph.gz 'x:1-[7]-y:2' --patterns two.graph --patterns folder/same.graph \
  --patterns pays.graph.gz --updates labelled.txt.gz --quiet
sed 's/^1\t+\tsame.graph\t3\t1$/1\t+\tsame.graph\t1\t3/' out >rows
expect_same labelled.rows rows

# Tables with named columns, objects, and edges that expire.
printf 'time,weight,to,from\n1,x,b,a\n' >bad.csv
printf 'time,weight,to,from\n1,9,2,1\n2,9,3,2\n3,9,1,3\n4,9,2,1\n12.5,9,9,8\n14.5,9,9,7\n' >edges.csv
printf '5 6\n' >other.txt
expect 0 "$quarry" watch other.txt triangle --updates edges.csv --count --quiet
tail -n +2 out >rows && printf '2\t+\ttriangle\t1\t6\n' >expected && expect_same expected rows
expect 0 "$quarry" watch other.txt triangle a-b --updates edges.csv --window 10 --count --quiet --json
# 1-2 is seen again at 4; 2-3 expires at 12, 1-3 at 13 and 1-2 at 14.
printf '%s\t%s\t%s\t%s\t%s\n' 0 + a-b 1 2 1 + a-b 1 2 2 + triangle 1 6 2 + a-b 1 2 3 - triangle 1 6 3 - a-b 1 2 4 + a-b 1 2 \
  5 - a-b 1 2 6 - a-b 1 2 7 + a-b 1 2 >expected
sed 1d out | grep -v '^{' >rows
expect_same expected rows
json_is updates 8
tr , '\t' <edges.csv >edges.tsv
expect 0 "$quarry" watch other.txt triangle a-b --updates edges.tsv --window 10 --count --quiet
tail -n +2 out >rows && expect_same expected rows
awk -F, 'NR > 1 {print "{\"from\": " $4 ", \"to\": " $3 ", \"time\": " $1 "}"}' edges.csv >edges.jsonl
expect 0 "$quarry" watch other.txt triangle a-b --updates edges.jsonl --window 10 --count --quiet
tail -n +2 out >rows && expect_same expected rows
cp edges.jsonl edges.data
expect 0 "$quarry" watch other.txt triangle a-b --updates edges.data --updates-format jsonl --window 10 --count --quiet
tail -n +2 out >rows && expect_same expected rows
printf '%s\n' '{"vertex": 7, "label": 1}' '{"from": 7, "to": 5}' '{"op": "-", "from": 5, "to": 7}' >some.jsonl
expect 0 "$quarry" watch other.txt 'a:1-b' --updates some.jsonl --quiet
printf '1\t+\ta:1-b\t7\t5\n2\t-\ta:1-b\t7\t5\n' >expected
tail -n +2 out >rows && expect_same expected rows

# Standard input, and rows that appear while more updates are awaited.
expect 0 watch_from - --count <stream.txt
expect_same counts out
expect 0 bash -c "cat stream.txt | '$quarry' watch graph.txt triangle wedge --updates - --count --quiet"
expect_same counts out
await_lines() { # FILE NUMBER
  local turn
  for turn in $(seq 200); do
    [[ $(wc -l <"$1") -ge $2 ]] && return
    sleep 0.05
  done
  fail "after $turn turns $1 has $(wc -l <"$1") lines, not $2"
}
for source in fifo -; do
  rm -f fifo live && mkfifo fifo && : >live
  if [[ $source == fifo ]]; then
    watch_from fifo --count >live &
  else
    watch_from - --count <fifo >live &
  fi
  program=$!
  exec 9>fifo
  head -n 2 stream.txt >&9
  await_lines live 3
  sed -n 3,4p stream.txt >&9
  await_lines live 5
  kill -0 $program || fail 'watch ended before its input'
  tail -n +5 stream.txt >&9
  exec 9>&-
  wait $program || fail "status $?"
  expect_same counts live
done

# Arrivals at a rate or at given times, and what the paper compares with: the same rows.
seq 0 0.001 0.011 >times.txt
for options in '--rate 2000' '--times times.txt' '--times times.txt --rate 4000' '--fixed-batch 5' '--fixed-batch 1' \
  '--wait-ms 0' '--wait-ms 5 --batch 2' '--audit 1'; do
  # shellcheck disable=SC2086 # the words of an option
  expect 0 watch --count $options
  expect_same counts out
done

# Byte for byte the same for any number of threads and any batch, with hubs that are searched in parts.
awk 'BEGIN {srand(7); for (i = 1; i < 150; ++i) print 0, i; for (i = 0; i < 300; ++i) print int(rand() * 150), int(rand() * 150)}' \
  >large.txt
awk 'BEGIN {srand(8); for (i = 0; i < 1500; ++i) print (rand() < 0.4 ? "-e" : "e"), (rand() < 0.3 ? 0 : int(rand() * 150)), int(rand() * 150)
  for (i = 1; i < 9; ++i) print "-v", i}' >large.stream
for mode in '--list --cascade' '--count --cascade' '--max-results 7' '--all-embeddings' '--digest --json -o rows --max-results 3'; do
  for threads in 1 2; do
    for batch in 1 64 4096; do
      # shellcheck disable=SC2086
      expect 0 "$quarry" watch large.txt triangle 'a-b-c-d-a' 'a-b' --updates large.stream $mode --threads $threads \
        --batch $batch --initial --quiet
      grep -v '"run"' out >lines
      [[ $mode == *-o* ]] && cat rows >>lines
      [[ $threads == 1 && $batch == 1 ]] && cp lines first
      expect_same first lines
    done
  done
done
[[ $(wc -l <first) -gt 1000 ]] || fail 'too few rows to compare'

# Generated graphs, reports and exit codes.
expect 0 "$quarry" watch --generate grid:2:2 4-cycle --updates <(printf -- '-e 0 1\n') --count --quiet
expect_text out '^0	-	4-cycle	1	8$'
printf 'e 10 30\n' >one.txt
expect 1 "$quarry" watch graph.txt 4-clique --updates one.txt --quiet
expect_lines out 1
expect 1 "$quarry" watch graph.txt 4-clique --updates /dev/null --quiet
expect 0 "$quarry" watch graph.txt triangle --updates stream.txt -o /dev/null
expect_text err '12 updates: 5 applied, 7 skipped'
expect_no_text out .

# Errors, one sentence each; no file is left.
gzip -k stream.txt && head -c 60 stream.txt.gz >cut.txt.gz
expect_error 'cut.txt.gz' "$quarry" watch graph.txt triangle --updates cut.txt.gz --quiet -o cut.tsv
expect_error 'cut short' "$quarry" watch graph.txt triangle --updates - --quiet <cut.txt.gz
expect_error 'needs a GRAPH' "$quarry" watch --updates stream.txt
expect_error 'needs a PATTERN' "$quarry" watch graph.txt --updates stream.txt
expect_error 'updates' "$quarry" watch graph.txt triangle
expect_error 'absent.txt' "$quarry" watch absent.txt triangle --updates stream.txt
# A stream in another format is not a stream without matches, as which 1 would be read.
printf '10 30 1609459200\n20 30 1609459300\n' >pairs.txt
expect_error "'pairs.txt' holds no update.*2 lines.*e FROM TO" "$quarry" watch graph.txt triangle --updates pairs.txt --quiet -o none.tsv
expect_absent none.tsv
expect_error 'absent.txt' "$quarry" watch graph.txt triangle --updates absent.txt --quiet
expect_error 'absent.graph' "$quarry" watch graph.txt --patterns absent.graph --updates stream.txt --quiet
expect_error 'neither the name' "$quarry" watch graph.txt tri --updates stream.txt --quiet
expect_error 'excludes' watch --list --count
expect_error 'leave out --count' watch --count --max-results 1
expect_error 'leave out --count' watch --count --all-embeddings
expect_error 'printed by --json' watch --digest
expect_error 'needs --checkpoint' watch --resume
printf '1 2 7\n' >third.txt
expect_error 'edge labels' "$quarry" watch third.txt 'a-[7]-b' --updates stream.txt --quiet
printf 'to,time\n1,2\n' >column.csv
expect_error 'from' "$quarry" watch graph.txt triangle --updates column.csv --quiet
expect_error 'window' watch --window 5
expect_error 'window' "$quarry" watch graph.txt triangle --updates edges.csv --window -5 --quiet
for bad in '--rate -1' '--rate nan' '--wait-ms -1' '--wait-ms inf' '--batch 0' '--batch 99999999' '--fixed-batch -1' \
  '--max-results 0' '--audit 0' '--threads -1' '--checkpoint-every 0' '--updates-format xml' '--batch many'; do
  # shellcheck disable=SC2086
  expect_error "${bad%% *}\|${bad##* }" watch $bad
done
printf '2\n1\n' >falling.txt
expect_error 'falling.txt' watch --times falling.txt
printf '0\n0.001\n' >few.txt
expect_error 'few.txt: there are too few times (2), update 2 has none' watch --times few.txt
: >empty.txt
expect 1 watch_from empty.txt --json --threads 1 # a run without updates says what every other says
tail -n 1 out | grep -q '"updates":0,.*"threads":1,' || fail "$(tail -n 1 out)"
expect_error 'empty.txt: has no times' watch --times empty.txt
expect_error 'would be replaced' watch -o graph.txt
expect_error 'would be replaced' watch -o stream.txt
expect_error 'both be standard input' "$quarry" watch - triangle --updates - --quiet
expect_error 'absent' watch -o absent/rows.tsv
expect_absent cut.tsv absent
# Columns and members that mean nothing are named: deletions may stand in one.
printf 'source,target,operation,weight\n1,3,delete,1\n' >ignored.csv
printf '{"source":1,"target":3,"operation":"delete"}\n' >ignored.jsonl
printf '1 2\n2 3\n' >path.txt
expect 0 "$quarry" watch path.txt triangle --updates ignored.csv
expect_text err "^quarry: columns of 'ignored.csv' are ignored: operation, weight$"
expect 0 "$quarry" watch path.txt triangle --updates ignored.jsonl
expect_text err "^quarry: a column of 'ignored.jsonl' is ignored: operation$"
expect_error '1 ignored column' "$quarry" watch path.txt triangle --updates ignored.jsonl --strict --quiet
# Patterns of one name.
printf 't # x\nv 0 1\nv 1 2\ne 0 1\nt # x\nv 0 1\nv 1 1\ne 0 1\n' >equal.patterns
printf 'v 0 1\nv 1 1\nv 2 2\n' >three.graph
printf 'e 0 1\ne 1 2\n' >two.txt
expect 0 "$quarry" watch three.graph --patterns equal.patterns --updates two.txt --count
expect_text err "^quarry: several patterns are named 'x', and rows do not tell them apart$"
expect_error '1 warning' "$quarry" watch three.graph --patterns equal.patterns --updates two.txt --count --strict --quiet
expect_error 'from 1 to 1048576' "$quarry" watch three.graph wedge --updates two.txt --batch 0
expect_clean
