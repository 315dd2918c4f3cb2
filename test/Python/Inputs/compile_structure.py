"""Binds calls to arguments of examples, and builds results."""

import numpy
from stof import ArgumentError
from stof._torch.report import Report
from stof._torch.structure import Arguments, Results, Source


class PlainTree:
    """Values nested in lists and dicts; arrays are tensors."""

    def flatten(self, value):
        if isinstance(value, dict):
            parts = {key: self.flatten(part) for key, part in value.items()}
            leaves = [leaf for part, _ in parts.values() for leaf in part]
            return leaves, "{" + ", ".join(f"{key!r}: {structure}" for key, (_, structure) in parts.items()) + "}"
        if isinstance(value, list):
            return value, f"{len(value)} leaves"
        return [value], "*"

    def name_leaves(self, value):
        if isinstance(value, (dict, list)):
            return [f"[{key!r}]" for key in (value if isinstance(value, dict) else range(len(value)))]
        return [""]

    def unflatten(self, leaves, structure):
        return structure(leaves)

    def is_tensor(self, leaf):
        return isinstance(leaf, numpy.ndarray)


def forward(tokens, cache, *, scale=1.0, flags=None, labels=None):
    raise AssertionError("arguments are bound, nothing is called")


tree = PlainTree()
one, two, three = (numpy.array(number) for number in (1, 2, 3))
cache = {"key": two, "value": three}
arguments = Arguments(forward, (one, cache), {"scale": 0.5, "flags": [True, None]}, tree)
print("names", arguments.names)


def show(leaves):
    return [leaf.item() if isinstance(leaf, numpy.ndarray) else leaf for leaf in leaves]


def fails(action):
    try:
        action()
    except (ArgumentError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


print("positional", show(arguments.bind((one, cache), {})))
print("by keyword", show(arguments.bind((), {"cache": cache, "tokens": one})))
print("constants given again", show(arguments.bind((one,), {"cache": cache, "scale": 0.5, "flags": [True, None]})))
print("the default given", show(arguments.bind((one, cache), {"labels": None})))
for args, kwargs in [
    ((one,), {}),
    ((one, cache), {"mask": two}),
    ((one, cache), {"scale": 2.0}),
    ((one, cache), {"flags": [1, None]}),
    ((7, cache), {}),
    ((one, cache), {"flags": [True, two]}),
    ((one, {"key": two}), {}),
    ((one, cache), {"labels": 3}),
]:
    print(fails(lambda: arguments.bind(args, kwargs)))
print(fails(lambda: Arguments(forward, (one,), {}, tree)))

flat = Arguments(lambda left, right: None, (one, two), {}, tree)
print("flat", show(flat.bind((one, two), {})))
print("not flat", fails(lambda: flat.bind((one, 2), {})))

sources = [
    Source("result", 1),
    Source("weight", 0),
    Source("argument", 0),
    Source("size", 1, 2),
    Source("value", value="constant"),
]
results = Results(
    sources, lambda found: dict(logits=found[0], cache=found[1:3], length=found[3], name=found[4]), tree
)
print(results.build(["result 0", "result 1"], ["argument 0", numpy.zeros((3, 4, 5))], ["weight 0"]))

kernel = {"target": "cpu", "name": "main_0_attention"}
missed = {"loc": "model.py:9:1", "op": "linalg.generic", "remark": "RaisedAttention", "reason": "not contracted"}
attention = {"loc": "model.py:3:2", "source": "raised", "mask": "argument", "kernels": [kernel], "notes": []}
function = {"attentions": [attention], "softmaxes": [missed], "missed": [missed], "kernels": [kernel, kernel]}
print(Report(function, {"model.py:3:2": "layers.1"}))
