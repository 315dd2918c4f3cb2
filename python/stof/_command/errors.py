"""What goes wrong on a command line, as one screen of text."""

from __future__ import annotations

import sys
from collections.abc import Callable

from .._errors import ArgumentError, CompileError, DeviceError, PackageError
from .._torch.errors import ExportError

# What a user can mend; other exceptions are errors of stof, whose traceback is of use.
_EXPECTED = (ArgumentError, CompileError, DeviceError, ExportError, ImportError, OSError, PackageError)
_MOST_LINES, _MOST_COLUMNS = 20, 400
_INTERRUPTED = 130


class CommandError(ValueError):
    """What was asked for on the command line cannot be done."""


def guard(program: str, action: Callable[[], int]) -> int:
    """The exit status of `action`: its own, or 1 after an error, which is printed."""
    try:
        return action()
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # Who reads the output has seen enough; nothing is left to be flushed at exit.
        sys.stdout = None
        return 1
    except (CommandError, *_EXPECTED) as error:
        # Diagnostics of the compiler say by themselves that they are errors.
        kind = "" if isinstance(error, CompileError) else "error: "
        print(fit_screen(f"{program}: {kind}{error}"), file=sys.stderr)
        return 1


def fit_screen(text: str) -> str:
    """`text` without what a screen has no room for, and how much that is."""
    lines = [line if len(line) <= _MOST_COLUMNS else f"{line[:_MOST_COLUMNS]}..." for line in text.splitlines()]
    if len(lines) <= _MOST_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[:_MOST_LINES], f"... and {len(lines) - _MOST_LINES} more lines"])


def require(module: str, what: str, packages: str) -> None:
    """Raises CommandError unless `module` is installed."""
    import importlib.util

    if module in sys.modules and sys.modules[module] is None or importlib.util.find_spec(module) is None:
        raise CommandError(f"expects {module} for {what}, but it is not installed: pip install {packages}")


def describe_first_line(error: BaseException) -> str:
    """The kind of an exception, and the first line of its message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
