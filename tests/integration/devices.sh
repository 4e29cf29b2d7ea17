#!/usr/bin/env bash
# --device: the same bytes from every device as from the host, and one sentence where a device is not available.
source "$(dirname "$0")/support.bash" "$1"
export SOURCE_DATE_EPOCH=1700000000

# The device named for the tests, and emulated ones. Where the first is not available, this fails.
devices=("${QUARRY_TEST_DEVICE:-host}" emulated:8 emulated:2,3)

head -n 60 "$examples/drugs.smi" >many.smi
expect 0 "$quarry" index many.smi -o many.qlib --quiet
alerts=$examples/alerts.smarts
for mode in first all count unique; do
  expect 0 "$quarry" match many.qlib "$alerts" --mode $mode -o host.tsv --device host --json --quiet
  json_is device '"host"'
  for device in "${devices[@]}"; do
    expect 0 "$quarry" match many.qlib "$alerts" --mode $mode -o device.tsv --device "$device" --json --quiet
    json_is device "\"$device\""
    expect_same host.tsv device.tsv
  done
done
expect 0 "$quarry" match many.smi "$alerts" -o text.tsv --device "${devices[1]}" --device-memory 8 --verify 1% --quiet
expect 0 "$quarry" match many.qlib "$alerts" -o host.tsv --device host --quiet
expect_same host.tsv text.tsv

# Counts in a graph.
patterns=(triangle house '5-clique' 'a-b-c-d-e-f')
expect 0 "$quarry" mine --generate rmat:6:4:1 "${patterns[@]}" --quiet
cp out counts.tsv
for device in "${QUARRY_TEST_DEVICE:-host}" emulated:1 emulated:1,2; do
  expect 0 "$quarry" mine --generate rmat:6:4:1 triangle house --device "$device" --device-memory 8 --quiet
  expect_same out <(head -n 3 counts.tsv)
done
expect 0 "$quarry" mine --generate rmat:6:4:1 "${patterns[@]}" --device emulated:1 --quiet
expect_same out counts.tsv
expect 0 "$quarry" mine --generate rmat:6:4:1 triangle --device emulated:1 --json --quiet
json_is device '"emulated:1"'
expect_error 'devices only count' "$quarry" mine --generate grid:3:3 a-b --list --device emulated:1
expect_error 'emulated:1 could not .*: the device is lost' env QUARRY_EMULATED_1_LOST_AFTER=5 \
  "$quarry" mine --generate rmat:6:4:1 triangle --device emulated:1

# What updates do to a graph, listed and counted.
account=("$examples/accounts.graph" --patterns "$examples/accounts.patterns" --updates "$examples/accounts.updates")
for rows in --list --count --all-embeddings --initial; do
  expect 0 "$quarry" watch "${account[@]}" $rows --quiet
  cp out alerts.tsv
  for device in "${devices[@]}" emulated:1; do
    expect 0 "$quarry" watch "${account[@]}" $rows --device "$device" --device-memory 8 --quiet
    expect_same out alerts.tsv
  done
done
expect 0 "$quarry" watch "${account[@]}" --json --digest --audit 3 -o none.tsv --device emulated:1 --quiet
json_is device '"emulated:1"'
rm none.tsv
expect_error 'emulated:1 could not .*: the device is lost' env QUARRY_EMULATED_1_LOST_AFTER=20 \
  "$quarry" watch "${account[@]}" -o none.tsv --device emulated:1 --quiet
expect_absent none.tsv
expect_error 'bytes of memory for the graph.* on emulated:1 .*--device-memory' env QUARRY_EMULATED_1_BYTES=1000 \
  "$quarry" watch "${account[@]}" -o none.tsv --device emulated:1 --quiet
expect_absent none.tsv

# auto is always available.
expect 0 "$quarry" match many.qlib "$alerts" -o auto.tsv --json --quiet
expect_same host.tsv auto.tsv
expect 0 "$quarry" doctor --json
auto=$(grep -o '"device":"[^"]*"' out | head -n 1 | cut -d: -f2-)
expect 0 "$quarry" match many.qlib "$alerts" -o auto.tsv --json --quiet --device auto
json_is device "$auto"

# Devices that fail: one sentence, in time, and no file that looks whole. One device, and the first of two.
for device in emulated:2 emulated:2,3; do
  for after in 0 3 15 30; do
    expect_error "emulated:2 could not .*: the device is lost" env QUARRY_EMULATED_2_LOST_AFTER=$after \
      timeout 60 "$quarry" match many.qlib "$alerts" --mode all --device $device -o none.tsv --summary totals.tsv
    expect_absent none.tsv totals.tsv
  done
  expect_error 'emulated:2 has no room for [0-9]* bytes more: [0-9]* of 100000 are free; lower .*--device-memory' \
    env QUARRY_EMULATED_2_BYTES=100000 timeout 60 "$quarry" match many.qlib "$alerts" --device $device \
    --device-memory 64 -o none.tsv --summary totals.tsv
  expect_absent none.tsv totals.tsv
done
expect_error 'for the queries and one molecule at a time on emulated:2 .*limit is 75000, the job needs.*--device-memory' \
  env QUARRY_EMULATED_2_BYTES=100000 "$quarry" match many.qlib "$alerts" --device emulated:2 -o none.tsv
expect_absent none.tsv
expect_clean

# Poses.
dock=("$quarry" dock "$examples/pocket.pdb" "$examples/ligands.smi" --center 0,0,0 --size 16,16,16 --effort standard
  --restarts 40 --max-poses 8 --poses 3 --quiet)
expect 0 "${dock[@]}" -o host.sdf --device host
for device in "${QUARRY_TEST_DEVICE:-host}" emulated:3; do
  expect 0 "${dock[@]}" -o device.sdf --device "$device"
  expect_same host.sdf device.sdf
done

# Names that mean nothing, and devices that are not there; nothing is written.
for device in '' gpu:0 cuda: cuda:x cuda:-1 cuda:0,0 cuda:0, emulated:0 emulated:65 host:1 cuda:99999 hip:99999 sycl:99999; do
  expect_error 'device' "$quarry" match many.qlib "$alerts" --device "$device" -o none.tsv
  expect_absent none.tsv
done
expect_error 'QUARRY_DEVICE\|driver\|machine has\|no CUDA' "$quarry" match many.qlib "$alerts" --device cuda:4000
expect_error 'device-memory' "$quarry" match many.qlib "$alerts" --device emulated:1 --device-memory x
