"""Molecules as Python has them, SMILES or RDKit's molecules in lists and columns, as rows of text for the readers."""
from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from quarry.errors import InputError

# A SMILES that no reader accepts: it keeps the place of a row that was rejected before.
_NO_SMILES = "\x7f"


class RejectedRow(NamedTuple):
    """A molecule that could not be used; the others were."""

    row: Optional[int]  #: its place in the list that was given, from 0; None for a file
    line: Optional[int]  #: of the file, from 1; None for a list
    id: str
    reason: str


class RejectedWarning(UserWarning):
    """Some molecules could not be used. rejected: which, and why."""

    def __init__(self, text: str, rejected: Sequence[RejectedRow]):
        super().__init__(text)
        self.rejected = tuple(rejected)


def warn_of(rejected: Sequence[RejectedRow], num_rows: int, stack_level: int = 3) -> None:
    """To be called by a function that a user calls; stack_level: 3, one more for each function between."""
    if not rejected:
        return
    first = rejected[0]
    where = f"row {first.row}" if first.line is None else f"line {first.line}"
    warnings.warn(RejectedWarning(f"{len(rejected)} of {num_rows} molecules rejected, the first in {where}: "
                                  f"{first.reason}", rejected), stacklevel=stack_level)


def _is_missing(value: Any) -> bool:
    """Is it None, NaN, or the NA of pandas, which is neither equal to itself nor not?"""
    return value is None or type(value).__name__ == "NAType" or value != value


def _id_text(value: Any) -> str:
    """Empty, for the number of the row, where pandas has a missing value; whole numbers without the .0 that they get then."""
    if _is_missing(value):
        return ""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return " ".join(str(value).split())


class Rows:
    """Entries of a list as SMILES.

    smiles: [rows], one word each. reasons: by row, why it has none. orders: by row, for each atom of the SMILES its
    number in the RDKit molecule that was given.
    """

    def __init__(self, molecules: Any, ids: Optional[Iterable] = None, with_orders: bool = False):
        self.smiles: list[str] = []
        self.reasons: dict[int, str] = {}
        self.orders: dict[int, np.ndarray] = {}
        for entry in entries_of(molecules):
            self._append(entry, with_orders)
        self.ids = None if ids is None else [_id_text(each) for each in entries_of(ids)]
        if self.ids is not None and len(self.ids) != len(self.smiles):
            raise InputError(f"there are {len(self.smiles)} molecules and {len(self.ids)} ids")
        if not self.smiles:
            raise InputError("there are no molecules")

    def __len__(self) -> int:
        return len(self.smiles)

    def _append(self, entry: Any, with_orders: bool) -> None:
        row, text, reason = len(self.smiles), "", ""
        if isinstance(entry, str):
            text = entry
        elif is_rdkit(entry):
            try:
                text, order = _of_rdkit(entry, with_orders)
                self.orders[row] = order
            except Exception as error:  # whatever RDKit throws
                reason = f"RDKit cannot write it as SMILES: {' '.join(str(error).split())}"
        elif not _is_missing(entry):
            raise TypeError(f"expected a SMILES or an RDKit molecule in row {row}, not {type(entry).__name__}")
        words = text.split(maxsplit=1)
        if not (text.isascii() and "".join(words).replace("\t", " ").replace("\n", " ").isprintable()):
            reason = "the SMILES has a character that is not printable ASCII"
        elif not words and not reason:
            reason = "there is no SMILES"
        self.smiles.append(_NO_SMILES if reason else words[0])
        if reason:
            self.reasons[row] = reason

    def rejected(self, found: Iterable[tuple[int, str, str]]) -> list[RejectedRow]:
        """What readers of as_file say."""
        rejected = []
        for line, id, reason in found:
            row = line - 2  # line 1 is the header
            rejected.append(RejectedRow(row, None, id, self.reasons.get(row, reason)))
        return sorted(rejected)

    @contextlib.contextmanager
    def as_file(self) -> Iterator[str]:
        """The path of a CSV file in memory with the columns smiles and id."""
        ids = self.ids or [""] * len(self.smiles)
        lines = [f"{_quoted(smiles)},{_quoted(id)}\n" for smiles, id in zip(self.smiles, ids)]
        data = "".join(["smiles,id\n", *lines]).encode()
        with _file_of(data, ".csv") as path:
            yield path


