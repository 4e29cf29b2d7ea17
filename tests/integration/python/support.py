"""Shared by the tests of the Python module: `main()` runs those of a file, whose first argument is the program."""
import contextlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from quarry import mine

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.path.realpath(sys.argv[1])

# Two triangles that share an edge, with a tail; ids are far apart.
GRAPH = "# a comment\n10 20\n20 30\n10 30\n20 40\n30 40\n40 900000000000\n"
LABELS = "10 1\n20 2\n30 2\n40 1\n900000000000 3\n"


def main():
    unittest.main(argv=sys.argv[:1])


@contextlib.contextmanager
def files(**texts):
    """A new working folder with files of these names and texts, for example graph_txt="1 2"."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in texts.items():
                pathlib.Path(name.replace("_", ".")).write_text(text)
            yield
        finally:
            os.chdir(before)


def shared_data(name):
    """A file of the folder named by QUARRY_DATA, else of ../shared/data beside the repository; None where absent."""
    path = pathlib.Path(os.environ.get("QUARRY_DATA", REPOSITORY.parent / "shared/data")) / name
    return path if path.exists() else None


def run_mine(*arguments):
    """Standard output of `quarry mine`."""
    done = subprocess.run([PROGRAM, "mine", *arguments, "--quiet"], capture_output=True, text=True, check=False)
    assert done.returncode < 2, done.stderr
    return done.stdout


def run_json(*arguments):
    """[object] of each line of `quarry mine --json`."""
    return [json.loads(line) for line in run_mine(*arguments, "--json").splitlines()]


def embeddings(pattern, edges, num_vertices, labels=None, vertex_induced=False):
    """Every way to lay a mine.Pattern on the edges, by trying all."""
    there = {frozenset(edge) for edge in edges}
    wanted = {frozenset(edge[:2]) for edge in pattern.edges}
    pairs = [(pair, frozenset(pair) in wanted) for pair in itertools.combinations(range(len(pattern.vertices)), 2)]

    def fits(images):
        if any(label is not None and label != labels[image] for label, image in zip(pattern.labels, images)):
            return False
        return all((frozenset((images[a], images[b])) in there) >= joined if not vertex_induced else
                   (frozenset((images[a], images[b])) in there) == joined for (a, b), joined in pairs)
    return [images for images in itertools.permutations(range(num_vertices), len(pattern.vertices)) if fits(images)]


def subgraphs(pattern, found):
    """The embeddings without those that cover the same edges with the same vertices: {set of edges}."""
    return {frozenset(frozenset((images[a], images[b])) for a, b, _ in pattern.edges) for images in found}


def simple_edges(graph: mine.Graph):
    """Each edge once, as a pair of vertices."""
    return [(v, int(u)) for v in range(len(graph))
            for u in graph.neighbours[graph.offsets[v]:graph.offsets[v + 1]] if v < u]
