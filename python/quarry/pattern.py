"""Small connected graphs that are looked for in a large one: read from text or from files."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from quarry import _quarry
from quarry._calls import Path, path_text


@dataclass(frozen=True)
class Pattern:
    """A small connected graph; str() gives it as text of edges."""

    name: str  #: as it was asked for
    text: str  #: its edges
    vertices: tuple[str, ...]  #: their names, in the order of the columns of matches
    labels: tuple[Optional[int], ...]  #: [vertices], None: any
    edges: tuple[tuple[int, int, Optional[int]], ...]  #: from, to, and label or None

    def __str__(self) -> str:
        return self.text


AnyPattern = Union[str, Pattern]


def parse_pattern(text: str) -> Pattern:
    """What the text or the name means. Raises InputError, or CapacityError for more than 16 vertices."""
    return Pattern(*_quarry.parse_pattern(text))


def read_graph_patterns(path: Path) -> list[Pattern]:
    """Reads patterns from a file of labelled graphs, `v ID LABEL` and `e FROM TO [LABEL]`, also .gz, .zst, .bz2 or .xz.

    A line `t # NAME` begins each; a file without such lines is one pattern, named as the file. The columns of matches
    are the vertices in the order of their ids. Where no edge of a pattern has a label, any will do.

    Raises InputError (names file, line and reason), or CapacityError for more than 16 vertices.
    """
    return [Pattern(*fields) for fields in _quarry.read_patterns(path_text(path))]


def patterns() -> dict[str, str]:
    """The named connected patterns of three to five vertices with their edges, fewer vertices first."""
    return _quarry.patterns()


def native_pattern(pattern: AnyPattern) -> _quarry.GraphPattern:
    """Raises InputError, CapacityError; TypeError for something else."""
    if isinstance(pattern, str):
        pattern = parse_pattern(pattern)
    if not isinstance(pattern, Pattern):
        raise TypeError(f"expected a pattern as a text or a Pattern, not {type(pattern).__name__}")
    return _quarry.GraphPattern(pattern.name, pattern.vertices, pattern.labels, pattern.edges)
