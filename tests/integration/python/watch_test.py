"""watch: the same alerts as brute force and the program; live use from several threads; files, arrays, errors, ends."""
import contextlib
import gc
import gzip
import itertools
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

from quarry import mine, watch
import support

PATTERNS = ("a-b", "a:0-b:1", "a-[1]-b-c", "triangle", "a:1-b-c:1-d", "diamond")
FAULTS = ("duplicate edge", "absent edge", "wrong label", "loop", "unknown vertex", "vertex has edges", "unreadable")


class PlainGraph:
    """A graph that changes, and every embedding in it by trying all."""

    def __init__(self, num_vertices, rng):
        self.labels = {v: rng.randrange(2) for v in range(num_vertices)}
        self.edges = {frozenset((a, b)): rng.randrange(2) for b in range(num_vertices) for a in range(b)
                      if rng.random() < 0.3}

    def native(self):
        edges = [sorted(edge) for edge in self.edges]
        return watch.Graph.from_edges(edges, len(self.labels), vertex_labels=list(self.labels.values()),
                                      edge_labels=list(self.edges.values()))

    def fits(self, pattern, images):
        return all(label in (None, self.labels[image]) for label, image in zip(pattern.labels, images)) and all(
            frozenset((images[a], images[b])) in self.edges
            and label in (None, self.edges[frozenset((images[a], images[b]))]) for a, b, label in pattern.edges)

    def embeddings(self, pattern, edge):
        """Those that use the edge."""
        found = set()
        for images in itertools.permutations(self.labels, len(pattern.vertices)):
            uses = any({images[a], images[b]} == edge for a, b, _ in pattern.edges)
            if uses and self.fits(pattern, images):
                found.add(images)
        return found

    def apply(self, update, patterns):
        """@return sign and the embeddings for each pattern; None where nothing changes."""
        op, *fields = update
        if op not in ("e", "-e") or fields[0] == fields[1] or not set(fields[:2]) <= set(self.labels):
            return None
        edge = frozenset(fields[:2])
        if op == "-e":
            if edge not in self.edges or (len(fields) > 2 and fields[2] != self.edges[edge]):
                return None
            found = [self.embeddings(pattern, edge) for pattern in patterns]
            del self.edges[edge]
            return "-", found
        if edge in self.edges:
            return None
        self.edges[edge] = fields[2] if len(fields) > 2 else 0
        return "+", [self.embeddings(pattern, edge) for pattern in patterns]


def random_updates(rng, num_vertices, num_updates):
    updates = []
    for _ in range(num_updates):
        ends = rng.randrange(num_vertices + 1), rng.randrange(num_vertices)
        label = (rng.randrange(2),) if rng.random() < 0.7 else ()
        updates.append((rng.choice(("e", "-e")), *ends, *label))
    return updates


def line_of(update):
    return " ".join(map(str, update)) + "\n"


def complete(num_vertices):
    return np.array([(a, b) for b in range(num_vertices) for a in range(b)])


def complete_graph(num_vertices):
    return watch.Graph.from_edges(complete(num_vertices))._native


def empty(num_vertices):
    return watch.Graph.from_edges([], num_vertices)


def run_watch(*arguments):
    """Standard output of `quarry watch`."""
    done = subprocess.run([support.PROGRAM, "watch", *arguments, "--quiet"], capture_output=True, text=True, check=False)
    assert done.returncode < 2, done.stderr
    return done.stdout


