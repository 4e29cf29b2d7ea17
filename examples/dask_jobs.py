"""Does the shards of a job on Dask: dask_jobs.py FOLDER [SCHEDULER]. Without a scheduler, two workers on this machine."""
import sys

from dask.distributed import Client, as_completed
from quarry import jobs

if __name__ == "__main__":
    folder = sys.argv[1]
    client = Client(*sys.argv[2:]) if len(sys.argv) > 2 else Client(n_workers=2, threads_per_worker=1)
    shards = client.map(lambda shard: jobs.work(folder, shard), jobs.missing(folder), retries=5)
    for number, shard in enumerate(as_completed(shards), 1):
        shard.result()
        print(f"{number} of {len(shards)} shards done", end="\r", file=sys.stderr)
    client.close()
