#!/usr/bin/env bash
# Same bytes for any number of threads, and when everything is run again.
source "$(dirname "$0")/support.bash" "$1"
export SOURCE_DATE_EPOCH=1700000000

# More than one chunk, with rejected rows.
for copy in $(seq 45); do sed "s/\$/_$copy/" "$examples/drugs.smi"; done >many.smi
echo 'c1ccc broken' >>many.smi
alerts=$examples/alerts.smarts

for threads in 1 2 7; do
  expect 0 "$quarry" index many.smi -o many.qlib --rejects rejects.$threads --threads $threads --quiet
  mv many.qlib library.$threads
  for mode in first count; do
    expect 0 "$quarry" match library.$threads "$alerts" --mode $mode -o $mode.$threads.tsv --summary summary.$threads \
      --threads $threads --quiet
  done
  expect 0 "$quarry" match many.smi "$alerts" -o text.$threads.tsv --threads $threads --quiet
  expect 0 "$quarry" match library.$threads -q 'c1ccccc1' -q '[#7,#8]~*' --mode all -o all.$threads.tsv \
    --threads $threads --quiet
done
for threads in 2 7; do
  for kind in library rejects summary; do expect_same $kind.1 $kind.$threads; done
  for kind in first count text all; do expect_same $kind.1.tsv $kind.$threads.tsv; done
done
expect_same first.1.tsv text.1.tsv
[[ $("$quarry" info library.1 --json | grep -o '"chunks":[0-9]*') != '"chunks":1' ]] || fail 'only one chunk'

# The sample of --verify depends on the seed alone.
agreement() { "$quarry" match library.1 "$alerts" -o new.tsv --verify 0.5% --threads "$@" 2>&1 | grep -o 'agreement [^;]*'; }
agreement 1 --seed 5 >one
agreement 2 --seed 5 >two
expect_same one two
expect_text one '(100 %'

# What is reported are the threads that ran: never more than the machine has.
"$quarry" match library.1 "$alerts" -o new.tsv --threads 4000 --json --quiet >out
threads=$(grep -o '"threads":[0-9]*' out | cut -d: -f2)
[[ $threads -le $(nproc) ]] || fail "$threads threads on $(nproc) cores"
