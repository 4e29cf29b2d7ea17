"""Graphs: read, generated, made of arrays of good and bad shapes, written, and seen as arrays."""
import os
import pickle
import tempfile
import unittest

import numpy as np

import quarry
from quarry import Graph, mine
import support

try:
    import networkx
except ImportError:
    networkx = None
try:
    import igraph
except ImportError:
    igraph = None

TRIANGLE = [[0, 1], [1, 2], [0, 2]]


class Names(unittest.TestCase):
    """Ids that are text."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "people.csv")
        with open(self.path, "wb") as file:
            file.write("bob,Jörg\nbob,carol\ncarol,Jörg\ndan,\udce9\n".encode("utf-8", "surrogateescape"))

    def test_come_back(self):
        graph = mine.read_graph(self.path)
        self.assertEqual(graph.ids.tolist(), ["Jörg", "bob", "carol", "dan", "\udce9"])
        self.assertTrue(graph.has_names and graph.report.names)
        rows = np.concatenate(tuple(mine.list(graph, "triangle")))
        self.assertEqual([sorted(row) for row in rows], [["Jörg", "bob", "carol"]])
        self.assertEqual(sorted(mine.sample(graph, "triangle", 2).rows[0]), ["Jörg", "bob", "carol"])
        counts = mine.per_vertex(graph, "triangle").counts
        self.assertEqual(dict(zip(graph.ids, counts)), {"Jörg": 1, "bob": 1, "carol": 1, "dan": 0, "\udce9": 0})
        self.assertEqual(mine.sample(graph, "4-clique", 2).rows.shape, (0, 4))
        again = pickle.loads(pickle.dumps(graph))
        self.assertEqual((again.ids.tolist(), again.neighbours.tolist()), (graph.ids.tolist(), graph.neighbours.tolist()))
        self.assertFalse(Graph.from_edges(TRIANGLE).has_names)

    def test_adjacency_list(self):
        with open(self.path, "w") as file:
            file.write("1 2 3\n2 3\n4\n")
        with self.assertRaisesRegex(quarry.InputError, "adjlist where a row is a vertex and its neighbours"):
            mine.read_graph(self.path)
        graph = mine.read_graph(self.path, format="adjlist")
        self.assertEqual((graph.num_vertices, graph.num_edges), (4, 3))
        report = mine.read_graph(self.path, format="edges", skip_bad=True).report
        self.assertEqual((report.ignored_columns, report.ignoring_rows, report.ragged_rows), (1, 1, 1))


class FromEdges(unittest.TestCase):
    def test_whatever_makes_an_array(self):
        for dtype in (np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, ">i4"):
            graph = Graph.from_edges(np.array(TRIANGLE, dtype))
            self.assertEqual((graph.num_vertices, graph.num_edges), (3, 3), dtype)
        columns = np.array(TRIANGLE).T
        for edges in (TRIANGLE, [tuple(edge) for edge in TRIANGLE], columns.T, np.array(TRIANGLE + TRIANGLE)[::2],
                      np.asfortranarray(TRIANGLE)):
            self.assertEqual(mine.count(Graph.from_edges(edges), "triangle").subgraphs, 1)
        before = np.array(TRIANGLE)
        before.flags.writeable = False
        self.assertEqual(Graph.from_edges(before, 5).num_vertices, 5)

    def test_cleaned(self):
        graph = Graph.from_edges([[0, 1], [1, 0], [0, 1], [2, 2]], edge_labels=[4, 5, 6, 7])
        self.assertEqual((len(graph), graph.num_edges), (3, 1))
        self.assertEqual(graph.edge_labels.tolist(), [4, 4])

    def test_none(self):
        for nothing in ([], np.empty((0, 2), int), np.empty((0, 2))):
            self.assertEqual(len(Graph.from_edges(nothing)), 0)
        graph = Graph.from_edges([], 4, vertex_labels=[1, 1, 1, 2], edge_labels=[])
        self.assertEqual((len(graph), graph.num_edges, graph.degrees.tolist()), (4, 0, [0, 0, 0, 0]))
        self.assertEqual(mine.count(graph, "triangle").subgraphs, 0)
        rows, result = mine.sample(graph, "triangle", 5)
        self.assertEqual((rows.shape, rows.dtype, result.subgraphs), ((0, 3), np.int64, 0))

    def test_labels(self):
        graph = Graph.from_edges(TRIANGLE, vertex_labels=np.array([1, 2, 2**32 - 2]), edge_labels=[7, 8, 9])
        self.assertEqual(graph.vertex_labels.tolist(), [1, 2, 2**32 - 2])
        self.assertEqual(graph.edge_labels.tolist(), [7, 9, 7, 8, 9, 8])
        self.assertEqual(repr(graph), "Graph(3 vertices, 3 edges, vertex and edge labels)")

    def test_text(self):
        """Names of vertices, in the order of the edges."""
        rows = [("bob", "ann"), ("bob", "cyd"), ("cyd", "ann"), ("dan", "dan")]
        for edges in (rows, tuple(rows), np.array(rows), np.array(rows, object), np.array(rows)[::1]):
            graph = Graph.from_edges(edges, vertex_labels=[1, 2, 1, 3], edge_labels=[5, 6, 7, 8])
            self.assertEqual(graph.ids.tolist(), ["bob", "ann", "cyd", "dan"])
            self.assertEqual({type(id) for id in graph.ids}, {str})
            self.assertTrue(graph.has_names)
            found = np.concatenate(list(mine.list(graph, "triangle"))).tolist()
            self.assertEqual([sorted(row) for row in found], [["ann", "bob", "cyd"]])
            self.assertEqual(mine.count(graph, "a:1-[5]-b:2").subgraphs, 1)
            self.assertEqual(pickle.loads(pickle.dumps(graph)).ids.tolist(), graph.ids.tolist())
        self.assertEqual(Graph.from_edges(np.array([[0, 1]], object)).ids.tolist(), [0, 1])

    def test_long_lists(self):
        """They are converted in pieces."""
        for kind in (int, str):
            edges = [(kind(i), kind(i + 1)) for i in range(300000)]
            graph = Graph.from_edges(edges)
            self.assertEqual((len(graph), graph.num_edges, graph.ids.tolist()[-1]), (300001, 300000, kind(300000)))

    def test_errors(self):
        for error, message, wrong in (
                (quarry.InputError, r"\[edges, 2\], not \[3\]", lambda: Graph.from_edges([1, 2, 3])),
                (quarry.InputError, r"not \[1, 3\]", lambda: Graph.from_edges([[1, 2, 3]])),
                (quarry.InputError, r"not \[1, 2, 2\]", lambda: Graph.from_edges([[[1, 2], [3, 4]]])),
                (quarry.InputError, "whole numbers, not float64", lambda: Graph.from_edges([[0.0, 1.0]])),
                (quarry.InputError, "whole numbers, not bool", lambda: Graph.from_edges([[True, False]])),
                (quarry.InputError, "several lengths", lambda: Graph.from_edges([(0, 1), (2,)])),
                (quarry.InputError, "whole numbers, not .S1", lambda: Graph.from_edges(np.array([[b"a", b"b"]]))),
                (quarry.InputError, "all text, or all numbers.* one is 1$", lambda: Graph.from_edges([("a", 1)])),
                (quarry.InputError, "text in some rows", lambda: Graph.from_edges([("a", "b")] * 2**17 + [(1, 2)])),
                (quarry.InputError, "and one is 1$", lambda: Graph.from_edges([(1, 2)] * 200000 + [("a", "b")])),
                (quarry.InputError, "one is None", lambda: Graph.from_edges([("a", None)])),
                (quarry.InputError, "name 2 vertices, so num_vertices", lambda: Graph.from_edges([("a", "b")], 3)),
                (quarry.InputError, "from 0, and one is -1", lambda: Graph.from_edges([[0, -1]])),
                (quarry.InputError, "only 2 vertices", lambda: Graph.from_edges([[0, 2]], 2)),
                (quarry.InputError, "cannot have -1 vertices", lambda: Graph.from_edges([], -1)),
                (quarry.CapacityError, "one is 4294967295", lambda: Graph.from_edges([[0, 2**32 - 1]])),
                (quarry.CapacityError, "one is 18446744073709551615", lambda: Graph.from_edges(
                    np.array([[0, 2**64 - 1]], np.uint64))),
                (quarry.CapacityError, "np.unique", lambda: Graph.from_edges([[0, 2**32 - 2]])),
                (quarry.InputError, r"\[3\], not \[2\]", lambda: Graph.from_edges(TRIANGLE, vertex_labels=[1, 2])),
                (quarry.InputError, r"\[3\], not \[2\]", lambda: Graph.from_edges(TRIANGLE, edge_labels=[1, 2])),
                (quarry.CapacityError, "one is 4294967295", lambda: Graph.from_edges(
                    TRIANGLE, vertex_labels=[1, 2, 2**32 - 1])),
                (quarry.InputError, "labels are whole", lambda: Graph.from_edges(TRIANGLE, edge_labels=[.1, 2, 3])),
                (TypeError, "int", lambda: Graph.from_edges(TRIANGLE, 3.5))):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                wrong()


class Files(unittest.TestCase):
    def test_ids_and_report(self):
        with support.files(graph_txt=support.GRAPH, labels_txt=support.LABELS):
            graph = mine.read_graph("graph.txt", vertex_labels="labels.txt")
            self.assertEqual(repr(graph), "Graph(5 vertices, 6 edges, vertex labels)")
            self.assertEqual(graph.ids.tolist(), [10, 20, 30, 40, 900000000000])
            self.assertEqual(graph.ids.dtype, np.int64)
            self.assertEqual(mine.count(graph, "a:1-b:2, b-c:2, a-c").subgraphs, 2)
            rows = np.concatenate(tuple(mine.list(graph, "triangle")))
            self.assertEqual(sorted(map(sorted, rows.tolist())), [[10, 20, 30], [20, 30, 40]])
            self.assertEqual(mine.per_vertex(graph, "triangle").counts.tolist(), [1, 2, 2, 1, 0])
            report = graph.report
            self.assertEqual((report.format, report.rows, report.ok, report.comments), ("edges", 6, 6, 1))
            self.assertEqual(report.stated_vertices, None)
            self.assertTrue(report.sparse_ids)
            self.assertEqual(repr(report),
                             "GraphReport(edges: rows 6 = ok 6 + rejected 0; 5 vertices, 6 edges)")

    def test_highest_ids(self):
        for top, dtype in ((2**63 - 1, np.int64), (2**63, np.uint64), (2**64 - 1, np.uint64)):
            with support.files(graph_txt=f"1 2\n2 {top}\n1 {top}\n"):
                graph = mine.read_graph("graph.txt")
                self.assertEqual((graph.ids.dtype, graph.ids.tolist()), (dtype, [1, 2, top]))
                rows = next(mine.list(graph, "triangle"))
                self.assertEqual((rows.dtype, sorted(rows[0].tolist())), (dtype, [1, 2, top]))

    def test_bad_lines(self):
        with support.files(graph_txt="1 2\nx y\n2 3\n"):
            with self.assertRaisesRegex(quarry.InputError, "graph.txt.*2"):
                mine.read_graph("graph.txt", format="edges")
            report = mine.read_graph("graph.txt", format="edges", skip_bad=True).report
            self.assertEqual((report.rows, report.ok, report.rejected), (3, 2, 1))
            self.assertEqual(report.rejected_rows[0].line, 2)
            with self.assertRaisesRegex(quarry.InputError, "xls"):
                mine.read_graph("graph.txt", format="xls")
            with self.assertRaisesRegex(TypeError, "threads: int"):
                mine.read_graph("graph.txt", threads="two")
        with self.assertRaisesRegex(quarry.InputError, "absent.txt: No such file"):
            mine.read_graph("absent.txt")

    def test_progress_and_edge_labels(self):
        with support.files(graph_txt="1 2 7\n2 3 8\n1 3 7\n"):
            calls = []
            graph = mine.read_graph("graph.txt", edge_labels=True, threads=1,
                                    progress=lambda done, total: calls.append((done, total)))
            self.assertEqual(calls[-1], (18, 18))
            self.assertEqual(mine.count(graph, "a-[7]-b-[7]-c").subgraphs, 1)

    def test_written_and_read_again(self):
        graph = mine.generate("rmat:8:6:1")
        with support.files():
            graph.write_qgraph("graph.qgraph")
            graph.write_edge_list("graph.txt.gz")
            for name in ("graph.qgraph", "graph.txt.gz"):
                again = mine.read_graph(name)
                self.assertEqual(simple(again), simple(graph))
        with self.assertRaisesRegex(quarry.SystemError, "cannot write"):
            graph.write_qgraph("/nowhere/graph.qgraph")

    def test_generated(self):
        self.assertEqual(repr(mine.generate("complete:5")), "Graph(5 vertices, 10 edges)")
        self.assertIsNone(mine.generate("complete:5").report)
        with self.assertRaisesRegex(quarry.InputError, "ring:5"):
            mine.generate("ring:5")


class Arrays(unittest.TestCase):
    def test_views(self):
        graph = Graph.from_edges(TRIANGLE + [[2, 3]])
        neighbours = graph.neighbours
        self.assertEqual((graph.offsets.tolist(), neighbours.tolist()), ([0, 2, 4, 7, 8], [1, 2, 0, 2, 0, 1, 3, 2]))
        self.assertEqual((graph.degrees.tolist(), graph.ids.tolist()), ([2, 2, 3, 1], [0, 1, 2, 3]))
        self.assertIsNone(graph.vertex_labels)
        self.assertTrue(np.shares_memory(neighbours, graph.neighbours))
        with self.assertRaises(ValueError):
            neighbours[0] = 3
        del graph  # the array keeps what it shows
        self.assertEqual(neighbours.tolist(), [1, 2, 0, 2, 0, 1, 3, 2])


def simple(graph):
    return [(graph.ids[a], graph.ids[b]) for a, b in support.simple_edges(graph)]


class OtherLibraries(unittest.TestCase):
    def check(self, graph, names):
        self.assertEqual(graph.ids.tolist(), names)
        self.assertTrue(graph.has_names)
        self.assertEqual(mine.count(graph, "triangle").subgraphs, 1)
        rows = np.concatenate(list(mine.list(graph, "triangle")))
        self.assertEqual([sorted(row) for row in rows.tolist()], [["ann", "bob", "cyd"]])
        self.assertEqual(graph.vertex_labels.tolist(), [1, 2, 1, 3])
        self.assertEqual(mine.count(graph, "a:1-[5]-b:2").subgraphs, 1)
        self.assertEqual(pickle.loads(pickle.dumps(graph)).ids.tolist(), names)

    @unittest.skipIf(networkx is None, "no python3-networkx")
    def test_networkx(self):
        other = networkx.MultiGraph()
        for name, kind in (("ann", 1), ("bob", 2), ("cyd", 1), ("dan", 3)):
            other.add_node(name, kind=kind)
        other.add_edges_from([("ann", "bob", {"weight": 5}), ("bob", "cyd", {"weight": 6}), ("cyd", "ann", {"weight": 7}),
                              ("ann", "bob", {"weight": 5}), ("dan", "dan", {"weight": 1})])
        self.check(mine.Graph.from_networkx(other, vertex_label="kind", edge_label="weight"), ["ann", "bob", "cyd", "dan"])
        other = networkx.karate_club_graph()
        self.assertEqual(mine.count(mine.Graph.from_networkx(other), "triangle").subgraphs,
                         sum(networkx.triangles(other).values()) // 3)
        tuples = mine.Graph.from_networkx(networkx.grid_2d_graph(2, 3))
        self.assertEqual(tuples.ids[4], (1, 1))
        for wrong, options, message in ((networkx.DiGraph([(1, 2)]), {}, "is directed"),
                                        (networkx.Graph([(1, 2)]), {"vertex_label": "x"}, "node 0 has no attribute 'x'"),
                                        (networkx.Graph([(1, 2)]), {"edge_label": "x"}, "edge 0 has no attribute 'x'")):
            with self.assertRaisesRegex(mine.InputError, message):
                mine.Graph.from_networkx(wrong, **options)
        self.assertEqual(len(mine.Graph.from_networkx(networkx.Graph())), 0)

    @unittest.skipIf(igraph is None, "no python3-igraph")
    def test_igraph(self):
        other = igraph.Graph(n=4, edges=[(0, 1), (1, 2), (2, 0), (0, 1), (3, 3)],
                             vertex_attrs={"name": ["ann", "bob", "cyd", "dan"], "kind": [1, 2, 1, 3]},
                             edge_attrs={"weight": [5, 6, 7, 5, 1]})
        self.check(mine.Graph.from_igraph(other, vertex_label="kind", edge_label="weight"), ["ann", "bob", "cyd", "dan"])
        self.assertEqual(mine.Graph.from_igraph(igraph.Graph.Full(4)).ids.tolist(), [0, 1, 2, 3])
        with self.assertRaisesRegex(mine.InputError, "is directed"):
            mine.Graph.from_igraph(igraph.Graph([(0, 1)], directed=True))


if __name__ == "__main__":
    support.main()
