"""Each function's inputs and exact results, for the kernels of functions.mlir and activations.mlir."""

import itertools
import math

import numpy as np

from kernel_cases import Case, Tensor, empty, sized


def vectorized(function):
    def safe(x):
        try:
            return function(x)
        except OverflowError:
            return math.inf
    return lambda x: np.array([safe(v) for v in x.tolist()])


# Function, its domain, what it is in float64, and from which size of the result
# on the error is relative (below, what is lost is a part of this).
FUNCTIONS = [
    ("exp", (-87, 88), np.exp, 0),
    ("exp2", (-125, 127), np.exp2, 0),
    ("expm1", (-20, 80), np.expm1, 0),
    ("expm1", (-1, 1), np.expm1, 0),
    ("log", (1e-6, 10), np.log, 0.1),
    ("log", (1e-37, 1e37), np.log, 0.1),
    ("log2", (1e-6, 10), np.log2, 0.1),
    ("log10", (1e-6, 10), np.log10, 0.1),
    ("log1p", (-0.9, 10), np.log1p, 0),
    ("sqrt", (0, 1e30), np.sqrt, 0),
    ("rsqrt", (1e-6, 100), lambda x: 1 / np.sqrt(x), 0),
    ("tanh", (-10, 10), np.tanh, 0),
    ("tanh", (-1e-3, 1e-3), np.tanh, 0),
    ("erf", (-5, 5), vectorized(math.erf), 0),
    ("erf", (-1e-3, 1e-3), vectorized(math.erf), 0),
    ("erfc", (-4, 4), vectorized(math.erfc), 0),
    ("sin", (-7, 7), np.sin, 1e-3),
    ("sin", (-1e6, 1e6), np.sin, 1e-3),
    ("cos", (-7, 7), np.cos, 1e-3),
    ("cos", (-1e6, 1e6), np.cos, 1e-3),
    ("tan", (-1.5, 1.5), np.tan, 1e-3),
    ("sinh", (-80, 80), np.sinh, 0),
    ("cosh", (-80, 80), np.cosh, 0),
    ("asinh", (-100, 100), np.arcsinh, 0.1),
    ("acosh", (1.1, 100), np.arccosh, 0.1),
    ("atanh", (-0.99, 0.99), np.arctanh, 0.1),
    ("atan", (-30, 30), np.arctan, 0),
    ("asin", (-1, 1), np.arcsin, 0),
    ("acos", (-1, 1), np.arccos, 1e-3),
    ("cbrt", (-1e3, 1e3), np.cbrt, 0),
    ("floor", (-9, 9), np.floor, 0),
    ("ceil", (-9, 9), np.ceil, 0),
    ("roundeven", (-9, 9), np.rint, 0),
    ("round", (-9, 9), lambda x: np.trunc(x + np.copysign(0.5, x)), 0),
    ("trunc", (-9, 9), np.trunc, 0),
    ("absf", (-9, 9), np.abs, 0),
]

# What the functions do at the ends.
ENDS = {
    "exp": {-math.inf: 0, math.inf: math.inf, 0.0: 1, -200.0: 0, 100.0: math.inf, math.nan: math.nan},
    "exp2": {-math.inf: 0, math.inf: math.inf, 0.0: 1, -200.0: 0, 128.0: math.inf, math.nan: math.nan},
    "log": {0.0: -math.inf, math.inf: math.inf, 1.0: 0, -1.0: math.nan, math.nan: math.nan},
    "log2": {0.0: -math.inf, math.inf: math.inf, 1.0: 0, -1.0: math.nan, math.nan: math.nan},
    "tanh": {-math.inf: -1, math.inf: 1, 0.0: 0, math.nan: math.nan},
    "erf": {-math.inf: -1, math.inf: 1, 0.0: 0, math.nan: math.nan},
    "rsqrt": {math.inf: 0, 0.0: math.inf, math.nan: math.nan},
    "sqrt": {math.inf: math.inf, 0.0: 0, -1.0: math.nan, math.nan: math.nan},
    "sin": {0.0: 0, math.inf: math.nan, math.nan: math.nan},
    "cos": {0.0: 1, math.inf: math.nan, math.nan: math.nan},
}
POWERS = [(0.0, 2.0, 0), (0.0, 0.0, 1), (0.0, -1.0, math.inf), (-2.0, 3.0, -8), (-2.0, 2.0, 4),
          (-2.0, 0.5, math.nan), (math.inf, 0.5, math.inf), (math.inf, -1.0, 0), (1e30, 2.0, math.inf),
          (1e-30, 2.0, 0), (2.0, math.inf, math.inf), (2.0, -math.inf, 0), (math.nan, 1.0, math.nan),
          (1.0, math.inf, 1), (1.0, math.nan, 1), (-1.0, -math.inf, 1), (-1.0, math.nan, math.nan),
          (-0.0, -3.0, -math.inf), (-0.0, -2.0, math.inf), (-math.inf, 0.5, math.inf), (-math.inf, 3.0, -math.inf)]
SIDES = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]


