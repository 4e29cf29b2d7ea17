"""Molecules packed for comparing, with their places, ids and SMILES."""
from __future__ import annotations

from typing import Optional

import numpy as np

from quarry import _quarry
from quarry._calls import path_text
from quarry._library import Library, ReadOptions, is_library, load
from quarry._rows import Molecules, RejectedRow, Rows, is_path, warn_of
from quarry.errors import InputError


class Source:
    """native: the fingerprints, where a definition was given. rows: [used] int64, the place of each in what was given.
    num_rows: places. rejected: rows of the input. news: those of them that were not said when a library was made.
    """

    def __init__(self, molecules: Molecules, read: ReadOptions, normalize: str,
                 definition: Optional[_quarry.Definition] = None):
        self._library: Optional[Library] = None
        self._table: Optional[_quarry.SmilesTable] = None
        self.rejected: list[RejectedRow] = []
        self.num_rows = 0
        of_list = isinstance(molecules, Library) and molecules.rows is not None
        if isinstance(molecules, Library) or is_library(molecules):
            self._open(load(molecules, None, read, None), read, normalize, definition)
        elif is_path(molecules):
            self._table = _quarry.read_smiles(path_text(molecules), read.native(), normalize)
            self.news = self.rejected = [RejectedRow(None, *row) for row in self._table.rejected]
            self.num_rows = len(self._table.ids)
        else:
            of_list = True
            self._read_list(Rows(molecules), read, normalize)
        if not of_list:  # of a list, each row is one of the answer
            self.require_molecules(str(molecules))
        unused = [row.row for row in self.rejected if row.row is not None]
        self.rows = np.setdiff1d(np.arange(self.num_rows), unused)
        if definition is not None and self._library is not None:
            self.native = _quarry.Fingerprints.of_library(self._library.parts[0], definition)
        elif definition is not None:
            self.native = _quarry.Fingerprints(self._table, definition, read.threads)

    def num_usable(self) -> int:
        return len(self._table.ids if self._library is None else self._library)

    def require_molecules(self, name: str) -> None:
        """Raises InputError where there are none that can be used."""
        if self.num_usable() == 0 and not self.rejected:
            raise InputError(f"{name} holds no molecules")
        if self.num_usable() == 0:
            raise InputError(f"no molecule can be used, of {len(self.rejected)}; the first because: "
                             f"{self.rejected[0].reason}")

    @property
    def ids(self) -> list[str]:
        """[num_rows], empty where a row was rejected."""
        spread = [""] * self.num_rows
        for row, id in zip(self.rows, self._library.ids if self._library is not None else self._table.ids):
            spread[row] = id
        return spread

    @property
    def smiles(self) -> list[str]:
        """[used]"""
        return self._library.records if self._library is not None else self._table.smiles

    def warn(self) -> None:
        """To be called by a function that a user calls."""
        warn_of(self.news, len(self.rows) + len(self.news), 4)

    def _open(self, library: Library, read: ReadOptions, normalize: str, definition: Optional[_quarry.Definition]
              ) -> None:
        self.news: list[RejectedRow] = []
        is_smiles = library.provenance["format"] == "smiles"
        if len(library) == 0 or is_smiles and normalize != "canonical" and len(library.parts) == 1 and (
                definition is None or _quarry.records_fit(library.parts[0], definition)):
            self._library = library
        else:
            smiles = library.records if is_smiles else _smiles_of(library, read.threads)
            self._read_list(Rows(smiles, library.ids), read, normalize)
        places = np.arange(len(library)) if library.rows is None else library.rows
        self.news = [row._replace(row=int(places[row.row])) for row in self.news]
        self.rejected = sorted(self.news + [row for row in library.rejected if row.row is not None])
        self.num_rows = library.num_rows

    def _read_list(self, rows: Rows, read: ReadOptions, normalize: str) -> None:
        with rows.as_file() as path:
            self._table = _quarry.read_smiles(path, read.of_list().native(), normalize)
        self.news = self.rejected = rows.rejected(self._table.rejected)
        self.num_rows = len(rows)


def _smiles_of(library: Library, threads: int) -> list[str]:
    """Of SDF records."""
    smiles: list[str] = []
    for part in library.parts:
        table = _quarry.smiles_of(part, "canonical", threads)
        if len(table.ids) < part.num_molecules:
            raise InputError(f"a record cannot be compared: {table.rejected[-1][2]}")
        smiles += table.smiles
    return smiles
