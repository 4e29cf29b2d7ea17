#!/usr/bin/env python3
"""A large screen on one machine: many copies of a file of molecules, indexed, matched and matched again as a job.

  bench/cluster/large.py QUARRY MOLECULES.smi QUERIES.smarts [--copies 37] [--folder .]

Copies have ids of their own. The collection is made by a job of 64 shards; the match is run once as it is, and once as a job
of 256. Ends with 1 where the two tables differ. Prints a row for each step: elapsed and CPU seconds, most memory, bytes made.
The folder needs about 350 bytes a molecule.
"""
import argparse
import filecmp
import os
import sys
import time


def measured(name, made, *command):
    start = time.monotonic()
    process = os.spawnlp(os.P_NOWAIT, command[0], *command)
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}")
    seconds, cpu = time.monotonic() - start, usage.ru_utime + usage.ru_stime
    size = sum(entry.stat().st_size for entry in os.scandir(made)) if os.path.isdir(made) else os.path.getsize(made)
    print(f"{name}\t{seconds:.1f}\t{cpu:.1f}\t{usage.ru_maxrss // 1024}\t{size}", flush=True)
    return seconds


def copy_molecules(path, copies):
    os.makedirs("copies", exist_ok=True)
    with open(path) as file:
        rows = [(line.split() + [f"row{number}"])[:2] for number, line in enumerate(file, 1) if line.strip()]
    for copy in range(copies):
        with open(f"copies/part-{copy:03}.smi", "w") as file:
            file.writelines(f"{smiles} {name}-{copy}\n" for smiles, name in rows)
    return len(rows) * copies


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quarry")
    parser.add_argument("molecules")
    parser.add_argument("queries")
    parser.add_argument("--copies", type=int, default=37)
    parser.add_argument("--folder", default=".")
    options = parser.parse_args()
    quarry, molecules, queries = map(os.path.abspath, (options.quarry, options.molecules, options.queries))
    os.chdir(options.folder)
    print(f"# {copy_molecules(molecules, options.copies)} rows, {os.cpu_count()} cores")
    print("step\tseconds\tCPU seconds\tMiB\tbytes made")
    match = ("match", "large.qlibs", queries, "--mode", "count", "--quiet")
    measured("plan index", "making/job.json", quarry, "plan", "making", "--shards", "64", "--quiet", "--", "index",
             "copies/*.smi", "-o", "large.qlibs", "--quiet")
    measured("work index", "making/job.json", quarry, "work", "making", "--quiet")
    measured("merge index", "large.qlibs", quarry, "merge", "making")
    alone = measured("match", "alone.tsv", quarry, *match, "-o", "alone.tsv")
    job = measured("plan match", "hits/job.json", quarry, "plan", "hits", "--shards", "256", "--quiet", "--", *match)
    job += measured("work match", "hits/job.json", quarry, "work", "hits", "--quiet")
    job += measured("merge match", "merged.tsv", quarry, "merge", "hits", "-o", "merged.tsv")
    print(f"# the job took {job / alone:.3f} times as long")
    if not filecmp.cmp("alone.tsv", "merged.tsv", shallow=False):
        sys.exit("the merged table is not that of one run")


if __name__ == "__main__":
    main()
