"""Runs packages compiled by stof, a compiler for transformers with masked attention."""

from .runtime import ArgumentError, CheckError, DeviceError, Function, Graph, Package, PackageError, PreparedCall, load

__all__ = ["ArgumentError", "CheckError", "DeviceError", "Function", "Graph", "Package", "PackageError", "PreparedCall", "load"]
