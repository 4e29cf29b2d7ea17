#!/usr/bin/env bash
# An array of 64 shards on a real Slurm of two nodes: slurmd and steps are killed in the middle and jobs requeued, and the
# merged outputs have the bytes of one machine.
source "$(dirname "$0")/slurm_cluster.sh"
missing=$(slurm_packages_missing | xargs)
if [[ -n $missing || $(id -u) != 0 ]]; then
  echo "skipped: Slurm on the loopback needs root and ${missing:-nothing else} (Debian packages slurm-wlm and munge)"
  exit 77
fi
source "$(dirname "$0")/../integration/support.bash" "$1"
start_slurm "$folder/slurm"
trap 'stop_slurm; rm -rf "$folder"' EXIT
wait_for 60 nodes_are_idle || fail "the nodes are not idle: $(tail -n 3 slurm/log/slurmctld)"

write_molecules
write_queries
for copy in $(seq 3000); do awk -v copy=$copy '{print $1, $2 copy}' molecules.smi; done >many.smi
"$quarry" index many.smi -o many.qlib --quiet
"$quarry" match many.qlib queries.smarts --mode count --summary alone.summary >alone.tsv 2>err
expect 0 "$quarry" plan hits --shards 64 -- match many.qlib queries.smarts --mode count

# A shard sleeps first, so that there is time to kill it.
sbatch --parsable --array="0-63%8" --requeue --output=slurm/log/task-%a --open-mode=append \
  --wrap "sleep 0.3; exec '$quarry' work hits --shard \$SLURM_ARRAY_TASK_ID" >job
some_are_done() { (($(find hits/shards -name '*.json' | wc -l) >= 8)); }
wait_for 60 some_are_done || fail "no shard was done: $(squeue)"
kill -KILL "${node[1]}"
for process in $(steps_of_slurm); do kill -KILL "$process" || true; done
sleep 1
scontrol requeue "$(squeue --noheader --states=R --format=%A --job="$(cat job)" | paste -sd,)" 2>/dev/null || true
start_node 1
scontrol update nodename=node1 state=resume 2>/dev/null || true

queue_is_empty() { [[ -z $(squeue --noheader) ]]; }
wait_for 120 queue_is_empty || fail "the queue does not empty: $(squeue)"
# What was lost with its node, and not requeued, is what --missing says.
for turn in 1 2 3; do
  array=$("$quarry" status hits --missing)
  [[ -z $array ]] && break
  echo "once more: $array"
  sbatch --parsable --array="$array" --output=slurm/log/task-%a --open-mode=append \
    --wrap "exec '$quarry' work hits --shard \$SLURM_ARRAY_TASK_ID" >job
  wait_for 120 queue_is_empty || fail "the queue does not empty: $(squeue)"
done
expect 0 "$quarry" status hits
cat out
expect 0 "$quarry" merge hits -o hits.tsv --summary hits.summary
expect_same hits.tsv alone.tsv
expect_same hits.summary alone.summary
