"""What match found: pairs of molecules and queries as arrays."""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

import numpy as np

from quarry._rows import RejectedRow
from quarry.errors import CapacityError, InputError

if TYPE_CHECKING:
    import pandas
    import scipy.sparse


class RefusedQuery(NamedTuple):
    """A SMARTS that cannot be honoured."""

    line: int  #: of the file, or place in the list, from 1
    id: str
    reason: str


class EqualIdsWarning(UserWarning):
    """Some molecules, or queries, have the id of another."""


class OverflowWarning(UserWarning):
    """Pairs have more embeddings than can be stored."""


class Matches:
    """Which molecules match which queries. Pairs are in order of molecule, then of query; can be pickled.

    molecules, queries: [pairs] int64, counted from 0. A molecule is its place in the list that was given, or in the file
        among those that could be read; a query is its place in the list, or in the file among those that were accepted,
        and those of sets follow.
    counts: [pairs] int64, embeddings; in the mode "first" 1.
    truncated, timeout: [pairs] bool: there are more than max_matches, or pair_budget ran out before all were found.
    overflow: [pairs] bool: it has more embeddings than can be stored, 2 GiB, so it has none here; `match` warns of them.
    atom_offsets, atoms: in the modes "all" and "unique", the atoms of pair i are
        atoms[atom_offsets[i]:atom_offsets[i + 1]], embedding after embedding, atom by atom of the query; else None.
    first_molecule: of a block of match_blocks; else 0. shape: molecules from there on, and queries.
    ids: [molecules from there on]. query_ids: [queries].
    rejected: [RejectedRow]. refused: [RefusedQuery].
    """

    def __init__(self, fields: tuple, first_molecule: int, shape: tuple[int, int], ids: list[str],
                 query_ids: list[str], rejected: list[RejectedRow], refused: list[RefusedQuery]):
        (self.molecules, self.queries, self.counts, self.truncated, self.timeout, self.overflow, self.atom_offsets,
         self.atoms) = fields
        self.first_molecule, self.shape = first_molecule, shape
        self.ids, self.query_ids, self.rejected, self.refused = ids, query_ids, rejected, refused

    def __len__(self) -> int:
        """Pairs."""
        return len(self.molecules)

    def embeddings(self, pair: int) -> np.ndarray:
        """[embeddings, atoms of the query] atoms of the molecule, from 0. Raises InputError in other modes, and
        CapacityError of a pair with `overflow`."""
        if self.atoms is None:
            raise InputError("atoms are kept in the modes 'all' and 'unique' only")
        if self.overflow[pair]:
            raise CapacityError(f"pair {pair} has more embeddings than can be stored: give max_matches")
        atoms = self.atoms[self.atom_offsets[pair]:self.atom_offsets[pair + 1]]
        return atoms.reshape(self.counts[pair], -1) if len(atoms) else atoms.reshape(0, 0)

    def to_csr(self) -> scipy.sparse.csr_matrix:
        """counts as a SciPy matrix of this shape: [molecules, queries] int64.

        The hits of a query with min=0 may have the count 0: they are stored as zeros. A matrix of hits, which tells
        them apart also as an array: csr = result.to_csr(); csr.data[:] = 1
        """
        from scipy import sparse
        rows = self.molecules - self.first_molecule
        return sparse.csr_matrix((self.counts, (rows, self.queries)), shape=self.shape)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each pair: molecule, id, query, query_id, count, truncated, timeout, overflow."""
        import pandas as pd
        return pd.DataFrame({
            "molecule": self.molecules, "id": [self.ids[i] for i in self.molecules - self.first_molecule],
            "query": self.queries, "query_id": [self.query_ids[i] for i in self.queries], "count": self.counts,
            "truncated": self.truncated, "timeout": self.timeout, "overflow": self.overflow})

    def __repr__(self) -> str:
        return f"Matches({len(self)} pairs of {self.shape[0]} molecules and {self.shape[1]} queries)"


def joined(blocks: list[Matches]) -> Matches:
    """Consecutive ones as one."""
    if len(blocks) == 1:
        return blocks[0]
    columns = [np.concatenate(each) for each in zip(*(
        (block.molecules, block.queries, block.counts, block.truncated, block.timeout, block.overflow) for block in blocks))]
    offsets = atoms = None
    if blocks[0].atoms is not None:
        ends = np.cumsum([0] + [len(block.atoms) for block in blocks])
        offsets = np.concatenate([[0]] + [block.atom_offsets[1:] + end for block, end in zip(blocks, ends)])
        atoms = np.concatenate([block.atoms for block in blocks])
    shape = (sum(block.shape[0] for block in blocks), blocks[0].shape[1])
    return Matches((*columns, offsets, atoms), blocks[0].first_molecule, shape,
                   [id for block in blocks for id in block.ids], blocks[0].query_ids,
                   [row for block in blocks for row in block.rejected], blocks[0].refused)
