"""The functions that masks and scores can have, on expressions, by their names in Python, torch and numpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ._errors import ArgumentError
from ._expression import BOOL, FLOAT, INTEGER, TYPES, Expression, apply, constant


def cast(value: Expression, type: str) -> Expression:
    if value.type == type:
        return value
    if type == BOOL:
        return apply("ne", value, cast(constant(0), value.type))
    if value.operation == "constant":
        return constant(float(value.value) if type == FLOAT else int(value.value))
    return Expression("cast", type, (value,), is_natural=value.type == BOOL)


def _promote(operands: Sequence[Expression], least: str) -> list[Expression]:
    """`operands` in the widest of their types and `least`."""
    widest = max([least, *(operand.type for operand in operands)], key=TYPES.index)
    return [cast(operand, widest) for operand in operands]






def _plain(operation: str, least: str = INTEGER) -> Callable[..., Expression]:
    return lambda *operands: apply(operation, *_promote(operands, least))


def _bitwise(operation: str) -> Callable[..., Expression]:
    def build(*operands: Expression) -> Expression:
        if any(operand.type == FLOAT for operand in operands):
            raise ArgumentError(f"expects bools or integers for '{operation}', but got a float; compare it first")
        return apply(operation, *_promote(operands, BOOL))

    return build


def _logical(operation: str) -> Callable[..., Expression]:
    return lambda *operands: apply(operation, *(cast(operand, BOOL) for operand in operands))


def _invert(value: Expression) -> Expression:
    return _bitwise("xor")(value, constant(True if value.type == BOOL else -1))


def _negate(value: Expression) -> Expression:
    return apply("neg", value) if value.type == FLOAT else _plain("sub")(constant(0), value)


def _floor_divide(lhs: Expression, rhs: Expression) -> Expression:
    lhs, rhs = _promote((lhs, rhs), INTEGER)
    return apply("floor", apply("div", lhs, rhs)) if lhs.type == FLOAT else apply("floordiv", lhs, rhs)


def _remainder(lhs: Expression, rhs: Expression) -> Expression:
    """The remainder with the sign of the divisor, as in Python and torch."""
    lhs, rhs = _promote((lhs, rhs), INTEGER)
    if lhs.type == FLOAT:
        return apply("sub", lhs, apply("mul", _floor_divide(lhs, rhs), rhs))
    remainder = apply("rem", lhs, rhs)
    if lhs.is_natural and rhs.is_natural:
        return remainder
    zero = constant(0)
    is_negative = apply("lt", remainder, zero)
    if rhs.is_natural:
        wraps = is_negative
    else:
        wraps = apply("and", apply("ne", remainder, zero), apply("xor", is_negative, apply("lt", rhs, zero)))
    return Expression("select", INTEGER, (wraps, apply("add", remainder, rhs), remainder), is_natural=rhs.is_natural)


def _power(base: Expression, exponent: Expression) -> Expression:
    if exponent.operation == "constant" and exponent.value == 2:
        return _plain("mul")(base, base)
    if base.operation == "constant" and base.value == 2:
        return apply("exp2", cast(exponent, FLOAT))
    return apply("pow", *_promote((base, exponent), FLOAT))


def _select(condition: Expression, lhs: Expression, rhs: Expression) -> Expression:
    lhs, rhs = _promote((lhs, rhs), BOOL)
    natural = lhs.is_natural and rhs.is_natural
    return Expression("select", lhs.type, (cast(condition, BOOL), lhs, rhs), is_natural=natural)


def _clamp(value: Expression, min: Expression | None = None, max: Expression | None = None) -> Expression:
    value = value if min is None else _plain("max")(value, min)
    return value if max is None else _plain("min")(value, max)


def _sigmoid(value: Expression) -> Expression:
    one, value = constant(1.0), cast(value, FLOAT)
    return apply("div", one, apply("add", one, apply("exp", apply("neg", value))))


def _relu(value: Expression) -> Expression:
    return _plain("max")(value, constant(0))


def _leaky_relu(value: Expression, negative_slope: Expression = constant(0.01)) -> Expression:
    return _select(_plain("gt")(value, constant(0)), value, _plain("mul")(value, negative_slope))


def _gelu(value: Expression) -> Expression:
    """`value` times the probability that a normal variable is less."""
    inner = apply("erf", apply("mul", cast(value, FLOAT), constant(math.sqrt(0.5))))
    return apply("mul", apply("mul", constant(0.5), cast(value, FLOAT)), apply("add", constant(1.0), inner))


def _gelu_tanh(value: Expression) -> Expression:
    value = cast(value, FLOAT)
    cube = apply("mul", apply("mul", value, value), value)
    inner = apply("mul", constant(math.sqrt(2 / math.pi)), apply("add", value, apply("mul", constant(0.044715), cube)))
    return apply("mul", apply("mul", constant(0.5), value), apply("add", constant(1.0), apply("tanh", inner)))


def _softplus(
    value: Expression, beta: Expression = constant(1.0), threshold: Expression = constant(20.0)
) -> Expression:
    value, beta, threshold = (cast(operand, FLOAT) for operand in (value, beta, threshold))
    scaled = apply("mul", value, beta)
    soft = apply("div", apply("log1p", apply("exp", scaled)), beta)
    return Expression("select", FLOAT, (apply("gt", scaled, threshold), value, soft))


def _reciprocal(value: Expression) -> Expression:
    return apply("div", constant(1.0), cast(value, FLOAT))


BUILDERS: dict[str, Callable[..., Expression]] = {
    "add": _plain("add"),
    "sub": _plain("sub"),
    "mul": _plain("mul"),
    "truediv": _plain("div", FLOAT),
    "floordiv": _floor_divide,
    "mod": _remainder,
    "pow": _power,
    "lshift": _plain("shl"),
    "rshift": _plain("shr"),
    "and": _bitwise("and"),
    "or": _bitwise("or"),
    "xor": _bitwise("xor"),
    "invert": _invert,
    "neg": _negate,
    "pos": lambda value: value,
    **{name: _plain(name, BOOL) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{f"logical_{name}": _logical(name) for name in ("and", "or", "xor")},
    "logical_not": lambda value: _invert(cast(value, BOOL)),
    "abs": _plain("abs"),
    "minimum": _plain("min"),
    "maximum": _plain("max"),
    "clamp": _clamp,
    "where": _select,
    **{name: _plain(name, FLOAT) for name in ("exp", "exp2", "expm1", "log", "log2", "log1p", "erf")},
    **{name: _plain(name, FLOAT) for name in ("tanh", "sqrt", "sin", "cos", "floor", "ceil")},
    "sigmoid": _sigmoid,
    "relu": _relu,
    "leaky_relu": _leaky_relu,
    "silu": lambda value: _plain("mul")(value, _sigmoid(value)),
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "softplus": _softplus,
    "reciprocal": _reciprocal,
    "rsqrt": lambda value: _reciprocal(_plain("sqrt", FLOAT)(value)),
    "square": lambda value: _plain("mul")(value, value),
    "zeros_like": lambda value: cast(constant(0), value.type),
    "ones_like": lambda value: cast(constant(1), value.type),
    "full_like": lambda value, fill: cast(fill, value.type),
    "float": lambda value: cast(value, FLOAT),
    "int": lambda value: cast(value, INTEGER),
    "bool": lambda value: cast(value, BOOL),
}

# Further names of torch and numpy.
SYNONYMS = {
    "subtract": "sub",
    "multiply": "mul",
    "div": "truediv",
    "divide": "truediv",
    "true_divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "power": "pow",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "bitwise_not": "invert",
    "bitwise_invert": "invert",
    "bitwise_left_shift": "lshift",
    "left_shift": "lshift",
    "bitwise_right_shift": "rshift",
    "right_shift": "rshift",
    "negative": "neg",
    "positive": "pos",
    "absolute": "abs",
    "clip": "clamp",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "fmin": "minimum",
    "fmax": "maximum",
    "long": "int",
}
REFLECTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor")
