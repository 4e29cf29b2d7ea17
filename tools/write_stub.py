#!/usr/bin/env python3
"""Writes python/quarry/_quarry.pyi from the extension itself, whose functions say what they take: PYTHONPATH=build/release/python."""
import inspect
import pathlib
import re

from quarry import _quarry

HEAD = '''"""The extension in C++; tools/write_stub.py writes this file. Use the modules of Python, which have names and checks."""
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple, Union

import numpy
'''
PATH = pathlib.Path(__file__).resolve().parents[1] / "python/quarry/_quarry.pyi"


def signatures(thing):
    """[parameters -> result] as pybind11 writes them, one for each overload."""
    lines = (thing.__doc__ or "").splitlines()
    found = [re.sub(r"^\d+\. ", "", line) for line in lines if re.match(rf"^(\d+\. )?{thing.__name__}\(.*\) -> ", line)]
    if len(found) > 1 and "Overloaded" in found[0]:
        found = found[1:]
    return [tidy(line[len(thing.__name__):]) for line in found]


def tidy(text):
    text = re.sub(r"[\w:]*\(anonymous namespace\)[\w:]*|\bquarry::[\w:<>]+|\bstd::[\w:<>, ]+", "Any", text)
    text = text.replace("quarry._quarry.", "").replace("numpy.ndarray[", "numpy.ndarray[Any, ").replace("handle", "Any")
    text = re.sub(r"numpy\.ndarray\[Any, [^\]]*\]", "numpy.ndarray", text)
    text = re.sub(r"\bfloat\[\d\]", "float", text.replace("(from:", "(from_:").replace(", from:", ", from_:"))
    text = re.sub(r"\[\((.*?)\), (\w+)\]", r"[[\1], \2]", text)
    return re.sub(r"= <[^>]*>", "= ...", text).replace("object", "Any")


def stub_of_class(name, cls):
    lines = []
    for member, value in sorted(vars(cls).items()):
        if isinstance(value, property):
            lines += ["    @property", f"    def {member}(self) -> Any: ..."]
        elif inspect.isbuiltin(value) or isinstance(value, staticmethod):
            lines += ["    @staticmethod", f"    def {member}{signatures(getattr(cls, member))[0]}: ..."]
        elif member == "__init__" or not member.startswith("_"):
            lines += [f"    def {member}{re.sub('^[(]self: [A-Za-z0-9_.]+', '(self', text)}: ..."
                      for text in signatures(value)[:1]]
    return [f"class {name}:", *(lines or ["    ..."]), ""]


def stub():
    lines = [HEAD]
    names = {name: value for name, value in sorted(vars(_quarry).items()) if not name.startswith("__")}
    for name, value in names.items():
        if inspect.isclass(value):
            lines += ["", *stub_of_class(name, value)]
    lines += ["", "__version__: str", ""]
    for name, value in names.items():
        if not inspect.isclass(value):
            lines += [f"def {name}{signatures(value)[0]}: ..."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PATH.write_text(stub())
