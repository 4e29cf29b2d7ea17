"""Molecule libraries: molecules read once and packed, in memory or in a `.qlib` file."""
from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Optional

import numpy as np

from quarry import _quarry
from quarry._calls import Path, Progress, checked_progress, wait_for, path_text
from quarry._rows import Molecules, RejectedRow, Rows, is_path, warn_of
from quarry.errors import InputError

_MAGIC = b"QUARRYLB"


class Report(NamedTuple):
    """What became of the rows of an input: rows = ok + rejected."""

    rows: int
    ok: int
    rejected: int


class ReadOptions(NamedTuple):
    """How text is read, as in the program."""

    explicit_hydrogens: bool = False
    smiles_column: str = ""
    id_column: str = ""
    format: str = ""
    threads: int = 0

    def require_defaults(self, path: str, library: _quarry.Library) -> None:
        """Raises InputError where they ask for what a library is not."""
        if self.explicit_hydrogens and not library.provenance["explicit_hydrogens"]:
            raise InputError(f"'{path}' was indexed with implicit hydrogens, which explicit_hydrogens does not change: "
                             "index the molecules again")
        for name in ("smiles_column", "id_column", "format"):
            if getattr(self, name):
                raise InputError(f"{name} is for text files, but '{path}' is a library")


class Library:
    """Molecules ready to be searched and compared. Made by read_library and index; can be pickled.

    rejected: rows of the input that could not be used, [RejectedRow].
    rows: [molecules] int64, the place of each in the list that was given; None for a file.
    num_rows: molecules, and for a list also what was rejected.
    """

    # parts: native libraries, one after the other. orders: as those of Rows.

    def __init__(self, parts: list[_quarry.Library], rows: Optional[Rows] = None):
        self.parts = parts
        self.orders = rows.orders if rows else {}
        found = [each for part in parts for chunk in range(part.num_chunks) for each in part.rejected(chunk)]
        self.rejected: list[RejectedRow] = rows.rejected(found) if rows else [
            RejectedRow(None, *each) for each in found]
        self.rows: Optional[np.ndarray] = None
        self.num_rows = len(self)
        if rows:
            self.num_rows = len(rows)
            self.rows = np.setdiff1d(np.arange(len(rows)), [each.row for each in self.rejected])

    def __len__(self) -> int:
        """Molecules."""
        return sum(part.num_molecules for part in self.parts)

    @property
    def report(self) -> Report:
        return Report(*map(sum, zip(*(part.report for part in self.parts))))

    @functools.cached_property
    def ids(self) -> list[str]:
        """[molecules]"""
        return [id for part in self.parts for ids, _ in _texts(part, False) for id in ids]

    @property
    def records(self) -> list[str]:
        """[molecules]: the SMILES as written, or SDF records."""
        return [text for part in self.parts for _, records in _texts(part, True) for text in records]

    @property
    def num_atoms(self) -> int:
        return sum(part.num_atoms for part in self.parts)

    @property
    def num_bonds(self) -> int:
        return sum(part.num_bonds for part in self.parts)

    @property
    def explicit_hydrogens(self) -> bool:
        """Is every hydrogen an atom?"""
        return self.provenance["explicit_hydrogens"]

    @property
    def provenance(self) -> dict[str, Any]:
        """source, command, created, version, explicit_hydrogens, format ("smiles" or "sdf")."""
        return self.parts[0].provenance

    def verify(self) -> None:
        """Checks every checksum and every value. Raises InputError, which names the first damaged section."""
        wait_for(lambda: [part.verify() for part in self.parts])

    def write(self, path: Path) -> None:
        """Writes a `.qlib` file, whole or not at all. Raises SystemError."""
        wait_for(lambda: _write(self.parts, path_text(path), ""))

    def spread(self, molecules: range, ids: list[str]) -> tuple[range, list[str]]:
        """Consecutive molecules and their ids as rows of the list, with empty ids of those that were rejected."""
        begin = int(self.rows[molecules.start - 1]) + 1 if molecules.start > 0 else 0
        end = int(self.rows[molecules.stop - 1]) + 1 if molecules.stop < len(self.rows) else self.num_rows
        spread = [""] * (end - begin)
        for row, id in zip(self.rows[molecules.start:molecules.stop], ids):
            spread[row - begin] = id
        return range(begin, end), spread

    def __repr__(self) -> str:
        return f"Library({len(self)} molecules, {self.num_atoms} atoms)"

    def __getstate__(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "library.qlib")
            _write(self.parts, path, "")
            with open(path, "rb") as file:
                data = file.read()
        return {"data": data, "orders": self.orders, "rejected": self.rejected, "rows": self.rows,
                "num_rows": self.num_rows}

    def __setstate__(self, state: dict) -> None:
        with tempfile.NamedTemporaryFile(suffix=".qlib") as file:  # mapped, so the name is not needed afterwards
            file.write(state["data"])
            file.flush()
            self.parts = [_quarry.Library.open(file.name)]
        self.orders, self.rejected = state["orders"], state["rejected"]
        self.rows, self.num_rows = state["rows"], state["num_rows"]


