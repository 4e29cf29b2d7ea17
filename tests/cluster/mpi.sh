#!/usr/bin/env bash
# mpi.sh MPI_PROGRAM: what ranks find together has the bytes of one process; only rank 0 speaks; with a job, a killed rank
# costs only what it did.
if ! command -v mpirun >/dev/null || [[ ! -x $1 ]]; then
  echo 'skipped: mpirun (package openmpi-bin) and a build with -DQUARRY_MPI=ON'
  exit 77
fi
source "$(dirname "$0")/../integration/support.bash" "$1"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export TMPDIR=$folder/temporary
mkdir "$TMPDIR"
[[ $(ldd "$quarry") == *libmpi* ]] || fail 'not linked to libmpi'
mpi=(mpirun -n 4 --oversubscribe "$quarry")

write_molecules
write_queries
for copy in $(seq 4000); do awk -v copy=$copy '{print $1, $2 copy}' molecules.smi; done >many.smi
"$quarry" index many.smi -o many.qlib --quiet
job=(match many.qlib queries.smarts --mode all --threads 1)
"$quarry" "${job[@]}" -o alone.tsv --summary alone.summary --quiet

expect 0 "${mpi[@]}" "${job[@]}" -o together.tsv --summary together.summary
expect_same together.tsv alone.tsv
expect_same together.summary alone.summary
[[ $(grep -c '^rows 32000' err) == 1 ]] || fail 'not one closing line'
expect 0 "${mpi[@]}" "${job[@]}"
expect_same out alone.tsv
awk 'BEGIN {srand(3); for (i = 0; i < 900; ++i) print int(rand() * 99), int(rand() * 99)}' >graph.txt
"$quarry" mine graph.txt triangle --list -o alone.list.tsv --quiet
expect 0 "${mpi[@]}" mine graph.txt triangle --list -o together.list.tsv --quiet
expect_same together.list.tsv alone.list.tsv

"$quarry" similar -q 'CCO one' many.qlib -k 30 -o alone.near.tsv --quiet
expect 0 "${mpi[@]}" similar -q 'CCO one' many.qlib -k 30 -o together.near.tsv --quiet
expect_same together.near.tsv alone.near.tsv
head -n 900 many.smi >some.smi
"$quarry" cluster some.smi --threshold 0.7 -o alone.clusters.tsv --quiet
expect 0 "${mpi[@]}" cluster some.smi --threshold 0.7 -o together.clusters.tsv --quiet
expect_same together.clusters.tsv alone.clusters.tsv

# An error is said once, and nothing is written.
expect 2 "${mpi[@]}" match missing.qlib queries.smarts -o never.tsv
[[ $(grep -c '^quarry: .*missing.qlib' err) == 1 ]] || fail 'not one sentence'
expect_absent never.tsv
[[ -z $(ls "$TMPDIR" | grep quarry-) ]] || fail "left behind: $(ls "$TMPDIR")"

# A killed rank ends mpirun; what is done stays done, and the second run does the rest.
"$quarry" plan hits --shards 200 --quiet -- "${job[@]}"
"${mpi[@]}" work hits >out 2>err &
run=$!
for turn in $(seq 300); do
  (($(find hits/shards -name '*.json' 2>/dev/null | wc -l) >= 5)) && break
  sleep 0.02
done
# Ranks are children of mpirun.
rank=$(cat "/proc/$run/task/$run/children" | awk '{print $2}')
kill -KILL "$rank" 2>/dev/null || echo 'the run had ended before a rank could be killed'
wait $run && echo 'mpirun ended well though a rank was killed'
done=$("$quarry" status hits)
echo "after the kill: $done"
expect 0 "${mpi[@]}" work hits
expect 0 "$quarry" merge hits -o merged.tsv --summary merged.summary
expect_same merged.tsv alone.tsv
expect_same merged.summary alone.summary
