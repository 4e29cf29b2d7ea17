"""mine: the same answers as brute force, published counts and the program, with every option; errors."""
import math
import random
import threading
import time
import unittest

import numpy as np

from quarry import mine
import support

SEARCHES = [{"method": "search", **options} for options in (
    {"orientation": "large-first"}, {"orientation": "small-first", "threads": 1}, {"intersection": "merge"},
    {"intersection": "search"}, {"intersection": "bitmap", "bitmap_degree": 1}, {"split": "vertices"},
    {"split": "edges", "threads": 2}, {"memory_bytes": 2**30})]


def random_graph(seed):
    """A graph of nine vertices, and what it was made of: edges, labels."""
    rng = random.Random(seed)
    edges = [(a, b) for b in range(9) for a in range(b) if rng.random() < 0.45]
    labels = [rng.randrange(2) for _ in range(9)]
    return mine.Graph.from_edges(edges, 9, vertex_labels=labels), edges, labels


class BruteForce(unittest.TestCase):
    def check(self, graph, edges, labels, text):
        pattern = mine.parse_pattern(text)
        size = len(pattern.vertices)
        # The automorphisms of the pattern that keep its labels.
        own_labels = [-1 if label is None else label for label in pattern.labels]
        own = support.embeddings(pattern, [edge[:2] for edge in pattern.edges], size, own_labels)
        own = [images for images in own if [own_labels[image] for image in images] == own_labels]
        for semantics in ("edge-induced", "vertex-induced"):
            found = support.embeddings(pattern, edges, 9, labels, semantics == "vertex-induced")
            wanted = support.subgraphs(pattern, found)
            result = mine.count(graph, text, semantics=semantics)
            self.assertEqual((result.embeddings, result.automorphisms), (len(found), len(own)))
            self.assertEqual(result.subgraphs, len(found) // len(own))
            self.assertEqual((result.pattern, result.semantics), (text, semantics))
            rows = [tuple(map(int, row)) for block in mine.list(graph, text, semantics=semantics) for row in block]
            self.assertEqual(len(rows), result.subgraphs)
            self.assertLessEqual(set(rows), set(found))
            self.assertEqual(support.subgraphs(pattern, rows), wanted)
            sample = mine.sample(graph, text, 5, seed=3, semantics=semantics)
            self.assertEqual(sample.rows.shape, (min(5, len(rows)), size))
            self.assertLessEqual({tuple(row) for row in sample.rows}, set(rows))
            self.assertEqual(sample.result.subgraphs, result.subgraphs)
            counts, total = mine.per_vertex(graph, text, semantics=semantics)
            self.assertEqual(counts.tolist(), [sum(v in row for row in rows) for v in range(9)])
            self.assertEqual(total.subgraphs, result.subgraphs)

    def test_random_graphs(self):
        for seed in (1, 2, 3, 4):
            graph, edges, labels = random_graph(seed)
            for text in ("a-b", "wedge", "triangle", "4-cycle", "house", "bull", "a-b-c-d-e-a, b-d", "5-clique"):
                with self.subTest(seed=seed, pattern=text):
                    self.check(graph, edges, labels, text)

    def test_labels(self):
        graph, edges, labels = random_graph(7)
        for text in ("a:0-b:1", "a:1-b:1-c", "a:1-b:0-c:1-a", "a-b:0-c:0-d"):
            with self.subTest(pattern=text):
                self.check(graph, edges, labels, text)

    def test_edge_labels(self):
        graph = mine.Graph.from_edges([[0, 1], [1, 2], [0, 2]], edge_labels=[7, 8, 7])
        self.assertEqual(mine.count(graph, "a-[7]-b, b-[7]-c").subgraphs, 1)
        self.assertEqual(mine.count(graph, "a-[7]-b, b-[8]-c").subgraphs, 2)

    def test_shards_of_equal_cost(self):
        graph = mine.generate("rmat:9:8:1")
        whole = mine.count(graph, ["house", "triangle"], method="search")
        begins = mine.shard_begins(graph, ["house", "triangle"], num_shards=5)
        self.assertEqual([len(of_layout) for of_layout in begins], [6])
        parts = [mine.count(graph, ["house", "triangle"], shard=shard, num_shards=5, shard_begins=begins)
                 for shard in range(5)]
        for i in range(2):
            self.assertEqual(sum(part[i].subgraphs for part in parts), whole[i].subgraphs)
        self.assertEqual(begins, mine.shard_begins(graph, ["house", "triangle"], num_shards=5, threads=1))
        self.assertEqual(len(mine.shard_begins(graph, "house", num_shards=3)[0]), 4)
        with self.assertRaises(mine.InputError):
            mine.count(graph, "house", num_shards=5, shard_begins=[[0, 1]])

    def test_options(self):
        graph = random_graph(1)[0]
        wanted = mine.count(graph, "house", method="formulas")
        self.assertGreater(wanted.subgraphs, 0)
        self.assertEqual(wanted.method, "formulas")
        for options in SEARCHES:
            with self.subTest(options):
                result = mine.count(graph, "house", **options)
                self.assertEqual((result.subgraphs, result.method), (wanted.subgraphs, "search"))
        self.assertEqual(mine.count(graph, "4-clique", method="cliques").subgraphs,
                         mine.count(graph, "4-clique", method="search").subgraphs)

    def test_motifs(self):
        graph, edges, _ = random_graph(11)
        for size, number in ((3, 2), (4, 6), (5, 21)):
            motifs = mine.motifs(graph, size)
            self.assertEqual(len(motifs.counts), number)
            self.assertGreaterEqual(min(motifs.seconds), 0)
            for motif in motifs.counts:
                pattern = mine.parse_pattern(motif.pattern)
                for vertex_induced, count in ((False, motif.edge_induced), (True, motif.vertex_induced)):
                    found = support.embeddings(pattern, edges, 9, vertex_induced=vertex_induced)
                    self.assertEqual(count * motif.automorphisms, len(found), motif)


class Program(unittest.TestCase):
    """The same as `quarry mine` says of the same."""
    MADE = "rmat:8:6:1"
    KEYS = ("pattern", "semantics", "subgraphs", "embeddings", "automorphisms")

    def setUp(self):
        self.graph = mine.generate(self.MADE)

    def run_json(self, *arguments):
        return support.run_json("--generate", self.MADE, *arguments)

    def test_counts(self):
        patterns = ["triangle", "house", "6-cycle", "a-b-c-d-e-a, a-c"]
        for semantics in ("edge-induced", "vertex-induced"):
            results = mine.count(self.graph, patterns, semantics=semantics)
            objects = self.run_json(*patterns, "--semantics", semantics)
            self.assertEqual([[getattr(result, key) for key in self.KEYS] for result in results],
                             [[one[key] for key in self.KEYS] for one in objects])
        self.assertEqual(self.graph.num_vertices, objects[0]["vertices"])
        self.assertEqual(self.graph.num_edges, objects[0]["edges"])

    def test_motifs(self):
        objects = self.run_json("--motifs", "4")
        self.assertEqual([(motif.pattern, count) for motif in mine.motifs(self.graph, 4).counts
                          for count in (motif.edge_induced, motif.vertex_induced)],
                         [(one["pattern"], one["subgraphs"]) for one in objects])

    def test_rows(self):
        for threads in (1, 2):
            for job, rows in (
                    (["--list"], np.concatenate(tuple(mine.list(self.graph, "diamond", threads=threads)))),
                    (["--sample", "9", "--seed", "3"], mine.sample(self.graph, "diamond", 9, 3, threads=threads).rows)):
                lines = support.run_mine("--generate", self.MADE, "diamond", *job).splitlines()[1:]
                self.assertEqual(["\t".join(map(str, row)) for row in rows], lines)
        counts = mine.per_vertex(self.graph, "diamond").counts
        lines = support.run_mine("--generate", self.MADE, "diamond", "--per-vertex").splitlines()[1:]
        self.assertEqual([f"{v}\t{count}" for v, count in zip(self.graph.ids, counts)], lines)

    def test_limit(self):
        with mine.list(self.graph, "diamond") as every:
            rows = np.concatenate(tuple(every))
        for limit in (1, 7, len(rows) - 1, len(rows), len(rows) + 1):
            some = mine.list(self.graph, "diamond", limit=limit)
            self.assertTrue(np.array_equal(np.concatenate(tuple(some)), rows[:limit]))
            self.assertEqual(some.result.truncated, limit < len(rows))
        self.assertFalse(mine.count(self.graph, "diamond").truncated)

    def test_overflow(self):
        hub = mine.Graph.from_edges([(0, leaf) for leaf in range(1, 1_000_001)])
        seven, three = mine.count(hub, ["star:7", "star:3"])
        self.assertEqual((seven.subgraphs, seven.embeddings), (None, None))
        self.assertEqual(three.subgraphs, math.comb(1_000_000, 3))
        with self.assertRaisesRegex(mine.CapacityError, "'star:7' does not fit 127 bits"):
            mine.count(hub, "star:7")
        found = mine.estimate(hub, "star:10", 100)
        self.assertEqual((found.hits, found.subgraphs), (0, 0))
        self.assertGreater(found.high, math.comb(1_000_000, 10))

    def test_estimates(self):
        found = mine.estimate(self.graph, "house", 5000, seed=9)
        wanted = self.run_json("house", "--estimate", "--descents", "5000", "--seed", "9")[0]
        for key, name in (("estimate", "subgraphs"), ("low", "low"), ("high", "high")):
            self.assertAlmostEqual(wanted[key], getattr(found, name), delta=1e-9 * wanted[key])
        self.assertEqual((found.descents, found.hits), (wanted["descents"], wanted["hits"]))
        self.assertEqual(mine.estimate(self.graph, "house", seed=9).descents, 100_000)


class Manners(unittest.TestCase):
    def test_counts_beyond_64_bits(self):
        star = mine.Graph.from_edges(np.stack([np.zeros(300_000, int), np.arange(1, 300_001)], axis=1))
        for leaves in (4, 6):  # by formula; by search
            result = mine.count(star, f"star:{leaves}")
            self.assertEqual(result.subgraphs, math.comb(300_000, leaves))
            self.assertEqual(result.embeddings, math.perm(300_000, leaves))
            self.assertGreater(result.subgraphs, 2**64)
        with self.assertRaisesRegex(mine.CapacityError, "12[78] bits"):
            mine.count(star, "star:9")

    def test_cost_is_told_before(self):
        graph = mine.generate("rmat:8:8:1")
        told = []
        results = mine.count(graph, ["triangle", "6-clique", "6-cycle"], planned=told.append)
        works = told.pop()
        self.assertEqual(told, [])
        self.assertEqual([(work.method, work.patterns) for work in works],
                         [("formulas", ("triangle",)), ("cliques", ("6-clique",)), ("search", ("6-cycle",))])
        self.assertEqual([work.entries for work in works], [result.cost for result in results])
        self.assertGreater(mine.motifs(graph, 4).cost, works[0].entries)

    def test_progress(self):
        graph = mine.generate("rmat:8:6:1")
        for job in (mine.count, mine.per_vertex, lambda *given, **options: tuple(mine.list(*given, **options))):
            for threads in (1, 2):
                calls = []
                job(graph, "house", threads=threads, progress=lambda *call: calls.append(call), **(
                    {"method": "search"} if job is mine.count else {}))
                self.assertGreater(len(calls), 1)
                self.assertEqual(calls, sorted(calls))
                self.assertEqual({total for _, total in calls}, {calls[-1][0]})

        def stop(done, total):
            raise KeyError("enough")
        for threads in (1, 2):
            with self.assertRaisesRegex(KeyError, "enough"):
                mine.count(graph, "house", method="search", threads=threads, progress=stop)
            with self.assertRaisesRegex(KeyError, "enough"):
                tuple(mine.list(graph, "house", threads=threads, progress=stop))

    def test_other_threads_run_meanwhile(self):
        graph = mine.generate("rmat:10:16:1")
        ended = []
        worker = threading.Thread(target=lambda: ended.append(
            mine.count(graph, "house", method="search", split="vertices", threads=1)))
        worker.start()
        turns = 0
        while worker.is_alive():
            time.sleep(0.001)
            turns += 1
        self.assertGreater(turns, 10)
        self.assertEqual(ended[0].subgraphs, mine.count(graph, "house").subgraphs)

    def test_patterns(self):
        pattern = mine.parse_pattern("x:1-y-[7]-z")
        self.assertEqual((pattern.vertices, pattern.labels), (("x", "y", "z"), (1, None, None)))
        self.assertEqual(pattern.edges, ((0, 1, None), (1, 2, 7)))
        self.assertEqual(str(pattern), "x:1-y, y-[7]-z")
        self.assertEqual(len(mine.patterns()), 29)
        graph = mine.generate("complete:6")
        for name, edges in mine.patterns().items():
            one, two, three = mine.count(graph, [name, edges, mine.parse_pattern(name)])
            self.assertEqual((one.subgraphs, one.automorphisms), (two.subgraphs, two.automorphisms), name)
            self.assertEqual(one.subgraphs, three.subgraphs)
        self.assertEqual(mine.count(graph, []), [])

    def test_errors(self):
        graph = mine.generate("complete:6")
        for error, message, options in (
                (mine.InputError, "method cannot be 'x': it is one of auto, formulas, cliques", {"method": "x"}),
                (mine.InputError, "semantics cannot be 'induced'", {"semantics": "induced"}),
                (mine.InputError, "threads must be 0", {"threads": -1}),
                (mine.InputError, "cannot be -5 bytes", {"memory_bytes": -5}),
                (mine.InputError, "bitmaps are used cannot be -1", {"bitmap_degree": -1}),
                (mine.CapacityError, "the limit is 10", {"memory_bytes": 10, "method": "formulas"}),
                (TypeError, "no option 'thread', only semantics", {"thread": 1}),
                (TypeError, "threads: int", {"threads": "two"}), (TypeError, "threads: int", {"threads": 1.5}),
                (TypeError, "function of", {"progress": 3})):
            with self.subTest(options), self.assertRaisesRegex(error, message):
                mine.count(graph, "house", **options)
            with self.subTest(options, job="list"), self.assertRaises((mine.Error, TypeError)):
                tuple(mine.list(graph, "house", **options))
        for error, message, wrong in (
                (mine.InputError, "'tri' is neither the name", lambda: mine.count(graph, "tri")),
                (mine.InputError, "disconnected", lambda: mine.list(graph, "a-b, c-d")),
                (mine.InputError, "'c-d' is|disconnected", lambda: mine.count(graph, ["triangle", "a-b, c-d"])),
                (mine.CapacityError, "the limit is 16", lambda: mine.parse_pattern("17-clique")),
                (mine.InputError, "asks for vertex labels", lambda: mine.count(graph, "a:1-b")),
                (mine.InputError, "asks for vertex labels", lambda: next(mine.list(graph, "a:1-b"))),
                (mine.InputError, "3, 4 or 5 vertices, not 6", lambda: mine.motifs(graph, 6)),
                (mine.InputError, "counted by formulas", lambda: mine.count(graph, "6-cycle", method="formulas")),
                (mine.InputError, "found by search", lambda: mine.sample(graph, "house", 1, method="formulas")),
                (mine.InputError, "-1 matches", lambda: mine.sample(graph, "house", -1)),
                (mine.InputError, "1 to 1000000000000 descents", lambda: mine.estimate(graph, "house", 0)),
                (TypeError, "expected a quarry.Graph, not dict", lambda: mine.count({}, "house")),
                (TypeError, "text or a Pattern, not int", lambda: mine.count(graph, 3)),
                (TypeError, "text or a Pattern, not int", lambda: mine.count(graph, [3]))):
            with self.assertRaisesRegex(error, message):
                wrong()
        self.assertTrue(issubclass(mine.InputError, ValueError))
        for error in (mine.InputError, mine.CapacityError, mine.DeviceError):
            self.assertTrue(issubclass(error, mine.Error))


class Published(unittest.TestCase):
    def test_every_pattern(self):
        table, path = support.shared_data("reference/graphs.tsv"), support.shared_data("graphs/ca-GrQc.txt.gz")
        if table is None or path is None:
            self.skipTest("no shared data: set QUARRY_DATA")
        rows = [line.split("\t") for line in table.read_text().splitlines() if line.startswith("ca-GrQc\t")]
        self.assertGreaterEqual(len(rows), 29)
        patterns = [f"{edges[1:]}-clique" if edges.startswith("K") else edges for _, _, edges, *_ in rows]
        graph = mine.read_graph(path)
        for semantics, column in (("edge-induced", 3), ("vertex-induced", 4)):
            self.assertEqual([result.subgraphs for result in mine.count(graph, patterns, semantics=semantics)],
                             [int(row[column]) for row in rows])


if __name__ == "__main__":
    support.main()
