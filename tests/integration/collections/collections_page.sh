#!/usr/bin/env bash
# Every command of docs/collections.md, as printed, beside a stand-in for the object store.
source "$(dirname "$0")/../support.bash" "$1"
page=$(dirname "$examples")/docs/collections.md

mkdir library new bucket bin
awk '!/^#/' "$examples/drugs.smi" >all.smi
split -n l/3 --additional-suffix=.smi all.smi library/
mv library/aa.smi library/a.smi
cp library/ab.smi bucket/one.smi
gzip library/*.smi
sed -n 1,9p all.smi | gzip >new/n.smi.gz
cp "$examples/alerts.smarts" .
printf 'one.smi\n' >objects.txt
# aws s3 cp s3://bucket/NAME - prints an object.
printf '#!/bin/sh\n[ "$1 $2 $4" = "s3 cp -" ] && cat "bucket/${3#s3://bucket/}"\n' >bin/aws
ln -s "$quarry" bin/quarry
chmod +x bin/aws
PATH=$PWD/bin:$PATH
expect 0 quarry index all.smi -o more.qlib

awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$page" | sed 's/  *#.*//' >commands
[[ $(wc -l <commands) -ge 8 ]] || fail "only $(wc -l <commands) commands"
while read -r command; do
  bash -c "$command" >out 2>err </dev/null || fail "status $?: $command"
done <commands
rows=$(wc -l <all.smi)
expect 0 quarry info real.qlibs --json
json_is rows $((rows + 9)) && json_is parts 4
expect 0 quarry info listed.qlibs piped.qlibs store.qlibs
[[ $(cut -f 1 hits.tsv | sort -u | wc -l) -gt 100 ]] || fail 'no hits'