# Functions of f32 that are rounded to 16 bits, and from which size of the result on errors in bf16 are relative: below,
# powers leave the range of f32, and erf(x) + 1 is less accurate.
ACTIVATIONS = [
    ("gelu_erf", lambda x: x / 2 * vectorized(math.erfc)(-x * math.sqrt(0.5)), 1e-11),
    ("gelu_tanh", lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))), 1e-34),
    ("silu", lambda x: x / (1 + np.exp(-x)), 1e-34),
    ("erf", vectorized(math.erf), 0),
    ("tanh", np.tanh, 0),
]
# Half a unit in the last place, a fortieth of it for what is lost before the rounding, and the smallest normal number.
ROUNDED = {"f16": (2.0**-11 * 1.025, 2.0**-14), "bf16": (2.0**-8 * 1.025, 2.0**-126)}


def one(kernel, inputs, expected, tolerance, kind, floor=0.0, module="functions"):
    count = inputs[0].array.size
    arguments = sized(*((t, [0]) for t in inputs), (empty(count, kind), [0]))
    case = Case(module, kernel, (-(-count // 512), 1, 1), arguments,
                {len(arguments) - 2: expected}, tolerance)
    case.floor = floor
    return case


def functions(random):
    for name, (low, high), exact, floor in FUNCTIONS:
        x = Tensor(random.uniform(low, high, 4000), "f32")
        yield one(f"{name}_f32", [x], exact(x.exact), 1e-6, "f32", floor)
    for name, ends in ENDS.items():
        x = Tensor(np.array(list(ends)), "f32")
        yield one(f"{name}_f32", [x], np.array(list(ends.values()), np.float64), 0, "f32")
    for name, exact in (("exp", np.exp), ("tanh", np.tanh), ("rsqrt", lambda x: 1 / np.sqrt(x)),
                        ("erf", vectorized(math.erf))):
        x = Tensor(random.uniform(0.1, 8, 2000), "f16")
        yield one(f"{name}_f16", [x], exact(x.exact), 6e-4, "f16")
    for name, exact in (("tanh", np.tanh), ("erf", vectorized(math.erf))):
        for limit in (1, 0.3, 1e-2):
            x = Tensor(random.uniform(-limit, limit, 2000), "f16")
            yield one(f"{name}_f16", [x], exact(x.exact), 5.2e-4, "f16", 1e-4)
        ends = ENDS[name]
        x = Tensor(np.array(list(ends)), "f16")
        yield one(f"{name}_f16", [x], np.array(list(ends.values()), np.float64), 0, "f16")
    x = Tensor(random.uniform(-10, 10, 2000), "bf16")
    yield one("exp2_bf16", [x], np.exp2(x.exact), 4e-3, "bf16")
    x = Tensor(random.uniform(0, 10, 2000), "f64")
    yield one("sqrt_f64", [x], np.sqrt(x.exact), 1e-15, "f64")
    for low, high in ((-2, 2), (-20, 20)):
        x, y = Tensor(random.uniform(0.01, 50, 4000), "f32"), Tensor(random.uniform(low, high, 4000), "f32")
        yield one("powf_f32", [x, y], x.exact**y.exact, 1e-6, "f32")
    x, y, z = (np.array(column) for column in zip(*POWERS))
    yield one("powf_f32", [Tensor(x, "f32"), Tensor(y, "f32")], z.astype(np.float64), 1e-6, "f32")
    x, y = (Tensor(random.standard_normal(4000), "f32") for _ in "xy")
    yield one("atan2_f32", [x, y], np.arctan2(x.exact, y.exact), 1e-6, "f32")
    ends = [Tensor(np.array(side), "f32") for side in zip(*itertools.product(SIDES, SIDES))]
    yield one("atan2_f32", ends, np.arctan2(ends[0].exact, ends[1].exact), 1e-6, "f32")
    yield one("copysign_f32", [x, y], np.copysign(x.exact, y.exact), 0, "f32")
    # Exactly: of distant numbers and of close ones, and of subnormal numbers.
    for kind, high, low in (("f32", 38, -44), ("f16", 4, -7), ("bf16", 38, -38)):
        a, b = (random.choice([-1.0, 1.0], 3000) * 10.0 ** random.uniform(low, high, 3000) for _ in "ab")
        b[::3] = a[::3] / random.uniform(1, 100, 1000)
        a[:49], b[:49] = zip(*itertools.product(SIDES, SIDES))
        pair = [Tensor(a, kind), Tensor(b, kind)]
        with np.errstate(invalid="ignore"):
            yield one(f"remf_{kind}", pair, np.fmod(pair[0].exact, pair[1].exact), 0, kind)
    n = Tensor(random.integers(-6, 7, 4000), "i32")
    yield one("fpowi_f32", [x, n], x.exact ** n.exact, 2e-6, "f32")
    yield from activations()


def activations():
    sizes = np.geomspace(1e-30, 6e4, 3000)
    special = [0.0, -0.0, 4.0, -4.0, 10.0, -10.0, math.inf, -math.inf, math.nan]
    x = Tensor(np.concatenate([np.linspace(-12, 12, 12001), sizes, -sizes, special]), "f32")
    with np.errstate(over="ignore", invalid="ignore"):
        for name, exact, least in ACTIVATIONS:
            for kind, (tolerance, floor) in ROUNDED.items():
                yield one(f"{name}_{kind}", [x], exact(x.exact), tolerance, kind, max(floor, least), "activations")
