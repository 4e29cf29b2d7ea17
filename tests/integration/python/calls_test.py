"""How calls end: by Ctrl-C, in children after fork, with paths that are none; and results that travel as pickles."""
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import time
import unittest

import numpy as np

import quarry
from quarry import dock, mine, watch
import support

EXAMPLES = support.REPOSITORY / "examples"
DRUGS = [line.split()[0] for line in (EXAMPLES / "drugs.smi").read_text().splitlines() if line[:2].strip("# ")]
LIMIT_SECONDS = 2  # a second, on a machine with other work

# What each call takes is made before it, and would take much longer than the test waits.
ENDLESS = {
    "estimate": "mine.estimate(graph(12), '12-cycle', 30_000_000)",
    "per_vertex": "mine.per_vertex(graph(14), '6-cycle')",
    "per_vertex of a hub": "mine.per_vertex(star, 'star:4')",
    "count": "mine.count(graph(14), '7-cycle')",
    "sample": "mine.sample(graph(14), '6-cycle', 5)",
    "generate": "mine.generate('rmat:23:16:1')",
    "match": "quarry.match(drugs * 400, ['[#6]~[#6]~[#6]'], mode='count')",
    "read_library": "quarry.read_library(drugs * 400)",
    "similar": "quarry.similar(drugs * 400, normalize='as-is', k=1)",
    "cluster": "quarry.cluster(drugs * 400, 0.9, normalize='as-is')",
    "pick": "quarry.pick(drugs * 400, 100_000, normalize='as-is')",
    "ecfp4": "quarry.ecfp4(drugs * 400)",
    "match_blocks": "for block in quarry.match_blocks(drugs * 400, ['[#6]~[#6]~[#6]']): pass",
}
CHILD = """
import os, signal, sys, threading, time
import quarry
from quarry import mine
drugs = {drugs!r}
star = mine.Graph.from_edges([(0, leaf) for leaf in range(1, 2000)])
def graph(scale):
    return mine.generate(f"rmat:{{scale}}:16:1")
for scale in (12, 14, 16):
    if f"graph({{scale}})" in {call!r}:
        made = graph(scale)
        graph = lambda scale: made
        break
def press():
    time.sleep(0.4)
    times.append(time.monotonic())
    {kill}
times = []
threading.Thread(target=press).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - times[0], flush=True)
    os._exit(0)
print("ended", flush=True)
"""


