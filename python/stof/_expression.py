"""Scalar expressions of positions: what a mask or a score is, before it is code. Printing and evaluation are by table."""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

# The types of values, from narrow to wide: arithmetic is in the wider one of its operands.
BOOL, INTEGER, FLOAT = TYPES = ("i1", "index", "f32")


@dataclasses.dataclass(frozen=True)
class Operation:
    """How an operation is printed, for operands of each type that it has, and the function of numpy that computes it."""

    # An operation of arith or math by the type of the first operand; a "{}" takes the predicate of a comparison.
    mlir: dict[str, str]
    numpy: str
    # The type of the result; that of the operands if empty.
    result: str = ""


def _arithmetic(integer: str, floating: str, numpy: str) -> Operation:
    return Operation({INTEGER: f"arith.{integer}", FLOAT: f"arith.{floating}"}, numpy)


def _comparison(integer: str, floating: str, numpy: str) -> Operation:
    spelt = {FLOAT: f"arith.cmpf {floating},", INTEGER: f"arith.cmpi {integer},", BOOL: f"arith.cmpi {integer},"}
    return Operation(spelt, numpy, BOOL)


def _logic(name: str, numpy: str) -> Operation:
    return Operation({BOOL: f"arith.{name}", INTEGER: f"arith.{name}"}, numpy)


def _function(name: str, numpy: str) -> Operation:
    return Operation({FLOAT: f"math.{name}"}, numpy)


OPERATIONS = {
    "add": _arithmetic("addi", "addf", "add"),
    "sub": _arithmetic("subi", "subf", "subtract"),
    "mul": _arithmetic("muli", "mulf", "multiply"),
    "min": _arithmetic("minsi", "minimumf", "minimum"),
    "max": _arithmetic("maxsi", "maximumf", "maximum"),
    "div": Operation({FLOAT: "arith.divf"}, "divide"),
    "floordiv": Operation({INTEGER: "arith.floordivsi"}, "floor_divide"),
    # Rounds towards zero, as fmod does.
    "rem": Operation({INTEGER: "arith.remsi"}, "fmod"),
    "shl": Operation({INTEGER: "arith.shli"}, "left_shift"),
    "shr": Operation({INTEGER: "arith.shrsi"}, "right_shift"),
    "and": _logic("andi", "bitwise_and"),
    "or": _logic("ori", "bitwise_or"),
    "xor": _logic("xori", "bitwise_xor"),
    "eq": _comparison("eq", "oeq", "equal"),
    "ne": _comparison("ne", "une", "not_equal"),
    "lt": _comparison("slt", "olt", "less"),
    "le": _comparison("sle", "ole", "less_equal"),
    "gt": _comparison("sgt", "ogt", "greater"),
    "ge": _comparison("sge", "oge", "greater_equal"),
    "abs": Operation({INTEGER: "math.absi", FLOAT: "math.absf"}, "abs"),
    "neg": Operation({FLOAT: "arith.negf"}, "negative"),
    "exp": _function("exp", "exp"),
    "exp2": _function("exp2", "exp2"),
    "log": _function("log", "log"),
    "log2": _function("log2", "log2"),
    "log1p": _function("log1p", "log1p"),
    "expm1": _function("expm1", "expm1"),
    "erf": _function("erf", "erf"),
    "tanh": _function("tanh", "tanh"),
    "sqrt": _function("sqrt", "sqrt"),
    "sin": _function("sin", "sin"),
    "cos": _function("cos", "cos"),
    "floor": _function("floor", "floor"),
    "ceil": _function("ceil", "ceil"),
    "pow": _function("powf", "power"),
}


class Expression:
    """A node: an operation of `OPERATIONS`, or one of

    - "argument": coordinate or score `value` of the predicate;
    - "constant": the Python number `value`;
    - "element": of the captured tensor number `value`, at the operands;
    - "size": of a captured tensor in a dimension, the numbers `value`;
    - "select": of three operands;
    - "cast": of an operand to `type`.
    """

    __slots__ = ("operation", "type", "operands", "value", "is_natural")

    def __init__(
        self,
        operation: str,
        type: str,
        operands: Sequence[Expression] = (),
        value: Any = None,
        is_natural: bool = False,
    ) -> None:
        self.operation = operation
        self.type = type
        self.operands = tuple(operands)
        self.value = value
        # Whether an integer is known not to be negative.
        self.is_natural = is_natural


def constant(value: bool | int | float) -> Expression:
    if isinstance(value, bool):
        return Expression("constant", BOOL, value=value)
    if isinstance(value, int):
        return Expression("constant", INTEGER, value=value, is_natural=value >= 0)
    return Expression("constant", FLOAT, value=float(value))


def apply(operation: str, *operands: Expression) -> Expression:
    """An operation on operands of one type."""
    result = OPERATIONS[operation].result or operands[0].type
    return Expression(operation, result, operands, is_natural=_is_natural(operation, operands))


def _is_natural(operation: str, operands: Sequence[Expression]) -> bool:
    natural = [operand.is_natural for operand in operands]
    if operation in ("add", "mul", "min", "floordiv", "rem", "and", "or", "xor", "shl", "shr"):
        return all(natural)
    return operation == "abs" or (operation == "max" and any(natural))


def order(result: Expression) -> list[Expression]:
    """The nodes of an expression, operands first."""
    done: dict[int, Expression] = {}
    pending = [result]
    while pending:
        node = pending[-1]
        missing = [operand for operand in node.operands if id(operand) not in done]
        if missing:
            pending += reversed(missing)
        else:
            done[id(pending.pop())] = node
    return list(done.values())


