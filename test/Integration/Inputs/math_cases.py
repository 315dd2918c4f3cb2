"""Functions of the math dialect, between their ends and at them, with float64 results.

As in group_cases.py, but the number of kernels does not matter. An inverse distinguishes the zeros.
"""

import itertools
import math

from group_cases import Array, Function, rounded

# Each function with its domain.
FUNCTIONS = [
    ("exp", -80, 3, math.exp), ("exp2", -100, 3, lambda x: 2**x), ("expm1", -20, 3, math.expm1), ("log", 1e-6, 10, math.log),
    ("log2", 1e-6, 10, math.log2), ("log10", 1e-6, 10, math.log10), ("log1p", -0.9, 10, math.log1p), ("tanh", -5, 5, math.tanh),
    ("erf", -4, 4, math.erf), ("sin", -1e5, 1e5, math.sin), ("cos", -1e5, 1e5, math.cos), ("sinh", -5, 5, math.sinh),
    ("cosh", -5, 5, math.cosh), ("asinh", -1e4, 1e4, math.asinh), ("acosh", 1.1, 90, math.acosh),
    ("atanh", -0.99, 0.99, math.atanh), ("atan", -30, 30, math.atan), ("asin", -1, 1, math.asin), ("acos", -1, 1, math.acos),
    ("cbrt", -9, 9, lambda x: math.copysign(abs(x) ** (1 / 3), x)), ("rsqrt", 1e-3, 9, lambda x: x**-0.5),
]
INFINITY, NAN = math.inf, math.nan
ENDS = {
    "exp": [(-INFINITY, 0.0), (INFINITY, INFINITY), (0.0, 1.0), (-200.0, 0.0), (100.0, INFINITY), (NAN, NAN)],
    "exp2": [(-INFINITY, 0.0), (INFINITY, INFINITY), (0.0, 1.0), (-200.0, 0.0), (128.0, INFINITY), (NAN, NAN)],
    "log": [(0.0, -INFINITY), (INFINITY, INFINITY), (1.0, 0.0), (-1.0, NAN), (NAN, NAN)],
    "tanh": [(-INFINITY, -1.0), (INFINITY, 1.0), (NAN, NAN)],
    "erf": [(-INFINITY, -1.0), (INFINITY, 1.0), (NAN, NAN)],
    "sin": [(0.0, 0.0), (INFINITY, NAN), (NAN, NAN)],
    "cos": [(0.0, 1.0), (-INFINITY, NAN), (NAN, NAN)],
    "atan": [(-INFINITY, -math.pi / 2), (INFINITY, math.pi / 2), (NAN, NAN), (0.0, 0.0), (-0.0, -0.0)],
}


def power(x, y):
    try:
        return math.pow(x, y)
    except ValueError:
        return NAN if x else math.copysign(INFINITY, x) if y % 2 == 1 else INFINITY


def inverse(x):
    return 1 / x if x else math.copysign(INFINITY, x)


def apply(f, name, inputs):
    """The function of each place of the inputs."""
    count = len(inputs[0])
    arguments = [(f.argument("f32", count, values=list(values))[0], "i") for values in inputs]
    names = ", ".join(("%a", "%b")[: len(inputs)])
    return f.generic(arguments, "i", "f32", [f"%r = math.{name} {names} : f32"], dims={"i": count})


# Those of f64 have expansions of their own.
WIDE = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tanh", "sin", "cos", "powf"]


def apply_wide(f, name, inputs, body):
    """What `body` makes of %y, the function in f64 of each place of the f32 inputs."""
    count = len(inputs[0])
    arguments = [(f.argument("f32", count, values=list(values))[0], "i") for values in inputs]
    letters = "ab"[: len(inputs)]
    wide = [f"%{x}w = arith.extf %{x} : f32 to f64" for x in letters]
    names = ", ".join(f"%{x}w" for x in letters)
    rounding = "%high = arith.truncf %y : f64 to f32"
    return f.generic(arguments, "i", "f32", [*wide, f"%y = math.{name} {names} : f64", rounding, *body], dims={"i": count})


def between_wide():
    """The squares of the rounded results, and what is lost by rounding: most bits of an f64."""
    f = Function("wide_functions", None)
    domains = {name: (low, high, exact) for name, low, high, exact in FUNCTIONS}
    for name in WIDE:
        low, high, exact = domains.get(name, (0.1, 9, math.pow))
        count = 2 if name == "powf" else 1
        values = [[rounded(f.random.uniform(low, high), "f32") for _ in range(133)] for _ in range(count)]
        results = [exact(*point) for point in zip(*values)]
        square = apply_wide(f, name, values, ["%r = arith.mulf %high, %high : f32"])
        f.give(square, Array((133,), [rounded(y, "f32") ** 2 for y in results]))
        rest = ["%back = arith.extf %high : f32 to f64", "%low = arith.subf %y, %back : f64",
                "%r = arith.truncf %low : f64 to f32"]
        f.give(apply_wide(f, name, values, rest), Array((133,), [y - rounded(y, "f32") for y in results]))
    return f


def between():
    f = Function("functions", None)
    for name, low, high, exact in FUNCTIONS:
        values = [rounded(f.random.uniform(low, high), "f32") for _ in range(133)]
        f.give(apply(f, name, [values]), Array((133,), map(exact, values)))
    return f


def at_ends(name, inputs, results, is_wide=False):
    """The results, and their inverses."""
    f = Function(f"wide_{name}_ends" if is_wide else f"{name}_ends", None)
    dims = {"i": len(results)}
    same = ["%one = arith.constant 1.0 : f32", "%r = arith.mulf %high, %one : f32"]
    value = apply_wide(f, name, inputs, same) if is_wide else apply(f, name, inputs)
    f.give(value, Array((len(results),), results))
    f.give(f.generic([(value, "i")], "i", "f32", ["%c = arith.constant 1.0 : f32", "%r = arith.divf %c, %a : f32"], dims=dims),
           Array((len(results),), map(inverse, results)))
    return f


def pairs(name, first, second, exact, is_wide=False):
    points = list(itertools.product(first, second))
    return at_ends(name, list(zip(*points)), [exact(*point) for point in points], is_wide)


def cases():
    yield between()
    for name, ends in ENDS.items():
        yield at_ends(name, [[x for x, _ in ends]], [y for _, y in ends])
    sides = [sign * side for side in (0.0, 0.5, 2.0, INFINITY) for sign in (1, -1)] + [NAN]
    yield pairs("atan2", sides, sides, math.atan2)
    bases = sides + [1.0, -1.0]
    yield between_wide()
    for name in WIDE:
        if name in ENDS:
            yield at_ends(name, [[x for x, _ in ENDS[name]]], [y for _, y in ENDS[name]], is_wide=True)
    for is_wide in (False, True):
        yield pairs("powf", bases, bases + [3.0, -3.0], power, is_wide)
