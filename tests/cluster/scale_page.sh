#!/usr/bin/env bash
# The commands of docs/scale.md, as printed: scale_page.sh PROGRAM [MPI_PROGRAM]. Each route that this machine lacks is named.
source "$(dirname "$0")/slurm_cluster.sh"
mpi=${2:+$(realpath "$2")}
page=$(realpath "$(dirname "$0")/../../docs/scale.md")
source "$(dirname "$0")/../integration/support.bash" "$1"

# commands NAME: the lines of the blocks that begin with ```sh NAME.
commands() { awk -v begin="\`\`\`sh${1:+ $1}" '$0 == begin {on = 1; next} /^```/ {on = 0} on' "$page"; }
mkdir bin && ln -s "$quarry" bin/quarry
export PATH=$folder/bin:$PATH QUARRY_PROGRAM=$quarry PYTHONPATH=${PYTHONPATH:-$(dirname "$quarry")/python}
write_molecules
for file in 00 01 02 03 04 05 06 07 08 09; do
  for copy in $(seq 30); do awk -v id="_$file$copy" '{print $1, $2 id}' molecules.smi; done >part-$file.smi
done
write_queries
mv queries.smarts alerts.smarts
mkdir examples && cp "$examples"/dask_jobs.py examples
eval "$(commands '')"
quarry match part-*.qlib alerts.smarts --mode count --quiet -o alone.tsv.zst --summary alone

route() { # NAME: runs its commands, and looks at what they made
  [[ -n $(commands "$1") ]] || fail "no commands of $1"
  (set -e && eval "$(commands "$1")") >out 2>err || fail "the commands of $1 failed"
  expect_same hits.tsv.zst alone.tsv.zst
  expect_same alerts.tsv alone
  rm -rf hits hits.tsv.zst alerts.tsv
  echo "done: $1"
}

if command -v parallel >/dev/null; then route parallel; else echo 'skipped: GNU parallel (package parallel)'; fi
if python3 -c 'import dask.distributed, quarry' 2>/dev/null; then
  route dask
else
  echo 'skipped: Dask (package python3-distributed, and the module quarry)'
fi
if [[ -n $mpi ]] && command -v mpirun >/dev/null; then
  ln -sf "$mpi" bin/quarry
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  route mpi
  ln -sf "$quarry" bin/quarry
else
  echo 'skipped: MPI (build/mpi/quarry and package openmpi-bin)'
fi
if [[ -z $(slurm_packages_missing) && $(id -u) == 0 ]]; then
  start_slurm "$folder/slurm"
  trap 'stop_slurm; rm -rf "$folder"' EXIT
  wait_for 60 nodes_are_idle || fail 'the nodes are not idle'
  route slurm
else
  echo 'skipped: Slurm (packages slurm-wlm and munge, and root)'
fi
