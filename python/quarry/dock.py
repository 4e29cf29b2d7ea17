"""Docking: where ligands fit in a pocket of a protein, and how well.

    from quarry import dock
    receptor = dock.Receptor("protein.pdb.gz")
    for result in dock.dock(receptor, "ligands.sdf", dock.box_around("crystal.sdf")):
        print(result.id, result.status, result.poses[0].score if result.poses else result.reason)

Lengths are in angstrom, energies in kcal/mol, the lower the better. Positions are arrays [atoms, 3] of float64, hydrogens
included, in the order of the ligand's record; of a record with several components the largest is docked. Ligands are

- the path of a file: SDF, mol2, SMILES, CSV or a library of `quarry index --3d`; memory does not grow with it;
- a list, pandas Series or iterable of SMILES, or of RDKit molecules without 3D coordinates, which are embedded;
- such a list of RDKit molecules that all have 3D coordinates: the first conformer of each.

Functions raise InputError (a file that cannot be read, a box off the receptor) or CapacityError (maps larger than memory).
A ligand that cannot be docked is a result with the status "rejected", a stage and a reason.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import NamedTuple, Optional, Union

import numpy as np

from quarry import _quarry
from quarry._calls import Path, checked_progress, interruptible, path_text, wait_for
from quarry._library import DEFAULT_MAX_ATOMS, ReadOptions, require_no_ids_of_file
from quarry._rows import Molecules, Records, Rows, entries_of, has_coordinates, is_path
from quarry.errors import CapacityError, DeviceError, Error, InputError

__all__ = ["Box", "CapacityError", "Checks", "DeviceError", "Enrichment", "Error", "InputError", "Pocket", "Pose",
           "Receptor", "Result", "Terms", "box_around", "dock", "enrichment", "find_pockets", "read_box", "score"]


class Box(NamedTuple):
    """Where poses may be: a box with edges along the axes."""

    center: tuple[float, float, float]
    size: tuple[float, float, float]


class Pocket(NamedTuple):
    """A cavity of a receptor."""

    center: tuple[float, float, float]
    volume: float
    box: Box


class Terms(NamedTuple):
    """Sums of the terms of a scoring function between receptor and ligand, before weights."""

    gauss1: float
    gauss2: float
    repulsion: float
    hydrophobic: float
    hydrogen_bond: float


class Checks(NamedTuple):
    """What is wrong with a pose, by the limits of PoseBusters."""

    min_distance: float  #: to a receptor atom, over the sum of van der Waals radii
    overlap: float  #: part of the ligand's volume that the receptor takes
    internal_clash: bool
    strained: bool
    too_far: bool  #: no heavy atom is within 5 A of one of the receptor
    valid: bool


@dataclass(frozen=True, eq=False)
class Pose:
    """A place for a ligand."""

    positions: np.ndarray = field(repr=False)
    score: float
    inter: float
    intra: float
    terms: Terms = field(repr=False)
    cluster: int  #: index in `Result.poses` of the first pose within 2 angstrom of this one
    bumps: int
    restart: int
    checks: Checks = field(repr=False)


@dataclass(frozen=True, eq=False)
class Result:
    """What became of a row of the input."""

    row: int  #: from 0
    id: str
    status: str  #: "ok", "truncated" or "rejected"
    stage: str  #: of a rejected row: where it failed
    reason: str
    cpu_seconds: float
    #: By inter plus the cost of strain: 3.1 for each kcal/mol of intra beyond 1.2 above the lowest of all poses.
    poses: tuple[Pose, ...] = field(repr=False)
    _ligand: Optional[_quarry.Ligand] = field(repr=False, compare=False)

    @property
    def elements(self) -> np.ndarray:
        """Atomic numbers, [atoms]."""
        return self._known_ligand().elements

    @property
    def torsions(self) -> int:
        """Number of bonds that turn."""
        return self._known_ligand().num_torsions

    @property
    def n_tors(self) -> float:
        """Their number as the score counts them."""
        return self._known_ligand().num_torsions_weighted

    def to_sdf(self, pose: Pose) -> str:
        """The record of the ligand with the positions of the pose, and its scores."""
        items = [(name, f"{getattr(pose, name):.4f}") for name in ("score", "inter", "intra")]
        return self._known_ligand().to_sdf(pose.positions, items)

    def to_pdbqt(self, pose: Pose) -> str:
        return self._known_ligand().to_pdbqt(pose.positions)

    def __getstate__(self) -> dict:
        return {**self.__dict__, "_ligand": None}

    def _known_ligand(self) -> _quarry.Ligand:
        if self._ligand is None and self.status != "rejected":
            raise InputError(f"'{self.id}' comes from a pickle or a copy, which has poses and scores but not the ligand")
        if self._ligand is None:
            raise InputError(f"'{self.id}' could not be read: {self.reason}")
        return self._ligand


def _checked_box(box: Box) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Raises InputError for what is not two times three numbers."""
    try:
        center, size = (tuple(map(float, part)) for part in box)
        if len(center) == len(size) == 3:
            return center, size
    except (TypeError, ValueError):
        pass
    raise InputError(f"a box is Box(center, size) with three numbers each, not {box!r}")


