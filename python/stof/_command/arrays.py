"""Arrays for functions of packages: read from files, drawn, converted, compared."""

from __future__ import annotations

import dataclasses
import pathlib
import zipfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _backends
from .errors import CommandError, require
from .sizes import evaluate, find_names

if TYPE_CHECKING:
    import numpy

    from ..runtime import Function, Tensor

# Of results, as those of stof-run --compare: the largest difference by the largest value of the reference.
TOLERANCES = {"f64": 1e-12, "f32": 1e-5, "f16": 2e-3, "bf16": 1.6e-2}
# Dtypes that numpy lacks: in files they are f32.
_TORCH_ONLY = ("bf16", "f8E4M3FN", "f8E5M2")
_ALIGNMENT = 16


def write(path: str, arrays: Mapping[str, Any]) -> None:
    """Writes an .npz file of exactly this name."""
    import numpy

    with open(path, "wb") as file:
        numpy.savez(file, **arrays)


def read(files: Sequence[str], names: Sequence[str]) -> dict[str, numpy.ndarray]:
    """Arrays by name from .npz files, and from .npy files, which are NAME=FILE or take the names in order."""
    found: dict[str, Any] = {}
    for text in files:
        name, sign, file = text.rpartition("=")
        path = pathlib.Path(file if sign else text)
        if path.suffix == ".npz" and not sign:
            found |= _load(path)
        elif path.suffix == ".npy":
            free = [known for known in names if known not in found]
            if not sign and not free:
                raise CommandError(f"expects at most {len(names)} arrays, but got {path} in addition")
            found[name if sign else free[0]] = _load(path)
        else:
            raise CommandError(f"expects FILE.npz, FILE.npy or NAME=FILE.npy, but got '{text}'")
    return found


def _load(path: pathlib.Path) -> Any:
    import numpy

    try:
        loaded = numpy.load(path, allow_pickle=False)
        return dict(loaded) if isinstance(loaded, numpy.lib.npyio.NpzFile) else loaded
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise CommandError(f"expects arrays in {path}, but: {error}") from error


def find_symbols(function: Function, arrays: Mapping[str, numpy.ndarray], symbols: Mapping[str, int]) -> dict[str, int]:
    """The sizes of a function by the shapes of arrays, in addition to `symbols`."""
    found = dict(symbols)
    for tensor in function.inputs:
        if tensor.name in arrays and len(arrays[tensor.name].shape) == len(tensor.shape):
            sizes = zip(tensor.shape, arrays[tensor.name].shape)
            found |= {size: value for size, value in sizes if isinstance(size, str) and size not in found}
    return found


@dataclasses.dataclass(frozen=True)
class Source:
    """Draws arrays: floats uniform in [-1, 1), integers uniform from 0 to below `bound`, which may be indices."""

    seed: int
    bound: int

    def draw(self, position: int, tensor: Tensor, symbols: Mapping[str, int]) -> numpy.ndarray:
        """Input number `position`, whatever other inputs are given."""
        import numpy

        sizes = [evaluate(size, symbols) for size in tensor.shape]
        shape = [size for size in sizes if size is not None]
        if len(shape) < len(sizes):
            names = ", ".join(find_names([tensor]))
            raise CommandError(f"expects sizes to draw {tensor}: give --size {names}=...")
        random = numpy.random.default_rng((self.seed, position))
        if tensor.dtype == "i1":
            return random.random(shape) < 0.5
        if tensor.dtype.startswith("i"):
            return random.integers(0, self.bound, shape).astype(f"int{tensor.dtype[1:]}")
        kind = {"f64": "float64", "f16": "float16"}.get(tensor.dtype, "float32")
        return (random.random(shape) * 2 - 1).astype(kind)


def needs_torch(function: Function) -> bool:
    return any(tensor.dtype in _TORCH_ONLY for tensor in (*function.inputs, *function.results))


def convert(tensor: Tensor, array: numpy.ndarray, device: str | None) -> Any:
    """An array as input `tensor`: as it is, or for a `device` a tensor of torch."""
    backend = _backends.choose([array])
    stored = backend.dtype(array)
    expected = "f32" if tensor.dtype in _TORCH_ONLY else tensor.dtype
    if stored != expected:
        of_file = f"{expected}, for {tensor.dtype}" if expected != tensor.dtype else expected
        raise CommandError(f"expects {tensor.name} of dtype {of_file}, but got {stored}")
    if not backend.is_contiguous(array) or backend.address(array) % _ALIGNMENT:
        array = array.copy("C")
    if device is None:
        return array
    import torch

    moved = torch.from_numpy(array).to(device)
    return moved.to(_backends.choose([moved]).find_dtype(tensor.dtype)) if tensor.dtype in _TORCH_ONLY else moved


def to_numpy(result: Any) -> numpy.ndarray:
    """A result as an array, in f32 if numpy lacks its dtype."""
    backend = _backends.choose([result])
    if backend.name == "torch" and backend.dtype(result) in _TORCH_ONLY:
        result = result.float()
    array: numpy.ndarray = backend.to_numpy(result)
    return array


@dataclasses.dataclass(frozen=True)
class Difference:
    """How much a result differs from a reference, by the largest value of the reference; NaN if one of them has NaN or
    infinity where the other has not."""

    largest: float
    rms: float

    @staticmethod
    def measure(result: numpy.ndarray, reference: numpy.ndarray) -> Difference:
        import numpy

        result, reference = result.astype("float64"), reference.astype("float64")
        with numpy.errstate(invalid="ignore"):
            same = (result == reference) | (numpy.isnan(result) & numpy.isnan(reference))
            difference = numpy.where(same, 0.0, numpy.abs(result - reference))
        finite = numpy.abs(reference[numpy.isfinite(reference)])
        scale = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
        if not difference.size:
            return Difference(0.0, 0.0)
        return Difference(float(difference.max()) / scale, float(numpy.sqrt(numpy.mean(difference**2))) / scale)


def check_packages(function: Function, device: str) -> None:
    """Raises CommandError if tensors for `function` on `device` need a package that is not installed."""
    require("numpy", "arrays", "numpy")
    if device != "cpu":
        require("torch", f"tensors on {device}", "torch")
    elif needs_torch(function):
        require("torch", "bf16 and f8, which numpy lacks", "torch")