class BruteForce(unittest.TestCase):
    def test_random_streams(self):
        patterns = [watch.parse_pattern(text) for text in PATTERNS]
        for seed in range(4):
            rng = random.Random(seed)
            plain = PlainGraph(6, rng)
            graph, updates = plain.native(), random_updates(rng, 6, 60)
            wanted = [plain.apply(update, patterns) for update in updates]
            for options in ({"threads": 1}, {"threads": 2, "batch": 3}, {"fixed_batch": 7}):
                alerts = watch.run(graph, PATTERNS, updates, list=True, all_embeddings=True, **options)
                self.check(list(alerts), wanted, alerts)
                self.assertEqual(sum(alerts.statistics.faults.values()), wanted.count(None))
                self.assertEqual(alerts.graph.num_edges, len(plain.edges))

    def check(self, alerts, wanted, result):
        found = {(alert.update, alert.pattern): alert for alert in alerts}
        self.assertEqual(list(found), sorted(found))
        for i, outcome in enumerate(wanted):
            sign, embeddings = outcome or ("", [set()] * len(PATTERNS))
            for pattern, images in enumerate(embeddings):
                alert = found.pop((i, pattern), None)
                self.assertEqual(alert is not None, bool(images))
                if alert is not None:
                    automorphisms = result.totals[pattern].automorphisms
                    self.assertEqual((alert.sign, alert.embeddings), (sign, len(images)))
                    self.assertEqual(alert.subgraphs * automorphisms, len(images))
                    self.assertEqual(set(map(tuple, alert.matches.tolist())), images)
        self.assertEqual(found, {})
        for pattern, totals in enumerate(result.totals):
            for sign, total in (("+", totals.positive), ("-", totals.negative)):
                self.assertEqual(total, sum(len(each[1][pattern]) for each in wanted if each and each[0] == sign))


class Program(unittest.TestCase):
    def setUp(self):
        rng = random.Random(7)
        self.updates = random_updates(rng, 9, 400)
        self.updates += [("v", 50, 3), ("e", 50, 1), ("-v", 50), ("-v", 50, 2), ("-v", 77)]
        self.files = contextlib.ExitStack()
        plain = PlainGraph(9, rng)
        text = "".join(f"v {v} {label}\n" for v, label in plain.labels.items())
        text += "".join(f"e {min(edge)} {max(edge)} {label}\n" for edge, label in plain.edges.items())
        self.files.enter_context(support.files(graph_txt=text, updates_txt="".join(map(line_of, self.updates))))
        self.addCleanup(self.files.close)
        self.graph = watch.read_graph("graph.txt")

    def test_same_rows(self):
        arguments = ["graph.txt", *PATTERNS, "--updates", "updates.txt"]
        for cascade in (False, True):
            flags = ["--cascade"] if cascade else []
            lines = run_watch(*arguments, "--list", *flags).splitlines()[1:]
            alerts = watch.run(self.graph, PATTERNS, "updates.txt", list=True, cascade=cascade)
            self.assertEqual(["\t".join(map(str, (alert.update, alert.sign, alerts.patterns[alert.pattern].name, *row)))
                              for alert in alerts for row in alert.matches], lines)
            self.assertGreater(len(lines), 300)
            lines = run_watch(*arguments, "--count", *flags).splitlines()[1:]
            alerts = watch.run(self.graph, PATTERNS, self.updates, cascade=cascade)
            self.assertEqual(["\t".join(map(str, (alert.update, alert.sign, alerts.patterns[alert.pattern].name,
                                                  alert.subgraphs, alert.embeddings))) for alert in alerts], lines)
            self.assertIsNone(alerts.report)

    def test_same_sums(self):
        alerts = watch.run(self.graph, PATTERNS, "updates.txt", digest=True)
        self.assertTrue(all(alert.matches is None for alert in alerts))
        *objects, run = [json.loads(line) for line in run_watch(
            "graph.txt", *PATTERNS, "--updates", "updates.txt", "--json", "--digest", "-o", "/dev/null").splitlines()]
        for wanted, totals in zip(objects, alerts.totals):
            for name in ("automorphisms", "positive", "negative", "positive_subgraphs", "negative_subgraphs",
                         "nonzero_updates", "max_per_update"):
                self.assertEqual(getattr(totals, name), wanted[name])
            for name in ("digest", "hash_positive", "hash_negative"):
                self.assertEqual(f"{getattr(totals, name):016x}", wanted[name])
        statistics = alerts.statistics
        self.assertEqual(tuple(statistics.faults), FAULTS)
        self.assertEqual(statistics.faults, run["invalid"])
        self.assertEqual((statistics.updates, statistics.insertions, statistics.deletions),
                         (len(self.updates), objects[0]["insertions"], objects[0]["deletions"]))
        self.assertEqual(alerts.report, watch.UpdateReport(len(self.updates), 0, [], 0, 0))

    def test_other_files(self):
        pathlib.Path("day.csv.gz").write_bytes(gzip.compress(
            b"from,to,time\n1,2,0\n2,3,1\n1,2,2\nx,1,3\n1,3,3\n4,5,12\n"))
        alerts = watch.run(empty(2), "triangle", "day.csv.gz", window=10, list=True)
        self.assertEqual([(alert.update, alert.sign) for alert in alerts], [(3, "+"), (4, "-")])
        report = alerts.report
        self.assertEqual((report.rows, report.rejected, report.refreshed, report.expired), (6, 1, 1, 2))
        self.assertEqual(report.rejected_rows[0].line, 5)
        pathlib.Path("queries").write_text("t # one\nv 5 1\nv 3 0\ne 3 5 1\n"
                                           "t # two\nv 0 0\nv 1 0\nv 2 1\ne 0 1 0\ne 1 2 0\n")
        patterns = watch.read_graph_patterns("queries")
        self.assertEqual([(each.name, each.labels) for each in patterns], [("one", (0, 1)), ("two", (0, 0, 1))])
        lines = run_watch("graph.txt", "--patterns", "queries", "--updates", "updates.txt").splitlines()[1:]
        alerts = watch.run(self.graph, patterns, "updates.txt", list=True)
        self.assertEqual(["\t".join(map(str, (alert.update, alert.sign, alerts.patterns[alert.pattern].name, *row)))
                          for alert in alerts for row in alert.matches], lines)
        # A pattern of a file, whose name says nothing, is the same for other engines.
        self.assertEqual(mine.count(self.graph, patterns[0]).embeddings,
                         sum(alert.embeddings for alert in watch.run(
                             watch.Graph.from_edges([], 9, vertex_labels=self.graph.vertex_labels), patterns[:1],
                             [("e", int(a), int(b), int(label)) for a, b, label in self.edges()])))

    def edges(self):
        graph = self.graph
        owners = np.repeat(np.arange(len(graph)), graph.degrees)
        return [row for row in zip(owners, graph.neighbours, graph.edge_labels) if row[0] < row[1]]


