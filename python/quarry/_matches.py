"""A list of matches as an iterator."""
from __future__ import annotations

import numpy as np

from quarry import _quarry
from quarry._blocks import Blocks


class Matches(Blocks[np.ndarray]):
    """Iterates over arrays [rows, vertices of the pattern] of ids, in an order that does not depend on threads.

    result: the mine.Result, once all rows were taken; None before.
    Usable in a `with` statement; leaving it, close(), or dropping it ends the work early.
    """

    def __init__(self, graph: _quarry.Graph, pattern: _quarry.GraphPattern, options: dict, make_result, limit: int,
                 name=None):
        def produce(put):
            take = put if name is None else lambda rows: put(name(rows))
            # Made here, in the thread that works: its progress looks whether this thread is to stop.
            native = _quarry.Options(**options)
            return make_result(_quarry.list(graph, pattern, native, limit, take))

        super().__init__(produce)
