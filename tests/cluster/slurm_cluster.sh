# shellcheck shell=bash
# A Slurm of two nodes on the loopback, for tests: `start_slurm FOLDER` and `stop_slurm`. Its daemons are those of Debian's
# slurm-wlm and munge; its configuration, state and logs are in the folder. Needs root.

slurm_packages_missing() {
  local program
  for program in munged slurmctld slurmd sbatch squeue scontrol; do
    command -v $program >/dev/null || PATH=$PATH:/usr/sbin command -v $program >/dev/null || echo "$program"
  done
}

start_slurm() {
  slurm=$(realpath "$1")
  export PATH=$PATH:/usr/sbin SLURM_CONF=$slurm/slurm.conf
  mkdir -p "$slurm"/{state,log,spool-node0,spool-node1}
  # Munge insists on folders that only its user can write, from the root on.
  munge=$(mktemp -d /run/quarry-munge-XXXXXX)
  chmod 755 "$munge"
  dd if=/dev/urandom of="$munge/key" bs=1024 count=1 status=none
  chmod 600 "$munge/key"
  munged --foreground --force --key-file="$munge/key" --socket="$munge/socket" --pid-file="$munge/pid" \
    --log-file="$slurm/log/munge" --seed-file="$munge/seed" &>"$slurm/log/munged" &
  daemons=($!)
  local host
  host=$(hostname -s)
  cat >"$SLURM_CONF" <<CONF
ClusterName=quarry
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${SLURM_TEST_PORT:-17800}
AuthInfo=socket=$munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/log/slurmctld
SlurmdLogFile=$slurm/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
InactiveLimit=0
MinJobAge=600
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MaxArraySize=10001
NodeName=node0 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((${SLURM_TEST_PORT:-17800} + 1)) CPUs=2 State=UNKNOWN
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((${SLURM_TEST_PORT:-17800} + 2)) CPUs=2 State=UNKNOWN
PartitionName=all Nodes=node[0-1] Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
  slurmctld -D -i &>"$slurm/log/slurmctld.out" &
  daemons+=($!)
  start_node 0
  start_node 1
}

# start_node N: its slurmd; the number of the process is in node[N].
start_node() {
  slurmd -D -N "node$1" &>"$slurm/log/slurmd$1.out" &
  node[$1]=$!
  daemons+=($!)
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
  local turn turns=$((10 * $1))
  shift
  for ((turn = 0; turn < turns; ++turn)); do
    "$@" &>/dev/null && return 0
    sleep 0.1
  done
  return 1
}

# Numbers of the processes that hold the steps of this Slurm's jobs: they have files of its folder open.
steps_of_slurm() {
  local process
  for process in /proc/[0-9]*; do
    [[ -r $process/cmdline && -r $process/fd ]] || continue
    [[ $(tr '\0' ' ' <"$process/cmdline") == slurmstepd:* && $(ls -l "$process/fd") == *"$slurm/"* ]] &&
      basename "$process"
  done 2>/dev/null
  true
}

nodes_are_idle() { [[ $(sinfo --noheader --Node --format=%t | sort -u) == idle ]]; }

stop_slurm() {
  scancel --quiet --user=root &>/dev/null || true
  local process
  for process in "${daemons[@]}"; do kill "$process" &>/dev/null || true; done
  wait "${daemons[@]}" &>/dev/null || true
  rm -rf "$munge"
}
