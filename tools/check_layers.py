#!/usr/bin/env python3
"""Checks who includes whom: every folder sees only itself and what stands before it.

Order: include/quarry < util < exec < graph < library < chemistry < readers < engines < cluster, serve, cli, python.
Engines never see each other, the programs see only public headers, the reference sees only public headers and the
standard library, and each third-party library has its one place.

  tools/check_layers.py [FOLDER]     check the repository (or another root); exit 1 names file, line and rule
  tools/check_layers.py --self-test  prove that every rule catches its violation
"""
import pathlib
import posixpath
import re
import sys
import tempfile

ENGINES = ("match", "similar", "dock", "mine", "watch")
BASE = ("quarry", "util", "exec", "graph", "library", "chemistry", "readers")

# Layer -> layers that it may include besides itself. "quarry" is include/quarry, the public headers.
MAY_SEE = {
    **{layer: BASE[:position] for position, layer in enumerate(BASE)},
    **{engine: BASE for engine in ENGINES},
    "reference": ("quarry",),
    "cluster": ("quarry", "util"),
    "serve": ("quarry",),
    "python": ("quarry",),
    "cli": ("quarry", "cluster", "serve"),
}

# Library -> how its headers begin, and the layers that may include them.
THIRD_PARTY = {
    "oneTBB": (("tbb/", "oneapi/tbb"), ("exec",)),
    "Highway": (("hwy/",), ("exec",)),
    "CUDA": (("cuda", "cub/", "thrust/", "cooperative_groups", "mma.h", "nvtx", "nvml"), ("exec",)),
    "HIP": (("hip/", "hipcub/", "rocprim/", "rocthrust/"), ("exec",)),
    "SYCL": (("sycl/", "CL/"), ("exec",)),
    "RDKit": (
        ("rdkit/", "GraphMol/", "RDGeneral/", "RDBoost/", "Query/", "Geometry/", "Numerics/", "DataStructs/",
         "Depictor/", "FileParsers/", "ForceField/", "DistGeom/", "SmilesParse/", "SimDivPickers/", "Catalogs/", "ML/"),
        ("chemistry", "readers"),
    ),
    "gemmi": (("gemmi/",), ("readers",)),
    "CLI11": (("CLI/", "CLI11"), ("cli",)),
    "pybind11": (("pybind11/", "Python.h"), ("python",)),
    "cpp-httplib": (("httplib",), ("serve",)),
    "MPI": (("mpi",), ("cluster",)),
    "zlib": (("zlib.h", "zconf.h"), ("util",)),
    "bzip2": (("bzlib.h",), ("util",)),
    "liblzma": (("lzma",), ("util",)),
    "zstd": (("zstd", "zdict.h"), ("util", "library")),
    "xxHash": (("xxh",), ("util",)),
    "SQLite": (("sqlite3",), ("util",)),
    "igraph": (("igraph",), ("graph",)),
    "nlohmann-json": (("nlohmann/",), ("util", "cli")),
}

STANDARD_ONLY = ("quarry", "reference")
# A header of the standard library has neither folder nor ending; these C headers have no better C++ name.
STANDARD_HEADER = re.compile(r"[a-z0-9_]+$")

SOURCE_ENDINGS = {".hpp", ".cpp", ".h", ".cc", ".cu", ".cuh", ".inc", ".ipp"}
# Highway's macro names a file that is then included.
INCLUDE = re.compile(r'^\s*#\s*(?:include(?:_next)?|define\s+HWY_TARGET_INCLUDE)\s*([<"])([^>"]+)[>"]')
DEVICE_WORD = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:__CUDA\w*|__HIP\w*|__SYCL\w*|SYCL_\w*|QUARRY_DEVICE\w*)")