class Records:
    """RDKit molecules of a list, each with 3D coordinates, as records of an SDF file.

    ids: by row, empty where none was given. reasons: by row, why it has no record that can be used.
    """

    # The title, two lines, and no atoms: it keeps the place of a row that has no molecule.
    _EMPTY = "{}\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
    _END = "$$$$"
    # Of the columns that a record has for a coordinate.
    _MOST = 9999.9999

    def __init__(self, molecules: Sequence, ids: Optional[Iterable] = None):
        self.reasons: dict[int, str] = {}
        self._texts: list[str] = []
        self.ids = [""] * len(molecules) if ids is None else [_id_text(each) for each in entries_of(ids)]
        if len(self.ids) != len(molecules):
            raise InputError(f"there are {len(molecules)} molecules and {len(self.ids)} ids")
        for entry, id in zip(molecules, self.ids):
            self._append(entry, "" if id.startswith(self._END) else id)

    def _append(self, entry: Any, title: str) -> None:
        row, text, reason = len(self._texts), self._EMPTY.format(title), ""
        if has_coordinates(entry):
            try:
                text, reason = self._record(entry, title)
            except Exception as error:  # whatever RDKit throws
                reason = f"RDKit cannot write it as a record: {' '.join(str(error).split())}"
        elif _is_missing(entry):
            reason = "there is no molecule"
        elif isinstance(entry, str) or is_rdkit(entry):
            raise InputError(f"row {row} has no 3D coordinates, but others have: either all of a list have them or none")
        else:
            raise TypeError(f"expected an RDKit molecule in row {row}, not {type(entry).__name__}")
        if reason:
            self.reasons[row], text = reason, self._EMPTY.format(title)
        self._texts.append(text)

    def _record(self, molecule: Any, title: str) -> tuple[str, str]:
        """The text, and why it cannot be used."""
        positions = np.abs(molecule.GetConformer().GetPositions())
        wrong = np.flatnonzero(~(positions <= self._MOST).all(axis=1))
        if wrong.size > 0:
            return "", f"the coordinates of atom {wrong[0] + 1} are not those of a molecule"
        chem = sys.modules["rdkit.Chem"]
        molecule = chem.Mol(molecule)
        molecule.SetProp("_Name", "")  # it may have several lines
        block = chem.MolToMolBlock(molecule)
        if any(line.startswith(self._END) for line in block.split("\n")):
            return "", f"its record has a line of {self._END}, which ends a record"
        return title + block, ""

    @contextlib.contextmanager
    def as_file(self) -> Iterator[str]:
        """The path of an SDF file in memory."""
        with _file_of("".join(f"{text}{self._END}\n" for text in self._texts).encode(), ".sdf") as path:
            yield path


def has_coordinates(entry: Any) -> bool:
    """Is it an RDKit molecule with a conformer in 3D?"""
    return is_rdkit(entry) and entry.GetNumConformers() > 0 and entry.GetConformer().Is3D()


def entries_of(column: Any) -> Iterable:
    """Of a list, a NumPy array, a pandas Series, an Arrow column, anything that can be iterated."""
    if isinstance(column, (str, bytes, os.PathLike)) or is_rdkit(column) or hasattr(column, "columns"):
        raise TypeError(f"expected a list or one column of molecules, not {type(column).__name__}")
    for method in ("to_pylist", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    if isinstance(column, str) or not isinstance(column, Iterable):
        raise TypeError(f"expected a path, or a list of molecules, not {type(column).__name__}")
    return column


def is_path(molecules: Any) -> bool:
    return isinstance(molecules, (str, bytes, os.PathLike))


Molecules = Union[str, "os.PathLike[str]", Iterable]


def is_rdkit(entry: Any) -> bool:
    return hasattr(entry, "ToBinary") and hasattr(entry, "GetNumAtoms")


def _of_rdkit(molecule: Any, with_order: bool) -> tuple[str, np.ndarray]:
    """By the RDKit that made the molecule, which need not be the one that Quarry is linked to."""
    chem = sys.modules["rdkit.Chem"]
    kept = np.arange(molecule.GetNumAtoms())
    if with_order and any(atom.GetAtomicNum() == 1 for atom in molecule.GetAtoms()):
        # Readers of SMILES take hydrogens away as RemoveHs does.
        molecule = chem.Mol(molecule)
        for atom in molecule.GetAtoms():
            atom.SetIntProp("_quarry", atom.GetIdx())
        molecule = chem.RemoveHs(molecule)
        kept = np.array([atom.GetIntProp("_quarry") for atom in molecule.GetAtoms()], int)
    text = chem.MolToSmiles(molecule)
    if not with_order:
        return text, kept
    written = molecule.GetPropsAsDict(includePrivate=True, includeComputed=True)["_smilesAtomOutputOrder"]
    return text, kept[np.array(list(written), int)]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@contextlib.contextmanager
def _file_of(data: bytes, ending: str) -> Iterator[str]:
    if not hasattr(os, "memfd_create"):
        with tempfile.NamedTemporaryFile(suffix=ending) as file:
            file.write(data)
            file.flush()
            yield file.name
        return
    with os.fdopen(os.memfd_create("molecules" + ending), "wb") as file:
        file.write(data)
        file.flush()
        yield f"/proc/self/fd/{file.fileno()}"
