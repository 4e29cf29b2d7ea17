"""The errors of Quarry, named by who can act on them. The text is a sentence that names the thing and the value."""


class Error(Exception):
    """Base of the three."""


class InputError(Error, ValueError):
    """The data or an option is wrong: a file is missing or damaged, a pattern cannot be read."""


class CapacityError(Error):
    """A stated limit, memory among them, is too small for the job."""


class DeviceError(Error):
    """The machine failed: a full disk, a write that did not succeed."""
