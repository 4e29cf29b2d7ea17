"""Quarry finds patterns in molecules and graphs, exactly. Each engine is a module: `from quarry import mine`."""
from quarry.errors import CapacityError, DeviceError, Error, InputError, SystemError
from quarry._quarry import __version__
from quarry.graph import Graph, generate, read_graph

__all__ = ["CapacityError", "DeviceError", "Error", "Graph", "InputError", "SystemError", "generate", "read_graph"]
