#!/usr/bin/env python3
"""What a job costs over the plain verb: `match` as it is, and as plan, work and merge of many shards, turn by turn.

  bench/cluster/overhead.py QUARRY MOLECULES.qlib QUERIES.smarts... [--shards 64] [--runs 7] [--mode count] [--folder .]

Ends with 1 where the two tables differ. Prints a row a run, and the medians of the ratios.
"""
import argparse
import filecmp
import os
import pathlib
import shutil
import statistics
import sys
import time


def measured(*command):
    """Elapsed and CPU seconds."""
    start = time.monotonic()
    process = os.spawnlp(os.P_NOWAIT, command[0], *command)
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quarry")
    parser.add_argument("molecules")
    parser.add_argument("queries", nargs="+")
    parser.add_argument("--shards", default="64")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--mode", default="count")
    parser.add_argument("--folder", default=".")
    options = parser.parse_args()
    quarry, molecules, *queries = map(os.path.abspath, (options.quarry, options.molecules, *options.queries))
    os.chdir(options.folder)
    match = ("match", molecules, *queries, "--allow-refused", "--mode", options.mode, "--quiet")
    print("match s\tCPU s\tplan s\twork s\tmerge s\tjob CPU s\ttime ratio\tCPU ratio")
    ratios = []
    for _ in range(options.runs):
        shutil.rmtree("job", ignore_errors=True)
        for table in ("alone.tsv", "merged.tsv"):
            pathlib.Path(table).unlink(missing_ok=True)
        alone = measured(quarry, *match, "-o", "alone.tsv")
        steps = [measured(quarry, "plan", "job", "--shards", options.shards, "--quiet", "--", *match),
                 measured(quarry, "work", "job", "--quiet"),
                 measured(quarry, "merge", "job", "-o", "merged.tsv", "--quiet")]
        if not filecmp.cmp("alone.tsv", "merged.tsv", shallow=False):
            sys.exit("the merged table is not that of one run")
        cpu = sum(step[1] for step in steps)
        ratios.append((sum(step[0] for step in steps) / alone[0], cpu / alone[1]))
        seconds = "\t".join(f"{step[0]:.2f}" for step in steps)
        print(f"{alone[0]:.2f}\t{alone[1]:.2f}\t{seconds}\t{cpu:.2f}\t{ratios[-1][0]:.3f}\t{ratios[-1][1]:.3f}", flush=True)
    time_ratio, cpu_ratio = (statistics.median(column) for column in zip(*ratios))
    size = os.path.getsize("merged.tsv")
    print(f"# {options.shards} shards, {size} bytes: {time_ratio:.3f} times the time, {cpu_ratio:.3f} times the CPU seconds")


if __name__ == "__main__":
    main()
