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
from quarry.errors import Error, InputError

_MAGIC = b"QUARRYLB"
_MANIFEST = "manifest.json"


# Of --max-atoms and --audit in the program.
DEFAULT_MAX_ATOMS = 10_000
DEFAULT_AUDIT = 0.001


class ReadNotes(NamedTuple):
    """What there is to say of an input beside its rows."""

    ids: str = ""  #: where ids are taken from, as "column 'Catalog_ID'"; empty where they are at the format's own place
    without_id: int = 0  #: rows that lack what `ids` names: their id is the title or the number of the row
    not_utf8: int = 0  #: rows with an id that is not UTF-8, as of a file in Latin-1: U+FFFD stands for its bytes
    extensions: int = 0  #: of CXSMILES, which are ignored
    id_column_unused: bool = False  #: id_column was given, and the file is SMILES without a header


class Audit(NamedTuple):
    """Rows that were read without RDKit, and then by RDKit too."""

    rows: int = 0
    differences: int = 0
    first_difference: str = ""  #: "line 7 (id): SMILES"; empty where there is none

    def require_agreement(self, share: float) -> None:
        """Raises Error where RDKit reads another molecule, and not every row is its. @param share  of the rows"""
        if self.differences and share < 1:
            raise Error(f"{self.first_difference}: Quarry reads another molecule than RDKit; so it does in "
                        f"{self.differences} of {self.rows} audited rows. This is an error of Quarry: please report the "
                        "row. With audit=1 RDKit's molecule of every row is taken")


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
    id_rest: bool = False
    max_atoms: int = DEFAULT_MAX_ATOMS
    stereo: bool = False
    audit: float = DEFAULT_AUDIT

    def native(self) -> _quarry.TextOptions:
        """All but explicit_hydrogens. Raises InputError."""
        return _quarry.TextOptions(smiles_column=self.smiles_column, id_column=self.id_column, id_rest=self.id_rest,
                                   format=self.format, max_atoms=self.max_atoms, threads=self.threads,
                                   stereo=self.stereo, audit=self.audit)

    def of_list(self) -> ReadOptions:
        """Of the file that Rows.as_file makes."""
        return self._replace(format="csv", smiles_column="smiles", id_column="id", id_rest=False)

    def require_defaults(self, path: str, library: _quarry.Library) -> None:
        """Raises InputError where they ask for what a library is not."""
        if self.explicit_hydrogens and not library.provenance["explicit_hydrogens"]:
            raise InputError(f"'{path}' was indexed with implicit hydrogens, which explicit_hydrogens does not change: "
                             "index the molecules again")
        for name in ("smiles_column", "id_column", "format", "id_rest", "max_atoms", "stereo"):
            if getattr(self, name) != self._field_defaults[name]:
                raise InputError(f"{name} is for text files, but '{path}' is a library")


class Library:
    """Molecules ready to be searched and compared. Made by read_library and index; can be pickled.

    rejected: rows of the input that could not be used, [RejectedRow].
    rows: [molecules] int64, the place of each in the list that was given; None for a file.
    num_rows: molecules, and for a list also what was rejected.
    notes: ReadNotes, of a text file: where its ids are taken from, and what was ignored.
    audit: Audit, of text that was read just now.
    """

    # parts: native libraries, one after the other. orders: as those of Rows.

    def __init__(self, parts: list[_quarry.Library], rows: Optional[Rows] = None, notes: ReadNotes = ReadNotes(),
                 audit: Audit = Audit()):
        self.parts = parts
        self.notes = notes
        self.audit = audit
        self.orders = rows.orders if rows else {}
        self.rows: Optional[np.ndarray] = None
        self.num_rows = len(self)
        if rows:
            self.rejected = rows.rejected(_rejected(parts))
            self.num_rows = len(rows)
            self.rows = np.setdiff1d(np.arange(len(rows)), [each.row for each in self.rejected])

    def __len__(self) -> int:
        """Molecules."""
        return sum(part.num_molecules for part in self.parts)

    @functools.cached_property
    def rejected(self) -> list[RejectedRow]:
        """Read from the file when it is first asked for."""
        return [RejectedRow(None, *each) for each in _rejected(self.parts)]

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
        """source, command, created, version, explicit_hydrogens, format ("smiles" or "sdf"), stereo (are the stereo marks
        resolved? Else they are in the records alone)."""
        return self.parts[0].provenance

    def num_stored(self, metric: str = "lingo") -> int:
        """Molecules whose fingerprints by this metric are stored; similar, cluster and pick compute those of the others."""
        definition = _quarry.Definition(metric, 4, False)
        return sum(_quarry.num_stored(part, definition) for part in self.parts)

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
        return {"data": data, "notes": self.notes, "audit": self.audit, "orders": self.orders, "rejected": self.rejected,
                "rows": self.rows, "num_rows": self.num_rows}

    def __setstate__(self, state: dict) -> None:
        with tempfile.NamedTemporaryFile(suffix=".qlib") as file:  # mapped, so the name is not needed afterwards
            file.write(state["data"])
            file.flush()
            self.parts = [_quarry.Library.open([file.name])]
        self.orders, self.rejected = state["orders"], state["rejected"]
        self.rows, self.num_rows, self.notes = state["rows"], state["num_rows"], state["notes"]
        self.audit = state["audit"]


