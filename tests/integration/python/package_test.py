"""The package as a user meets it: the examples of the documentation, an installed copy, names and their help."""
import contextlib
import gzip
import inspect
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import quarry
from quarry import mine
import support


class Package(unittest.TestCase):
    def test_examples(self):
        """The Python examples of each page, in their order, in a folder with the graph they read."""
        for name, num_examples, said_lines in (
                ("README.md", 1, []), ("docs/engines/mine.md", 2, ["2 12 6", "diamond 1 1", "20 30 40", "20 in 2"])):
            page = (support.REPOSITORY / name).read_text()
            examples = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
            self.assertEqual(len(examples), num_examples, name)
            said, names = io.StringIO(), {}
            with support.files(), contextlib.redirect_stdout(said):
                pathlib.Path("graph.txt.gz").write_bytes(gzip.compress(support.GRAPH.encode()))
                for example in examples:
                    exec(compile(example, name, "exec"), names)  # pylint: disable=exec-used
            for line in said_lines:
                self.assertIn(line, said.getvalue())

    def test_installed(self):
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", os.path.dirname(support.PROGRAM), "--prefix", prefix,
                            "--component", "python"], check=True, capture_output=True)
            folder, = pathlib.Path(prefix).glob("lib/python3*/dist-packages")
            code = "import quarry; from quarry import mine; print(quarry.__file__, mine.generate('complete:5'))"
            done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(folder)},
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, f"{folder}/quarry/__init__.py Graph(5 vertices, 10 edges)\n")

    def test_version(self):
        said = subprocess.run([support.PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"quarry {quarry.__version__} ", said)

    def test_help(self):
        for module in (quarry, mine):
            for name in module.__all__:
                thing = getattr(module, name)
                if inspect.isfunction(thing) or inspect.isclass(thing):
                    self.assertTrue(inspect.getdoc(thing), f"{module.__name__}.{name} says nothing of itself")
        self.assertEqual(str(inspect.signature(mine.sample).parameters["seed"].default), "1")

    def test_every_option_is_named(self):
        names = []
        for file, struct in (("run", "RunOptions"), ("mine", "Options : RunOptions")):
            header = (support.REPOSITORY / f"include/quarry/{file}.hpp").read_text()
            fields = re.search(rf"struct {struct} \{{(.*?)\n\}};", header, re.DOTALL)[1]
            names += re.findall(r"(\w+)(?: = [^;]+)?;", re.sub("//.*", "", fields))
        self.assertEqual(sorted(mine.Options.__annotations__), sorted(names))


if __name__ == "__main__":
    support.main()
