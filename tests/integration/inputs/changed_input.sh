#!/usr/bin/env bash
# Something writes to a file while it is read: the run ends with a sentence and status 2, never with a signal, and what
# was there before stays.
source "$(dirname "$0")/../support.bash" "$1"

mkfifo pipe
# change_during FILE HOW COMMAND...: the command writes to the pipe, and waits once that is full; meanwhile the file is
# changed. FILE is kept in FILE.kept.
change_during() {
  local file=$1 how=$2 status=0 program
  cp "$file.kept" "$file"
  "${@:3}" >pipe 2>err &
  program=$!
  exec 5<pipe
  head -c 1 <&5 >first || true
  [[ -s first ]] || fail "it wrote nothing: $(cat err)"
  case $how in
    cut) truncate -s 4096 "$file" ;;
    other) cat other."${file##*.}" >"$file" ;;
    noise) head -c $(($(stat -c %s "$file") - 4096)) /dev/urandom | dd of="$file" bs=4096 seek=1 conv=notrunc status=none ;;
    longer) echo >>"$file" ;;
  esac
  cat <&5 >rest
  exec 5<&-
  wait $program || status=$?
  [[ $status == 2 ]] || fail "$how $file, $3 $4: status $status: $(cat err)"
  grep -q "$file.*has changed since it was opened" err || fail "$how $file, $3 $4: $(cat err)"
  expect_clean
}

write_molecules
for _ in $(seq 1500); do cat molecules.smi; done >m.smi.kept
tac m.smi.kept >other.smi
printf 'c aromatic\nC carbon\nO oxygen\n' >q.smarts
for name in m.smi.kept other.smi; do
  expect 0 "$quarry" index $name --format smi -o x.qlib --quiet
  mv x.qlib "${name/smi/qlib}"
done
expect 0 "$quarry" mine --generate rmat:12:8:1 --save g.qgraph triangle
mv g.qgraph g.qgraph.kept
expect 0 "$quarry" mine --generate rmat:11:8:2 --save other.qgraph triangle

echo old >old.tsv
for how in cut other noise longer; do
  change_during m.qlib $how "$quarry" match m.qlib q.smarts --mode all
  change_during m.qlib $how "$quarry" similar m.qlib m.qlib -k 3
  change_during g.qgraph $how "$quarry" mine g.qgraph triangle --list
done
# More text than is read ahead.
for _ in $(seq 4); do cat m.smi.kept; done >text.smi.kept
for how in cut longer; do
  change_during text.smi $how "$quarry" match text.smi q.smarts --mode all
  change_during m.qlib $how "$quarry" match m.qlib q.smarts -o old.tsv --matched /dev/stdout
  expect_lines old.tsv 1
done

# What is replaced by another file of that name is read to its end.
cp m.qlib.kept m.qlib
"$quarry" match m.qlib q.smarts --mode all >whole
"$quarry" match m.qlib q.smarts --mode all >pipe 2>err &
program=$!
exec 5<pipe
head -c 1 <&5 >first
cp other.qlib new.qlib
mv new.qlib m.qlib
cat first - <&5 >again
exec 5<&-
wait $program || fail "replaced: $(cat err)"
expect_same whole again
