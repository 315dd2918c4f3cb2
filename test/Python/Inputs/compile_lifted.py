"""Compiles a stored module, and calls it with weights bound. Takes the module and a folder."""

import pathlib
import sys

import numpy
import stof
from stof._compiler import compile_module
from stof._torch.report import Report
from stof._torch.structure import Arguments, Results, Source

NAMES = ["x", "project.weight", "project.bias", "total"]


class Leaves:
    """The structure of values that are tensors, or dicts of tensors."""

    def flatten(self, value):
        return [value], None

    def name_leaves(self, value):
        return [""]

    def unflatten(self, leaves, structure):
        return dict(zip(structure, leaves))

    def is_tensor(self, leaf):
        return isinstance(leaf, numpy.ndarray)


def make(shape, draw=numpy.random.default_rng(0).standard_normal):
    """An array at an address that kernels can read."""
    size = int(numpy.prod(shape))
    raw = numpy.zeros(size * 4 + 64, "int8")
    start = -raw.ctypes.data % 64
    array = raw[start : start + size * 4].view("float32").reshape(shape)
    array[...] = draw(shape)
    return array


def attend(x, weight, bias):
    q, k, v = numpy.split(x.astype("float64") @ weight.T + bias, 3, -1)
    scores = q @ k.transpose(0, 2, 1)
    scores[:, ~numpy.tril(numpy.ones((6, 6), bool))] = -numpy.inf
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


source, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
result = compile_module(source, folder / "package", targets=["cpu"])
function = stof.load(result.folder).main
print(*(f"{name}: {tensor.dtype} {list(tensor.shape)}" for name, tensor in zip(NAMES, function.inputs)), sep=" | ")
owners = [NAMES[int(tensor.aliases[3:])] if tensor.aliases else None for tensor in function.results]
print(*(f"{owner}, in its own memory" if owner else "hidden" for owner in owners), sep=" | ")
(attention,) = Report(result.report["functions"][0]).attentions
print(f"attention {attention.source}, mask: {attention.mask}")

x, state = make((2, 6, 8)), {"weight": make((24, 8)), "bias": make((24,)), "total": make((8,), numpy.zeros)}
arguments = Arguments(lambda x: None, (x,), {}, Leaves())
results = Results([Source("result", 1), Source("weight", 2)], ["hidden", "total"], Leaves())
total = numpy.zeros(8)


def check(what):
    """Runs the function, which adds to its state, and compares both."""
    leaves, weights = arguments.bind((), {"x": x}), list(state.values())
    returned = results.build(function(*leaves, *weights), leaves, weights)
    expected = attend(x, state["weight"], state["bias"])
    total[...] += expected.sum((0, 1))
    kept = returned["total"] is state["total"] and numpy.allclose(state["total"], total, atol=1e-4)
    print(f"{what} {numpy.allclose(returned['hidden'], expected, atol=1e-5)}, total {kept}")


check("by keyword")
state["weight"] *= 2
check("weights changed in place")
