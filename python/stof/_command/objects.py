"""Objects of Python by name on the command line: `package.module:object` and `FILE.py:object`."""

from __future__ import annotations

import importlib
import importlib.util
import pathlib
import re
import sys
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .errors import CommandError

_NAME = re.compile(r"(?P<module>[\w./+-]+):(?P<object>[A-Za-z_][\w.]*)")


def is_name(text: str) -> bool:
    """Whether `text` names an object."""
    return _NAME.fullmatch(text) is not None


def load(text: str) -> Any:
    """The object that `text` names."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise CommandError(f"expects MODULE:OBJECT or FILE.py:OBJECT, but got '{text}'")
    found: Any = _import(match["module"])
    for name in match["object"].split("."):
        if not hasattr(found, name):
            raise CommandError(f"expects an object of {match['module']}, but it has no '{name}'")
        found = getattr(found, name)
    return found


def _import(name: str) -> ModuleType:
    if not name.endswith(".py"):
        # As for `python -m`, modules of the current folder come first.
        if "" not in sys.path and str(pathlib.Path.cwd()) not in sys.path:
            sys.path.insert(0, "")
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
                raise CommandError(f"expects a module that can be imported, but there is no '{name}'") from error
            raise CommandError(f"expects a module that can be imported, but {name} fails: {describe(error)}") from error
        except Exception as error:
            raise CommandError(f"expects a module that can be imported, but {name} fails: {describe(error)}") from error
    path = pathlib.Path(name)
    if not path.is_file():
        raise CommandError(f"expects a file of Python, but there is no {name}")
    spec = importlib.util.spec_from_file_location(path.name.removesuffix(".py"), path)
    assert spec is not None and spec.loader is not None, "a name in .py has a loader"
    module = importlib.util.module_from_spec(spec)
    # Functions in it can be pickled, and their classes found.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CommandError(f"expects a file that can be imported, but {name} fails: {describe(error)}") from error
    return module


def call(function: Callable[..., Any], what: str, **keywords: Any) -> Any:
    """A call of a user's function, whose errors are those of the user."""
    try:
        return function(**keywords)
    except Exception as error:
        raise CommandError(f"expects {what} to be callable here, but it fails: {describe(error)}") from error


def describe(error: BaseException) -> str:
    """An exception with the line that raised it, or the last one outside of installed packages."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "site-packages" not in frame.filename and "importlib" not in frame.filename]
    own = [frame for frame in own if frame.filename != __file__] or list(frames)
    place = f" at {own[-1].filename}:{own[-1].lineno}" if own else ""
    return f"{type(error).__name__}{place}: {error}"