def count_from_end(index: Expression, capture: int, dimension: int) -> Expression:
    """An index of a dimension of a captured tensor without those from the end, which are negative: numbers, or from data. A
    function of positions alone is left as it is: there a negative index is a mistake, and a test for it is not free."""
    nodes = {node.operation for node in order(index)}
    if index.is_natural or ("argument" in nodes and "element" not in nodes):
        return index
    size = Expression("size", INTEGER, value=(capture, dimension), is_natural=True)
    return Expression("select", INTEGER, (apply("lt", index, constant(0)), apply("add", index, size), index))


def _print_constant(node: Expression) -> str:
    if node.type == BOOL:
        return "true" if node.value else "false"
    if node.type == INTEGER:
        return f"{node.value} : index"
    if math.isfinite(node.value):
        return f"{node.value:.9e} : f32"
    return f"0x{struct.unpack('<I', struct.pack('<f', node.value))[0]:08X} : f32"


def _print_cast(name: str, node: Expression, source: str) -> Iterator[str]:
    """Integers are cast to floats and back by way of i64."""
    (operand,) = node.operands
    if (operand.type, node.type) == (BOOL, INTEGER):
        yield f"{name} = arith.index_castui {source} : i1 to index"
    elif operand.type == BOOL:
        yield f"{name} = arith.uitofp {source} : i1 to f32"
    elif node.type == FLOAT:
        yield f"{name}_i = arith.index_cast {source} : index to i64"
        yield f"{name} = arith.sitofp {name}_i : i64 to f32"
    else:
        yield f"{name}_i = arith.fptosi {source} : f32 to i64"
        yield f"{name} = arith.index_cast {name}_i : i64 to index"


def _print_element(name: str, node: Expression, indices: Iterable[str], captured: Any) -> Iterator[str]:
    """Elements are read as they are stored and cast to the type of the node."""
    stored = captured.dtype
    raw = name if stored == node.type else f"{name}_e"
    yield f"{raw} = tensor.extract {captured.name}[{', '.join(indices)}] : {captured.type}"
    if stored == node.type:
        return
    if node.type == FLOAT:
        yield f"{name} = arith.extf {raw} : {stored} to f32"
    else:
        cast = "index_castui" if captured.is_unsigned else "index_cast"
        yield f"{name} = arith.{cast} {raw} : {stored} to index"


def _print_size(name: str, dimension: int, captured: Any) -> Iterator[str]:
    yield f"{name}_d = arith.constant {dimension} : index"
    yield f"{name} = tensor.dim {captured.name}, {name}_d : {captured.type}"


def print_expression(result: Expression, arguments: Sequence[str], captures: Sequence[Any]) -> tuple[list[str], str]:
    """The lines that compute `result`, and its name. `arguments` are the names of coordinates and score; `captures` have
    a name, a type, the dtype of elements, and whether it is unsigned."""
    lines: list[str] = []
    names: dict[int, str] = {}
    for node in order(result):
        operands = [names[id(operand)] for operand in node.operands]
        name = f"%v{len(names)}"
        if node.operation == "argument":
            name = arguments[node.value]
        elif node.operation == "constant":
            lines.append(f"{name} = arith.constant {_print_constant(node)}")
        elif node.operation == "element":
            lines += _print_element(name, node, operands, captures[node.value])
        elif node.operation == "size":
            lines += _print_size(name, node.value[1], captures[node.value[0]])
        elif node.operation == "cast":
            lines += _print_cast(name, node, operands[0])
        elif node.operation == "select":
            lines.append(f"{name} = arith.select {', '.join(operands)} : {node.type}")
        else:
            operand_type = node.operands[0].type
            spelt = OPERATIONS[node.operation].mlir[operand_type]
            lines.append(f"{name} = {spelt} {', '.join(operands)} : {operand_type}")
        names[id(node)] = name
    return lines, names[id(result)]


_NUMPY_TYPES = {BOOL: "bool", INTEGER: "int64", FLOAT: "float32"}


def _read(array: Any, indices: Sequence[Any]) -> Any:
    for dimension, index in enumerate(indices):
        # Those from the end have been counted.
        if (index < 0).any():
            raise IndexError(f"a negative index for axis {dimension} with size {array.shape[dimension]}")
    return array[tuple(indices)]


def _find_function(name: str) -> Callable[..., Any]:
    """A function of numpy, which lacks some of math."""
    import numpy

    found: Callable[..., Any] = getattr(numpy, name, None) or numpy.vectorize(getattr(math, name), otypes=["float32"])
    return found


def evaluate(result: Expression, arguments: Sequence[Any], captures: Sequence[Any]) -> Any:
    """The value of an expression on numpy arrays, which broadcast: `arguments` are coordinates and score, `captures` the
    captured tensors."""
    import numpy

    values: dict[int, Any] = {}
    functions: dict[str, Callable[..., Any]] = {
        "argument": lambda node: arguments[node.value],
        "constant": lambda node: numpy.asarray(node.value, _NUMPY_TYPES[node.type]),
        "element": lambda node, *indices: _read(captures[node.value], indices).astype(_NUMPY_TYPES[node.type]),
        "size": lambda node: numpy.asarray(captures[node.value[0]].shape[node.value[1]]),
        "cast": lambda node, value: value.astype(_NUMPY_TYPES[node.type]),
        "select": lambda node, *operands: numpy.where(*operands),
    }
    with numpy.errstate(all="ignore"):
        for node in order(result):
            operands = [values[id(operand)] for operand in node.operands]
            if node.operation in functions:
                values[id(node)] = functions[node.operation](node, *operands)
            else:
                values[id(node)] = _find_function(OPERATIONS[node.operation].numpy)(*operands)
    return values[id(result)]
