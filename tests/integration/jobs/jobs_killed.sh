#!/usr/bin/env bash
# Jobs that are disturbed: workers killed at any moment, side by side, a full disk, read-only folders, changed inputs.
# What the shards hold does not depend on it.
source "$(dirname "$0")/../support.bash" "$1"

write_molecules
write_queries
for copy in $(seq 2000); do awk -v copy=$copy '{print $1, $2 copy}' molecules.smi; done >many.smi
"$quarry" index many.smi -o many.qlib --quiet
job=(match many.qlib queries.smarts --mode all)
"$quarry" "${job[@]}" --summary alone.summary >alone.tsv 2>err
"$quarry" plan alone --shards 24 --quiet -- "${job[@]}"
"$quarry" work alone --quiet

# same_shards FOLDER: the job has all that an undisturbed one has, and nothing more but claims and locks.
same_shards() {
  expect 0 "$quarry" merge "$1" -o merged.tsv --summary merged.summary
  expect_same merged.tsv alone.tsv
  expect_same merged.summary alone.summary
  diff -r --exclude='*claim*' --exclude='*lock*' alone "$1" >differences || fail "$1: $(head -n 5 differences)"
  expect_clean
}

# Killed at 100 random moments, one or two workers at once.
"$quarry" plan killed --shards 24 --quiet -- "${job[@]}"
kills=0
RANDOM=17
while ((kills < 100)); do
  "$quarry" work killed --quiet &
  first=$!
  "$quarry" work killed --quiet &
  second=$!
  sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
  for process in $first $second; do
    if ((RANDOM % 2)) && kill -KILL $process 2>/dev/null; then kills=$((kills + 1)); fi
  done
  wait $first $second 2>/dev/null || true
  # Where all is done before enough was killed: some shards are lost, and what a claim says of them is out of date.
  if [[ -z $("$quarry" status killed --missing) ]]; then
    for turn in 1 2 3 4 5 6 7 8; do rm -f "killed/shards/0000/$(printf %07d $((RANDOM % 24))).json"; done
  fi
done
expect 0 "$quarry" work killed
same_shards killed

# Four at once share the work, and end when all of it is done.
"$quarry" plan shared --shards 24 --quiet -- "${job[@]}"
processes=()
for worker in 1 2 3 4; do
  "$quarry" work shared 2>"worker$worker" &
  processes+=($!)
done
for process in "${processes[@]}"; do wait "$process" || fail 'a worker failed'; done
[[ $(cat worker? | awk '{sum += $1} END {print sum}') == 24 ]] || fail "not each shard once: $(cat worker?)"
same_shards shared

# Two merges into one file: it is whole.
"$quarry" merge shared -o both.tsv --quiet &
first=$!
expect 0 "$quarry" merge shared -o both.tsv --quiet
wait $first || fail 'the other merge failed'
expect_same both.tsv alone.tsv

# Claims: that of a dead process of this host is taken at once, others after --claim-seconds, whatever their times are.
"$quarry" plan claims --shards 3 --quiet -- "${job[@]}"
mkdir -p claims/claims/0000
claim() { # SHARD HOST PROCESS TIME
  local space
  space="$2 $(tr -d '\n' </proc/sys/kernel/random/boot_id) $(stat -L -c %i /proc/self/ns/pid)"
  printf '{"host":"%s","process":%s,"began":1,"seconds":0,"process_space":"%s","process_start":1}\n' \
    "$2" "$3" "$space" >"claims/claims/0000/000000$1.claim"
  touch -d "$4" "claims/claims/0000/000000$1.claim"
}
claim 0 "$(hostname)" 4194304 now
claim 1 elsewhere 1 '2001-01-01'
claim 2 elsewhere 1 '2041-01-01'
began=$(date +%s%N)
expect 0 "$quarry" work claims --claim-seconds 2
expect_text err '^3 shards done'
(($(date +%s%N) - began > 1900000000)) || fail 'a claim of another host was not respected'
expect 0 "$quarry" merge claims -o merged.tsv
expect_same merged.tsv alone.tsv
# --shard asks no claim.
rm claims/shards/0000/0000001.json
claim 1 elsewhere 1 now
expect 0 timeout 20 "$quarry" work claims --shard 1
expect_text err '^1 shard done'

