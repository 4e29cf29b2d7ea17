"""Large results as iterators: the engine runs in a thread of its own, and waits while nobody takes its blocks."""
from __future__ import annotations

import atexit
import os
import queue
import threading
from typing import Any, Callable, Generic, Optional, TypeVar

from quarry import _quarry
from quarry._calls import LOOK_SECONDS, lost_in_child

Block = TypeVar("Block")

# Blocks that may wait to be taken.
_MAX_WAITING = 2


class _Closed(Exception):
    """Ends the engine's work, because nobody wants the rest."""


class Blocks(Generic[Block]):
    """Iterates over parts of a result, in order.

    result: what `produce` returned, once all parts were taken; None before.
    Usable in a `with` statement; leaving it, close(), or dropping it ends the work early.
    """

    def __init__(self, produce: Callable[[Callable[[Block], None]], Any]):
        self.result: Any = None
        self._work: Optional[_Producer] = _Producer(produce)
        _running.add(self._work)
        self._work.start()

    def __iter__(self) -> Blocks[Block]:
        return self

    def __next__(self) -> Block:
        if self._work is None:
            raise StopIteration
        found, error, ended = self._work.take()
        if not ended:
            return found
        self._work = None
        if error is not None:
            raise error
        self.result = found
        raise StopIteration

    def close(self) -> None:
        """Ends the work; no more blocks come."""
        work, self._work = self._work, None
        if work is not None:
            work.stop()
            work.join()

    def __enter__(self) -> Blocks[Block]:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        # Without waiting: this may be called within the work itself, whenever Python collects garbage.
        if self._work is not None:
            self._work.stop()


class _Producer(threading.Thread):
    """Does not know the Blocks it is for, so that dropping these ends it."""

    def __init__(self, produce: Callable[[Callable[[Any], None]], Any]):
        super().__init__(daemon=True)
        self.blocks: queue.Queue = queue.Queue(_MAX_WAITING)
        self._produce, self._closed, self._token = produce, False, _quarry.Stop()

    def run(self) -> None:
        _quarry.stop_by(self._token)
        found = error = None
        try:
            found = self._produce(self._put)
        except BaseException as thrown:  # for the one who iterates
            error = thrown
        if not self._closed:
            self.blocks.put((found, error, True))
        _running.discard(self)

    def take(self) -> tuple:
        while True:
            try:
                return self.blocks.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                pass

    def stop(self) -> None:
        self._closed = True
        self._token.set()
        # At most one put is under way that did not see the flag: now there is room for it.
        try:
            while True:
                self.blocks.get_nowait()
        except queue.Empty:
            pass

    def _put(self, block: Any) -> None:
        if self._closed:
            raise _Closed
        self.blocks.put((block, None, False))


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
        work.blocks.put((None, lost_in_child(), True))
    _running.clear()


os.register_at_fork(after_in_child=_lose_all)
