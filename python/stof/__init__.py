"""stof compiles transformers whose attention is masked, and runs what it compiled."""

from .runtime import ArgumentError, CheckError, DeviceError, Function, Graph, Package, PackageError, load

__all__ = ["ArgumentError", "CheckError", "DeviceError", "Function", "Graph", "Package", "PackageError", "load"]
