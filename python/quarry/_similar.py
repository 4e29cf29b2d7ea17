"""How alike molecules are: matrices, neighbours, clusters, diverse subsets and fingerprints; exact."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Optional, Union

import numpy as np

from quarry import _quarry
from quarry._blocks import Blocks
from quarry._calls import Progress, checked_progress, wait_for
from quarry._fingerprints import Source
from quarry._library import DEFAULT_MAX_ATOMS, ReadOptions
from quarry._rows import Molecules, RejectedRow
from quarry.errors import InputError

if TYPE_CHECKING:
    import pandas
    import scipy.sparse

    Similarities = Union[np.ndarray, scipy.sparse.csr_matrix]


@dataclass(frozen=True)
class Clusters:
    """A partition. Molecules are counted from 0, as they were given."""

    labels: np.ndarray  #: [molecules] int64, the cluster of each; -1 where a row was rejected
    centroids: np.ndarray  #: [clusters] int64, its molecule with most neighbours
    rejected: list[RejectedRow]
    ids: list[str]  #: [molecules]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each molecule: id, label, centroid (its id; empty where the row was rejected)."""
        import pandas as pd
        centroids = [self.ids[self.centroids[label]] if label >= 0 else "" for label in self.labels]
        return pd.DataFrame({"id": self.ids, "label": self.labels, "centroid": centroids})