class Live(unittest.TestCase):
    def tearDown(self):
        deadline = time.monotonic() + 60
        while threading.active_count() > 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(threading.active_count(), 1, "a feeder goes on for nobody")

    def test_one_feeds_and_another_takes(self):
        edges = complete(60)
        with watch.Watch(empty(60), "triangle", list=True, threads=2) as live:
            def feed():
                for _ in range(4):
                    live.insert_edges(edges)
                    live.delete_edges(edges)
                live.close()
            feeder = threading.Thread(target=feed)
            feeder.start()
            sums = {"+": 0, "-": 0}
            last = -1
            for alert in live:
                self.assertGreater(alert.update, last)
                self.assertEqual(alert.matches.shape, (alert.subgraphs, 3))
                last = alert.update
                sums[alert.sign] += alert.subgraphs
            feeder.join()
            self.assertEqual(sums, {"+": 4 * 34220, "-": 4 * 34220})
            self.assertEqual(live.statistics.updates, 8 * len(edges))
            self.assertEqual(live.graph.num_edges, 0)

    def test_feeding_waits_for_those_who_take(self):
        edges = complete(600)
        live = watch.Watch(empty(600), "a-b")
        fed = threading.Event()
        feeder = threading.Thread(target=lambda: (live.insert_edges(edges), fed.set(), live.close()))
        feeder.start()
        self.assertFalse(fed.wait(0.5))
        self.assertEqual([alert.update for alert in live], list(range(len(edges))))
        self.assertTrue(fed.is_set())
        feeder.join()

    def test_alerts_come_at_once(self):
        live = watch.Watch(empty(3), "triangle", list=True)
        for round in range(5):
            for op, sign in (("e", "+"), ("-e", "-")):
                live.feed([(op, 0, 1), (op, 1, 2), (op, 0, 2)])
                self.assertEqual(next(live).sign, sign)
        live.close()
        self.assertEqual(list(live), [])

    def test_patterns_come_and_go(self):
        live = watch.Watch(empty(9), [])
        live.feed(("e", 0, 1))
        self.assertEqual(live.add_pattern("a-b"), 0)
        live.feed(("e", 1, 2))
        self.assertEqual(live.add_pattern(watch.parse_pattern("wedge")), 1)
        live.remove_pattern(0)
        live.feed([("e", 2, 3), ("e", 4, 5)])
        live.remove_pattern(1)
        live.feed(("-e", 2, 3))
        live.close()
        self.assertEqual([alert[:2] for alert in live], [(1, 0), (2, 1)])
        self.assertEqual([pattern.name for pattern in live.patterns], ["a-b", "wedge"])
        self.assertEqual([totals.positive_subgraphs for totals in live.totals], [1, 1])

    def test_updates_in_every_form(self):
        live = watch.Watch(empty(1), "a:7-[3]-b", list=True)
        large = 2**64 - 1
        live.feed(watch.GraphUpdate("insert_edge", 10, 20, 3, adds_ends=True, from_label=7))
        live.feed([("v", large, 7), watch.GraphUpdate("insert_edge", large, 20, 3)])
        live.insert_edges([[20, 0]], [3])
        live.insert_edges(np.array([[large, 5]], np.uint64), adds_ends=True)
        live.feed(watch.GraphUpdate("delete_edge", 20, 10))
        live.feed(np.empty((0, 2)))
        live.feed([])
        live.delete_edges(np.array([[large, 20]], np.uint64), [4])
        live.feed(update for update in [("-e", 20, large), ("-v", large)])
        live.close()
        found = [(alert.update, alert.sign, alert.matches.dtype.name, alert.matches.tolist()) for alert in live]
        self.assertEqual(found, [(0, "+", "int64", [[10, 20]]), (2, "+", "uint64", [[large, 20]]),
                                 (5, "-", "int64", [[10, 20]]), (7, "-", "uint64", [[large, 20]])])
        self.assertEqual({fault for fault, count in live.statistics.faults.items() if count},
                         {"wrong label", "vertex has edges"})

    def test_limits_of_lists(self):
        star = watch.Graph.from_edges([(0, leaf) for leaf in range(1, 40_001)], 40_002)
        alerts = list(watch.run(star, "wedge", [("e", 0, 40_001)], list=True, all_embeddings=True))
        self.assertGreater(len(alerts), 1)  # in parts
        self.assertEqual([alert.subgraphs for alert in alerts], [0] * (len(alerts) - 1) + [40_000])
        self.assertEqual(sum(len(alert.matches) for alert in alerts), 80_000)
        alert, = watch.run(star, "wedge", [("e", 0, 40_001)], list=True, max_results=5)
        self.assertEqual((alert.matches.shape, alert.truncated), ((5, 3), True))

    def test_ended_early(self):
        edges = complete(1000)
        with watch.run(empty(1000), "a-b", edges) as alerts:
            self.assertEqual(next(alerts).update, 0)
        self.assertEqual(list(alerts), [])
        for _ in watch.run(empty(1000), "a-b", edges):
            break
        next(watch.run(empty(1000), "a-b", map(lambda edge: ("e", *map(int, edge)), edges)))
        circle = [watch.run(empty(1000), "a-b", edges)]
        circle.append(circle)
        del circle
        gc.collect()
        live = watch.Watch(empty(1000), "a-b")
        feeder = threading.Thread(target=lambda: self.assertRaises(watch.InputError, live.feed, edges))
        feeder.start()
        next(live)
        live.stop()
        feeder.join()
        self.assertEqual(list(live), [])
        del live

    def test_python_ends_first(self):
        code = ("import numpy as np; from quarry import watch\n"
                "graph = watch.Graph.from_edges([], 1000)\n"
                "alerts = watch.run(graph, 'a-b', np.transpose(np.triu_indices(1000, 1)))\n"
                "live = watch.Watch(graph, 'a-b'); live.feed(('e', 0, 1))\n"
                "print(next(alerts).update, next(live).update)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0 0\n", ""))

    def test_interrupted(self):
        live, full = watch.Watch(empty(2), "a-b"), watch.Watch(empty(1000), "a-b")
        with support.files(many_txt="".join(f"e {a} {b}\n" for a, b in complete(1000))):
            for wait in (lambda: next(live), lambda: full.feed(complete(1000)), lambda: full.feed_file("many.txt")):
                timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
                with self.assertRaises(KeyboardInterrupt):
                    timer.start()
                    wait()
        live.feed(("e", 0, 1))
        self.assertEqual(next(live).update, 0)

    def test_other_threads_run_while_it_waits(self):
        live = watch.Watch(empty(2), "a-b")
        found = []
        taker = threading.Thread(target=lambda: found.extend(live))
        taker.start()
        for _ in range(20):
            time.sleep(0.001)
        live.feed(("e", 0, 1))
        live.close()
        taker.join()
        self.assertEqual(len(found), 1)


