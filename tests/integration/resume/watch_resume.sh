#!/usr/bin/env bash
# watch --checkpoint --resume: killed at 100 random moments and run again, the rows and the sums are those of a run that
# was left alone; and what --resume refuses.
source "$(dirname "$0")/../support.bash" "$1"

# 400 updates among 30 vertices, some of them wrong.
awk 'BEGIN {srand(5); for (i = 0; i < 60; ++i) print int(rand() * 30), 30 + int(rand() * 5)}' >graph.txt
awk 'BEGIN {srand(6); for (i = 0; i < 400; ++i) print (rand() < 0.4 ? "-e" : "e"), int(rand() * 35), int(rand() * 35)}' >stream.txt
modes=('' '--count' '--all-embeddings' '--max-results 2' '--initial' '--count --digest' '--cascade --batch 7 --threads 1')
ends=(tsv jsonl)
watch() { # MODE FILE OPTION...
  # shellcheck disable=SC2086 # the words of an option
  "$quarry" watch graph.txt triangle wedge --updates stream.txt $1 -o "$2" --json --quiet "${@:3}"
}
objects() { grep -v '"run":true' "$1"; }
name_of() { echo "$1${2// /}"; } # of a file that a mode writes
for mode in "${modes[@]}"; do
  for end in "${ends[@]}"; do
    watch "$mode" "$(name_of whole "$mode").$end" >"$(name_of objects "$mode")" || fail "status $?"
  done
done

