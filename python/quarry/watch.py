"""Patterns in a graph that changes: which matches each update creates or destroys, in the order of the updates.

    from quarry import watch
    graph = watch.read_graph("graph.txt.gz")
    for alert in watch.run(graph, ["triangle"], "updates.txt", list=True):
        print(alert.update, alert.sign, alert.matches)

An inserted edge creates the embeddings of the graph after it that use the edge; a deleted edge destroys those of the
graph before it. Embeddings that cover the same vertices and edges are one subgraph. An update that cannot be applied is
skipped and counted by kind (Statistics.faults); it keeps its position. What is reported does not depend on threads.

run() is for updates that are there, Watch for those that come: one thread feeds, another takes alerts. Both take the
options of the class Options by name, let other Python threads run while they wait, end at Ctrl-C, and raise InputError
(a pattern or an update that cannot be read, a graph whose ids are no numbers), CapacityError (more memory or larger
counts than allowed) or TypeError.

Source: DCSM: Wei, thesis, University of Iowa 2026, chapter 1; docs/engines/watch.md says what differs.
"""
from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional, TypedDict, Union

import numpy as np

from quarry import _quarry
from quarry._calls import Lost, Path, path_text, wait_for
from quarry._quarry import RejectedRow
from quarry._updates import GraphUpdate, OneUpdate, edges_of, is_tuple, native_update, parts_of
from quarry.errors import CapacityError, Error, InputError
from quarry.graph import Graph, generate, numbered_graph, read_graph
from quarry.pattern import AnyPattern, Pattern, native_pattern, parse_pattern, read_graph_patterns

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["Alert", "Alerts", "CapacityError", "Error", "Graph", "GraphUpdate", "InputError", "Options", "Pattern",
           "PatternTotals", "ResponseTimes", "Statistics", "UpdateReport", "Watch", "generate", "parse_pattern",
           "read_graph", "read_graph_patterns", "run"]

# How long Python waits at its end for a thread that feeds, in seconds.
_LAST_WAIT = 5


class Options(TypedDict, total=False):
    """What run and Watch take by name; each may be left out.

    list: the matches themselves, not only their number.
    all_embeddings: with list, every embedding; else one of each subgraph.
    max_results: with list, matches of one update and pattern, at most; 0: all.
    batch: updates that are applied together, at most; on a device also searched for together.
    wait_ms: how long the first update of a batch waits for others, at most, in milliseconds.
    fixed_batch: above 0, wait for this number of updates, search them, apply them, strictly in turn: to compare with.
    cascade: a vertex that is removed or relabelled loses its edges first.
    strict: an update that cannot be applied is an InputError.
    digest: sum up hashes of all embeddings, which are then all visited.
    threads: 0: all cores.
    device: "host", or devices that search batch by batch, such as "cuda:0" or "cuda:0,1".
    device_bytes: of each device's memory, at most; 0: three quarters of what is free.
    """

    list: bool
    all_embeddings: bool
    max_results: int
    batch: int
    wait_ms: float
    fixed_batch: int
    cascade: bool
    strict: bool
    digest: bool
    threads: int
    device: str
    device_bytes: int


class Alert(NamedTuple):
    """What one update did to one pattern. A long list comes in several alerts, of which the last has the numbers."""

    update: int  #: position in the order in which updates were fed, from 0
    pattern: int  #: number of the pattern, in the order in which they were given
    created: bool  #: else destroyed
    truncated: bool  #: there were more matches than max_results
    subgraphs: int
    embeddings: int
    matches: Optional[np.ndarray]  #: with list: [rows, vertices of the pattern] ids, int64, or uint64 for large ones

    @property
    def sign(self) -> str:
        """ "+" where matches were created, "-" where they were destroyed."""
        return "+" if self.created else "-"


class ResponseTimes(NamedTuple):
    """Of all updates, in microseconds."""

    p50: float
    p95: float
    p99: float
    max: float


@dataclass(frozen=True)
class Statistics:
    """Of all updates, those that were skipped included."""

    updates: int
    insertions: int  #: of edges
    deletions: int  #: of edges
    faults: dict[str, int]  #: updates that were skipped, by kind
    prepare_seconds: float
    run_seconds: float
    run_cpu_seconds: float  #: of all threads of the process while the engine ran
    start: ResponseTimes  #: from arrival to the start of the search, since the patterns changed last
    done: ResponseTimes  #: from arrival to delivery, likewise
    versions_created: int  #: of rows, beside the newest of each vertex
    versions_freed: int
    versions_most: int
    peak_bytes: int  #: of the graph
    threads: int


@dataclass(frozen=True)
class PatternTotals:
    """Sums over all updates."""

    positive: int  #: embeddings created
    negative: int  #: embeddings destroyed
    positive_subgraphs: int
    negative_subgraphs: int
    nonzero_updates: int
    max_per_update: int
    truncated: int
    digest: int
    hash_positive: int  #: with the option digest, as the next
    hash_negative: int
    automorphisms: int