class Interrupt(unittest.TestCase):
    def test_every_call(self):
        for name, call in ENDLESS.items():
            with self.subTest(name):
                self.expect_end(call, "os.kill(os.getpid(), signal.SIGINT)")

    def test_signals_that_another_thread_receives(self):
        for name in ("count", "match_blocks"):
            with self.subTest(name):
                self.expect_end(ENDLESS[name], "signal.pthread_kill(threading.get_ident(), signal.SIGINT)")

    def expect_end(self, call, kill):
        code = CHILD.format(drugs=DRUGS, call=call, kill=kill)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.stderr, "")
        self.assertNotEqual(done.stdout, "ended\n")
        self.assertLess(float(done.stdout), LIMIT_SECONDS)

    def test_end_of_python(self):
        """One that nobody catches ends the process as a signal does; after a caught one Python ends too."""
        code = "from quarry import mine\nprint('go', flush=True)\nmine.estimate(mine.generate('rmat:12:16:1'), '12-cycle', 30_000_000)"
        caught = "try:\n    " + code.replace("\n", "\n    ") + "\nexcept KeyboardInterrupt:\n    print('caught')"
        for program, wanted in ((code, -signal.SIGINT), (caught, 0)):
            with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
                child.stdout.readline()
                try:
                    child.wait(0.7)
                except subprocess.TimeoutExpired:
                    pass
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.wait(12), wanted)


    def test_end_of_python_while_a_call_goes_on(self):
        """A thread that asks for the GIL while Python is taken down would abort the process."""
        code = """
import time
class Slow:
    def __del__(self, sleep=time.sleep): sleep(2)
slow = Slow()
from quarry import _calls, mine
_calls._GRACE = 0  # the call is left to itself at once
graph = mine.generate('rmat:12:16:1')
print('go', flush=True)
mine.estimate(graph, '12-cycle', 30_000_000)
"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            errors = child.communicate(timeout=30)[1].decode()
            self.assertEqual(child.returncode, -signal.SIGINT, errors)
            self.assertIn("KeyboardInterrupt", errors)


class Fork(unittest.TestCase):
    def test_child_can_call(self):
        """After the parent has used all engines, and while it has results that are not taken yet."""
        code = textwrap.dedent("""
            import os, sys, faulthandler
            import quarry
            from quarry import mine, watch
            drugs = {drugs!r}
            def use():
                graph = mine.generate("rmat:9:8:1")
                library = quarry.read_library(drugs)
                return [mine.count(graph, "house").subgraphs, mine.count(graph, "house", method="search").subgraphs,
                        len(quarry.match(library, ["[OX2H]", "c"])), float(quarry.similar(library).sum()),
                        len(quarry.cluster(library, 0.5).centroids), quarry.pick(library, 9).indices.tolist(),
                        int(quarry.ecfp4(drugs).sum()), sum(len(rows) for rows in mine.list(graph, "triangle")),
                        len(list(watch.run(graph, ["triangle"], [("e", 1, 2), ("-e", 1, 2)])))]
            wanted = use()
            waiting = mine.list(mine.generate("rmat:12:16:1"), "house")
            blocks = quarry.match_blocks(drugs * 3, ["c"])
            child = os.fork()
            if child == 0:
                faulthandler.dump_traceback_later(60, exit=True)
                os._exit(0 if use() == wanted else 3)
            assert os.waitpid(child, 0)[1] == 0
            waiting.close()
            assert use() == wanted
        """).format(drugs=DRUGS)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200)
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_what_the_parent_began(self):
        """A child cannot go on with a work whose threads it does not have. What has ended, it may take: these have not."""
        graph = mine.generate("rmat:9:8:1")
        molecules = quarry.match_blocks(DRUGS * 400, ["[#6]~[#6]~[#6]"])
        for begun, use in ((mine.list(graph, "house"), next), (molecules, next),
                           (watch.Watch(graph, ["triangle"]), lambda live: live.feed([("e", 1, 2)])),
                           (watch.run(graph, ["triangle"], [("e", 1, 2)]), next)):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                try:
                    use(begun)
                except quarry.Error as error:
                    os._exit(0 if "another process" in str(error) else 4)
                finally:
                    os._exit(3)
            self.assertEqual(os.waitpid(child, 0)[1], 0, begun)
            (begun.stop if hasattr(begun, "stop") else begun.close)()


class Pickle(unittest.TestCase):
    def test_results(self):
        again = lambda thing: pickle.loads(pickle.dumps(thing))
        with self.assertWarns(quarry.RejectedWarning):
            library = quarry.read_library([*DRUGS[:20], "bad("], ids=range(21))
        copy = again(library)
        self.assertEqual((copy.ids, copy.records, copy.rejected, copy.num_rows, copy.report),
                         (library.ids, library.records, library.rejected, library.num_rows, library.report))
        for mode in ("first", "unique"):
            found = quarry.match(library, ["c", "[OX2H]"], mode=mode)
            copy = again(found)
            np.testing.assert_array_equal(copy.to_csr().toarray(), quarry.match(again(library), ["c", "[OX2H]"],
                                                                                mode=mode).to_csr().toarray())
            self.assertEqual((copy.ids, copy.rejected, copy.shape), (found.ids, found.rejected, (21, 2)))
        clusters, picks = quarry.cluster(library, 0.5), quarry.pick(library, 4)
        np.testing.assert_array_equal(again(clusters).labels, clusters.labels)
        self.assertEqual(again(picks).ids, picks.ids)

    def test_graphs(self):
        again = lambda thing: pickle.loads(pickle.dumps(thing))
        with support.files(graph_txt=support.GRAPH + "x y\n", labels_txt=support.LABELS):
            graph = mine.read_graph("graph.txt", vertex_labels="labels.txt", skip_bad=True)
            copy = again(graph)
        self.assertEqual(copy.ids.tolist(), graph.ids.tolist())
        for name in ("offsets", "neighbours", "vertex_labels"):
            np.testing.assert_array_equal(getattr(copy, name), getattr(graph, name))
        self.assertIsNone(copy.edge_labels)
        self.assertEqual((copy.report.rows, copy.report.rejected, copy.report.rejected_rows[0].line,
                          copy.report.format), (7, 1, 8, "edges"))
        self.assertEqual(repr(copy.report), repr(graph.report))
        self.assertIsNone(again(mine.generate("complete:5")).report)
        for thing in (mine.count(graph, "triangle"), mine.motifs(graph, 3), mine.parse_pattern("a:1-b"),
                      mine.estimate(graph, "triangle", 10)):
            self.assertEqual(again(thing), thing)
        self.assertEqual(again(mine.per_vertex(graph, "triangle")).counts.tolist(), [1, 2, 2, 1, 0])
        alerts = list(watch.run(graph, ["triangle"], [("e", 10, 40)], list=True))
        self.assertEqual([alert[:4] for alert in again(alerts)], [alert[:4] for alert in alerts])

    def test_errors(self):
        for error in (quarry.InputError("x"), quarry.CapacityError("y"), quarry.DeviceError("z"), quarry.Error("e")):
            copy = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(copy), copy.args), (type(error), error.args))


class Paths(unittest.TestCase):
    def test_refused(self):
        graph, library = mine.generate("complete:4"), quarry.read_library(DRUGS[:3])
        with support.files(a="1 2\n2 3\n", p_pdb="x"):
            for path, message in (("a\0b", "contains a NUL"), ("", "is empty"),
                                  (pathlib.Path("a\0b"), "contains a NUL")):
                for call in (mine.read_graph, graph.write_qgraph, graph.write_edge_list, mine.read_graph_patterns,
                             lambda p: mine.read_graph("a", vertex_labels=p) if p else mine.read_graph(p),
                             lambda p: tuple(watch.run(graph, ["triangle"], p)), quarry.read_library, library.write,
                             lambda p: watch.Watch(graph, ["triangle"]).feed_file(p), dock.Receptor, dock.read_box,
                             lambda p: quarry.index(p, "x.qlib"), lambda p: quarry.index(DRUGS[:3], p), quarry.ecfp4,
                             lambda p: quarry.match(p, ["c"]), lambda p: quarry.match(library, p), quarry.similar,
                             lambda p: next(dock.score(None, p))):
                    with self.subTest(path=path, call=call), self.assertRaisesRegex(quarry.InputError,
                                                                                   message):
                        call(path)
            self.assertEqual(sorted(os.listdir()), ["a", "p.pdb"])


if __name__ == "__main__":
    support.main()
