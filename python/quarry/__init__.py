"""Quarry finds patterns in molecules and graphs, exactly.

Molecules: index, read_library, match, read_hits, similar, cluster, pick, ecfp4. Graphs: read_graph, generate, Graph and the
modules mine (patterns in a graph) and watch (in one that changes). Proteins: the module dock. Many machines: the module jobs.
"""
from quarry import dock, jobs, mine, watch
from quarry.errors import CapacityError, DeviceError, Error, InputError, SystemError
from quarry._quarry import __version__
from quarry._library import Audit, Library, ReadNotes, Report, index, read_library
from quarry._match import match, match_blocks, read_hits
from quarry._match_result import EqualIdsWarning, Matches, OverflowWarning, RefusedQuery
from quarry._rows import RejectedRow, RejectedWarning
from quarry._similar import Clusters, Picks, cluster, ecfp4, pick, similar, similar_blocks
from quarry.graph import Graph, generate, read_graph

__all__ = ["Audit", "CapacityError", "Clusters", "DeviceError", "EqualIdsWarning", "Error", "Graph", "InputError", "Library",
           "Matches", "OverflowWarning", "Picks", "ReadNotes", "RefusedQuery", "RejectedRow", "RejectedWarning", "Report",
           "SystemError", "cluster", "dock", "ecfp4", "generate", "index", "jobs", "match", "match_blocks", "mine", "pick", "read_graph",
           "read_hits", "read_library", "similar", "similar_blocks", "watch"]
