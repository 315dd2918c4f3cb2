"""stof, a compiler for transformers with masked attention: attention with masks as values, and compiled packages."""

from . import masks, scores
from ._attention import attention
from ._errors import CompileError, Diagnostic
from .masks import Mask
from .runtime import ArgumentError, CheckError, DeviceError, Function, Graph, Package, PackageError, PreparedCall, load
from .scores import Score

__all__ = [
    "ArgumentError",
    "CheckError",
    "CompileError",
    "DeviceError",
    "Diagnostic",
    "Function",
    "Graph",
    "Mask",
    "Package",
    "PackageError",
    "PreparedCall",
    "Score",
    "attention",
    "load",
    "masks",
    "scores",
]
