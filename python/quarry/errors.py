"""The errors of Quarry, named by who can act on them. The text is a sentence that names the thing and the value."""


class Error(Exception):
    """Base of them all."""


class InputError(Error, ValueError):
    """The data or an option is wrong: a file is missing or damaged, a pattern cannot be read."""


class CapacityError(Error):
    """A stated limit, memory among them, is too small for the job."""


class SystemError(Error):  # shadows the built-in on purpose: read it as quarry.SystemError
    """The machine failed: a full disk, a write that did not succeed."""


class DeviceError(SystemError):
    """A device failed, or there is no such device."""
