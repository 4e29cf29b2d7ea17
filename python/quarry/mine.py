"""Patterns in one large graph: counted, listed, sampled, estimated; exact unless it says estimate.

    from quarry import mine
    graph = mine.read_graph("graph.txt.gz")
    mine.count(graph, "house").subgraphs

A pattern is a text, `triangle`, `5-cycle`, `a-b, b-c, a-c`, with labels `a:1-b:2`, `a-[7]-b`, or a Pattern. Embeddings
that cover the same vertices and edges are one subgraph: embeddings = subgraphs x automorphisms of the pattern.

Every function takes the options of the class Options by name, lets other Python threads run while it works, and raises
InputError (a pattern that cannot be read, a label that no vertex can have, a method that cannot be used), CapacityError
(more memory or larger counts than allowed) or TypeError. Ctrl-C ends a call at once; where the engine is within a long
task it ends a little later, without a result.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional, TypedDict, Union, overload

import numpy as np

from quarry import _quarry
from quarry._calls import Progress, interruptible
from quarry._matches import Matches
from quarry.errors import CapacityError, DeviceError, Error, InputError
from quarry.graph import Graph, generate, named_rows, native_graph, read_graph
from quarry.pattern import AnyPattern, Pattern, native_pattern, parse_pattern, patterns, read_graph_patterns

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["CapacityError", "DeviceError", "Error", "Estimate", "Graph", "InputError", "Matches", "Motif", "Motifs",
           "Options", "Participation", "Pattern", "Result", "Sample", "Seconds", "Work", "count", "estimate", "generate",
           "list", "motifs", "parse_pattern", "patterns", "per_vertex", "read_graph", "read_graph_patterns",
           "sample", "shard_begins"]


@dataclass(frozen=True)
class Work:
    """What one method will do for one or several patterns."""

    method: str
    patterns: tuple[str, ...]
    entries: float  #: of neighbourhoods to look at, estimated


class Options(TypedDict, total=False):
    """What every function takes by name; each may be left out.

    semantics: "edge-induced" (default): other edges may be there too; "vertex-induced": not.
    method: "auto", "formulas", "cliques", "search".
    orientation: "auto", "small-first", "large-first": which vertices have the short lists.
    intersection: "auto", "merge", "search", "bitmap".
    split: "auto", "vertices", "edges": what the tasks of a search begin at.
    bitmap_degree: a search puts neighbourhoods of this size and more into bitmaps; 0: as measured.
    memory_bytes: what the work may take beside the graph; 0: what the machine has left.
    threads: 0: all cores.
    device: "host", or devices that count by search, such as "cuda:0" or "cuda:0,1".
    device_bytes: of each device's memory, at most; 0: three quarters of what is free.
    shard, num_shards: only this shard, from 0, of num_shards that together hold each subgraph once; by search.
    shard_begins: what the function of that name has found; empty: shards are cut by numbers of neighbours.
    progress: called with (done, total), from any thread, one at a time: entries of works, or of a list edges.
    planned: called once before counting begins with what will be done, a sequence of Work.
    """

    semantics: str
    method: str
    orientation: str
    intersection: str
    split: str
    bitmap_degree: int
    memory_bytes: int
    threads: int
    device: str
    device_bytes: int
    shard: int
    num_shards: int
    shard_begins: Sequence[Sequence[int]]
    progress: Optional[Progress]
    planned: Optional[Callable[[Sequence[Work]], None]]


class Seconds(NamedTuple):
    """Elapsed: to put the graph in order, to plan, to run."""

    prepare: float
    plan: float
    run: float


@dataclass(frozen=True)
class Result:
    """How often a pattern is in a graph; whole numbers of any size."""

    pattern: str  #: its name, or the text it was asked for by
    semantics: str
    subgraphs: Optional[int]  #: None where one of several patterns has more than 127 bits count
    embeddings: Optional[int]  #: None where there are more than 128 bits count
    automorphisms: int
    method: str  #: that was used
    seconds: Seconds  #: of all patterns that were counted together
    cost: float  #: Work.entries that were estimated for it; by formulas, of all patterns that have one
    truncated: bool  #: a list that ended at its limit: there are more subgraphs than are counted here


@dataclass(frozen=True)
class Motif:
    """A connected pattern of some size, counted both ways."""

    pattern: str
    edge_induced: int
    vertex_induced: int
    automorphisms: int
    method: str  #: that was used


class Motifs(NamedTuple):
    counts: tuple[Motif, ...]
    seconds: Seconds
    cost: float  #: Work.entries


class Sample(NamedTuple):
    rows: np.ndarray  #: [rows, vertices of the pattern] ids
    result: Result  #: of all matches


class Participation(NamedTuple):
    counts: np.ndarray  #: [vertices] uint64, beside Graph.ids
    result: Result


@dataclass(frozen=True)
class Estimate:
    subgraphs: float
    low: float  #: 95 %
    high: float  #: without a hit an upper bound, also with 95 %
    descents: int
    hits: int  #: descents that ended in a match; where there are few the interval is too narrow
    seconds: float


@overload
def count(graph: Graph, pattern: AnyPattern, **options: Unpack[Options]) -> Result: ...
@overload
def count(graph: Graph, pattern: Iterable[AnyPattern], **options: Unpack[Options]) -> Sequence[Result]: ...
@interruptible
def count(graph, pattern, **options):
    """Counts one pattern, or several together, which computes once what they share.

    Returns a Result, or a list of them in the order of the patterns. A count that overflows is a CapacityError of one
    pattern; of several its Result has None in place of it, and the others are counted.
    """
    if isinstance(pattern, str) or not isinstance(pattern, Iterable):
        return _result(_quarry.count_one(native_graph(graph), native_pattern(pattern), _checked(options)))
    natives = [native_pattern(each) for each in pattern]
    return [_result(found) for found in _quarry.count(native_graph(graph), natives, _checked(options))]


@interruptible
def shard_begins(graph: Graph, pattern: Union[AnyPattern, Iterable[AnyPattern]],
                 **options: Unpack[Options]) -> Sequence[Sequence[int]]:
    """Where `num_shards` shards of about equal cost begin: for the option shard_begins of count and list.

    Found by random descents into the search of the whole graph, and the same for the same graph, patterns and options.
    """
    alone = isinstance(pattern, str) or not isinstance(pattern, Iterable)
    natives = [native_pattern(each) for each in ([pattern] if alone else pattern)]
    return _quarry.shard_begins(native_graph(graph), natives, _checked(options))


@interruptible
def motifs(graph: Graph, size: int, **options: Unpack[Options]) -> Motifs:
    """Counts all connected patterns of 3, 4 or 5 vertices, both ways."""
    rows, seconds, cost = _quarry.motifs(native_graph(graph), size, _checked(options))
    return Motifs(tuple(Motif(*row) for row in rows), Seconds(*seconds), cost)


@interruptible
def sample(graph: Graph, pattern: AnyPattern, size: int, seed: int = 1, **options: Unpack[Options]) -> Sample:
    """`size` of list's matches, any set of them equally likely, in the order of list; all where there are fewer.

    The same seed gives the same sample. rows are as those of list.
    """
    rows, found = _quarry.sample(native_graph(graph), native_pattern(pattern), size, seed, _checked(options))
    return Sample(named_rows(graph, rows), _result(found))


@interruptible
def per_vertex(graph: Graph, pattern: AnyPattern, **options: Unpack[Options]) -> Participation:
    """How many of the subgraphs hold each vertex."""
    counts, found = _quarry.per_vertex(native_graph(graph), native_pattern(pattern), _checked(options))
    return Participation(counts, _result(found))


@interruptible
def estimate(graph: Graph, pattern: AnyPattern, descents: int = 100_000, seed: int = 1,
             **options: Unpack[Options]) -> Estimate:
    """Estimates the number of subgraphs from 1 to 10^12 random descents into the search; unbiased."""
    return Estimate(**_quarry.estimate(native_graph(graph), native_pattern(pattern), descents, seed, _checked(options)))


# The name hides Python's own list from here on; `[...]` makes one.
def list(graph: Graph, pattern: AnyPattern, limit: int = 0, **options: Unpack[Options]) -> Matches:
    """Every subgraph once, as an iterator over arrays [rows, vertices of the pattern] in bounded memory.

        for rows in mine.list(graph, "house"):
            ...

    Column i is the i-th vertex of the pattern (Pattern.vertices); the numbers are ids as the input has them, int64,
    uint64 where an id is 2^63 or more, or the ids themselves where these are text or other objects. The order does not depend on threads. limit: ends after
    this many rows, and Matches.result.truncated says whether there are more; 0: all.
    """
    _checked(options)  # what is wrong shall be said here, not by the thread
    native = native_graph(graph)
    name = (lambda rows: named_rows(graph, rows)) if graph.has_names else None
    return Matches(native, native_pattern(pattern), options, _result, limit, name)


def _checked(options: dict) -> _quarry.Options:
    for name in options:
        if name not in Options.__annotations__:
            raise TypeError(f"there is no option {name!r}, only {', '.join(Options.__annotations__)}")
    planned = options.get("planned")
    if planned is not None:
        if not callable(planned):
            raise TypeError("planned is a function of a sequence of Work, or None")
        options = {**options, "planned": lambda rows: planned(tuple(Work(*row) for row in rows))}
    return _quarry.Options(**options)


def _result(found: dict) -> Result:
    return Result(**{**found, "seconds": Seconds(*found["seconds"])})
