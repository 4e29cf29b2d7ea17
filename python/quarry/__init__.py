"""Quarry finds patterns in molecules and graphs, exactly.

Molecules: index, read_library, match, similar, cluster, pick, ecfp4. Graphs: read_graph, generate, Graph and the modules
mine (patterns in a graph) and watch (in one that changes). Proteins: the module dock. Many
machines: the module jobs.
"""
from quarry import dock, jobs, mine, watch
from quarry.errors import CapacityError, DeviceError, Error, InputError, SystemError
from quarry._quarry import __version__
from quarry._library import Library, ReadNotes, Report, index, read_library
from quarry._match import match, match_blocks
from quarry._match_result import Matches, OverflowWarning, RefusedQuery
from quarry._rows import RejectedRow, RejectedWarning
from quarry._similar import Clusters, Picks, cluster, ecfp4, pick, similar, similar_blocks
from quarry.graph import Graph, generate, read_graph

__all__ = ["CapacityError", "Clusters", "DeviceError", "Error", "Graph", "InputError", "Library", "Matches",
           "OverflowWarning", "Picks", "ReadNotes", "RefusedQuery", "RejectedRow", "RejectedWarning", "Report", "SystemError",
           "cluster", "dock", "ecfp4", "generate", "index", "jobs", "match", "match_blocks", "mine", "pick", "read_graph", "read_library", "similar",
           "similar_blocks", "watch"]
