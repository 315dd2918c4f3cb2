"""Compiled packages by what they are compiled from, in memory and in the cache folder of the user."""

from __future__ import annotations

import functools
import hashlib
import os
import pathlib
import shutil
import tempfile
import threading

from . import _compiler
from .runtime import Package, load

_lock = threading.Lock()


def find_folder() -> pathlib.Path:
    """`$XDG_CACHE_HOME/stof`, by default `~/.cache/stof`."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    # The standard ignores relative paths.
    return (pathlib.Path(root) if os.path.isabs(root) else pathlib.Path.home() / ".cache") / "stof"


def compute_key(text: str, target: str) -> str:
    """The name of a package: a digest of its source, its target, and what compiles it where."""
    parts = (text, target, _compiler.describe())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def find_package(text: str, target: str) -> Package:
    """The package of a module, compiled unless it is in the cache.

    Processes may share the folder: a package is written elsewhere in it and renamed, and the first one stays. Raises
    CompileError, and OSError if the folder cannot be written.
    """
    # One compilation at a time; others may wait for the same.
    with _lock:
        return _find(text, target)


@functools.lru_cache(maxsize=256)
def _find(text: str, target: str) -> Package:
    folder = find_folder()
    path = folder / compute_key(text, target)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        aside = pathlib.Path(tempfile.mkdtemp(prefix="writing-", dir=folder))
        try:
            _compiler.compile_module(text, aside / "package", targets=[target])
            _publish(aside / "package", path)
        finally:
            shutil.rmtree(aside)
    return load(path)


def _publish(written: pathlib.Path, path: pathlib.Path) -> None:
    try:
        written.rename(path)
    except OSError:
        # Another process has published the same package.
        if not path.exists():
            raise
