"""The exceptions of the package."""


class PackageError(ValueError):
    """A package cannot be opened: it is missing, damaged or of another version."""


class ArgumentError(ValueError):
    """A tensor is not valid for a function: its dtype, shape, device, strides or address."""


class DeviceError(RuntimeError):
    """A device is missing, or failed to load or to run a function."""


class CheckError(ArgumentError):
    """Data violates an assertion of the source, such as an index out of bounds of its table."""


# By the status of stofCallRun.
RUN_ERRORS = {1: ArgumentError, 2: DeviceError, 3: CheckError}
