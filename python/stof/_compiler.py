"""libstof-c through ctypes, the compiler as a function; include/stof-c/Compile.h documents the library.

    result = compile_module(text, folder, targets=["sm_90a", "cpu"])
    package = stof.load(result.folder)

    package = stof.load(compile_module(text, targets=["cpu"]).archive)
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import json
import os
import pathlib
from collections.abc import Sequence

from . import _library
from ._errors import CompileError, Diagnostic

NAME = "libstof-c.so"

_SEVERITIES = ("error", "warning", "note", "remark")


class _String(ctypes.Structure):
    """An MlirStringRef."""

    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class _Text(ctypes.Structure):
    """An MlirStringRef of a result, which ends with its length and not with a null character."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __bytes__(self) -> bytes:
        return ctypes.string_at(self.data, self.length) if self.length else b""

    def __str__(self) -> str:
        return bytes(self).decode(errors="replace")


class _Options(ctypes.Structure):
    """A StofCompileOptions."""

    _fields_ = [
        ("output", _String),
        ("targets", ctypes.POINTER(_String)),
        ("count", ctypes.c_ssize_t),
        ("function", _String),
        ("name", _String),
        ("omit_assertions", ctypes.c_bool),
        ("check_bounds", ctypes.c_bool),
        ("allow_unregistered_dialects", ctypes.c_bool),
        ("threads", ctypes.c_uint),
    ]


class _Diagnostic(ctypes.Structure):
    """A StofDiagnostic."""

    _fields_ = [
        ("severity", ctypes.c_int),
        ("file", _Text),
        ("line", ctypes.c_uint),
        ("column", ctypes.c_uint),
        ("message", _Text),
    ]


_REMARK_FIELDS = ("kind", "name", "function", "location", "text")


class _Remark(ctypes.Structure):
    """A StofRemark."""

    _fields_ = [(field, _Text) for field in _REMARK_FIELDS]


_handle = ctypes.c_void_p

# name: (result, arguments)
_FUNCTIONS = {
    "stofCompile": (_handle, [_String, ctypes.POINTER(_Options)]),
    "stofCompilationDestroy": (None, [_handle]),
    "stofCompilationSucceeded": (ctypes.c_bool, [_handle]),
    "stofCompilationGetNumDiagnostics": (ctypes.c_ssize_t, [_handle]),
    "stofCompilationGetDiagnostic": (_Diagnostic, [_handle, ctypes.c_ssize_t]),
    "stofCompilationGetNumRemarks": (ctypes.c_ssize_t, [_handle]),
    "stofCompilationGetRemark": (_Remark, [_handle, ctypes.c_ssize_t]),
    "stofCompilationGetReport": (_Text, [_handle]),
    "stofCompilationGetArchive": (_Text, [_handle]),
    "stofGetVersion": (_Text, []),
    "stofGetHostProcessor": (_Text, []),
}


@dataclasses.dataclass(frozen=True)
class Remark:
    """A decision of a pass; lib/REMARKS.md documents them by name."""

    # "passed", "missed", "failure" or "analysis".
    kind: str
    name: str
    # Empty for remarks on the module.
    function: str
    # FILE:LINE:COLUMN, or "unknown".
    location: str
    text: str


@dataclasses.dataclass(frozen=True)
class CompileResult:
    """What a compilation leaves: a package, and what the compiler says about it."""

    # Where the package is: either a folder, or a tar archive in memory.
    folder: pathlib.Path | None
    archive: bytes | None
    # Warnings with their notes.
    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[Remark, ...]
    # As in report.schema.json.
    report: dict


@functools.lru_cache(maxsize=None)
def _load() -> ctypes.CDLL:
    return _library.bind(NAME, _FUNCTIONS)


def get_version() -> str:
    return str(_load().stofGetVersion())


@functools.lru_cache(maxsize=None)
def describe() -> str:
    """The version of the compiler and of the file with it, and the CPU that it compiles for: what a package depends on in
    addition to its source and options."""
    library = _load()
    file = os.stat(_find_file())
    return f"stof {library.stofGetVersion()} {file.st_size} {file.st_mtime_ns}, {library.stofGetHostProcessor()}"


def _find_file() -> str:
    """The path of the library, which the loader may have found."""
    with open("/proc/self/maps") as maps:
        return next(line.split(maxsplit=5)[5].rstrip("\n") for line in maps if line.rstrip("\n").endswith("/" + NAME))


def compile_module(
    source: str | bytes,
    folder: str | os.PathLike[str] | None = None,
    *,
    targets: Sequence[str],
    function: str | None = None,
    name: str = "model",
    assertions: bool = True,
    check_bounds: bool = False,
    allow_unregistered_dialects: bool = False,
    threads: int = 0,
) -> CompileResult:
    """Compiles `source`, MLIR text or bytecode, and writes a package to `folder`, in place of an older package if there is
    one. Without a folder, the package is an archive in memory.

    `targets` are GPUs in ptxas spelling ("sm_80", "sm_90a"), and "cpu"; `function` is the only function to compile, by
    default all public ones. `name` is the file in locations. Without `assertions`, what the source asserts on indices is
    not checked when the package runs. With `check_bounds`, an access out of bounds ends the process. `threads` is a
    maximum; 0 is one per hardware thread.

    Raises `CompileError` with the compiler's diagnostics; nothing is then written.
    """
    if folder is not None and not os.fspath(folder):
        raise ValueError("expects a folder to write, but got an empty name")
    library = _load()
    model, names = _encode(source), (_String * max(1, len(targets)))(*map(_encode, targets))
    options = _Options(
        output=_encode("" if folder is None else os.fspath(folder)),
        targets=names,
        count=len(targets),
        function=_encode(function or ""),
        name=_encode(name),
        omit_assertions=not assertions,
        check_bounds=check_bounds,
        allow_unregistered_dialects=allow_unregistered_dialects,
        threads=threads,
    )
    compilation = library.stofCompile(model, ctypes.byref(options))
    try:
        diagnostics = _read_diagnostics(compilation)
        if not library.stofCompilationSucceeded(compilation):
            raise CompileError(diagnostics)
        report = json.loads(str(library.stofCompilationGetReport(compilation)))
        archive = bytes(library.stofCompilationGetArchive(compilation)) if folder is None else None
        written = None if folder is None else pathlib.Path(folder)
        return CompileResult(written, archive, diagnostics, _read_remarks(compilation), report)
    finally:
        library.stofCompilationDestroy(compilation)


def _encode(text: str | bytes) -> _String:
    data = text.encode() if isinstance(text, str) else bytes(text)
    return _String(data, len(data))


def _read_diagnostics(compilation: int) -> tuple[Diagnostic, ...]:
    library = _load()
    found = []
    for position in range(library.stofCompilationGetNumDiagnostics(compilation)):
        said = library.stofCompilationGetDiagnostic(compilation, position)
        severity = _SEVERITIES[said.severity]
        found.append(Diagnostic(severity, str(said.file), said.line, said.column, str(said.message)))
    return tuple(found)


def _read_remarks(compilation: int) -> tuple[Remark, ...]:
    library = _load()
    found = []
    for position in range(library.stofCompilationGetNumRemarks(compilation)):
        said = library.stofCompilationGetRemark(compilation, position)
        found.append(Remark(*(str(getattr(said, field)) for field in _REMARK_FIELDS)))
    return tuple(found)