def read_library(molecules: Molecules, *, ids: Optional[Iterable] = None, explicit_hydrogens: bool = False,
                 smiles_column: str = "", id_column: str = "", format: str = "", threads: int = 0,
                 progress: Optional[Progress] = None) -> Library:
    """Molecules of a library file, which is mapped and not read, or of text, which is read into memory.

    molecules: the path of a `.qlib` file, or of SMILES, CSV or SDF, also .gz or .zst; or a list, pandas Series, Arrow
        column or iterable of SMILES or RDKit molecules. What follows a blank in a SMILES of a list is ignored.
    ids: of a list, one for each; by default "1", "2", ...
    explicit_hydrogens: every hydrogen becomes an atom.
    smiles_column, id_column: of CSV. format: "smi", "csv", "tsv", "sdf"; empty: by the name. threads: 0: all cores.
    progress: called with (done, total) rows; total is 0 where it is not known, and at the end both are the same.

    Warns (RejectedWarning) of rows that cannot be used. Raises InputError where there are none that can, or the file is
    missing or damaged.
    """
    options = ReadOptions(explicit_hydrogens, smiles_column, id_column, format, threads)
    library = wait_for(lambda: load(molecules, ids, options, checked_progress(progress)))
    if not is_library(molecules):
        warn_of(library.rejected, library.report.rows)
    return library


def index(molecules: Molecules, path: Path, *, ids: Optional[Iterable] = None, explicit_hydrogens: bool = False,
          smiles_column: str = "", id_column: str = "", format: str = "", lingos: bool = True, threads: int = 0,
          progress: Optional[Progress] = None) -> Library:
    """Writes molecules into a `.qlib` file, whole or not at all, in bounded memory, and opens it.

    lingos: store what similar, cluster and pick compare. Else as read_library; raises SystemError too.
    """
    options = ReadOptions(explicit_hydrogens, smiles_column, id_column, format, threads)
    library = wait_for(lambda: _index(molecules, path_text(path), ids, options, lingos,
                                           checked_progress(progress)))
    warn_of(library.rejected, library.report.rows)
    return library


def is_library(molecules: Any) -> bool:
    if not is_path(molecules):
        return False
    path = path_text(molecules)
    if path.endswith(".qlib"):
        return True
    try:
        with open(path, "rb") as file:
            return os.path.isfile(path) and file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def load(molecules: Molecules, ids, options: ReadOptions, progress: Optional[Progress], with_orders: bool = False
         ) -> Library:
    if isinstance(molecules, Library):
        return molecules
    if is_library(molecules):
        path = path_text(molecules)
        native = _quarry.Library.open(path)
        options.require_defaults(path, native)
        return Library([native])
    if is_path(molecules):
        return Library(list(parts_of_file(path_text(molecules), options, False, progress)))
    rows = Rows(molecules, ids, with_orders)
    return Library(list(parts_of_rows(rows, options, False, progress)), rows)


def parts_of_rows(rows: Rows, options: ReadOptions, lingos: bool, progress: Optional[Progress] = None
                  ) -> Iterator[_quarry.Library]:
    with rows.as_file() as path:
        as_csv = options._replace(format="csv", smiles_column="smiles", id_column="id")
        yield from parts_of_file(path, as_csv, lingos, progress, len(rows))


def parts_of_file(path: str, options: ReadOptions, lingos: bool, progress: Optional[Progress] = None,
                  num_rows: int = 0) -> Iterator[_quarry.Library]:
    """A native library for each some thousand molecules."""
    reader = _quarry.MoleculeReader(path, **options._asdict(), lingos=lingos)
    usable, first_reason = 0, ""
    while (part := reader.next()) is not None:
        _quarry.look()
        usable += part.num_molecules
        if not first_reason and part.rejected(0):
            first_reason = part.rejected(0)[0][2]
        if progress is not None:
            progress(reader.report[0], num_rows)
        yield part
    if usable == 0:
        raise InputError(f"no molecule can be used, of {reader.report[0]}; the first because: {first_reason}")
    if progress is not None and num_rows == 0:
        progress(reader.report[0], reader.report[0])


def _index(molecules: Molecules, path: str, ids, options: ReadOptions, lingos: bool, progress: Optional[Progress]
           ) -> Library:
    if is_library(molecules):
        raise InputError(f"'{molecules}' is a library already")
    if isinstance(molecules, Library):
        raise InputError("the molecules are a library already: Library.write writes it")
    if is_path(molecules):
        _write(parts_of_file(path_text(molecules), options, lingos, progress), path, path_text(molecules))
        return Library([_quarry.Library.open(path)])
    rows = Rows(molecules, ids)
    _write(parts_of_rows(rows, options, lingos, progress), path, "Python")
    return Library([_quarry.Library.open(path)], rows)


def _write(parts: Iterable[_quarry.Library], path: str, source: str) -> None:
    writer = None
    for part in parts:
        if writer is None:
            writer = _quarry.LibraryWriter(path, part, source)
        writer.append(part)
    writer.finish()


def _texts(part: _quarry.Library, with_records: bool) -> Iterator[tuple[list[str], list[str]]]:
    return (part.texts(chunk, with_records) for chunk in range(part.num_chunks))