class Receptor:
    """A protein with its metals and cofactors: PDB, mmCIF, PDBQT or mol2, also .gz, .zst, .bz2 and .xz."""

    def __init__(self, path: Path, *, format: str = "", keep_waters: bool = False):
        self._native = wait_for(lambda: _quarry.Receptor(path_text(path), format, keep_waters))

    @property
    def positions(self) -> np.ndarray:
        """Of the heavy atoms, [atoms, 3]."""
        return self._native.positions

    @property
    def elements(self) -> np.ndarray:
        """Atomic numbers, [atoms]."""
        return self._native.elements

    @property
    def names(self) -> list[str]:
        """[atoms], such as "A:LEU 83:CD1"."""
        return self._native.names

    @property
    def missing_atoms(self) -> list[str]:
        """Atoms that known residues lack."""
        return self._native.missing_atoms

    @property
    def unknown_residues(self) -> list[str]:
        """Residues whose atoms are typed by their distances."""
        return self._native.unknown_residues

    @property
    def num_waters(self) -> int:
        """Waters that were left out."""
        return self._native.num_waters

    def __len__(self) -> int:
        return len(self._native.elements)

    def __repr__(self) -> str:
        return f"Receptor({len(self)} atoms)"


def _native_receptor(receptor: Receptor) -> _quarry.Receptor:
    """Raises TypeError for something else."""
    if not isinstance(receptor, Receptor):
        raise TypeError(f"expected a quarry.dock.Receptor, not {type(receptor).__name__}: Receptor(path) reads one")
    return receptor._native


def _result(row, id, status, stage, reason, cpu_seconds, ligand, poses) -> Result:
    made = tuple(Pose(positions, score, inter, intra, Terms(*terms), cluster, bumps, restart, Checks(*checks))
                 for positions, score, inter, intra, terms, cluster, bumps, restart, checks in poses)
    return Result(row, id, status, stage, reason, cpu_seconds, made, ligand)


class _Given(NamedTuple):
    """What a list says of its rows beside the molecules: ids, if not empty, and why a row could not be written for the
    reader."""

    ids: Sequence[str] = ()
    reasons: dict[int, str] = {}


def _results(next_results: Callable[[], list], given: _Given) -> Iterator[Result]:
    while results := next_results():
        for row, id, status, stage, reason, *rest in results:
            yield _result(row, given.ids[row] or id if given.ids else id, status, stage, given.reasons.get(row, reason), *rest)


def _whole(name: str, number: Optional[int]) -> Optional[int]:
    """Raises InputError for what is no whole number from 0."""
    try:
        if number is None or operator.index(number) >= 0:
            return number
    except TypeError:
        pass
    raise InputError(f"{name} is a whole number, not {number!r}")


def _begin(ligands: Molecules, ids: Optional[Iterable], options: ReadOptions, run: Callable):
    """Calls run(path, native options), which opens the path. Returns what it returns, and what is _Given."""
    require_no_ids_of_file(ligands, ids)
    if is_path(ligands):
        return run(path_text(ligands), options.native()), _Given()
    entries = list(entries_of(ligands))
    of_list: Union[Records, Rows]
    if any(map(has_coordinates, entries)):
        of_list, read = Records(entries, ids), options._replace(format="sdf", smiles_column="", id_column="")
    else:
        of_list, read = Rows(entries, ids), options.of_list()
    with of_list.as_file() as path:
        return run(path, read.native()), _Given(of_list.ids or (), of_list.reasons)


