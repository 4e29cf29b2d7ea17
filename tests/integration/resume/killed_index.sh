#!/usr/bin/env bash
# A killed `index` leaves no half library: not under its name, and after SIGTERM nothing at all.
source "$(dirname "$0")/../support.bash" "$1"

mkfifo rows.smi
echo 'an older library' >older
# Its output may have no name while it is written.
is_writing() { [[ -n $(find -L "/proc/$program/fd" -type f -size +0 ! -name '[0-2]' 2>/dev/null) ]]; }
kill_while_writing() {
  local signal=$1 wanted=$2 status=0 writer program
  # More rows than the reader holds in flight; then the input stays open, so that index cannot end by itself.
  (seq 100000 | sed 's/.*/CCO &/' && exec sleep 300) >rows.smi &
  writer=$!
  "$quarry" index rows.smi -o out.qlib --quiet 2>err &
  program=$!
  for _ in $(seq 600); do
    is_writing && break
    kill -0 $program || fail 'index ended by itself'
    sleep 0.1
  done
  is_writing || fail 'index never began to write'
  kill "-$signal" $program
  wait $program || status=$?
  kill $writer 2>/dev/null || true
  wait $writer 2>/dev/null || true
  [[ $status == "$wanted" ]] || fail "status $status after SIG$signal"
}

for signal in TERM HUP; do # not INT: what a script starts in the background ignores it
  kill_while_writing $signal $((128 + $(kill -l $signal)))
  expect_absent out.qlib
  expect_clean
done

# SIGKILL cannot be caught: where files cannot be nameless, one with a telling name may stay until the next run.
cp older out.qlib
kill_while_writing KILL 137
expect_same out.qlib older
[[ $(find . -mindepth 1 ! -name '.quarry-*.part' | sort | tr '\n' ' ') == './err ./older ./out.qlib ./rows.smi ' ]] ||
  fail "left behind: $(ls -A)"

# And one that is left alone finishes, over what was there.
seq 100 | sed 's/.*/CCO &/' >rows.txt
expect 0 "$quarry" index rows.txt -o out.qlib
expect 0 "$quarry" info out.qlib
expect_clean