@dataclass(frozen=True)
class Picks:
    """A diverse subset. Molecules are counted from 0, as they were given."""

    indices: np.ndarray  #: [picks] int64, in the order in which they were made
    ids: list[str]  #: [picks]
    smiles: list[str]  #: [picks]
    rejected: list[RejectedRow]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each pick: molecule, id, smiles."""
        import pandas as pd
        return pd.DataFrame({"molecule": self.indices, "id": self.ids, "smiles": self.smiles})


def similar(a: Molecules, b: Optional[Molecules] = None, threshold: Optional[float] = None, *, k: int = 0,
            metric: str = "lingo", lingo_length: int = 4, fold_halogens: bool = False, normalize: str = "checked",
            smiles_column: str = "", id_column: str = "", id_rest: bool = False, format: str = "",
            max_atoms: int = DEFAULT_MAX_ATOMS, threads: int = 0, device: str = "host", device_bytes: int = 0,
            progress: Optional[Progress] = None) -> Similarities:
    """The Tanimoto similarity of each molecule of a with each of b, or with each of a, from 0 to 1.

    Returns a float32 array [molecules of a, molecules of b]; with a threshold or k a SciPy CSR matrix of that shape and
    type, which has only the pairs that are wanted. A row of a list that was rejected is NaN in the array, and empty in
    the matrix.

    a, b: a Library, or what read_library takes.
    threshold: only pairs with at least this similarity, 0 to 1. k: only the k most similar of each row, ties to the
        smaller number, without b of the other molecules; 0: all.
    metric: "lingo", substrings of the SMILES; "ecfp4": RDKit's Morgan fingerprint of radius 2, 2,048 bits.
    lingo_length: characters of a LINGO, 1 to 8. fold_halogens: Cl and Br are read as one letter.
    normalize: SMILES "checked": as written, where RDKit accepts them; "as-is": as written; "canonical": RDKit's own.
        Records of a library are taken as they are unless "canonical".
    smiles_column, id_column, id_rest, format, max_atoms, threads: as in read_library. device, device_bytes: as in match.
    progress: called with (done, total) pairs, from any thread, one at a time.

    Warns (RejectedWarning) of molecules that cannot be used. Raises InputError, CapacityError, DeviceError or TypeError.
    """
    job = _Job(metric, lingo_length, fold_halogens, normalize,
               ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms), device, device_bytes,
               progress)

    def work() -> tuple:
        rows, columns = job.sources(a, b)
        blocks: list = []
        job.compare(rows, columns, threshold, k, blocks.append)
        return rows, columns, _joined(blocks, rows, columns)
    rows, columns, found = wait_for(work)
    for source in (rows,) if columns is rows else (rows, columns):
        source.warn()
    return found


def similar_blocks(a: Molecules, b: Optional[Molecules] = None, threshold: Optional[float] = None, *, k: int = 0,
                   metric: str = "lingo", lingo_length: int = 4, fold_halogens: bool = False,
                   normalize: str = "checked", smiles_column: str = "", id_column: str = "", id_rest: bool = False,
                   format: str = "", max_atoms: int = DEFAULT_MAX_ATOMS, threads: int = 0, device: str = "host",
                   device_bytes: int = 0, progress: Optional[Progress] = None) -> Blocks[Similarities]:
    """As similar, as an iterator over arrays or matrices of consecutive rows, in bounded memory; it does not warn.

    Rows that were rejected are left out; columns keep their places.
    """
    job = _Job(metric, lingo_length, fold_halogens, normalize,
               ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms), device, device_bytes,
               progress)
    return Blocks(lambda put: job.compare(*job.sources(a, b), threshold, k, put))


def cluster(molecules: Molecules, threshold: float, *, metric: str = "lingo", lingo_length: int = 4,
            fold_halogens: bool = False, normalize: str = "checked", smiles_column: str = "", id_column: str = "",
            id_rest: bool = False, format: str = "", max_atoms: int = DEFAULT_MAX_ATOMS, threads: int = 0,
            device: str = "host", device_bytes: int = 0, progress: Optional[Progress] = None) -> Clusters:
    """Butina clustering: molecules at least this similar, above 0 to 1, are neighbours; the one with most neighbours
    takes them into its cluster, then the next of those that are left, ties to the smaller number.

    Options, warnings and errors are those of similar; progress counts molecules, each twice.
    """
    job = _Job(metric, lingo_length, fold_halogens, normalize,
               ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms), device, device_bytes,
               progress)

    def work() -> tuple:
        source = job.source(molecules)
        return source, *_quarry.cluster(source.native, threshold, job.options())
    source, centroids, labels = wait_for(work)
    source.warn()
    whole = np.full(source.num_rows, -1, np.int64)
    whole[source.rows] = labels
    return Clusters(whole, source.rows[centroids], source.rejected, source.ids)


def pick(molecules: Molecules, n: int, *, first: int = 0, threshold: float = 1, metric: str = "lingo",
         lingo_length: int = 4, fold_halogens: bool = False, normalize: str = "checked", smiles_column: str = "",
         id_column: str = "", id_rest: bool = False, format: str = "", max_atoms: int = DEFAULT_MAX_ATOMS,
         threads: int = 0, device: str = "host", device_bytes: int = 0, progress: Optional[Progress] = None) -> Picks:
    """n molecules that differ as much as possible, by MaxMin: after the first, always the one that is least similar to
    its nearest pick, ties to the smaller number.

    first: the molecule to begin with, from 0. threshold: ends when every other molecule is more similar than this to
    some pick. Other options, warnings and errors are those of similar; progress counts picks.
    """
    job = _Job(metric, lingo_length, fold_halogens, normalize,
               ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms), device, device_bytes,
               progress)

    def work() -> tuple:
        source = job.source(molecules)
        source.require_molecules("the list")
        at = np.flatnonzero(source.rows == first)
        if not 0 <= first < source.num_rows:
            raise InputError(f"the first pick is one from 0 to {source.num_rows - 1}, not {first}")
        if not at.size:
            raise InputError(f"the first pick cannot be {first}, which was rejected")
        found = _quarry.pick(source.native, n, int(at[0]), threshold, job.options())
        if progress is not None:
            progress(len(found), len(found))
        return source, found
    source, found = wait_for(work)
    source.warn()
    rows = source.rows[found]
    return Picks(rows, [source.ids[row] for row in rows], [source.smiles[i] for i in found], source.rejected)


def ecfp4(molecules: Molecules, packed: bool = False, *, smiles_column: str = "", id_column: str = "",
          id_rest: bool = False, format: str = "", max_atoms: int = DEFAULT_MAX_ATOMS, threads: int = 0,
          progress: Optional[Progress] = None) -> np.ndarray:
    """RDKit's Morgan fingerprints of radius 2 and 2,048 bits.

    Returns bool [molecules, 2048]; packed, uint8 [molecules, 256], in which bit i is bit i % 8 of byte i // 8. A row of a
    list that was rejected has no bits.

    molecules: a Library, or what read_library takes, as smiles_column, id_column, id_rest, format, max_atoms and threads.
    progress: called with (done, total) molecules. Warns (RejectedWarning) of molecules that cannot be used.
    """
    checked_progress(progress)
    read = ReadOptions(False, smiles_column, id_column, format, threads, id_rest, max_atoms)

    def work() -> tuple:
        source = Source(molecules, read, "checked")
        bits, reasons = _quarry.ecfp4(source.smiles, threads, progress)
        if any(reasons):
            raise InputError(next(reason for reason in reasons if reason))
        return source, bits
    source, found = wait_for(work)
    source.warn()
    bits = np.zeros((source.num_rows, found.shape[1]), np.uint8)
    bits[source.rows] = found
    return bits if packed else np.unpackbits(bits, axis=1, bitorder="little").view(bool)


class _Job:
    """What was asked for."""

    def __init__(self, metric: str, lingo_length: int, fold_halogens: bool, normalize: str, read: ReadOptions,
                 device: str, device_bytes: int, progress: Optional[Progress]):
        self._definition = _quarry.Definition(metric, lingo_length, fold_halogens)
        self._normalize, self._read = normalize, read
        self._run = {"threads": read.threads, "device": device, "device_bytes": device_bytes,
                     "progress": checked_progress(progress)}
        if normalize not in ("checked", "as-is", "canonical"):
            raise InputError(f"normalize cannot be '{normalize}': it is one of checked, as-is, canonical")

    def source(self, molecules: Molecules) -> Source:
        return Source(molecules, self._read, self._normalize, self._definition)

    def sources(self, a: Molecules, b: Optional[Molecules]) -> tuple[Source, Source]:
        rows = self.source(a)
        return rows, rows if b is None else self.source(b)

    def options(self, **search) -> _quarry.SimilarOptions:
        return _quarry.SimilarOptions(**self._run, **search)

    def compare(self, rows: Source, columns: Source, threshold: Optional[float], k: int,
                put: Callable[[Similarities], None]) -> None:
        dense = threshold is None and k == 0
        if len(rows.rows) == 0 or len(columns.rows) == 0:  # for an engine there is nothing to do
            shape = (len(rows.rows), columns.num_rows)
            if dense:
                put(np.full(shape, np.nan, np.float32))
                return
            from scipy import sparse
            put(sparse.csr_matrix(shape, dtype=np.float32))
            return
        if dense:
            _quarry.matrix(rows.native, columns.native, self.options(),
                           lambda _, values: put(_spread(values, columns)))
            return
        from scipy import sparse

        def take(offsets: np.ndarray, molecules: np.ndarray, similarities: np.ndarray) -> None:
            matrix = sparse.csr_matrix((similarities, columns.rows[molecules], offsets),
                                       shape=(len(offsets) - 1, columns.num_rows))
            matrix.sort_indices()
            put(matrix)
        _quarry.search(rows.native, columns.native, self.options(threshold=threshold or 0, k=k, without_itself=k > 0 and columns is rows), take)


def _spread(values: np.ndarray, columns: Source) -> np.ndarray:
    """With the columns that were rejected."""
    if len(columns.rows) == columns.num_rows:
        return values
    whole = np.full((len(values), columns.num_rows), np.nan, np.float32)
    whole[:, columns.rows] = values
    return whole


def _joined(blocks: list, rows: Source, columns: Source) -> Similarities:
    """With the rows that were rejected."""
    if isinstance(blocks[0], np.ndarray):
        whole = np.full((rows.num_rows, columns.num_rows), np.nan, np.float32)
        begin = 0
        for block in blocks:
            whole[rows.rows[begin:begin + len(block)]] = block
            begin += len(block)
        return whole
    from scipy import sparse
    found = sparse.vstack(blocks, format="csr")
    counts = np.zeros(rows.num_rows, np.int64)
    counts[rows.rows] = np.diff(found.indptr)
    return sparse.csr_matrix((found.data, found.indices, np.concatenate([[0], np.cumsum(counts)])),
                             shape=(rows.num_rows, columns.num_rows))