def read_library(molecules: Molecules, *, ids: Optional[Iterable] = None, explicit_hydrogens: bool = False,
                 smiles_column: str = "", id_column: str = "", id_rest: bool = False, format: str = "",
                 max_atoms: int = DEFAULT_MAX_ATOMS, stereo: bool = False, audit: float = DEFAULT_AUDIT, threads: int = 0,
                 progress: Optional[Progress] = None) -> Library:
    """Molecules of a library file, which is mapped and not read, or of text, which is read into memory.

    molecules: the path of a `.qlib` file, of a `.qlibs` folder (a collection), or of SMILES, CSV or SDF, also .gz, .zst,
        .bz2 or .xz; a list of paths of libraries and collections, which become one library; or a list, pandas Series, Arrow
        column or iterable of SMILES or RDKit molecules. What follows a blank in a SMILES of a list is ignored.
    ids: of a list, one for each; by default "1", "2", ...
    explicit_hydrogens: every hydrogen becomes an atom.
    smiles_column: of CSV. id_column: of a file with a header, or a data item of SDF; empty: one that is named as ids
        are, which `notes` names. id_rest: of SMILES without a header, all that follows a SMILES is its id.
    format: "smi", "csv", "tsv", "sdf"; empty: by the name. threads: 0: all cores.
    max_atoms: molecules with more are rejected, hydrogens of explicit_hydrogens not counted; 0: no limit.
    stereo: resolve stereo marks at once, by RDKit; else match does so when chirality is asked for, of the molecules that
        need it, and the library keeps what was resolved.
    audit: share of the rows read without RDKit that RDKit reads too, 0 to 1; `Library.audit` says how many they were. Where
        one differs, Error is raised; with 1, RDKit's molecules are taken instead.
    progress: called with (done, total) rows; total is 0 where it is not known, and at the end both are the same.

    Warns (RejectedWarning) of rows that cannot be used. Raises InputError where the file is missing or damaged, or none of
    its rows can be used; of a list that is a library without molecules.
    """
    options = ReadOptions(explicit_hydrogens, smiles_column, id_column, format, threads, id_rest, max_atoms,
                          stereo, audit)
    library = wait_for(lambda: load(molecules, ids, options, checked_progress(progress)))
    if not is_library(molecules):
        warn_of(library.rejected, library.report.rows)
    return library


def index(molecules: Molecules, path: Path, *, ids: Optional[Iterable] = None, explicit_hydrogens: bool = False,
          smiles_column: str = "", id_column: str = "", id_rest: bool = False, format: str = "",
          max_atoms: int = DEFAULT_MAX_ATOMS, stereo: bool = False, audit: float = DEFAULT_AUDIT, lingos: bool = True,
          ecfp4: bool = False, threads: int = 0,
          progress: Optional[Progress] = None) -> Library:
    """Writes molecules into a `.qlib` file, whole or not at all, in bounded memory, and opens it.

    lingos, ecfp4: store what similar, cluster and pick compare by these metrics; ecfp4 is for SMILES only. Else as
        read_library; raises SystemError too.
    """
    options = ReadOptions(explicit_hydrogens, smiles_column, id_column, format, threads, id_rest, max_atoms,
                          stereo, audit)
    library = wait_for(lambda: _index(molecules, path_text(path), ids, options, {"lingos": lingos, "ecfp4": ecfp4},
                                      checked_progress(progress)))
    warn_of(library.rejected, library.report.rows)
    return library


def require_no_ids_of_file(molecules: Molecules, ids: Optional[Iterable]) -> None:
    if ids is not None and (is_path(molecules) or is_library(molecules)):
        raise InputError("ids are for a list of molecules: a file has ids of its own")


def is_library(molecules: Any) -> bool:
    """Is it the path of a library or a collection, or a list of such paths?"""
    if isinstance(molecules, (list, tuple)):
        return len(molecules) > 0 and all(is_path(path) and _is_library_name(os.fsdecode(path)) for path in molecules)
    if not is_path(molecules):
        return False
    path = path_text(molecules)
    if _is_library_name(path) or os.path.isfile(os.path.join(path, _MANIFEST)):
        return True
    try:
        with open(path, "rb") as file:
            return os.path.isfile(path) and file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _is_library_name(path: str) -> bool:
    return path.rstrip("/").endswith((".qlib", ".qlibs"))


