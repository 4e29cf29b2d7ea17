"""Work cut into shards in a folder, for many machines: what `quarry plan`, `work`, `status` and `merge` do.

    from quarry import jobs
    jobs.plan("hits", 64, "match", "drugs.qlib", "alerts.smarts", "--mode", "count")
    for shard in jobs.missing("hits"):      # or on a cluster: examples/dask_jobs.py
        jobs.work("hits", shard)
    jobs.merge("hits", "hits.tsv.zst", summary="alerts.tsv")

Shards are done by the program `quarry`, which is looked for on PATH, or is the one that the environment names as
QUARRY_PROGRAM. Merged outputs have the bytes that the verb alone writes.
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any, Dict, List, Optional

from quarry._calls import Path, path_text
from quarry.errors import InputError, SystemError

__all__ = ["plan", "work", "status", "missing", "merge"]


def plan(folder: Path, shards: int, *command: object) -> None:
    """Plans a job: command is a verb of the program and its arguments. Raises InputError where the folder holds a job."""
    _run("plan", _text(folder), "--shards", str(int(shards)), "--quiet", "--", *map(_text, command))


def work(folder: Path, shard: Optional[int] = None, claim_seconds: int = 60) -> None:
    """Does one shard, or all that is missing and nobody else does. Does nothing where the shard is done already."""
    chosen = [] if shard is None else ["--shard", str(int(shard))]
    _run("work", _text(folder), "--quiet", "--claim-seconds", str(int(claim_seconds)), *chosen)


def status(folder: Path) -> Dict[str, Any]:
    """How far a job is: shards, done, missing, claimed, missing_shards, shards_per_second, slowest."""
    return json.loads(_run("status", _text(folder), "--json"))


def missing(folder: Path) -> List[int]:
    """The numbers of the shards that are not done."""
    numbers: List[int] = []
    for part in filter(None, status(folder)["missing_shards"].split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def merge(folder: Path, output: Optional[Path] = None, **outputs: Path) -> bool:
    """Writes the outputs of a job: output is what the verb has under -o, and summary, matched, unmatched, table and
    rejects are named as there. Returns whether anything was found."""
    if output is not None:
        outputs = {"output": output, **outputs}
    words = [word for name, path in outputs.items() for word in ("--" + name, _text(path))]
    return _run("merge", _text(folder), "--quiet", *words, nothing_found=1) is not None


def _text(word: object) -> str:
    return path_text(word) if isinstance(word, (str, bytes, os.PathLike)) else str(word)  # type: ignore[arg-type]


def _run(*words: str, nothing_found: Optional[int] = None) -> Optional[str]:
    """Standard output; None where the program ends with the status nothing_found."""
    program = os.environ.get("QUARRY_PROGRAM") or shutil.which("quarry")
    if program is None:
        raise SystemError("the program quarry is not on PATH; QUARRY_PROGRAM may name it")
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="surrogateescape")
    if done.returncode == 0:
        return done.stdout
    if done.returncode == nothing_found:
        return None
    sentence = done.stderr.strip().rpartition("\n")[2].removeprefix("quarry: ")
    if done.returncode != 2:
        raise SystemError(f"quarry {words[0]} ended with status {done.returncode}: {sentence}")
    raise InputError(sentence)