def blank_comments(text):
    """The text without comments, its lines kept. Strings survive: an include's name is one."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
    return pattern.sub(lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"), text)


def layer_folders(root):
    """[(layer, folder)] for every folder that the order speaks of, and every other folder of src."""
    folders = [("quarry", root / "include/quarry"), ("cli", root / "cli"), ("python", root / "python")]
    if (root / "src").is_dir():
        folders += [(folder.name, folder) for folder in sorted((root / "src").iterdir()) if folder.is_dir()]
    return [(layer, folder) for layer, folder in folders if folder.is_dir()]


def target_layer(name, quoted, file, layer, root):
    """Layer of an included project file; "" for a header from outside the project."""
    beside = file.parent / name
    if quoted and beside.is_file():
        homes = [other for other, folder in layer_folders(root) if beside.resolve().is_relative_to(folder.resolve())]
        return homes[0] if homes else "outside all layers"
    first = posixpath.normpath(name).split("/")[0]
    if first in ("src", "include", "tests", "bench", ".."):
        return "outside all layers"
    if "/" not in name:
        return layer if quoted else ""
    return first if first in MAY_SEE or (root / "src" / first).is_dir() else ""


def third_party(name):
    for library, (prefixes, homes) in THIRD_PARTY.items():
        if name.startswith(prefixes):
            return library, homes
    return None


def check_include(name, quoted, file, layer, root):
    """The rule that this include breaks, or None."""
    library = third_party(name)
    if library and not (quoted and (file.parent / name).is_file()):
        if layer not in library[1]:
            return f"{library[0]} belongs to {' and '.join(library[1])} only, not to {layer}"
        return None
    target = target_layer(name, quoted, file, layer, root)
    if target == "":
        if layer in STANDARD_ONLY and not STANDARD_HEADER.match(name):
            return f"{layer} sees only public headers and the standard library"
        return None
    if target == layer or target in MAY_SEE[layer]:
        return None
    if layer in ENGINES and target in ENGINES:
        return f"engines never include each other: {layer} includes {target}"
    seen = ", ".join(MAY_SEE[layer]) or "nothing else"
    return f"{layer} may include itself and {seen}; this is {target}"


def check_file(file, layer, root):
    problems = []
    for number, line in enumerate(blank_comments(file.read_text(errors="replace")).splitlines(), 1):
        include = INCLUDE.match(line)
        rule = check_include(include[2], include[1] == '"', file, layer, root) if include else None
        if layer != "exec" and DEVICE_WORD.match(line):
            rule = f"only exec may ask which device compiler is at work, not {layer}"
        if rule:
            problems.append(f"{file.relative_to(root)}:{number}: {line.strip()}: {rule}")
    return problems


def check(root):
    """(number of files, problems)"""
    problems, num_files = [], 0
    for layer, folder in layer_folders(root):
        if layer not in MAY_SEE:
            problems.append(f"{folder.relative_to(root)}: this folder has no place in the order (tools/check_layers.py)")
            continue
        for file in sorted(path for path in folder.rglob("*") if path.suffix in SOURCE_ENDINGS):
            num_files += 1
            problems += check_file(file, layer, root)
    return num_files, problems


# (file, text, part of the rule that must be named; None where the file is right)
CASES = (
    ("include/quarry/a.hpp", "#include <vector>\n#include \"quarry/error.hpp\"", None),
    ("include/quarry/a.hpp", '#include "util/check.hpp"', "may include itself and nothing else"),
    ("include/quarry/a.hpp", "#include <fmt/format.h>", "only public headers and the standard library"),
    ("src/util/a.cpp", "#include <zlib.h>\n#include <unistd.h>\n#include <fmt/format.h>", None),
    ("src/util/a.cpp", '#include "exec/view.hpp"', "this is exec"),
    ("src/exec/a.cpp", '#include <tbb/parallel_for.h>\n#include "util/check.hpp"', None),
    ("src/exec/a.cpp", "#if defined(__CUDACC__)\n#include <cuda_runtime.h>\n#endif", None),
    ("src/exec/a.cpp", '#include "graph/graph_batch.hpp"', "this is graph"),
    ("src/graph/a.hpp", "#include <library/chunk.hpp>", "this is library"),
    ("src/graph/a.hpp", "#include <hwy/highway.h>", "Highway belongs to exec"),
    ("src/graph/read/a.cpp", '#include "graph/pattern/a.hpp"\n#include "exec/simd/bits.hpp"', None),
    ("src/util/a.cpp", "#include <nlohmann/json.hpp>", None),
    ("src/graph/updates/a.cpp", "#include <nlohmann/json.hpp>", "nlohmann-json belongs to util and cli"),
    ("src/library/a.cpp", "#include <zstd.h>", None),
    ("src/library/a.cpp", "#include <zlib.h>", "zlib belongs to util"),
    ("src/library/a.cpp", "#include <lzma.h>", "liblzma belongs to util"),
    ("src/library/a.cpp", "#include <bzlib.h>", "bzip2 belongs to util"),
    ("src/library/a.cpp", "#include <GraphMol/ROMol.h>", "RDKit belongs to chemistry and readers"),
    ("src/library/a.cpp", '#include "chemistry/smarts/smarts.hpp"', "this is chemistry"),
    ("src/chemistry/a.cpp", '#include <GraphMol/ROMol.h>\n#include "library/chunk.hpp"', None),
    ("src/chemistry/a.cpp", '#include "readers/row_reader.hpp"', "this is readers"),
    ("src/readers/a.cpp", '#include <GraphMol/ROMol.h>\n#include "chemistry/perceive.hpp"', None),
    ("src/readers/a.cpp", '#include "match/plan.hpp"', "this is match"),
    ("src/readers/receptor/a.cpp", "#include <gemmi/pdb.hpp>", None),
    ("src/dock/a.cpp", "#include <gemmi/pdb.hpp>", "gemmi belongs to readers"),
    ("src/match/a.cpp", '#include "exec/view.hpp"\n#include "library/chunk.hpp"\n#include "match/b.hpp"', None),
    ("src/match/a.cpp", '#include "mine/plan.hpp"', "engines never include each other"),
    ("src/match/a.cpp", '#include "../mine/plan.hpp"', "outside all layers"),
    ("src/match/a.cpp", '#include "tests/support/shapes.hpp"', "outside all layers"),
    ("src/match/a.cpp", '#include "reference/match.hpp"', "this is reference"),
    ("src/match/a.cpp", "#include <GraphMol/ROMol.h>", "RDKit belongs to chemistry and readers"),
    ("src/match/a.cpp", "  #  include <tbb/task_arena.h>", "oneTBB belongs to exec"),
    ("src/match/a.cpp", "#include <cuda_runtime.h>", "CUDA belongs to exec"),
    ("src/match/a.cpp", "#ifdef __CUDACC__\n#endif", "only exec may ask"),
    ("src/match/a.cpp", '#define HWY_TARGET_INCLUDE "mine/search/steps.cpp"', "engines never include each other"),
    ("src/match/a.cpp", '// #include "graph/pattern/pattern_plan.hpp"\n/* \n#include <tbb/tbb.h>\n*/', None),
    ("src/match/a.cpp", 'const char* url = "http://x";\n#include <tbb/tbb.h>', "oneTBB belongs to exec"),
    ("src/reference/a.cpp", '#include <algorithm>\n#include "quarry/match.hpp"\n#include "reference/b.hpp"', None),
    ("src/reference/a.cpp", '#include "util/check.hpp"', "reference may include itself and quarry"),
    ("src/reference/a.cpp", "#include <fmt/format.h>", "only public headers and the standard library"),
    ("src/cluster/a.cpp", '#include <mpi.h>\n#include "util/json.hpp"\n#include "quarry/job.hpp"', None),
    ("src/cluster/a.cpp", '#include "exec/view.hpp"', "this is exec"),
    ("src/serve/a.cpp", "#include <mpi.h>", "MPI belongs to cluster"),
    ("src/serve/a.cpp", '#include "match/engine.hpp"', "this is match"),
    ("cli/a.cpp", '#include "quarry/match.hpp"\n#include "common.hpp"\n#include <CLI/CLI.hpp>', None),
    ("cli/a.cpp", '#include "util/check.hpp"', "cli may include itself and quarry"),
    ("cli/a.cpp", "#include <sqlite3.h>", "SQLite belongs to util"),
    ("cli/a.cpp", "#include <httplib.h>", "cpp-httplib belongs to serve"),
    ("python/a.cpp", "#include <pybind11/pybind11.h>", None),
    ("python/a.cpp", "#include <CLI/CLI.hpp>", "CLI11 belongs to cli"),
    ("python/a.cpp", '#include "library/chunk.hpp"', "this is library"),
    ("src/extra/a.cpp", "#include <vector>", "no place in the order"),
)


def self_test():
    failures = 0
    for name, text, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(text + "\n")
            problems = check(root)[1]
        right = not problems if expected is None else len(problems) == 1 and expected in problems[0]
        if not right:
            failures += 1
            print(f"self-test: {name}: {text!r}: expected {expected!r}, got {problems}", file=sys.stderr)
    print(f"layers self-test: {len(CASES) - failures} of {len(CASES)} cases right")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    num_files, problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if num_files == 0:
        print(f"layers: no source file under {root}", file=sys.stderr)
    print(f"layers: {num_files} files, {len(problems)} violations")
    return 1 if problems or num_files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
