#!/usr/bin/env bash
# A job of `index` whose workers are killed at random moments, two at a time, and its merge too: the shards, and the collection
# that is made of them, have the bytes of runs that were left alone.
source "$(dirname "$0")/../support.bash" "$1"

# Parts of one chunk; some rows are rejected, some ids come twice.
for name in a b c d; do
  awk -v name=$name 'BEGIN {for (i = 0; i < 36000; ++i) print (i % 997 == 5 ? "C(C" : i % 3 == 0 ? "CCO" : "N"), name i % 30000}' >$name.smi
done
gzip b.smi
command=(index a.smi b.smi.gz c.smi d.smi -o store.qlibs --part-rows 16384 --rejects rejects.tsv)
expect 0 "$quarry" "${command[@]}" --quiet
mv store.qlibs whole.qlibs
mv rejects.tsv whole.rejects
plan_job() { "$quarry" plan "$1" --shards 5 --quiet -- "${command[@]}"; }
plan_job alone
"$quarry" work alone --quiet

plan_job killed
kills=0
RANDOM=23
while ((kills < ${QUARRY_KILLS:-24})); do
  "$quarry" work killed --quiet 2>err &
  first=$!
  "$quarry" work killed --shard $((RANDOM % 5)) --quiet 2>err & # beside the first, perhaps in the same shard
  second=$!
  sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
  for process in $first $second; do
    if ((RANDOM % 4)) && kill -KILL $process 2>/dev/null; then kills=$((kills + 1)); fi
  done
  wait $first $second 2>/dev/null || true
  # Where all is done before enough was killed, some shards are lost: their records, or all.
  if [[ -z $("$quarry" status killed --missing) ]]; then
    rm -f "killed/shards/0000/000000$((RANDOM % 5)).json"
    lost=$((RANDOM % 5))
    rm -rf "killed/shards/0000/000000$lost.json" "killed/collections/000000$lost.qlibs"
  fi
done
expect 0 "$quarry" work killed
diff -r --exclude='*claim*' --exclude='*lock*' alone killed >differences || fail "$(head -n 5 differences)"

for _ in $(seq 10); do
  rm -rf store.qlibs
  "$quarry" merge killed --quiet 2>err &
  merge=$!
  sleep "0.0$((RANDOM % 10))"
  kill -KILL $merge 2>/dev/null || true
  wait $merge 2>/dev/null || true
  if [[ -e store.qlibs/manifest.json ]]; then diff -r whole.qlibs store.qlibs || fail 'a manifest of something else'; fi
  expect 0 "$quarry" merge killed
  diff -r whole.qlibs store.qlibs || fail 'another collection'
  expect_same rejects.tsv whole.rejects
done
expect_clean