# Runs of 0.2 s, each killed after a random time and taken up again until it comes to its end. These times suit the machine:
# they become longer where a run was killed before its first checkpoint, shorter where one was not killed at all.
kills=0 finished=0 resumed=0 turn=0 most_ms=160 before=''
while ((kills < 100 || (kills < 1000 && (finished < 4 || resumed < 4)))); do
  mode=${modes[turn % ${#modes[@]}]} end=${ends[turn % 2]} status=0
  # shellcheck disable=SC2086
  "$quarry" watch graph.txt triangle wedge --updates stream.txt $mode -o rows.$end --json --quiet --checkpoint saved \
    --checkpoint-every 0.01 --resume --rate 2000 >out 2>err &
  program=$!
  ms=$((RANDOM % most_ms))
  sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
  kill -9 $program 2>kill.err || true
  wait $program 2>wait.err || status=$?
  if [[ $status == 137 ]]; then
    kills=$((kills + 1))
    position=$(grep -o '"position":[0-9]*' saved/checkpoint.json 2>grep.err || true)
    [[ $position != "$before" ]] || most_ms=$((most_ms < 10000 ? most_ms + most_ms / 8 : most_ms))
    before=$position
    continue
  fi
  [[ $status == 0 ]] || fail "status $status: $(cat err)"
  expect_same "$(name_of whole "$mode").$end" rows.$end
  objects out >found.objects
  objects "$(name_of objects "$mode")" >expected
  expect_same expected found.objects
  if tail -n 1 out | grep -q '"resumed_at":0[,}]'; then
    most_ms=$((most_ms > 40 ? most_ms - most_ms / 8 : most_ms))
  else
    resumed=$((resumed + 1))
  fi
  finished=$((finished + 1)) turn=$((turn + 1)) before=''
  rm -rf saved rows.$end
done
((finished > 3 && resumed > 3)) || fail "$finished runs came to their end, $resumed of them resumed"
rm -rf saved rows.*

# A missing and an empty folder begin at the start; a finished run is not changed.
for folder_of_run in missing empty; do
  [[ $folder_of_run == empty ]] && mkdir empty
  expect 0 watch '' rows.tsv --checkpoint $folder_of_run --resume
  expect_same whole.tsv rows.tsv
  json_is resumed_at 0
  objects out >first
  expect 0 watch '' rows.tsv --checkpoint $folder_of_run --resume
  expect_same whole.tsv rows.tsv
  json_is resumed_at 400
  json_is updates 0
  objects out >again
  expect_same first again
done
cp stream.txt all.txt
printf 'v 77\ne 77 0\n' >>stream.txt
expect 0 watch '' rows.tsv --checkpoint empty --resume
grep -q "what was added to 'stream.txt' since then was not looked at" err || fail "$(cat err)"
expect_same whole.tsv rows.tsv
# Another graph, or other updates before the checkpoint, is another run.
sed -i '3s/.*/e 5 6/' stream.txt
expect_error 'the first 400 updates of .stream.txt. have changed' watch '' rows.tsv --checkpoint empty --resume
cp all.txt stream.txt
cp graph.txt first_graph.txt
echo '1 2' >>graph.txt
expect_error 'graph.txt. has changed' watch '' rows.tsv --checkpoint empty --resume
cp first_graph.txt graph.txt
for vertex in 1 2 3 4; do echo "$vertex 5"; done >labels.txt
printf '1 2\n2 3\n3 4\n' >labelled.txt
printf 'e 1 3\n' >one_edge.txt
labelled() { "$quarry" watch labelled.txt 'a:5-b:5' --vertex-labels labels.txt --updates one_edge.txt --quiet "$@"; }
expect 0 labelled --checkpoint labels -o labelled.tsv
sed -i 's/^1 5/1 6/' labels.txt
expect_error 'labelled.txt. has changed' labelled --checkpoint labels -o labelled.tsv --resume
expect_same whole.tsv rows.tsv
printf 'e 0 1\n' >one.txt
for turn in 1 2; do
  expect 1 "$quarry" watch graph.txt 6-clique --updates one.txt --checkpoint nothing --resume -o none.tsv --quiet
done
expect_lines none.tsv 1
# Without --resume all begins anew.
expect 0 watch '' rows.tsv --checkpoint empty
expect_same whole.tsv rows.tsv
json_is resumed_at 0

# A pipe: what is done is sent again, and skipped. The first writer stops in the midst and holds the pipe open.
await_position() { # FOLDER POSITION
  local turn
  for turn in $(seq 200); do
    grep -q "\"position\":$2[,}]" "$1/checkpoint.json" 2>grep.err && return
    sleep 0.05
  done
  fail "after $turn turns there is no checkpoint at $2: $(cat "$1/checkpoint.json")"
}
mkfifo fifo
for position in 0 1 150; do
  rm -rf piped rows.tsv
  "$quarry" watch graph.txt triangle wedge --updates - --initial -o rows.tsv --quiet --checkpoint piped --checkpoint-every 0.05 \
    --resume <fifo 2>err &
  program=$!
  exec 9>fifo
  (echo '# what follows is late' && head -n $position stream.txt) >&9
  await_position piped $position
  kill -9 $program
  wait $program 2>wait.err || true
  exec 9>&-
  expect 0 bash -c "cat stream.txt | '$quarry' watch graph.txt triangle wedge --updates - --initial -o rows.tsv --quiet --json \
    --checkpoint piped --resume"
  expect_same whole--initial.tsv rows.tsv
  json_is resumed_at $position
done

# The order of the matches of an update depends on the plan, and the plan on the first graph, not on that of the checkpoint:
# here a hub of label 1 loses its edges, and one of label 2 gets them.
awk 'BEGIN {for (v = 0; v < 90; ++v) print "v", v, v % 3
  for (v = 5; v < 90; ++v) if (v % 3) print "e", v % 3 == 1 ? 0 : 3, v; for (v = 4; v < 70; ++v) print "e 1", v + 20}' >hubs.graph
awk 'BEGIN {srand(9); for (v = 4; v < 70; ++v) print "-e 1", v + 20; for (v = 4; v < 88; ++v) print "e 2", v
  for (i = 0; i < 1200; ++i) print (rand() < 0.3 ? "-e" : "e"), int(rand() * 90), int(rand() * 90)}' >hubs.stream
hubs=("$quarry" watch hubs.graph 'a:0-b:1, b-c:2, c-d, d-e:1, b-f:2' 'a-b, b-c, c-d:1, b-e, e-f:2' --updates - --max-results 4 --quiet -o)
"${hubs[@]}" whole_hubs.tsv <hubs.stream || fail "status $?"
for position in 300 900; do
  rm -rf hubs rows.tsv
  "${hubs[@]}" rows.tsv --checkpoint hubs --checkpoint-every 0.05 <fifo 2>err &
  program=$!
  exec 9>fifo
  head -n $position hubs.stream >&9
  await_position hubs $position
  kill -9 $program
  wait $program 2>wait.err || true
  exec 9>&-
  "${hubs[@]}" rows.tsv --checkpoint hubs --resume <hubs.stream || fail "status $?"
  expect_same whole_hubs.tsv rows.tsv
done

# Resuming does not wait until what is done has arrived: at this rate that would take 400 s.
cp -r empty replayed
before=$SECONDS
expect 0 watch '' rows.tsv --checkpoint replayed --resume --rate 1
((SECONDS - before < 60)) || fail 'resuming took as long as the run'

refuse() { expect_error "$1" watch '' rows.tsv --checkpoint saved --resume "${@:2}"; }
expect 0 watch '' rows.tsv --checkpoint saved
cp rows.tsv kept.tsv
refuse 'another job' --count
refuse 'another job' --cascade
refuse 'another job' --digest
refuse 'another job' --format edges
expect_error 'another job' "$quarry" watch graph.txt triangle --updates stream.txt -o rows.tsv --checkpoint saved --resume --quiet
expect_error 'another job' "$quarry" watch graph.txt triangle wedge --updates one.txt -o rows.tsv --checkpoint saved --resume --quiet
expect_error 'another job' watch '' other.tsv --checkpoint saved --resume
expect_same kept.tsv rows.tsv
head -c 100 kept.tsv >rows.tsv
refuse 'shorter than it was'
cp kept.tsv rows.tsv
head -n 10 all.txt >stream.txt
refuse 'has 10 updates, the checkpoint stands at 400'
cp all.txt stream.txt
cp saved/checkpoint.json whole.json
for damaged in '' '{' 'null' '[]' '{"job": 1}'; do
  printf '%s' "$damaged" >saved/checkpoint.json
  refuse 'is damaged'
done
head -c 200 whole.json >saved/checkpoint.json
refuse 'is damaged'
expect_error 'not compressed' watch '' rows.tsv.gz --checkpoint saved
expect_error 'needs -o' "$quarry" watch graph.txt triangle --updates stream.txt --initial --checkpoint saved --quiet
expect_error 'one.txt' watch '' rows.tsv --checkpoint one.txt
expect_same kept.tsv rows.tsv
# However long the matches of an update are: a checkpoint comes before 64 of them, which are a batch, are done.
{ seq 1 401 | sed 's/.*/v & 0/' && seq 3 401 | sed 's/.*/e 1 & 0/'; } >hub.graph
for _ in $(seq 100); do printf 'e 1 2\n-e 1 2\n'; done >hub.txt
"$quarry" watch hub.graph star:3 --updates hub.txt -o hub.tsv --checkpoint hub --checkpoint-every 0.05 --quiet &
for _ in $(seq 3000); do [[ -e hub/checkpoint.json ]] && break || sleep 0.01; done
kill -9 $!
wait $! || true
position=$(sed 's/.*"position":\([0-9]*\).*/\1/' hub/checkpoint.json)
((position < 64)) || fail "the first checkpoint stands at $position"
rm -f hub.tsv
expect_error 'hub.tsv.*is missing' "$quarry" watch hub.graph star:3 --updates hub.txt -o hub.tsv --checkpoint hub --resume --quiet
