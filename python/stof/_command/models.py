"""Models on the command line: those of transformers by name, and modules that a function of Python makes."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import objects
from .errors import CommandError, require

if TYPE_CHECKING:
    import torch

    from .._torch.module import Example

DESCRIPTION = """MODEL is a model of transformers: a type such as bert, with the sizes of its default configuration; a name
on the hub; a folder, or the file of its config.json. Weights are random unless --pretrained is given. Or it is
MODULE:FUNCTION or FILE.py:FUNCTION, a function that returns a torch module and its inputs in a tuple, or a
stof.Example."""

_DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
# Of models of transformers only: others are made as their function says.
_OF_TRANSFORMERS = ("batch", "length", "model_class", "pretrained", "dynamic", "attention")
_SEED = 0


@dataclasses.dataclass(frozen=True)
class Model:
    """A module with an example of its inputs, named as on the command line."""

    name: str
    example: Example

    @property
    def module(self) -> torch.nn.Module:
        return self.example.module


def add_arguments(parser: argparse._ActionsContainer) -> None:
    add = parser.add_argument
    add("--set", metavar="KEY=VALUE", nargs="+", default=[], help="values of the configuration, or arguments of FUNCTION")
    add("--dtype", choices=_DTYPES, help="of weights and of inputs that are floats (default: as the model is made)")
    add("--batch", type=int, metavar="N", help="the batch of the example, of a model of transformers (default: 1)")
    add("--length", type=int, metavar="N", help="its tokens (default: 128)")
    add("--class", dest="model_class", metavar="NAME", help="the class of transformers (default: AutoModel)")
    add("--attention", metavar="NAME", help="its implementation of attention, such as sdpa or eager")
    add("--pretrained", action="store_true", default=None, help="load the weights of the model")
    add("--dynamic", nargs="+", choices=("batch", "length"), help="sizes that may differ from the example")


def load(name: str, options: argparse.Namespace, device: str = "cpu") -> Model:
    """The model `name`, in evaluation mode, on `device`; `options` are those of `add_arguments`."""
    require("torch", "models", "torch")
    import torch

    torch.manual_seed(_SEED)
    values = _parse_values(options.set)
    if objects.is_name(name):
        for option in _OF_TRANSFORMERS:
            if getattr(options, option) is not None:
                spelt = {"model_class": "class"}.get(option, option)
                raise CommandError(f"expects --{spelt} for models of transformers; --set passes values to {name}")
        example = _make_example(name, values)
    else:
        require("transformers", f"the model {name}", "transformers")
        from .transformers import make_example

        example = make_example(name, values, options)
    dtype = getattr(torch, _DTYPES[options.dtype]) if options.dtype else None
    module = example.module.eval().to(device=device, dtype=dtype)
    inputs, keywords = (move(value, device, dtype) for value in (example.inputs, dict(example.keywords)))
    return Model(name, dataclasses.replace(example, module=module, inputs=inputs, keywords=keywords))


def _parse_values(texts: list[str]) -> dict[str, Any]:
    """The values of "KEY=VALUE": literals of Python, and otherwise strings."""
    values = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.isidentifier():
            raise CommandError(f"expects KEY=VALUE for --set, but got '{text}'")
        try:
            values[key] = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            values[key] = value
    return values


def _make_example(name: str, values: dict[str, Any]) -> Example:
    import torch

    from .._torch.module import Example

    function = objects.load(name)
    made = function if isinstance(function, Example) else objects.call(function, name, **values)
    if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], torch.nn.Module):
        made = Example(made[0], made[1])
    if not isinstance(made, Example):
        raise CommandError(f"expects {name} to return (module, inputs) or a stof.Example, but got {type(made).__name__}")
    return made


def move(value: Any, device: str, dtype: torch.dtype | None) -> Any:
    """`value` with its tensors on `device`, floats among them in `dtype`."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.to(device=device, dtype=dtype if value.is_floating_point() else None)
    if isinstance(value, Mapping):
        return {key: move(item, device, dtype) for key, item in value.items()}
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(move(item, device, dtype) for item in value)
    return value


def is_mlir(name: str) -> bool:
    return pathlib.Path(name).suffix in (".mlir", ".mlirbc")
