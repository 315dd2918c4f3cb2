"""Calls on arrays of JAX: one primitive, which `jax.jit` compiles into the programs of XLA and which runs there by the handlers
of include/stof-c/Xla.h. What is called is compiled by stof when JAX lowers it, for the platform that it is lowered for."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Sequence
from typing import Any

import jax
import jax.extend.core
import jax.numpy
from jax.interpreters import batching, mlir

from . import _attention, _backends, _cache, _library, _sizes
from ._errors import ArgumentError
from .masks import Mask
from .scores import Score

_TARGET = "stof"
_HANDLERS = {"cpu": "stofXlaCallOnCpu", "CUDA": "stofXlaCallOnCuda"}
# The packages that programs of XLA may call, which live as long as the process.
_added: dict[str, _library.Handle] = {}


@dataclasses.dataclass(frozen=True)
class _Module:
    """A module of MLIR, compiled for each platform that it is called on."""

    text: str

    def find_package(self, target: str) -> _library.Handle:
        package: _library.Handle = _cache.find_package(self.text, target)._handle
        return package


@dataclasses.dataclass(frozen=True)
class _Opened:
    """A package that the caller has opened."""

    package: _library.Handle

    def find_package(self, target: str) -> _library.Handle:
        return self.package


_call = jax.extend.core.Primitive("stof_call")
_call.multiple_results = True


@_call.def_abstract_eval
def _describe_results(*inputs: Any, results: Sequence[tuple[tuple[int, ...], str]], **keywords: Any) -> list[Any]:
    return [jax.core.ShapedArray(shape, jax.numpy.dtype(dtype)) for shape, dtype in results]


@functools.partial(jax.jit, static_argnames=("source", "function", "results", "aliases"))
def _run(
    *inputs: Any, source: Any, function: str, results: Sequence[Any], aliases: Sequence[tuple[int, int]] = ()
) -> Sequence[Any]:
    found: Sequence[Any] = _call.bind(*inputs, source=source, function=function, results=results, aliases=aliases)
    return found


@functools.lru_cache(maxsize=None)
def _register() -> None:
    library = _library.load()
    for platform, handler in _HANDLERS.items():
        jax.ffi.register_ffi_target(_TARGET, jax.ffi.pycapsule(getattr(library, handler)), platform=platform)


def _add(package: _library.Handle) -> str:
    """Lets programs of XLA call the functions of a package, and returns its name there. It is that of equal packages in all
    processes, as JAX may keep programs on disk."""
    library = _library.load()
    # The manifest has the digests of all files.
    name = hashlib.sha256(library.stofPackageGetManifest(package.address)).hexdigest()[:32]
    if name not in _added:
        _register()
        _added[name] = package
        library.stofXlaAddPackage(name.encode(), package.address)
    return name


def _lower(find_target: Any, context: Any, *inputs: Any, source: Any, function: str, results: Any, aliases: Any) -> Any:
    name = _add(source.find_package(find_target()))
    rule = jax.ffi.ffi_lowering(_TARGET, operand_output_aliases=dict(aliases))
    return rule(context, *inputs, package=name, function=function)


def _find_cuda_target() -> str:
    return _attention.name_target(*map(int, jax.devices("cuda")[0].compute_capability.split(".")))


mlir.register_lowering(_call, functools.partial(_lower, lambda: "cpu"), platform="cpu")
mlir.register_lowering(_call, functools.partial(_lower, _find_cuda_target), platform="cuda")


def _batch(inputs: Sequence[Any], dims: Sequence[Any], **parameters: Any) -> tuple[Sequence[Any], Sequence[int]]:
    """One call after the other."""
    mapped = [None if dim is None else jax.numpy.moveaxis(given, dim, 0) for given, dim in zip(inputs, dims)]
    # None is a tree without leaves.
    found = jax.lax.map(
        lambda one: _call.bind(
            *(given if dim is None else part for given, dim, part in zip(inputs, dims, one)), **parameters
        ),
        mapped,
    )
    return found, [0] * len(found)


batching.primitive_batchers[_call] = _batch


def _find_dtypes(names: Sequence[str], dtypes: Sequence[str]) -> list[str]:
    """The names in JAX of dtypes of a manifest."""
    known = [_backends.TORCH_DTYPES[dtype] for dtype in dtypes]
    for name, dtype, found in zip(names, dtypes, known):
        if jax.dtypes.canonicalize_dtype(found) != jax.numpy.dtype(found):
            raise ArgumentError(f"expects jax_enable_x64 for {name} of {dtype}")
    return known


def call(function: Any, entry: Any, package: _library.Handle, tensors: Sequence[Any]) -> Any:
    """A function of a package on arrays of JAX, and on others that JAX takes; `entry` is that of the manifest."""
    arrays = [_take(spec.name, tensor, spec.dtype) for spec, tensor in zip(function.inputs, tensors)]
    shapes = _sizes.solve(entry, [array.shape for array in arrays])
    dtypes = _find_dtypes([result.name for result in function.results], [result.dtype for result in function.results])
    names = [spec.name for spec in function.inputs]
    aliases = [(names.index(result.aliases), at) for at, result in enumerate(function.results) if result.aliases]
    results = _run(
        *arrays, source=_Opened(package), function=function.name, results=tuple(zip(shapes, dtypes)), aliases=tuple(aliases)
    )
    return results[0] if len(results) == 1 else tuple(results)


def _take(name: str, tensor: Any, dtype: str) -> Any:
    """`tensor` as an array of JAX of a dtype in manifests."""
    backend = _backends.choose([tensor])
    if backend.name not in ("jax", "numpy") or not backend.takes(tensor):
        raise ArgumentError(f"expects {name} to be a jax tensor, but got {type(tensor).__name__}")
    given = backend.dtype(tensor)
    if given != dtype:
        raise ArgumentError(f"expects {name} of dtype {dtype}, but got {given}")
    _find_dtypes([name], [dtype])
    return jax.numpy.asarray(tensor)


def attend(
    tensors: Sequence[Any], mask: Mask | None, score: Score | None, scale: float | None, return_lse: bool, dynamic: bool
) -> Any:
    """`stof.attention` on arrays of JAX."""
    backend = _backends.choose(tensors)
    dtypes = [backend.dtype(tensor) if backend.takes(tensor) else type(tensor).__name__ for tensor in tensors]
    for name, tensor in zip(("query", "key", "value"), tensors):
        if not backend.takes(tensor):
            raise ArgumentError(f"expects {name} to be a jax tensor, but got {type(tensor).__name__}")
    shape = _attention.check_shapes(tensors, dtypes)
    _attention.check_sizes(tensors, mask, score)
    shape = _attention.fix_sizes(shape, tensors, dynamic)
    text = _attention.write(mask, score, shape, _attention.check_scale(scale, shape.features), bool(return_lse))
    captures = [*(mask.captures if mask else ()), *(score.captures if score else ())]
    captured = [_take("a captured tensor", capture.tensor, capture.dtype) for capture in captures]
    query = tensors[0]
    results = [((*query.shape[:3], shape.value_features), str(query.dtype)), (tuple(query.shape[:3]), "float32")]
    found = _run(
        *tensors, *captured, source=_Module(text), function="attention", results=tuple(results[: 1 + bool(return_lse)])
    )
    return tuple(found) if return_lse else found[0]
