"""Many SMARTS queries against many molecules, exactly."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np

from quarry import _quarry
from quarry._blocks import Blocks
from quarry._calls import Path, Progress, checked_progress, wait_for, path_text
from quarry._library import (DEFAULT_AUDIT, DEFAULT_MAX_ATOMS, Library, ReadOptions, is_library, load, parts_of_file,
                             require_no_ids_of_file)
from quarry._match_result import EqualIdsWarning, Matches, OverflowWarning, RefusedQuery, joined
from quarry._rows import Molecules, RejectedRow, entries_of, is_path, is_rdkit, warn_of
from quarry.errors import InputError

if TYPE_CHECKING:
    import os

Queries = Union[str, "os.PathLike[str]", Iterable]

# Values of a block of match_blocks: some megabytes.
_BLOCK_VALUES, _WHOLE = 2**18, 2**62


def match(molecules: Molecules, queries: Optional[Queries] = None, *, sets: Union[str, Iterable[str]] = (),
          sets_dir: Path = "", mode: str = "first", query_hydrogens: str = "auto",
          chirality: bool = False, allow_refused: bool = False, max_matches: int = 0, pair_budget: int = 0,
          refine: Optional[int] = None, ids: Optional[Iterable] = None, explicit_hydrogens: bool = False,
          smiles_column: str = "", id_column: str = "", id_rest: bool = False, format: str = "",
          max_atoms: int = DEFAULT_MAX_ATOMS, audit: float = DEFAULT_AUDIT, threads: int = 0, device: str = "host",
          device_bytes: int = 0, progress: Optional[Progress] = None) -> Matches:
    """Which of the queries occur in which of the molecules.

    molecules: a Library, or what read_library takes.
    queries: the path of a file of SMARTS, or a list of SMARTS, each perhaps with an id after a blank, or of RDKit molecules;
        None: sets alone.
    sets: the name of a set of alerts, such as "pains", or a list of them; its queries stand behind the others. The program
        lists them: quarry sets. sets_dir: a folder of files of queries, each a set by its name without extension.
    mode: "first": which pairs match; "count": embeddings counted; "all": their atoms too; "unique": those of
        embeddings that differ in their set of atoms.
    query_hydrogens: "literal": hydrogens of queries are atoms to find; "merge": hydrogen counts of their neighbours;
        "auto": what the molecules have.
    chirality: honour tetrahedral and double-bond marks of the queries. A library whose stereo marks are in its records
        alone keeps those that were resolved for a query.
    allow_refused: go on without queries that cannot be honoured.
    max_matches: embeddings of a pair, at most; pair_budget: atoms that the search of a pair may place; 0: no limit.
    refine: radius of the signature refinement, which changes no answer; None: the measured best.
    ids, explicit_hydrogens, smiles_column, id_column, id_rest, format, max_atoms, audit, threads: as in read_library.
    device: "host" or such as "cuda:0"; device_bytes: of its memory, at most; 0: three quarters of what is free.
    progress: called with (done, total) molecules, from any thread, one at a time; total is 0 where it is not known.

    Warns (RejectedWarning) of molecules that cannot be used, (EqualIdsWarning) of molecules or queries with the id of
    another, and (OverflowWarning) of pairs with more embeddings than can be stored. Raises InputError (a file, an option, a refused query), CapacityError, DeviceError or TypeError.
    """
    job = _Job(**locals())
    blocks: list[Matches] = []
    wait_for(lambda: job.run(_WHOLE, blocks.append))
    found = joined(blocks)
    if not is_library(molecules) and not isinstance(molecules, Library):  # then it was said before
        warn_of(found.rejected, job.num_rows)
    _warn_of_equal_ids(found)
    if job.counts_other_atoms:
        warnings.warn("hydrogens are atoms here, but sets of alerts are meant for molecules without: alerts that count atoms "
                      "differ", stacklevel=2)
    if found.overflow.any():
        warnings.warn(OverflowWarning(f"{np.count_nonzero(found.overflow)} of {len(found)} pairs have more embeddings than "
                                      "can be stored: see Matches.overflow, or give max_matches"), stacklevel=2)
    return found


def match_blocks(molecules: Molecules, queries: Optional[Queries] = None, *, sets: Union[str, Iterable[str]] = (),
                 sets_dir: Path = "", mode: str = "first", query_hydrogens: str = "auto",
                 chirality: bool = False, allow_refused: bool = False, max_matches: int = 0, pair_budget: int = 0,
                 refine: Optional[int] = None, ids: Optional[Iterable] = None, explicit_hydrogens: bool = False,
                 smiles_column: str = "", id_column: str = "", id_rest: bool = False, format: str = "",
                 max_atoms: int = DEFAULT_MAX_ATOMS, audit: float = DEFAULT_AUDIT, threads: int = 0, device: str = "host",
                 device_bytes: int = 0, progress: Optional[Progress] = None) -> Blocks[Matches]:
    """As match, as an iterator over Matches of consecutive molecules, in bounded memory; it does not warn.

        for block in quarry.match_blocks("drugs.qlib", "alerts.smarts"):
            block.first_molecule, block.to_csr()

    Molecules that were rejected are in the `rejected` of the block that would have them.
    """
    job = _Job(**locals())
    return Blocks(lambda put: job.run(_BLOCK_VALUES, put))


def read_hits(path: Union[str, os.PathLike[str]]) -> Matches:
    """The pairs of a file of hits, which `quarry match -o FILE.qhits` writes; the file may be compressed.

    As from match, but ids are the names that tables have, "" of molecules without hits, and nothing is rejected or refused.

    Raises InputError: it is no file of hits, or it is damaged or cut short.
    """
    fields, ids, query_ids, keeps_atoms = wait_for(lambda: _quarry.read_hits(path_text(path)))
    _, _, molecules, queries, counts, truncated, timeout, overflow, offsets, atoms = fields
    if not keeps_atoms:
        offsets = atoms = None
    return Matches((molecules, queries, counts, truncated.view(bool), timeout.view(bool), overflow.view(bool), offsets,
                    atoms), 0, (len(ids), len(query_ids)), ids, query_ids, [], [])


def _warn_of_equal_ids(found: Matches) -> None:
    """To be called by a function that a user calls."""
    ids = [id for id in found.ids if id]
    for number, noun in ((len(ids) - len(set(ids)), "molecule"),
                         (len(found.query_ids) - len(set(found.query_ids)), "query")):
        if number > 0:
            plural = {"molecule": "molecules have", "query": "queries have"}[noun] if number > 1 else f"{noun} has"
            warnings.warn(EqualIdsWarning(f"{number} {plural} the id of an earlier one: their numbers tell them apart"),
                          stacklevel=3)


class _Job:
    """What was asked for, and how far it is."""

    def __init__(self, molecules, queries, sets, sets_dir, query_hydrogens, allow_refused, ids, explicit_hydrogens, smiles_column,
                 id_column, id_rest, format, max_atoms, audit, progress, refine, **options):
        self.num_rows = 0  # of the input, once it was read
        require_no_ids_of_file(molecules, ids)
        self._molecules, self._ids = molecules, ids
        self._read = ReadOptions(explicit_hydrogens, smiles_column, id_column, format, options["threads"], id_rest,
                                 max_atoms, False, audit)
        self._queries, self._sets = queries, _Sets(sets, sets_dir)
        self._hydrogens, self._allow_refused = query_hydrogens, allow_refused
        self.counts_other_atoms = False  # than its sets of alerts mean
        self._keeps_atoms = options["mode"] in ("all", "unique")
        self._progress = checked_progress(progress)
        self._options = options if refine is None else {**options, "refine": refine}
        _quarry.MatchOptions(**self._options)  # what is wrong shall be said at once
        self._done = 0  # molecules that were searched

    def run(self, block_values: int, put: Callable[[Matches], None]) -> None:
        library = None
        if is_path(self._molecules) and not is_library(self._molecules):
            parts: Iterable = parts_of_file(path_text(self._molecules), self._read, {})
        else:
            library = load(self._molecules, self._ids, self._read, None, self._keeps_atoms)
            if library.orders and library.explicit_hydrogens and self._keeps_atoms:
                raise InputError("atoms of RDKit molecules cannot be numbered with explicit_hydrogens: give SMILES")
            # A part of rejected rows alone has none of its own: Library.spread gives them to the next one.
            parts = [part for part in library.parts if part.num_molecules > 0] or library.parts[:1]
            self.num_rows = library.num_rows
        matcher = None
        for part in parts:
            if matcher is None:
                self.counts_other_atoms = bool(self._sets.names) and part.provenance["explicit_hydrogens"]
                queries = _CompiledQueries(self._queries, self._sets, self._hydrogens_for(part), self._allow_refused)
                matcher = _quarry.Matcher(queries.native, self._native_options())
            rejected = library.rejected if library is not None and self._done == 0 else []
            if library is None:
                rejected = [RejectedRow(None, *row) for row in part.rejected(0)]
                self.num_rows += part.report[0]
            self._search(matcher, queries, part, library, rejected, block_values, put)
        if self._progress is not None:
            total = self._done if library is None else library.num_rows
            self._progress(total, total)

    def _hydrogens_for(self, part: _quarry.Library) -> str:
        if self._hydrogens != "auto":
            return self._hydrogens
        return "literal" if part.provenance["explicit_hydrogens"] else "merge"

    def _native_options(self) -> _quarry.MatchOptions:
        def report(done: int, _: int) -> None:
            self._progress(self._done + done, self.num_rows if self._read_before else 0)
        self._read_before = self.num_rows > 0
        return _quarry.MatchOptions(**self._options, progress=None if self._progress is None else report)

    def _search(self, matcher: _quarry.Matcher, queries: _CompiledQueries, part: _quarry.Library,
                library: Optional[Library], rejected: list[RejectedRow], block_values: int, put) -> None:
        first, ids = self._done, [id for chunk in range(part.num_chunks) for id in part.texts(chunk, False)[0]]

        def take(found: tuple) -> None:
            nonlocal rejected
            begin, end, molecules, columns, counts, truncated, timeout, overflow, offsets, atoms = found
            rows = range(first + begin, first + end)
            molecules, block_ids = molecules + first, ids[begin:end]
            if library is not None and library.rows is not None:
                molecules = library.rows[molecules]
                rows, block_ids = library.spread(rows, block_ids)
            if not self._keeps_atoms:
                offsets = atoms = None
            elif library is not None and library.orders:
                atoms = _renumbered(atoms, offsets, molecules, library.orders)
            put(Matches((molecules, queries.columns[columns], counts, truncated.view(bool), timeout.view(bool),
                         overflow.view(bool), offsets, atoms), rows.start, (len(rows), len(queries.ids)), block_ids, queries.ids, rejected,
                        queries.refused))
            rejected = []
        matcher.run(part, block_values, take)
        self._done += part.num_molecules


class _Sets:
    """Sets of alerts by name, each once, and the folder of those that are files."""

    def __init__(self, names: Union[str, Iterable[str]], folder: Path):
        given = [names] if isinstance(names, str) else list(names)
        for name in given:
            if not isinstance(name, str):
                raise TypeError(f"expected the name of a set of alerts, not {type(name).__name__}")
        self.names = list(dict.fromkeys(name.lower() for name in given))
        self._folder = path_text(folder, "folder of sets") if folder else ""

    def read(self, hydrogens: str) -> Iterable[_quarry.QuerySet]:
        return (_quarry.read_alert_set(name, self._folder, hydrogens) for name in self.names)


class _CompiledQueries:
    """native: those that were accepted. columns: [accepted]. ids: [columns]. refused: [RefusedQuery]."""

    def __init__(self, queries: Optional[Queries], sets: _Sets, hydrogens: str, allow_refused: bool):
        of_file = is_path(queries)
        if of_file:
            self.native = _quarry.read_queries(path_text(queries), hydrogens)
        else:
            entries = () if queries is None else entries_of(queries)
            self.native = _quarry.compile_queries([_smarts_of(query) for query in entries], hydrogens)
        own, _, lines, own_rows = self.native.fields()
        for more in sets.read(hydrogens):
            self.native.append(more)
        ids, _, _, rows = self.native.fields()
        self.refused = [RefusedQuery(*row) for row in rows]
        if not ids and not rows:
            raise InputError("there are no queries")
        if rows and not (allow_refused and ids):
            first = self.refused[0]
            raise InputError(f"{len(rows)} of {len(ids) + len(rows)} queries refused, the first, in line {first.line}, "
                             f"because {first.reason}; allow_refused=True goes on without them")
        self.ids, self.columns = ids, np.arange(len(ids))
        if not of_file:  # each keeps its place
            by_line = {**dict(zip(lines, own)), **{line: id for line, id, _ in own_rows}}
            of_sets = ids[len(own):]
            self.ids = [by_line[line + 1] for line in range(len(by_line))] + of_sets
            self.columns = np.concatenate([np.array(lines, np.int64) - 1, len(by_line) + np.arange(len(of_sets))])


def _smarts_of(query: Any) -> str:
    if isinstance(query, str):
        return query
    if not is_rdkit(query):
        raise TypeError(f"expected a SMARTS or an RDKit molecule, not {type(query).__name__}")
    return sys.modules["rdkit.Chem"].MolToSmarts(query)


def _renumbered(atoms: np.ndarray, offsets: np.ndarray, molecules: np.ndarray, orders: dict[int, np.ndarray]
                ) -> np.ndarray:
    """With the numbers that atoms have in the RDKit molecules that were given."""
    atoms = atoms.copy()
    for pair, molecule in enumerate(molecules.tolist()):
        if molecule in orders:
            own = slice(offsets[pair], offsets[pair + 1])
            atoms[own] = orders[molecule][atoms[own]]
    return atoms
