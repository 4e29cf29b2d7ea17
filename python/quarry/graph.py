"""One large graph: undirected and simple, with labels where the input has them; read, generated or made of arrays."""
from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterable
from typing import Any, Optional

import numpy as np

from quarry import _quarry
from quarry._calls import Path, Progress, checked_progress, interruptible, path_text
from quarry._quarry import GraphReport
from quarry.errors import CapacityError, InputError

# Numbers above this, and this often the ends of edges, are ids that were not numbered, and would take much memory.
_MANY_VERTICES, _MOST_ISOLATED = 2**24, 16
# Edges of a list that are converted between two looks whether Ctrl-C was pressed: some hundredths of a second.
_PIECE = 2**17
# 2^32 - 1 stands for "no vertex" and for "any label".
_MAX_NUMBER = 2**32 - 2


class Graph:
    """Vertices 0 to n - 1 in compressed sparse rows. Made by read_graph, generate or Graph.from_edges.

    report: what was in the file and what was cleaned; None unless the graph was read from one.
    """

    def __init__(self, native: _quarry.Graph, report: Optional[GraphReport] = None, names: Optional[Iterable] = None):
        self._native = native
        self.report = report
        self._names = _objects(native.names if names is None else names)

    @staticmethod
    @interruptible
    def from_edges(edges, num_vertices: Optional[int] = None, *, vertex_labels=None, edge_labels=None) -> Graph:
        """A graph of edges between vertices that are numbered from 0, or named.

        edges: whole numbers [edges, 2], an array or what makes one. Loops and repeated edges are left out. Where they are
            text, str in all places, it becomes the ids of the vertices, in the order in which edges name them.
        num_vertices: by default the highest number and one; not for edges of text.
        vertex_labels, edge_labels: whole numbers from 0 to 4294967294, [num_vertices] and [edges], or None.

        From a SciPy sparse matrix: Graph.from_edges(np.transpose(matrix.nonzero()), matrix.shape[0]).
        Where ids are far apart: ids, edges = np.unique(rows, return_inverse=True); edges = edges.reshape(-1, 2).

        Raises InputError for another shape or type, numbers beside text, a negative number, or a vertex that is not there; CapacityError
        for a number above 4294967294, and without num_vertices where nearly all vertices would be isolated.
        """
        edges, names = _converted_edges(edges)
        if names is not None:
            if num_vertices not in (None, len(names)):
                raise InputError(f"edges of text name {len(names)} vertices, so num_vertices cannot be {num_vertices}")
            num_vertices = len(names)
        if num_vertices is None:
            num_vertices = int(edges.max()) + 1 if edges.size else 0
            if num_vertices > max(_MANY_VERTICES, _MOST_ISOLATED * edges.size):
                raise CapacityError(f"{len(edges)} edges would make a graph of {num_vertices} vertices: number them by "
                                    "np.unique(edges, return_inverse=True), or give num_vertices")
        if vertex_labels is not None:
            vertex_labels = _labels("vertex", vertex_labels, num_vertices)
        if edge_labels is not None:
            edge_labels = _labels("edge", edge_labels, len(edges))
        return Graph(_quarry.from_edges(num_vertices, edges, vertex_labels, edge_labels), names=names)

    @staticmethod
    def from_networkx(graph: Any, *, vertex_label: Optional[str] = None, edge_label: Optional[str] = None) -> Graph:
        """A graph of NetworkX, whose nodes may be anything: they are the ids, in their order.

        vertex_label, edge_label: the attribute with whole numbers from 0 that becomes the label. Loops and repeated
        edges are left out. Raises InputError for a directed graph, or where a node or an edge has no such attribute.
        """
        nodes = list(graph.nodes)
        numbers = {node: number for number, node in enumerate(nodes)}
        edges = list(graph.edges(data=True))
        return _of_other(graph.is_directed(), nodes, [(numbers[a], numbers[b]) for a, b, _ in edges], len(nodes),
                         _values(vertex_label, "node", [graph.nodes[node] for node in nodes]),
                         _values(edge_label, "edge", [data for _, _, data in edges]))

    @staticmethod
    def from_igraph(graph: Any, *, vertex_label: Optional[str] = None, edge_label: Optional[str] = None) -> Graph:
        """A graph of igraph; ids are the attribute "name" of its vertices, or their numbers. Else as from_networkx."""
        named = "name" in graph.vs.attributes()
        return _of_other(graph.is_directed(), graph.vs["name"] if named else None, graph.get_edgelist(), graph.vcount(),
                         _values(vertex_label, "vertex", [vertex.attributes() for vertex in graph.vs]),
                         _values(edge_label, "edge", [edge.attributes() for edge in graph.es]))

    @property
    def num_vertices(self) -> int:
        return self._native.num_vertices

    @property
    def num_edges(self) -> int:
        return self._native.num_edges

    @functools.cached_property
    def ids(self) -> np.ndarray:
        """[vertices]: the vertices as the input named them; int64, uint64 where an id is 2^63 or more, or objects: str where
        ids are text in a file or in edges, and the nodes of a graph of NetworkX."""
        return self._native.ids if self._names is None else self._names

    @property
    def has_names(self) -> bool:
        """Are the ids objects, not numbers?"""
        return self._names is not None

    @property
    def degrees(self) -> np.ndarray:
        """[vertices]"""
        return np.diff(self.offsets.astype(np.int64))

    @property
    def offsets(self) -> np.ndarray:
        """[vertices + 1] into neighbours: row v is neighbours[offsets[v]:offsets[v + 1]]. A view, read-only."""
        return self._native.offsets

    @property
    def neighbours(self) -> np.ndarray:
        """[2 x edges], ascending within a row; vertices, not ids. A view, read-only."""
        return self._native.neighbours

    @property
    def vertex_labels(self) -> Optional[np.ndarray]:
        """[vertices], or None. A view, read-only."""
        return self._native.vertex_labels

    @property
    def edge_labels(self) -> Optional[np.ndarray]:
        """[2 x edges] beside neighbours, or None. A view, read-only."""
        return self._native.edge_labels

    @interruptible
    def write_qgraph(self, path: Path) -> None:
        """Writes a file that read_graph opens without reading it; of nodes of NetworkX their numbers. Raises SystemError, or
        InputError where the ids were text in a file, which this format does not keep."""
        self._native.write_qgraph(path_text(path))

    @interruptible
    def write_edge_list(self, path: Path) -> None:
        """Writes each edge once as `id<tab>id`, compressed where the path ends in .gz, .zst, .bz2 or .xz; of nodes of NetworkX their
        numbers. Raises SystemError."""
        self._native.write_edge_list(path_text(path))

    def _native_without_names(self) -> _quarry.Graph:
        """A .qgraph keeps no names."""
        if not self._native.has_names:
            return self._native
        begins = np.repeat(np.arange(self.num_vertices), self.degrees)
        once = begins <= self.neighbours
        edges = np.column_stack([begins[once], self.neighbours[once]]).astype(np.uint32)
        labels = self.edge_labels
        return _quarry.from_edges(self.num_vertices, edges, self.vertex_labels, None if labels is None else labels[once])

    def __getstate__(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.qgraph")
            self._native_without_names().write_qgraph(path)
            with open(path, "rb") as file:
                data = file.read()
        report = self.report
        if isinstance(report, GraphReport):
            fields = [name for name, value in vars(GraphReport).items() if isinstance(value, property)]
            report = _PickledReport({name: getattr(report, name) for name in fields}, repr(report))
        return {"data": data, "report": report, "names": self._names}

    def __setstate__(self, state: dict) -> None:
        with tempfile.NamedTemporaryFile(suffix=".qgraph") as file:  # mapped, so the name is not needed afterwards
            file.write(state["data"])
            file.flush()
            self._native = read_graph(file.name)._native
        self.report, self._names = state["report"], state["names"]

    def __len__(self) -> int:
        return self.num_vertices

    def __repr__(self) -> str:
        labels = [kind for kind, there in (("vertex", self.vertex_labels), ("edge", self.edge_labels))
                  if there is not None]
        suffix = f", {' and '.join(labels)} labels" if labels else ""
        return f"Graph({self.num_vertices} vertices, {self.num_edges} edges{suffix})"


class _PickledReport:
    """The fields of a GraphReport."""

    def __init__(self, fields: dict, text: str):
        self.__dict__.update(fields, _text=text)

    def __repr__(self) -> str:
        return self._text


@interruptible
def read_graph(path: Path, *, format: str = "", edge_labels: bool = False, vertex_labels: Path = "",
               skip_bad: bool = False, memory_bytes: int = 0, scratch: Path = "", threads: int = 0,
               progress: Optional[Progress] = None) -> Graph:
    """Reads a graph: a list of edges, an adjacency list, Matrix Market, METIS, `labelled`, GraphML, GML, Pajek or .qgraph;
    text also as .gz, .zst, .bz2 or .xz.

    format: "edges", "names", "adjlist", "mtx", "metis", "labelled", "graphml", "gml", "pajek",
        "qgraph"; empty: recognised by content, then by name, but "adjlist"
        (a row is a vertex and its neighbours) has to be named.
    edge_labels: of edges and mtx, the third column is the label of the edge; else it is ignored.
    vertex_labels: for edges and mtx, a file with the rows `id label`, a row for every vertex.
    skip_bad: a bad line is counted and named in Graph.report, and the run goes on; else it is an InputError.
    memory_bytes: what reading may take; 0: what the machine has to spare.
    scratch: of text, a folder for files without a name that hold the edges, for graphs larger than memory.
    threads: 0: all cores.
    progress: called with (done, total) in bytes of the file; total is 0 where it is not known.

    Raises InputError (names file, line and reason); CapacityError for too many vertices or too little memory.
    """
    native, report = _quarry.read_graph(
        path_text(path), format=format, edge_labels=edge_labels,
        vertex_labels=path_text(vertex_labels) if vertex_labels else "", skip_bad=skip_bad, memory_bytes=memory_bytes,
        scratch=path_text(scratch) if scratch else "", threads=threads, progress=checked_progress(progress))
    return Graph(native, report)


@interruptible
def generate(text: str, threads: int = 0) -> Graph:
    """Makes a graph, the same for any number of threads.

    text: `rmat:SCALE:EDGEFACTOR:SEED`, `er:N:M:SEED`, `grid:W:H`, `complete:N`, `theory:N1-N2-...[-B1k|-B2k]`.

    Raises InputError for another text; CapacityError for more than a graph or this machine can hold.
    """
    return Graph(_quarry.generate(text, threads))


def _converted_edges(edges: Any) -> tuple[np.ndarray, Optional[list[str]]]:
    """uint32 [edges, 2], and the names of the vertices where edges are text. Raises InputError, CapacityError."""
    if not isinstance(edges, (list, tuple)):
        edges = np.asarray(edges)
        _require_edges(edges.shape if edges.size else (0, 2))
        if edges.size and edges.dtype.kind in "iu":
            return _numbers("the vertices of edges", edges), None
    names: dict[str, int] = {}
    pieces = [np.empty((0, 2), np.uint32)]
    for begin in range(0, len(edges), _PIECE):
        _quarry.look()
        rows = edges[begin:begin + _PIECE]
        try:
            piece = np.asarray(rows.tolist() if isinstance(rows, np.ndarray) and rows.dtype.kind == "O" else rows)
        except ValueError as error:
            raise InputError(f"edges are an array of the shape [edges, 2], not rows of several lengths: {error}") from None
        if piece.size == 0 and begin == 0 and len(rows) == len(edges):
            break
        _require_edges((len(edges), *piece.shape[1:]))
        if piece.dtype.kind in "UTO":
            piece = _numbered(rows, names)
        elif names:
            raise InputError(f"the vertices of edges are text in some rows, and {piece.dtype} in others")
        pieces.append(_numbers("the vertices of edges", piece))
    return np.concatenate(pieces), list(names) or None


def _require_edges(shape: tuple) -> None:
    if len(shape) != 2 or shape[1] != 2:
        raise InputError(f"edges are an array of the shape [edges, 2], not {list(shape)}")


def _numbered(edges: Any, names: dict[str, int]) -> np.ndarray:
    """The numbers of the vertices, which `names` counts. Raises InputError unless all are text."""
    rows = edges.tolist() if isinstance(edges, np.ndarray) else edges
    numbers = np.empty((len(rows), 2), np.int64)
    for i, (a, b) in enumerate(rows):
        for name in (a, b):
            if not isinstance(name, str):
                raise InputError(f"the vertices of edges are all text, or all numbers up to {_MAX_NUMBER}, and one is "
                                 f"{name!r}")
        numbers[i] = names.setdefault(a, len(names)), names.setdefault(b, len(names))
    return numbers


def _of_other(directed: bool, names: Optional[Iterable], edges: list, num_vertices: int, vertex_labels: Optional[list],
              edge_labels: Optional[list]) -> Graph:
    if directed:
        raise InputError("the graph is directed, and Quarry's are not: make it undirected first")
    graph = Graph.from_edges(edges, num_vertices, vertex_labels=vertex_labels, edge_labels=edge_labels)
    return Graph(graph._native, names=names)


def _objects(items: Optional[Iterable]) -> Optional[np.ndarray]:
    """An array of the items, also where these are tuples, which NumPy would take for rows."""
    if items is None:
        return None
    items = list(items)
    array = np.empty(len(items), object)
    array[:] = items
    return array


def _values(attribute: Optional[str], what: str, items: list[dict]) -> Optional[list]:
    if attribute is None:
        return None
    for number, item in enumerate(items):
        if item.get(attribute) is None:
            raise InputError(f"{what} {number} has no attribute {attribute!r}")
    return [item[attribute] for item in items]


def native_graph(graph: Graph) -> _quarry.Graph:
    """Raises TypeError for something else."""
    if not isinstance(graph, Graph):
        raise TypeError(f"expected a quarry.Graph, not {type(graph).__name__}: read_graph or Graph.from_edges make it")
    return graph._native


def numbered_graph(graph: Graph) -> _quarry.Graph:
    """Of a graph whose ids are numbers, as the engine has them. Raises TypeError for something else, InputError where ids
    are text or other objects, unless these are 0, 1, 2, ... in their order."""
    native = native_graph(graph)
    if graph.has_names and not native.has_names:
        other = next((i for i, name in enumerate(graph.ids) if name != i), None)
        if other is not None:
            raise InputError(f"vertex {other} of the graph is {graph.ids[other]!r}, and updates name vertices by whole numbers, "
                             "which those of a list of edges are, or nodes 0, 1, 2, ... in this order, as "
                             "networkx.convert_node_labels_to_integers makes them")
    return native


def named_rows(graph: Graph, rows: np.ndarray) -> np.ndarray:
    """The ids of rows of the engine, which has numbers of vertices where ids are text."""
    return graph.ids[rows] if graph.has_names else rows


def _numbers(what: str, values) -> np.ndarray:
    """The values with 32 bits. Raises InputError, CapacityError."""
    values = np.asarray(values)
    if values.dtype.kind not in "iu":
        raise InputError(f"{what} are whole numbers, not {values.dtype}")
    if values.size and values.min() < 0:
        raise InputError(f"{what} are numbers from 0, and one is {values.min()}")
    if values.size and values.max() > _MAX_NUMBER:
        raise CapacityError(f"{what} are at most {_MAX_NUMBER}, and one is {values.max()}")
    return np.ascontiguousarray(values, np.uint32)


def _labels(kind: str, labels, wanted: int) -> np.ndarray:
    labels = np.asarray(labels)
    if labels.shape != (wanted,):
        raise InputError(f"{kind} labels are an array of the shape [{wanted}], not {list(labels.shape)}")
    return _numbers(f"{kind} labels", labels if labels.size else labels.astype(np.uint32))
