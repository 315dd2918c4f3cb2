"""`python -m stof run`: a function of a package on arrays."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..runtime import load
from . import arrays, sizes
from .errors import CommandError
from .progress import Progress

if TYPE_CHECKING:
    import numpy

    from ..runtime import Function, Package

SUMMARY = "runs a package on arrays from files, or on drawn ones"
DESCRIPTION = """Runs a function of a package. Inputs are arrays named arg0, arg1, ... from files; with --seed, those that
are not given are drawn: floats uniform in [-1, 1), integers from 0 to below --below. Results are arrays named result0,
result1, ... In files, bf16 is f32."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("package", help="the folder of the package")
    add("--function", metavar="NAME", help="the function (default: the only one)")
    add("--inputs", metavar="FILE", nargs="+", default=[], help=".npz with arg0, arg1, ...; .npy in order, or NAME=FILE.npy")
    add("--seed", type=int, metavar="N", help="draw inputs that are not given")
    add("--below", type=int, metavar="N", default=2, help="drawn integers are below N (default: 2)")
    add("--size", metavar="NAME=N", nargs="+", default=[], help="dynamic sizes, for inputs that are drawn")
    add("--outputs", metavar="FILE.npz", help="where to write the results")
    add("--reference", metavar="FILE.npz", help="compare the results with result0, result1, ...; exit 1 if they differ")
    tolerances = ", ".join(f"{dtype} {tolerance:g}" for dtype, tolerance in arrays.TOLERANCES.items())
    add("--tolerance", type=float, metavar="X", help=f"of differences, by the largest value (default: {tolerances}, others 0)")
    add("--device", metavar="DEVICE", help="cpu or cuda:N (default: cuda:0 if there is one and the package is for it)")


def run(arguments: argparse.Namespace) -> int:
    package = load(arguments.package)
    function = choose_function(package, arguments.function)
    device = _choose_device(function, arguments.device)
    arrays.check_packages(function, device)
    given = arrays.read(arguments.inputs, [tensor.name for tensor in function.inputs])
    reference = arrays.read([arguments.reference], []) if arguments.reference else {}
    with Progress() as progress:
        progress.step(f"running {function.name} on {device}")
        inputs = _make_inputs(function, given, arguments, device)
        returned = function(*inputs)
        if device != "cpu":
            function.synchronize()
        results = returned if isinstance(returned, tuple) else (returned,)
        found = {tensor.name: arrays.to_numpy(result) for tensor, result in zip(function.results, results)}
    if arguments.outputs:
        arrays.write(arguments.outputs, found)
    same = [_report(function, name, array, reference, arguments) for name, array in found.items()]
    return 0 if all(same) else 1


def choose_function(package: Package, name: str | None) -> Function:
    names = ", ".join(package.functions)
    if name is None and len(package.functions) != 1:
        raise CommandError(f"expects --function with one of {names}, as the package has several")
    if name is not None and name not in package.functions:
        raise CommandError(f"expects a function of the package, {names}, but got '{name}'")
    function: Function = package[name] if name is not None else next(iter(package.functions.values()))
    return function


def _choose_device(function: Function, name: str | None) -> str:
    if name is not None:
        kind, _, index = name.partition(":")
        if name != "cpu" and (kind != "cuda" or not (index or "0").isdigit()):
            raise CommandError(f"expects cpu or cuda:N as device, but got '{name}'")
        return "cuda:0" if name == "cuda" else name
    if any(target.startswith("sm_") for target in function.targets):
        import importlib.util

        if importlib.util.find_spec("torch"):
            import torch

            if torch.cuda.is_available():
                return "cuda:0"
    return "cpu"


def _make_inputs(function: Function, given: dict[str, numpy.ndarray], arguments: Any, device: str) -> list[Any]:
    names = [tensor.name for tensor in function.inputs]
    for name in given:
        # Results may be in the same file.
        if name not in names and not name.startswith("result"):
            expected = f"inputs named {names[0]} to {names[-1]}" if names else "no inputs"
            raise CommandError(f"expects {expected}, but got '{name}'")
    missing = [tensor for tensor in function.inputs if tensor.name not in given]
    if missing and arguments.seed is None:
        rest = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise CommandError(f"expects {missing[0]}{rest}: give --inputs, or --seed to draw them")
    symbols = arrays.find_symbols(function, given, sizes.parse_symbols(arguments.size, sizes.find_names(function.inputs)))
    source = arrays.Source(arguments.seed or 0, arguments.below)
    where = None if device == "cpu" and not arrays.needs_torch(function) else device
    return [
        arrays.convert(tensor, given[tensor.name] if tensor.name in given else source.draw(position, tensor, symbols), where)
        for position, tensor in enumerate(function.inputs)
    ]


def _report(function: Function, name: str, array: numpy.ndarray, reference: dict[str, Any], arguments: Any) -> bool:
    """Prints a result, and whether it agrees with the reference, if there is one."""
    import numpy

    dtype = next(tensor.dtype for tensor in function.results if tensor.name == name)
    finite = array[numpy.isfinite(array)].astype("float64")
    inside = f", from {finite.min():.6g} to {finite.max():.6g}" if finite.size else ""
    outside = f", {array.size - finite.size} not finite" if array.size > finite.size else ""
    print(f"{name}: {dtype} {list(array.shape)}{inside}{outside}")
    if arguments.reference is None:
        return True
    if name not in reference:
        raise CommandError(f"expects {name} in {arguments.reference}, but it has {', '.join(reference) or 'no arrays'}")
    if reference[name].shape != array.shape:
        shapes = f"{list(array.shape)} in {arguments.reference}, but got {list(reference[name].shape)}"
        raise CommandError(f"expects {name} of shape {shapes}")
    difference = arrays.Difference.measure(array, reference[name])
    tolerance = arrays.TOLERANCES.get(dtype, 0.0) if arguments.tolerance is None else arguments.tolerance
    agrees = difference.largest <= tolerance
    verdict = "within" if agrees else "beyond"
    print(f"  error {difference.largest:.2g}, rms {difference.rms:.2g}: {verdict} the tolerance {tolerance:g}")
    sys.stdout.flush()
    return agrees
