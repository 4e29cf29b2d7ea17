#!/usr/bin/env bash
# As faults.sh, for jobs: one call of the system fails in `plan`, `work` or `merge`. Each ends with a sentence and status 2,
# or well, and an undisturbed run afterwards gives the whole answer.
# Usage: job_faults.sh PROGRAM PRELOADED
preloaded=$(realpath "$2")
source "$(dirname "$0")/../integration/support.bash" "$1"

write_molecules
write_queries
"$quarry" index molecules.smi -o molecules.qlib --quiet
cp molecules.smi more.smi
matching=(match molecules.qlib queries.smarts --mode count --threads 1)
indexing=(index molecules.smi more.smi -o merged.qlibs --threads 1)
"$quarry" "${matching[@]}" -o alone.tsv --quiet
"$quarry" "${indexing[@]}" --quiet 2>err
mv merged.qlibs alone.qlibs

# What is disturbed, on a fresh copy of the folder that it needs.
prepare() {
  rm -rf folder merged.tsv merged.qlibs
  case $1 in
    work) cp -r planned folder ;;
    merge) cp -r worked folder ;;
  esac
}
tried=0
for merged in merged.tsv merged.qlibs; do
  rm -rf planned worked
  [[ $merged == merged.tsv ]] && job=("${matching[@]}") || job=("${indexing[@]}")
  "$quarry" plan planned --shards 3 --quiet -- "${job[@]}"
  cp -r planned worked
  "$quarry" work worked --quiet
  for verb in plan work merge; do
    case $verb in
      plan) command=(plan folder --shards 3) rest=(-- "${job[@]}") ;;
      work) command=(work folder) rest=() ;;
      merge) command=(merge folder -o "$merged") rest=() ;;
    esac
    run() {
      local fault=$1
      status=0
      timeout -s KILL 300 env LD_PRELOAD="$preloaded" QUARRY_FAULT="$fault" QUARRY_FAULT_LOG=log \
        "$quarry" "${command[@]}" --quiet "${rest[@]}" >out 2>err </dev/null || status=$?
    }
    prepare $verb
    run write:0
    [[ $status == 0 ]] || fail "$verb: status $status"
    cp log numbers
    for kind in write sync rename open; do
      number=$(awk -v kind="$kind" '$1 == kind {print $2}' numbers)
      most=${QUARRY_FAULTS:-6}
      tries=$((number < most ? number : most))
      for ((try = 0; try < tries; ++try)); do
        at=$((1 + try * number / tries))
        prepare $verb
        run $kind:$at
        if [[ $status != 0 ]]; then
          tried=$((tried + 1))
          [[ $status == 2 && $(wc -l <err) == 1 ]] && grep -q '^quarry: ' err || fail "$kind:$at of $verb: status $status, not one sentence"
          [[ $verb != merge ]] || expect_absent merged.tsv merged.qlibs/manifest.json
        fi
        # The next run makes good what is missing.
        [[ -e folder/job.json ]] || "$quarry" plan folder --shards 3 --quiet -- "${job[@]}" || fail "$kind:$at of $verb: plan"
        "$quarry" work folder --quiet || fail "$kind:$at of $verb: work"
        "$quarry" merge folder -o "$merged" --quiet 2>err || fail "$kind:$at of $verb: merge"
        diff -r "$merged" "${merged/merged/alone}" || fail "$kind:$at of $verb: another output"
        diff -r --exclude='*claim*' --exclude='*lock*' worked folder >differences || fail "$kind:$at of $verb: $(head -n 5 differences)"
      done
    done
  done
done
((tried >= 30)) || fail "only $tried runs failed"
