"""Builds a wheel with CMake (PEP 517). It is for the machine it was built on, whose RDKit and oneTBB it uses.

Config setting: build-dir, a build folder of Quarry to take; default: build/wheel, with the release options.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from wheel.wheelfile import WheelFile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version():
    return re.search(r'kVersion = "([^"]+)"', (ROOT / "include/quarry/version.hpp").read_text())[1]


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory, f"quarry-{version()}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: quarry\nVersion: {version()}\n"
        "Summary: Finds substructures, similar molecules and graph patterns, exactly\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n")
    (folder / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: quarry {version()}\nRoot-Is-Purelib: false\nTag: {tag()}\n")
    shutil.copy(ROOT / "LICENSE", folder)
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = pathlib.Path((config_settings or {}).get("build-dir", ROOT / "build/wheel")).resolve()
    options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DQUARRY_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
               *(f"-DQUARRY_{part}=OFF" for part in ("PROGRAM", "TESTS", "BENCH", "INSTALL"))]
    if (build / "CMakeCache.txt").exists():
        options = []  # as it was configured
    subprocess.run(["cmake", "-S", ROOT, "-B", build, *options], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "quarry_python", "--parallel"], check=True)
    name = f"quarry-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(build / "python/quarry", pathlib.Path(folder, "quarry"),
                        ignore=shutil.ignore_patterns("__pycache__"))
        prepare_metadata_for_build_wheel(folder)
        with WheelFile(pathlib.Path(wheel_directory, name), "w") as wheel:
            wheel.write_files(folder)
    return name