@dataclass(frozen=True)
class UpdateReport:
    """What was in a file of updates. With a window, updates = rows - refreshed + expired."""

    rows: int  #: lines that are neither blank, comment nor header
    rejected: int  #: lines that could not be read
    rejected_rows: Sequence[RejectedRow]  #: the first 1000 of them
    refreshed: int  #: rows that repeated a present edge in a window
    expired: int  #: deletions that the window made
    ignored_columns: Sequence[str] = ()  #: names that mean nothing here, of the header or of the first object


Updates = Union[OneUpdate, np.ndarray, Iterable[OneUpdate]]


class Watch:
    """A graph that one thread changes while another iterates over the alerts, and patterns that come and go.

        with watch.Watch(graph, ["triangle"], list=True) as live:
            threading.Thread(target=listen, args=(live,)).start()  # calls live.feed(...), at the end live.close()
            for alert in live:
                ...

    The queues between them are bounded: feed waits while the engine is behind, and the engine waits while nobody takes
    alerts. A thread that feeds and takes alerts in turn must not feed more than some thousand updates at a time.
    Leaving the `with` statement, stop(), or dropping the watch ends the work; what was not delivered is dropped.

    patterns: [Pattern] by number, removed ones included.

    Raises InputError, CapacityError, TypeError.
    """

    def __init__(self, graph: Graph, patterns: Iterable[AnyPattern], **options: Unpack[Options]):
        self.patterns: list[Pattern] = [_pattern(each) for each in _several(patterns)]
        natives = [native_pattern(each) for each in self.patterns]
        self._native = wait_for(lambda: _quarry.Watch(numbered_graph(graph), natives, _checked(options)))
        _open.add(self)

    def feed(self, updates: Updates) -> None:
        """Appends updates, and waits for room. The first that is ever fed has the position 0.

        updates: a tuple ("e", from, to), ("-e", from, to), ("v", id) or ("-v", id), with a label at its end if wanted,
        which insert and delete an edge, add and remove a vertex; a GraphUpdate; an iterable of these; or an array
        [edges, 2] of edges to insert.

        Raises what has stopped the engine, for example InputError with strict; InputError after close() or stop(), or
        for an update that cannot be read. Those before it are fed.
        """
        if isinstance(updates, np.ndarray):
            self.insert_edges(updates)
        elif isinstance(updates, GraphUpdate) or is_tuple(updates):
            self._native.feed([native_update(updates)])
        else:
            for part in parts_of(updates):
                self._native.feed(part)

    def insert_edges(self, edges, labels=None, *, adds_ends: bool = False) -> None:
        """Inserts edges, each an update of its own, in their order.

        edges: ids [edges, 2]. labels: [edges], or None: 0. adds_ends: ends that are not there are added, with label 0.
        Raises as feed.
        """
        self._native.feed_edges(*edges_of(edges, labels), True, adds_ends)

    def delete_edges(self, edges, labels=None) -> None:
        """Deletes edges, each an update of its own. labels: [edges], or None: whatever they have. Raises as feed."""
        self._native.feed_edges(*edges_of(edges, labels), False, False)

    def feed_file(self, path: Path, *, format: str = "", window: float = 0) -> UpdateReport:
        """Feeds all updates of a file, as run() takes it. Raises as feed; InputError where the file is missing."""
        return UpdateReport(*self._native.feed_file(path_text(path), format, window))

    def close(self) -> None:
        """No more updates come. What was fed is still worked on, and its alerts can be taken."""
        self._native.close()

    def add_pattern(self, pattern: AnyPattern) -> int:
        """Watches a pattern from the next update that is fed on. Returns its number. Raises as feed."""
        pattern = _pattern(pattern)
        self.patterns.append(pattern)
        try:
            return self._native.add_pattern(native_pattern(pattern))
        except Exception:
            self.patterns.pop()
            raise

    def remove_pattern(self, pattern: int) -> None:
        """What is fed from now on does nothing to it. Raises as feed; InputError where there is no such pattern."""
        self._native.remove_pattern(pattern)

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> Alert:
        found = self._native.next()
        if found is None:
            raise StopIteration
        return Alert._make(found)

    def stop(self) -> None:
        """Ends the work; no more alerts come. Waits for the search under way."""
        self._native.stop()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    @property
    def statistics(self) -> Statistics:
        """Once all alerts were taken, after close(). Raises InputError before, and after stop()."""
        found = self._native.statistics()
        return Statistics(**{**found, "start": ResponseTimes(*found["start"]), "done": ResponseTimes(*found["done"])})

    @property
    def totals(self) -> list[PatternTotals]:
        """[patterns]; when, as statistics."""
        return [PatternTotals(**each) for each in self._native.totals()]

    @property
    def graph(self) -> Graph:
        """As all updates left it; when, as statistics."""
        return Graph(self._native.graph())