def dock(receptor: Receptor, ligands: Molecules, box: Box, *, ids: Optional[Iterable] = None, effort: str = "standard", scoring: str = "vina",
         torsion_weight: Optional[float] = None, restarts: Optional[int] = None, iterations: Optional[int] = None,
         max_poses: Optional[int] = None, poses: int = 9, seed: int = 1, pose_budget: Optional[int] = None,
         smiles_column: str = "", id_column: str = "", id_rest: bool = False, format: str = "",
         max_atoms: int = DEFAULT_MAX_ATOMS, threads: int = 0, device: str = "host", device_bytes: int = 0,
         progress: Optional[Callable[[int, int, int], None]] = None) -> Iterator[Result]:
    """Docks every ligand of a file or a list; a result for each row, in order, as soon as some hundreds are done.

    ids: of a list, one for each; by default "1", "2", ...
    effort: "screen", "standard" or "thorough"; sets restarts, iterations, max_poses and refinement.
    scoring: "vina" or "vinardo". torsion_weight: w of inter / (1 + w n_tors), else that of its paper.
    restarts: initial poses. iterations: rounds over the fragments of each. max_poses: kept for scoring.
    poses: returned, at least 1 angstrom apart. pose_budget: most initial poses of a ligand, "truncated" beyond.
    smiles_column, id_column, id_rest, format, max_atoms: as in quarry.read_library; hydrogens that are added for docking
        do not count.
    threads: 0: all cores. device: "host" or such as "cuda:0". progress: called with (ligands, bytes read, bytes in all).
    """
    numbers = {"restarts": restarts, "iterations": iterations, "max_poses": max_poses, "poses": poses, "seed": seed,
               "pose_budget": pose_budget, "threads": threads, "device_bytes": device_bytes}
    options = _quarry.DockOptions(effort=effort, scoring=scoring, torsion_weight=torsion_weight, device=device,
                                  **{name: _whole(name, number) for name, number in numbers.items()})
    text = ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms)
    place = _checked_box(box)
    run, given = _begin(ligands, ids, text, lambda path, native: _quarry.DockRun(
        _native_receptor(receptor), place, path, native, options, checked_progress(progress)))
    return _results(run.next, given)


def score(receptor: Receptor, poses: Molecules, *, ids: Optional[Iterable] = None, minimize: bool = False,
          scoring: str = "vina", torsion_weight: Optional[float] = None, smiles_column: str = "", id_column: str = "",
          id_rest: bool = False, format: str = "", max_atoms: int = DEFAULT_MAX_ATOMS, threads: int = 0
          ) -> Iterator[Result]:
    """Scores the poses of a file or a list as they are, hydrogens as given, or after moving each to its nearest local
    minimum. Every component of a record is scored. Options as those of dock."""
    text = ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms)
    run, given = _begin(poses, ids, text, lambda path, native: _quarry.ScoreRun(
        path, native, minimize, scoring, torsion_weight))
    protein = _native_receptor(receptor)
    return _results(lambda: run.next(protein), given)


def read_box(path: Path) -> Box:
    """Of a JSON file with `center` and `size`."""
    return Box(*map(tuple, _quarry.read_box(path_text(path))))


def box_around(points: Union[Path, Sequence, np.ndarray], pad: float = 8) -> Box:
    """Around an array [points, 3], or the atoms of a file (SDF, mol2, PDB), `pad` wider on every side."""
    if isinstance(points, (str, PathLike)):
        points = _quarry.read_positions(path_text(points))
    return Box(*map(tuple, _quarry.box_around(np.asarray(points, float), pad)))


@interruptible
def find_pockets(receptor: Receptor, num_pockets: int = 1) -> list[Pocket]:
    """The largest cavities, largest first."""
    return [Pocket(tuple(center), volume, Box(*map(tuple, box)))
            for center, volume, box in _quarry.find_pockets(_native_receptor(receptor), num_pockets)]


class Enrichment(NamedTuple):
    """How well scores tell actives from decoys."""

    actives: int
    decoys: int
    auc: float
    ef1: float
    ef5: float
    ef10: float
    bedroc20: float
    roc: list[tuple[float, float]]  #: false and true positive rate


def enrichment(scores: Sequence[float], active: Sequence[bool]) -> Enrichment:
    """Of scores, the lower the better, and which of them are those of actives."""
    return Enrichment(*_quarry.enrichment(list(map(float, scores)), list(map(bool, active))))
