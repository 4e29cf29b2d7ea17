"""Updates of a graph as they are given from Python, and as the engine takes them."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Optional, Union

import numpy as np

from quarry import _quarry
from quarry.errors import InputError

# Updates of an iterable that are handed on together.
_PART = 1024


@dataclass(frozen=True)
class GraphUpdate:
    """One change of a graph. Vertices are named by their ids, from 0 to 2^64 - 1."""

    kind: str  #: "insert_edge", "delete_edge", "add_vertex", "remove_vertex"
    from_: int  #: an end of the edge, or the vertex
    to: int = 0  #: the other end
    label: Optional[int] = None  #: of the edge or the vertex; None: 0 where it is new, else whatever it has
    adds_ends: bool = False  #: insert_edge: an end that the graph does not have is added, with its label
    from_label: Optional[int] = None  #: of the ends; None: 0 where one is added, else whatever it has
    to_label: Optional[int] = None


OneUpdate = Union[GraphUpdate, tuple]

_KINDS = {"e": "insert_edge", "-e": "delete_edge", "v": "add_vertex", "-v": "remove_vertex"}


def is_tuple(updates) -> bool:
    """Is it one update, not a tuple of several?"""
    return isinstance(updates, tuple) and len(updates) > 0 and isinstance(updates[0], str)


def native_update(update: OneUpdate) -> _quarry.GraphUpdate:
    if isinstance(update, tuple):
        ends = 2 if update[:1] in (("e",), ("-e",)) else 1
        if not update or update[0] not in _KINDS or not ends < len(update) <= ends + 2:
            raise InputError(f"an update is ('e', from, to), ('-e', from, to), ('v', id) or ('-v', id), perhaps with a "
                             f"label, not {update!r}")
        label = update[ends + 1] if len(update) == ends + 2 else None
        update = GraphUpdate(_KINDS[update[0]], update[1], update[2] if ends == 2 else 0, label)
    if not isinstance(update, GraphUpdate):
        raise TypeError(f"expected an update as a tuple or a GraphUpdate, not {type(update).__name__}")
    try:
        return _quarry.GraphUpdate(update.kind, update.from_, update.to, update.label, update.adds_ends, update.from_label,
                                   update.to_label)
    except TypeError:
        _refuse(update)
        raise


def _refuse(update: GraphUpdate) -> None:
    """Raises InputError for a number out of range, TypeError for what is no number."""
    ids, labels = (update.from_, update.to), (update.label, update.from_label, update.to_label)
    for what, highest, values in (("the ids", 2**64 - 1, ids), ("labels", 2**32 - 2, labels)):
        for value in values:
            if value is None and values is labels:
                continue
            if not isinstance(value, (int, np.integer)):
                raise TypeError(f"{what} of an update are whole numbers, not {value!r}: {update}")
            if not 0 <= value <= highest:
                raise InputError(f"{what} of an update are numbers from 0 to {highest}, not {value}: {update}")


def parts_of(updates: Iterable[OneUpdate]):
    """Native updates, some at a time; where one is wrong, those before it come first."""
    if isinstance(updates, str) or not isinstance(updates, Iterable):
        raise TypeError(f"expected updates, not {type(updates).__name__}")
    part = []
    try:
        for update in updates:
            part.append(native_update(update))
            if len(part) == _PART:
                yield part
                part = []
    except Exception:
        if part:
            yield part
        raise
    if part:
        yield part


def edges_of(edges, labels):
    """uint64 [edges, 2], and uint32 [edges] or None. Raises InputError."""
    edges = np.asarray(edges)
    if edges.size == 0:
        edges = np.empty((0, 2), np.uint64)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise InputError(f"edges are an array of the shape [edges, 2], not {list(edges.shape)}")
    if labels is not None:
        labels = np.asarray(labels)
        if labels.shape != (len(edges),):
            raise InputError(f"labels are an array of the shape [{len(edges)}], not {list(labels.shape)}")
        labels = _whole("labels", labels if labels.size else labels.astype(np.uint32), 2**32 - 2, np.uint32)
    return _whole("ids", edges, 2**64 - 1, np.uint64), labels


def _whole(what: str, values: np.ndarray, highest: int, wanted: type) -> np.ndarray:
    if values.dtype.kind not in "iu":
        raise InputError(f"{what} are whole numbers, not {values.dtype}")
    if values.size and (values.min() < 0 or int(values.max()) > highest):
        raise InputError(f"{what} are numbers from 0 to {highest}, and they go from {values.min()} to {values.max()}")
    return np.ascontiguousarray(values, wanted)
