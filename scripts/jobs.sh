#!/usr/bin/env bash
# Prints how many files can be compiled at once: one on each core, where there is memory for it.
set -euo pipefail
kilobytes_each=1250000

free=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || true)  # of a container, in bytes
if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1024 < free)); then free=$((limit / 1024)); fi
jobs=$((free / kilobytes_each)) cores=$(nproc)
echo $((jobs < 1 ? 1 : jobs < cores ? jobs : cores))
