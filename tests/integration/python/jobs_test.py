"""quarry.jobs: planned, worked and merged from Python, and shards on Dask with a killed worker."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import quarry
from quarry import jobs

PROGRAM = os.path.realpath(sys.argv[1])
os.environ["QUARRY_PROGRAM"] = PROGRAM
MOLECULES = ["CCO ethanol", "c1ccccc1 benzene", "CC(=O)O acid", "c1ccccc1C(=O)O benzoic_acid"]


def write_inputs():
    pathlib.Path("molecules.smi").write_text("".join(f"{row}_{i}\n" for i in range(300) for row in MOLECULES))
    pathlib.Path("queries.smarts").write_text("c1ccccc1 ring\nC(=O)[OX2H1] acid\n")
    subprocess.run([PROGRAM, "match", "molecules.smi", "queries.smarts", "--mode", "count", "-o", "alone.tsv", "--summary",
                    "alone.summary", "--quiet"], check=True)


def expect_merged(folder):
    assert jobs.missing(folder) == []
    assert jobs.merge(folder, "merged.tsv", summary="merged.summary") is True
    assert pathlib.Path("merged.tsv").read_bytes() == pathlib.Path("alone.tsv").read_bytes()
    assert pathlib.Path("merged.summary").read_bytes() == pathlib.Path("alone.summary").read_bytes()


def expect_error(kind, part, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert part in str(error), str(error)
    else:
        raise AssertionError(f"no error that says {part!r}")


def test_jobs():
    command = ("match", pathlib.Path("molecules.smi"), "queries.smarts", "--mode", "count")
    jobs.plan("hits", 5, *command)
    expect_error(quarry.InputError, "holds a job already", jobs.plan, "hits", 5, *command)
    assert jobs.missing("hits") == [0, 1, 2, 3, 4]
    expect_error(quarry.InputError, "are missing", jobs.merge, "hits", "merged.tsv")
    jobs.work("hits", 3)
    assert jobs.missing("hits") == [0, 1, 2, 4]
    assert jobs.status("hits")["done"] == 1
    jobs.work("hits")
    expect_merged("hits")
    jobs.plan("none", 2, "match", "molecules.smi", "-q", "[Br]")
    jobs.work("none")
    assert jobs.merge("none", "none.tsv") is False
    expect_error(quarry.InputError, "holds no job", jobs.work, "nowhere")


def work_or_die(folder, shard):
    """The first time that shard 7 is done, its worker is killed."""
    if shard == 7 and not os.path.exists("died"):
        open("died", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    jobs.work(folder, shard)


def test_dask():
    try:
        from dask.distributed import Client
    except ImportError:
        print("skipped: Dask, for python3-distributed is not installed")
        return
    jobs.plan("dask", 24, "match", "molecules.smi", "queries.smarts", "--mode", "count")
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as client:
        folder = os.path.realpath("dask")
        client.gather(client.map(work_or_die, [folder] * 24, range(24), retries=5, pure=False))
    assert os.path.exists("died")
    expect_merged("dask")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        write_inputs()
        test_jobs()
        test_dask()
        os.chdir("/")
    print("jobs: as expected")
