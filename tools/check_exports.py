#!/usr/bin/env python3
"""Checks that the shared library shows every function that the public headers declare, and nothing that they do not.

What the headers define themselves, inline functions and constants, may be there or not: the compiler decides.

clang++ lists the declarations, nm the symbols.

  tools/check_exports.py LIBRARY     exit 1 names the functions
"""
import json
import pathlib
import subprocess
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl"}
NOT_IN_LIBRARY = {"inline", "constexpr", "isImplicit", "explicitlyDefaulted", "explicitlyDeleted", "pure"}


def declared(node):
    """Mangled names of the functions and constants below `node` of clang's tree, and whether the library must define them."""
    children = node.get("inner", [])
    if node.get("kind") in FUNCTIONS:
        has_body = any(child.get("kind") == "CompoundStmt" for child in children)
        if "mangledName" in node:
            yield node["mangledName"], not has_body and not NOT_IN_LIBRARY & node.keys()
    elif node.get("kind") == "VarDecl":
        if "mangledName" in node:
            yield node["mangledName"], False
    elif not node.get("kind", "").endswith("TemplateDecl"):
        for child in children:
            yield from declared(child)


def declared_names():
    """Those that the library must define, and those that the headers define."""
    headers = "".join(f'#include "{path.relative_to(INCLUDE)}"\n' for path in sorted(INCLUDE.rglob("*.hpp")))
    command = ["clang++", "-std=c++20", f"-I{INCLUDE}", "-fsyntax-only", "-xc++", "-",
               "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=quarry"]
    text = subprocess.run(command, input=headers, check=True, capture_output=True, text=True).stdout
    decoder, position, names = json.JSONDecoder(), 0, (set(), set())
    while position < len(text):  # one tree for each piece of the namespace
        node, position = decoder.raw_decode(text, position)
        for name, in_library in declared(node):
            names[0 if in_library else 1].add(name)
        while position < len(text) and text[position].isspace():
            position += 1
    return names


def demangled(names):
    """The names as source text, by which the several symbols of one constructor are one."""
    lines = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True).stdout
    return set(lines.splitlines())


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    symbols = demangled(line.split()[-1] for line in lines.splitlines() if line.split()[-2] in "TWVBDRui")
    return {symbol for symbol in symbols if symbol.startswith("quarry::")}


def main():
    wanted, allowed = (demangled(names) for names in declared_names())
    found = exported(sys.argv[1]) - (allowed - wanted)
    if not wanted:
        sys.exit("exports: the headers declare nothing, so clang's tree was not understood")
    for symbol in sorted(wanted - found):
        print(f"missing:  {symbol}")
    for symbol in sorted(found - wanted):
        print(f"internal: {symbol}")
    print(f"{len(wanted)} public functions, {len(wanted - found)} not exported, {len(found - wanted)} others exported")
    sys.exit(1 if wanted != found else 0)


if __name__ == "__main__":
    main()