# A changed input, another version, another job's shards, damage: named, and nothing is written.
expect_refused() { # PATTERN FOLDER
  expect_error "$1" "$quarry" work "$2" --shard 1
  expect_error "$1" "$quarry" work "$2"
  expect_error "$1" "$quarry" merge "$2" -o refused.tsv
  expect_absent refused.tsv "$2/shards/0000/0000001.json"
}
"$quarry" plan changed --shards 3 --quiet -- "${job[@]}"
"$quarry" work changed --shard 0 --quiet
cp -p queries.smarts queries.kept
echo 'CC ethane' >>queries.smarts
expect_refused "'queries.smarts' has changed since the job" changed
cp queries.kept queries.smarts # the same bytes, another time
expect 0 "$quarry" work changed --shard 2
rm changed/shards/0000/0000002.json
cp -p queries.kept queries.smarts
mv many.qlib many.kept
expect_refused "'many.qlib' is not there any more" changed
"$quarry" index molecules.smi -o many.qlib --quiet
expect_refused "'many.qlib' has changed" changed
mv many.kept many.qlib
expect 0 "$quarry" work changed
same=$(cat changed/job.json)
sed -i 's/"Quarry [0-9.]*/"Quarry 0.0.1/' changed/job.json
rm changed/shards/0000/0000001.json
expect_refused 'was planned with Quarry 0.0.1' changed
echo "$same" >changed/job.json
expect 0 "$quarry" work changed
cp alone/shards/0000/0000001.json changed/shards/0000/0000001.json
expect_error 'is a shard of another job' "$quarry" merge changed -o refused.tsv
rm changed/shards/0000/0000001.json
expect 0 "$quarry" work changed
cp changed/shards/0000/0000001.json changed/shards/0000/0000007.json
expect_error 'is no shard of the job' "$quarry" merge changed -o refused.tsv
rm changed/shards/0000/0000007.json
printf x >>changed/shards/0000/0000002.hits.qhits.zst
expect_error 'missing or damaged' "$quarry" merge changed -o refused.tsv
rm changed/shards/0000/0000002.hits.qhits.zst
expect_error 'missing or damaged' "$quarry" merge changed -o refused.tsv
rm changed/shards/0000/0000002.json
expect 0 "$quarry" work changed
expect 0 "$quarry" merge changed -o merged.tsv
expect_same merged.tsv alone.tsv
truncate -s 100 changed/job.json
expect_error 'no description of a job' "$quarry" work changed
expect_error 'holds no job' "$quarry" work nowhere
expect_absent refused.tsv

# A full disk, and a folder that cannot be written: one sentence, and nothing half.
if [[ $(id -u) == 0 ]] && mkdir full && mount -t tmpfs -o size=24k tmpfs full 2>/dev/null; then
  trap 'umount --lazy "$folder/full" 2>/dev/null || true; rm -rf "$folder"' EXIT
  "$quarry" plan full/job --shards 2 --quiet -- "${job[@]}"
  expect_error 'No space left on device' "$quarry" work full/job
  expect_absent full/job/shards/0000/0000001.json full/job/shards/0000/0000001.hits.qhits.zst
  [[ -e full/job/shards/0000/0000000.json ]] || expect_absent full/job/shards/0000/0000000.hits.qhits.zst
  expect_clean
  mount -o remount,size=64m full
  expect 0 "$quarry" work full/job
  mount -o remount,ro full
  expect 0 "$quarry" merge full/job -o merged.tsv
  expect_same merged.tsv alone.tsv
  mount -o remount,rw full
  rm full/job/shards/0000/0000001.json
  mount -o remount,ro full
  expect_error 'Read-only file system' "$quarry" work full/job
  expect_error 'Read-only file system' "$quarry" work full/job --shard 1
  expect_error 'Read-only file system' "$quarry" plan full/other --shards 2 -- "${job[@]}"
  umount --lazy full # a process that was just killed may still hold it
else
  echo 'skipped: a full disk and a read-only folder, which need root and tmpfs'
fi

# GNU parallel, with tasks killed in the middle.
if command -v parallel >/dev/null; then
  "$quarry" plan parallel --shards 24 --quiet -- "${job[@]}"
  cat >task.sh <<TASK
if [ ! -e tried-\$1 ]; then
  touch tried-\$1
  timeout -s KILL 0.0\$((\$1 % 9 + 1)) "$quarry" work parallel --shard \$1 --quiet
else
  "$quarry" work parallel --shard \$1 --quiet
fi
TASK
  seq 0 23 | parallel --will-cite -j 3 --retries 3 bash task.sh 2>/dev/null || fail 'parallel failed'
  same_shards parallel
else
  echo 'skipped: GNU parallel is not installed'
fi
