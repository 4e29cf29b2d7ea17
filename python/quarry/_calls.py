"""Calls into the engines: Ctrl-C ends them, and paths are checked before they are handed on."""
from __future__ import annotations

import atexit
import functools
import os
import signal
import sys
import threading
from typing import Any, Callable, Optional, TypeVar, Union

from quarry import _quarry
from quarry.errors import Error, InputError

Path = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], object]
Found = TypeVar("Found")
Function = TypeVar("Function", bound=Callable)

# What an engine that was stopped may take to end before its call is left to itself, and Python's end waits, in seconds.
_GRACE, _LAST_WAIT = 0.3, 5
# A signal ends no wait that begins just after it came, nor one of the main thread if another thread received it: how often a wait
# looks whether one came, in seconds.
LOOK_SECONDS = 0.1


def path_text(path: Path, what: str = "path") -> str:
    """Raises InputError for an empty path, or one with a NUL, which would be cut there."""
    text = os.fsdecode(path)
    if not text:
        raise InputError(f"the {what} is empty")
    if "\0" in text:
        raise InputError(f"the {what} {text!r} contains a NUL character")
    return text


def checked_progress(progress: Optional[Progress]) -> Optional[Progress]:
    if progress is not None and not callable(progress):
        raise TypeError("progress is a function of (done, total), or None")
    return progress


def interruptible(function: Function) -> Function:
    """The function, called by wait_for."""
    @functools.wraps(function)
    def waiting(*positional, **named):
        return wait_for(lambda: function(*positional, **named))
    return waiting  # type: ignore[return-value]


def wait_for(work: Callable[[], Found]) -> Found:
    """work() in a thread of its own, because Python handles signals only in the main thread, and only while that runs
    Python. An engine that does not look whether it was stopped ends by itself later; what it uses stays until then."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    call = _Call(work)
    call.start()
    try:
        while not call.ended.wait(LOOK_SECONDS):
            pass
    except BaseException:
        call.stop.set()
        call.ended.wait(_GRACE)
        raise
    return call.take()


class _Call(threading.Thread):
    def __init__(self, work: Callable[[], Any]):
        super().__init__(daemon=True)
        self.ended, self.stop = threading.Event(), _quarry.Stop()
        self._work: Optional[Callable[[], Any]] = work
        self._found: Any = None
        self._error: Optional[BaseException] = None

    def run(self) -> None:
        _running.add(self)
        _quarry.stop_by(self.stop)
        try:
            self._found = self._work()
        except BaseException as error:  # for the one who waits
            self._error = error
        self._work = None
        _running.discard(self)
        self.ended.set()

    def take(self):
        error, found = self._error, self._found
        self._error = self._found = None
        if error is not None:
            try:
                raise error
            finally:
                del error  # else it would be kept by its own traceback
        return found


_running: set = set()


@atexit.register
def _wait_for_stopped() -> None:
    """A call that was left to itself must not go on while Python is taken down: a thread that then asks for the GIL is
    ended in the middle of C++, which aborts the process. Where Ctrl-C ends Python, the signal does so at once."""
    interrupted = getattr(sys, "last_type", None) is KeyboardInterrupt
    for call in tuple(_running):
        call.join(_GRACE if interrupted else _LAST_WAIT)
    if interrupted and _running:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def lost_in_child() -> Error:
    """What a child after fork, which has none of its parent's threads, says where it would wait for them."""
    return Error("it was begun in another process, whose threads this one does not have: begin it again here")


class Lost:
    """Stands for what works with threads in a child after fork, which keeps it and never touches it."""

    kept: list = []

    def __init__(self, native: Any):
        self.kept.append(native)

    def __getattr__(self, name: str):
        raise lost_in_child()

    def stop(self) -> None:
        pass


os.register_at_fork(after_in_child=_running.clear)
