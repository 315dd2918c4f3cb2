"""The exceptions of the package."""

import dataclasses


class PackageError(ValueError):
    """A package cannot be opened: it is missing, damaged or of another version."""


class ArgumentError(ValueError):
    """A tensor is not valid for a function: its dtype, shape, device, strides or address."""


class DeviceError(RuntimeError):
    """A device is missing, or failed to load or to run a function."""


class CheckError(ArgumentError):
    """Data violates an assertion of the source, such as an index out of bounds of its table."""


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What the compiler says about a model; a note belongs to the error or warning before it."""

    # "error", "warning", "note" or "remark".
    severity: str
    # The position in the source; "" and zeroes if unknown, zeroes alone for the whole file.
    file: str
    line: int
    column: int
    message: str

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        said = f"{self.severity}: {self.message}"
        return f"{place}: {said}" if place else said


class CompileError(ValueError):
    """A model cannot be compiled; `diagnostics` say where and why."""

    def __init__(self, diagnostics):
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics

    def __reduce__(self):
        return CompileError, (self.diagnostics,)


# By the status of stofCallRun.
RUN_ERRORS = {1: ArgumentError, 2: DeviceError, 3: CheckError}