def run(graph: Graph, patterns: Iterable[AnyPattern], updates: Union[Path, np.ndarray, Iterable[OneUpdate]], *,
        format: str = "", window: float = 0, **options: Unpack[Options]) -> Alerts:
    """The alerts of all updates of a file or an iterable, which a thread of its own feeds.

        alerts = watch.run(graph, ["triangle"], [("e", 1, 2), ("-e", 3, 4)])
        for alert in alerts:
            ...
        alerts.totals[0].positive

    patterns: texts, or Pattern of read_graph_patterns.
    updates: the path of a file, also .gz, .zst, .bz2 or .xz, "-" for standard input; or what Watch.feed takes.
    format: "updates", "csv", "tsv" or "jsonl"; empty: by the name of the file, else "updates".
    window: rows of the file have time stamps, numbers or dates (ISO 8601); an edge is deleted this long after it was last
        seen, in the unit of the numbers, or in seconds. 0: they have none.

    Raises InputError, CapacityError, TypeError; what is wrong with updates only while iterating.
    """
    return Alerts(Watch(graph, patterns, **options), updates, format, window)


class Alerts:
    """Iterates over the alerts of run(). Dropping it, or leaving a `with` statement, ends the work early."""

    def __init__(self, watch: Watch, updates, format: str, window: float):
        self._watch = watch
        self._feeder = _Feeder(watch._native, updates, format, window)
        self._feeder.start()

    def __iter__(self) -> Alerts:
        return self

    def __next__(self) -> Alert:
        try:
            return next(self._watch)
        except StopIteration:
            if self._feeder.error is not None:
                error, self._feeder.error = self._feeder.error, None
                raise error from None
            raise

    def close(self) -> None:
        """Ends the work; no more alerts come."""
        self._feeder.stopped = True
        self._watch.stop()

    def __enter__(self) -> Alerts:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        # The feeder keeps the native watch: without this it would go on for nobody.
        self._watch.stop()

    @property
    def patterns(self) -> list[Pattern]:
        """[Pattern] by number."""
        return self._watch.patterns

    @property
    def statistics(self) -> Statistics:
        """Once all alerts were taken. Raises InputError before."""
        return self._watch.statistics

    @property
    def totals(self) -> list[PatternTotals]:
        """[patterns], once all alerts were taken. Raises InputError before."""
        return self._watch.totals

    @property
    def graph(self) -> Graph:
        """As the updates left it, once all alerts were taken. Raises InputError before."""
        return self._watch.graph

    @property
    def report(self) -> Optional[UpdateReport]:
        """What was in the file, once all alerts were taken; None before, and where updates came from no file."""
        return self._feeder.report


class _Feeder(threading.Thread):
    """Does not know the Alerts it is for, so that dropping these ends it."""

    def __init__(self, native: _quarry.Watch, updates, format: str, window: float):
        super().__init__(daemon=True)
        self.error: Optional[BaseException] = None
        self.stopped = False  # so that nothing more can be fed
        self.report: Optional[UpdateReport] = None
        self._native, self._updates, self._format, self._window = native, updates, format, window
        _feeders.add(self)

    def run(self) -> None:
        try:
            if isinstance(self._updates, (str, os.PathLike)):
                report = self._native.feed_file(path_text(self._updates), self._format, self._window)
                self.report = UpdateReport(*report)
            elif isinstance(self._updates, np.ndarray):
                self._native.feed_edges(*edges_of(self._updates, None), True, False)
            else:
                for part in parts_of(self._updates):
                    self._native.feed(part)
        except BaseException as error:  # for the one who iterates
            if not self.stopped:
                self.error = error
        self._native.close()
        _feeders.discard(self)


_open: weakref.WeakSet = weakref.WeakSet()
_feeders: set = set()


@atexit.register
def _stop_all() -> None:
    """No thread of Python may be within the engine when Python ends."""
    for each in tuple(_open):
        each.stop()
    for feeder in tuple(_feeders):
        feeder._native.stop()
        feeder.join(_LAST_WAIT)


def _lose_all() -> None:
    for each in tuple(_open):
        each._native = Lost(each._native)
    Lost.kept.extend(feeder._native for feeder in _feeders)
    _open.clear()
    _feeders.clear()


os.register_at_fork(after_in_child=_lose_all)

def _several(patterns) -> Iterable[AnyPattern]:
    return [patterns] if isinstance(patterns, (str, Pattern)) else patterns


def _pattern(pattern: AnyPattern) -> Pattern:
    return parse_pattern(pattern) if isinstance(pattern, str) else pattern


def _checked(options: dict) -> _quarry.WatchOptions:
    for name in options:
        if name not in Options.__annotations__:
            raise TypeError(f"there is no option {name!r}, only {', '.join(Options.__annotations__)}")
    return _quarry.WatchOptions(**options)