def load(molecules: Molecules, ids, options: ReadOptions, progress: Optional[Progress], with_orders: bool = False
         ) -> Library:
    if isinstance(molecules, Library):
        return molecules
    require_no_ids_of_file(molecules, ids)
    if is_library(molecules):
        paths = [path_text(path) for path in ([molecules] if is_path(molecules) else molecules)]
        native = _quarry.Library.open(paths)
        options.require_defaults(paths[0], native)
        return Library([native])
    if is_path(molecules):
        said: list = []
        parts = list(parts_of_file(path_text(molecules), options, {}, progress, said=said))
        return Library(parts, None, *said)
    rows, said = Rows(molecules, ids, with_orders), []
    parts = list(parts_of_rows(rows, options, {}, progress, said))
    return Library(parts, rows, audit=said[1])


def parts_of_rows(rows: Rows, options: ReadOptions, stored: dict, progress: Optional[Progress] = None,
                  said: Optional[list] = None) -> Iterator[_quarry.Library]:
    """As parts_of_file. Where no row can be used there are parts all the same: each row is one of the answer."""
    with rows.as_file() as path:
        yield from _parts(path, options.of_list(), stored, progress, len(rows), said)


def parts_of_file(path: str, options: ReadOptions, stored: dict, progress: Optional[Progress] = None,
                  said: Optional[list] = None) -> Iterator[_quarry.Library]:
    """A native library for each some thousand molecules. At the end, `said` is [ReadNotes, Audit].

    stored: whether "lingos" and "ecfp4", which similar compares, are kept with the molecules.
    """
    return _with_molecules(_parts(path, options, stored, progress, 0, said), path)


def _with_molecules(parts: Iterable[_quarry.Library], name: str, of_list: Optional[Rows] = None
                    ) -> Iterator[_quarry.Library]:
    """The parts. Raises InputError at the end where they have no molecule."""
    usable, rows, first_reason = 0, 0, ""
    for part in parts:
        usable, rows = usable + part.num_molecules, rows + part.report[0]
        if not first_reason and part.rejected(0):
            found = part.rejected(0)[:1]
            first_reason = of_list.rejected(found)[0].reason if of_list else found[0][2]
        yield part
    if rows == 0:
        raise InputError(f"{name} holds no molecules")
    if usable == 0:
        raise InputError(f"no molecule can be used, of {rows}; the first because: {first_reason}")


def _parts(path: str, options: ReadOptions, stored: dict, progress: Optional[Progress], num_rows: int,
           said: Optional[list]) -> Iterator[_quarry.Library]:
    reader = _quarry.MoleculeReader(path, options.native(), explicit_hydrogens=options.explicit_hydrogens,
                                    **{"lingos": False, "ecfp4": False, **stored},
                                    name="the list of molecules" if num_rows else "")
    while (part := reader.next()) is not None:
        _quarry.look()
        Audit(*reader.audit).require_agreement(options.audit)
        if progress is not None:
            progress(reader.report[0], num_rows)
        yield part
    if said is not None:
        said += [ReadNotes(*reader.notes), Audit(*reader.audit)]
    if progress is not None and num_rows == 0:
        progress(reader.report[0], reader.report[0])


def _index(molecules: Molecules, path: str, ids, options: ReadOptions, stored: dict, progress: Optional[Progress]
           ) -> Library:
    if is_library(molecules):
        raise InputError(f"'{molecules}' is a library already")
    if path.rstrip("/").endswith(".qlibs"):
        raise InputError(f"'{path}' names a collection, which the program makes: quarry index IN... -o {path}")
    if isinstance(molecules, Library):
        raise InputError("the molecules are a library already: Library.write writes it")
    require_no_ids_of_file(molecules, ids)
    if is_path(molecules):
        said: list = []
        _write(parts_of_file(path_text(molecules), options, stored, progress, said=said), path, path_text(molecules))
        return Library([_quarry.Library.open([path])], None, *said)
    rows, said = Rows(molecules, ids), []
    _write(_with_molecules(parts_of_rows(rows, options, stored, progress, said), "the list", rows), path, "Python")
    return Library([_quarry.Library.open([path])], rows, audit=said[1])


def _write(parts: Iterable[_quarry.Library], path: str, source: str) -> None:
    writer = None
    for part in parts:
        if writer is None:
            writer = _quarry.LibraryWriter(path, part, source)
        writer.append(part)
    writer.finish()


def _rejected(parts: list[_quarry.Library]) -> list[tuple[int, str, str]]:
    return [each for part in parts if part.report[2] > 0 for chunk in range(part.num_chunks)
            for each in part.rejected(chunk)]


def _texts(part: _quarry.Library, with_records: bool) -> Iterator[tuple[list[str], list[str]]]:
    return (part.texts(chunk, with_records) for chunk in range(part.num_chunks))
