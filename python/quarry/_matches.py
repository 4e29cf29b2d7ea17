"""A list of matches as an iterator: the engine runs in a thread of its own, and waits while nobody takes its rows."""
from __future__ import annotations

import atexit
import os
import queue
import threading
from typing import Optional

import numpy as np

from quarry import _quarry
from quarry._calls import lost_in_child

# Blocks that may wait to be taken; with those of the engine's own threads, all the memory that a list takes.
_MAX_WAITING = 4


class _Closed(Exception):
    """Ends the engine's work, because nobody wants the rest."""


class Matches:
    """Iterates over arrays [rows, vertices of the pattern] of ids, in an order that does not depend on threads.

    result: the mine.Result, once all rows were taken; None before.
    Usable in a `with` statement; leaving it, close(), or dropping it ends the work early.
    """

    def __init__(self, graph: _quarry.Graph, pattern: _quarry.GraphPattern, options: dict, make_result, limit: int,
                 name=None):
        self.result = None
        self._name = name
        self._work: Optional[_Work] = _Work(graph, pattern, options, make_result, limit)
        _running.add(self._work)
        self._work.start()

    def __iter__(self) -> Matches:
        return self

    def __next__(self) -> np.ndarray:
        if self._work is None:
            raise StopIteration
        rows, end = self._work.blocks.get()
        if rows is not None:
            return rows if self._name is None else self._name(rows)
        self._work = None
        if isinstance(end, BaseException):
            raise end
        self.result = end
        raise StopIteration

    def close(self) -> None:
        """Ends the work; no more rows come."""
        work, self._work = self._work, None
        if work is not None:
            work.stop()
            work.join()

    def __enter__(self) -> Matches:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        # Without waiting: this may be called within the work itself, whenever Python collects garbage.
        if self._work is not None:
            self._work.stop()


class _Work(threading.Thread):
    """Does not know the Matches it is for, so that dropping these ends it."""

    def __init__(self, graph, pattern, options, make_result, limit):
        super().__init__(daemon=True)
        self.blocks: queue.Queue = queue.Queue(_MAX_WAITING)
        self._closed = False
        self._graph, self._pattern, self._make_result, self._limit = graph, pattern, make_result, limit
        self._wanted_progress = options.get("progress")
        self._options = _quarry.Options(**{**options, "progress": self._progress})

    def run(self) -> None:
        try:
            end = self._make_result(_quarry.list(self._graph, self._pattern, self._options, self._limit, self._take))
        except BaseException as error:  # for the one who iterates
            end = error
        if not self._closed:
            self.blocks.put((None, end))
        _running.discard(self)

    def stop(self) -> None:
        self._closed = True
        # At most one put is under way that did not see the flag: now there is room for it.
        try:
            while True:
                self.blocks.get_nowait()
        except queue.Empty:
            pass

    def _take(self, rows) -> None:
        self._go_on()
        self.blocks.put((rows, None))

    def _progress(self, done: int, total: int) -> None:
        self._go_on()
        if self._wanted_progress is not None:
            self._wanted_progress(done, total)

    def _go_on(self) -> None:
        if self._closed:
            raise _Closed


_running: set = set()


@atexit.register
def _stop_all() -> None:
    """No thread of Python may be within the engine when Python ends."""
    for work in tuple(_running):
        work.stop()
        work.join()


def _lose_all() -> None:
    for work in _running:
        work.blocks = queue.Queue()
        work.blocks.put((None, lost_in_child()))
    _running.clear()


os.register_at_fork(after_in_child=_lose_all)