class Errors(unittest.TestCase):
    def test_wrong_calls(self):
        graph = empty(3)
        live = watch.Watch(graph, [])
        for error, message, wrong in (
                (TypeError, "expected a quarry.Graph", lambda: watch.Watch({}, "triangle")),
                (TypeError, "text or a Pattern, not int", lambda: watch.Watch(graph, [3])),
                (TypeError, "no option 'thread', only list", lambda: watch.Watch(graph, [], thread=1)),
                (watch.InputError, "'tri' is neither", lambda: watch.Watch(graph, "tri")),
                (watch.InputError, "a batch has 1 to", lambda: watch.Watch(graph, [], batch=0)),
                (watch.InputError, "gpu:0", lambda: watch.Watch(graph, [], device="gpu:0")),
                (watch.InputError, "not \\('e',\\)", lambda: live.feed(("e",))),
                (watch.InputError, "not \\('v', 1, 2, 3\\)", lambda: live.feed(("v", 1, 2, 3))),
                (watch.InputError, "'insert'.* one of insert_edge", lambda: live.feed(watch.GraphUpdate("insert", 1))),
                (TypeError, "expected updates, not str", lambda: live.feed("e 1 2")),
                (TypeError, "expected updates, not int", lambda: live.feed(7)),
                (TypeError, "a tuple or a GraphUpdate, not int", lambda: live.feed([7])),
                (watch.InputError, "numbers from 0 to 18446744073709551615, not -1: ", lambda: live.feed(("e", -1, 2))),
                (watch.InputError, "not 18446744073709551616: ", lambda: live.feed(("-v", 2**64))),
                (TypeError, "the ids of an update are whole numbers, not 1.5: ", lambda: live.feed(("e", 1.5, 2))),
                (TypeError, "not 'ann': ", lambda: live.feed(("e", 0, "ann"))),
                (TypeError, "labels of an update are whole numbers, not 'x': ", lambda: live.feed(("v", 50, "x"))),
                (watch.InputError, "labels .* from 0 to 4294967294", lambda: live.feed(("v", 50, 2**32 - 1))),
                (watch.InputError, "labels .* from 0 to 4294967294, not -2: ", lambda: live.feed(("e", 1, 2, -2))),
                (watch.InputError, "shape \\[edges, 2\\], not \\[3\\]", lambda: live.insert_edges([1, 2, 3])),
                (watch.InputError, "whole numbers, not float64", lambda: live.insert_edges([[1.0, 2]])),
                (watch.InputError, "they go from -1 to 2", lambda: live.insert_edges([[-1, 2]])),
                (watch.InputError, "shape \\[1\\], not \\[2\\]", lambda: live.delete_edges([[1, 2]], [1, 2])),
                (watch.InputError, "no pattern 0", lambda: live.remove_pattern(0)),
                (watch.InputError, "once all its alerts were taken", lambda: live.statistics),
                (watch.InputError, "no-such-file", lambda: live.feed_file("no-such-file")),
                (watch.InputError, "no-such-file", lambda: list(watch.run(graph, [], "no-such-file"))),
                (watch.InputError, "no-such-file", lambda: watch.read_graph_patterns("no-such-file"))):
            with self.assertRaisesRegex(error, message):
                wrong()
        live.close()
        self.assertEqual(list(live), [])
        self.assertEqual(live.statistics.updates, 0)
        with self.assertRaisesRegex(watch.InputError, "after close"):
            live.feed(("e", 0, 1))

    def test_ids_that_are_no_numbers(self):
        edges = [("a", "b"), ("b", "c")]
        triangle = lambda graph: list(watch.run(graph, "triangle", [("e", 0, 2)], list=True))
        for graph, message in ((watch.Graph.from_edges(edges), "vertex 0 of the graph is 'a'"),
                               (watch.Graph(complete_graph(3), names=[0, 2, 1]), "vertex 1 of the graph is 2")):
            for wrong in (triangle, lambda graph: watch.Watch(graph, [])):
                with self.assertRaisesRegex(watch.InputError, message + ", and updates name vertices by whole numbers"):
                    wrong(graph)
        path = watch.Graph.from_edges([(0, 1), (1, 2)])
        self.assertEqual([alert.matches.tolist() for alert in triangle(watch.Graph(path._native, names=range(3)))],
                         [alert.matches.tolist() for alert in triangle(path)])

    def test_hand_made_patterns(self):
        def pattern(labels=(None, 1), edges=((0, 1, 2),)):
            return watch.Pattern("mine", "", ("x", "y", "z")[:len(labels)], labels, edges)
        alerts = watch.run(watch.Graph.from_edges([], 2, vertex_labels=[1, 0]), pattern(), [("e", 0, 1, 2)], list=True)
        self.assertEqual(next(alerts).matches.tolist(), [[1, 0]])
        for wrong in (pattern(edges=((0, 2, 0),)), pattern(edges=((0, 0, 0),)), pattern(edges=()), pattern((1, 1, 1)),
                      pattern(edges=((0, 1, 2), (1, 0, 2)))):
            with self.assertRaises(watch.InputError):
                watch.Watch(empty(2), wrong)

    def test_what_stops_the_engine(self):
        live = watch.Watch(empty(3), "a-b", strict=True)
        live.feed(("e", 0, 1))
        self.assertEqual(next(live).update, 0)
        live.feed(("e", 2, 2))
        for _ in range(2):
            with self.assertRaisesRegex(watch.InputError, "^update 1: loop$"):
                next(live)
        with self.assertRaisesRegex(watch.InputError, "^update 1: loop$"):
            live.feed(("e", 0, 2))
        with self.assertRaises(watch.InputError):
            live.totals  # pylint: disable=pointless-statement

    def test_what_stops_the_feeder(self):
        def updates():
            yield "e", 0, 1
            yield "e", 1, 2
            raise KeyError("no more")
        alerts = watch.run(empty(3), "a-b", updates())
        self.assertEqual([next(alerts).update, next(alerts).update], [0, 1])
        with self.assertRaisesRegex(KeyError, "no more"):
            next(alerts)
        self.assertEqual(list(alerts), [])
        self.assertEqual(alerts.totals[0].positive_subgraphs, 2)


if __name__ == "__main__":
    support.main()
