"""Lists as iterators: ended early, dropped, interrupted, and left behind when Python ends."""
import gc
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import unittest

from quarry import mine
import support


class Lists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = mine.generate("rmat:10:16:1")
        cls.large = "house"  # 736,511,776 of them: never listed to the end here

    def tearDown(self):
        self.expect_all_ended()

    def expect_all_ended(self, meanwhile=lambda: None):
        deadline = time.monotonic() + 60
        while threading.active_count() > 1 and time.monotonic() < deadline:
            meanwhile()
            time.sleep(0.01)
        self.assertEqual(threading.active_count(), 1, "a list goes on that nobody wants")

    def test_to_the_end(self):
        matches = mine.list(self.graph, "diamond")
        self.assertIsNone(matches.result)
        num_rows = sum(len(rows) for rows in matches)
        self.assertEqual(num_rows, mine.count(self.graph, "diamond").subgraphs)
        self.assertEqual(matches.result.subgraphs, num_rows)
        self.assertEqual(list(matches), [])
        matches.close()

    def test_closed(self):
        with mine.list(self.graph, self.large) as matches:
            self.assertEqual(next(matches).shape[1], 5)
        self.assertEqual(list(matches), [])
        self.assertIsNone(matches.result)
        mine.list(self.graph, self.large).close()  # before its first row

    def test_dropped(self):
        next(mine.list(self.graph, self.large))
        for rows in mine.list(self.graph, self.large):
            break
        self.expect_all_ended()
        circle = [mine.list(self.graph, self.large)]
        circle.append(circle)
        del circle
        self.expect_all_ended(gc.collect)  # a call does nothing while another thread collects

    def test_the_graph_may_go_first(self):
        matches = mine.list(mine.generate("complete:12"), "triangle")
        gc.collect()
        self.assertEqual(sum(len(rows) for rows in matches), 220)

    def test_several_at_once(self):
        one, two = mine.list(self.graph, "diamond"), mine.list(self.graph, "diamond")
        rows = [[], []]
        for pair in itertools.zip_longest(one, two):  # in turns; blocks may be cut differently
            for i, block in enumerate(pair):
                rows[i] += [] if block is None else block.tolist()
        self.assertEqual(rows[0], rows[1])
        self.assertEqual(len(rows[0]), mine.count(self.graph, "diamond").subgraphs)

    def test_counting_meanwhile(self):
        wanted = mine.count(self.graph, "triangle").subgraphs
        for number, _ in enumerate(mine.list(self.graph, self.large)):
            self.assertEqual(mine.count(self.graph, "triangle", method="search").subgraphs, wanted)
            if number == 5:
                break

    def test_blocks_are_bounded(self):
        tracemalloc.start()
        try:
            with mine.list(self.graph, self.large, threads=2) as matches:
                largest = max(next(matches).nbytes for _ in range(20))
                time.sleep(0.2)  # time enough to fill what is not bounded
                self.assertLess(tracemalloc.get_traced_memory()[1], 16 * largest)
        finally:
            tracemalloc.stop()

    def test_an_error_comes_once(self):
        matches = mine.list(self.graph, "a:1-b")
        with self.assertRaises(mine.InputError):
            next(matches)
        self.assertEqual(list(matches), [])

    def test_python_ends_first(self):
        code = ("from quarry import mine; matches = mine.list(mine.generate('rmat:10:16:1'), 'house', "
                "progress=lambda done, total: None); print(next(matches).shape[1])")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "5\n", ""))


class Interrupted(unittest.TestCase):
    def test_count(self):
        start = time.monotonic()
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            mine.count(mine.generate("rmat:11:16:1"), "6-cycle", threads=1)  # minutes
        self.assertLess(time.monotonic() - start, 60)

    def test_edges(self):
        edges = [(i, i + 1) for i in range(10**7)]
        start = time.monotonic()  # the timer too waits for what keeps Python busy
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            mine.Graph.from_edges(edges)
        self.assertLess(time.monotonic() - start, 1)

    def test_list(self):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            for _ in mine.list(mine.generate("rmat:10:16:1"), "house"):
                pass


if __name__ == "__main__":
    support.main()
