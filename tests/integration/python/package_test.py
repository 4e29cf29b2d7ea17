"""The package as a user meets it: the examples of the documentation, an installed copy, names and their help."""
import ast
import contextlib
import doctest
import gzip
import inspect
import io
import json
import os
import pathlib
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
import typing
import unittest

import quarry
from quarry import dock, mine, watch
import support

try:
    import networkx
    import pandas
except ImportError:
    networkx = None


def write_complex():
    """A receptor, molecules with coordinates, and one of these as a crystal pose."""
    examples = support.REPOSITORY / "examples"
    pathlib.Path("protein.pdb.gz").write_bytes(gzip.compress((examples / "pocket.pdb").read_bytes()))
    subprocess.run([support.PROGRAM, "dock", examples / "pocket.pdb", examples / "ligands.smi", "--center", "0,0,0", "--size",
                    "12,12,12", "--effort", "screen", "--restarts", "8", "--poses", "1", "-o", "ligands.sdf", "--quiet"],
                   check=True)
    records = pathlib.Path("ligands.sdf").read_text().split("$$$$\n")
    pathlib.Path("crystal.sdf").write_text(records[0] + "$$$$\n")


class Package(unittest.TestCase):
    def test_examples(self):
        """The Python examples of each page, in their order, in a folder with the files they read."""
        for name, num_examples, said_lines in (
                ("README.md", 2, ["0 + [[10 40 20]", "1 - [[20 30 10]"]),
                ("docs/engines/mine.md", 2, ["2 12 6", "diamond 1 1", "20 30 40", "20 in 2"]),
                ("docs/engines/dock.md", 2, ["ethanol -", "benzene -", "ibuprofen -", "\n3 -", "\n6 -", "\n15 -"]),
                ("docs/engines/watch.md", 2, ["1 - triangle [[20, 30, 10], [20, 30, 40]]", "1 2", "3 2 created"])):
            page = (support.REPOSITORY / name).read_text()
            examples = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
            self.assertEqual(len(examples), num_examples, name)
            said, names = io.StringIO(), {}
            with support.files(), contextlib.redirect_stdout(said):
                pathlib.Path("graph.txt.gz").write_bytes(gzip.compress(support.GRAPH.encode()))
                write_complex()
                for example in examples:
                    exec(compile(example, name, "exec"), names)  # pylint: disable=exec-used
            for line in said_lines:
                self.assertIn(line, said.getvalue())

    @unittest.skipIf(networkx is None, "no python3-networkx or python3-pandas")
    def test_page(self):
        """The examples of docs/python.md, with what they print."""
        failed, tried = doctest.testfile(str(support.REPOSITORY / "docs/python.md"), module_relative=False,
                                         optionflags=doctest.ELLIPSIS)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 15)

    @unittest.skipIf(networkx is None, "no python3-networkx or python3-pandas")
    def test_notebook(self):
        """The cells of the notebook, in their order, each with a value at its end unless it ends in an assignment."""
        notebook = json.loads((support.REPOSITORY / "examples/molecules.ipynb").read_text())
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        before, names, values = os.getcwd(), {}, []
        os.chdir(support.REPOSITORY / "examples")
        try:
            for cell in cells:
                *lines, last = ast.parse(cell).body
                exec(compile(ast.Module(lines, []), "cell", "exec"), names)  # pylint: disable=exec-used
                values.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))  # pylint: disable=eval-used
        finally:
            os.chdir(before)
        self.assertEqual(repr(values[0]), "Library(415 molecules, 8677 atoms)")
        self.assertEqual(len(values[2]), 8)
        self.assertEqual(values[4].shape, (5, 3))

    def test_commands(self):
        """The commands of pages that work on examples/, and what they print."""
        for name, num_commands in (("README.md", 1), ("docs/engines/watch.md", 2)):
            page = (support.REPOSITORY / name).read_text()
            commands = re.findall(r"^```\n\$ quarry (.* examples/.*)\n((?:[^`].*\n)*)```", page, re.MULTILINE)
            self.assertEqual(len(commands), num_commands, name)
            for command, output in commands:
                done = subprocess.run([support.PROGRAM, *shlex.split(command), "--quiet"], cwd=support.REPOSITORY,
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout, output)

    def test_installed(self):
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", os.path.dirname(support.PROGRAM), "--prefix", prefix,
                            "--component", "python"], check=True, capture_output=True)
            folder, = pathlib.Path(prefix).glob("lib/python3*/dist-packages")
            code = ("import quarry; from quarry import mine, watch; "
                    "print(quarry.__file__, mine.generate('complete:5'), watch.Watch.__name__)")
            done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(folder)},
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, f"{folder}/quarry/__init__.py Graph(5 vertices, 10 edges) Watch\n")

    def test_wheel(self):
        """pip makes a wheel of this build, and what it installs can be imported."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps",
                                   "--config-settings", f"build-dir={os.path.dirname(support.PROGRAM)}", "--target", folder,
                                   support.REPOSITORY], capture_output=True, text=True, check=False)
            if "No module named" in done.stderr:
                self.skipTest("no python3-pip or python3-wheel")
            self.assertEqual(done.returncode, 0, done.stderr)
            code = "import quarry, importlib.metadata as m; print(quarry.__file__, m.version('quarry'), quarry.ecfp4(['C']).sum())"
            done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": folder},
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, f"{folder}/quarry/__init__.py {quarry.__version__} 1\n")
            self.assertTrue(pathlib.Path(folder, "quarry/py.typed").exists())

    def test_version(self):
        said = subprocess.run([support.PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"quarry {quarry.__version__} ", said)

    def test_help(self):
        for module in (quarry, dock, mine, watch):
            for name in module.__all__:
                thing = getattr(module, name)
                if inspect.isfunction(thing) or inspect.isclass(thing):
                    self.assertTrue(inspect.getdoc(thing), f"{module.__name__}.{name} says nothing of itself")
        self.assertEqual(str(inspect.signature(mine.sample).parameters["seed"].default), "1")

    def test_types(self):
        """The stub of the extension is that of this build, and every public function says what it takes."""
        made = runpy.run_path(str(support.REPOSITORY / "tools/write_stub.py"))
        self.assertEqual(made["PATH"].read_text(), made["stub"](), "run tools/write_stub.py")
        ast.parse(made["stub"]())
        folder = pathlib.Path(quarry.__file__).parent
        self.assertTrue((folder / "py.typed").exists() and (folder / "_quarry.pyi").exists())
        for module in (quarry, dock, mine, watch):
            for name in module.__all__:
                thing = getattr(module, name)
                if not inspect.isfunction(thing) or typing.get_overloads(thing):
                    continue
                signature = inspect.signature(thing)
                for parameter in signature.parameters.values():
                    self.assertIsNot(parameter.annotation, parameter.empty, f"{module.__name__}.{name}: {parameter}")
                self.assertIsNot(signature.return_annotation, signature.empty, f"{module.__name__}.{name}")

    def test_every_option_is_named(self):
        def fields(file, struct):
            header = (support.REPOSITORY / f"include/quarry/{file}.hpp").read_text()
            text = re.search(rf"struct {struct} \{{(.*?)\n\}};", header, re.DOTALL)[1]
            return re.findall(r"(\w+)(?: = [^;]+)?;", re.sub("//.*", "", text))
        of_runs = fields("run", "RunOptions")
        self.assertEqual(sorted(mine.Options.__annotations__), sorted(of_runs + fields("mine", "Options : RunOptions")))
        # The engine of watch calls nothing of Python's; its alerts say how far it is.
        of_runs.remove("progress")
        of_watch = of_runs + fields("watch", "Options : RunOptions")
        self.assertEqual(sorted(watch.Options.__annotations__), sorted(of_watch))


if __name__ == "__main__":
    support.main()
