"""stof, a compiler for transformers with masked attention: attention with masks as values, torch modules, and compiled
packages."""

import importlib
import sys
from typing import Any

from . import masks, scores
from ._attention import attention
from ._errors import CompileError, Diagnostic
from ._metadata import SourceFinder
from .masks import Mask
from .runtime import ArgumentError, CheckError, DeviceError, Function, Graph, Package, PackageError, PreparedCall, load
from .scores import Score

# What needs torch is imported at its first use.
_LAZY = {
    "CompiledModule": "_torch.module",
    "Example": "_torch.module",
    "ExportError": "_torch.errors",
    "compile": "_torch.module",
    "compile_functions": "_torch.module",
}

__all__ = [
    "ArgumentError",
    "CheckError",
    "CompileError",
    "CompiledModule",
    "DeviceError",
    "Diagnostic",
    "Example",
    "ExportError",
    "Function",
    "Graph",
    "Mask",
    "Package",
    "PackageError",
    "PreparedCall",
    "Score",
    "attention",
    "compile",
    "compile_functions",
    "load",
    "masks",
    "scores",
]

# Behind the finders of installations, whose metadata has precedence.
sys.meta_path.append(SourceFinder)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'stof' has no attribute '{name}'")
    value = getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    globals()[name] = value
    return value
