"""Runs models on indices that are in their tables and on others: the first give the right numbers, the others the error
that the source asserts, at its place.

    check_assertions.py FOLDER TARGET [DEVICE]

DEVICE is where stof-run runs, `cpu` unless it is given.
"""

import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib"))

import safetensors_io

BELOW = "index must be smaller than dim size"
ABOVE = "index must be larger or equal to 0"
WRITTEN = "an update must be inside the tensor that it is written to"
INSIDE = "index must be within dimension 0 of the tensor that it reads"


def lookup(tokens, random):
    table = random.standard_normal((50, 24), np.float32)
    return [tokens.reshape(2, 33), table], lambda: table[tokens].reshape(2, 33, 24)


def implied(tokens, random):
    table, weight = random.standard_normal((37, 16), np.float32), random.standard_normal((16, 8), np.float32)
    return [tokens.astype(np.int32), table, weight], lambda: table[tokens].astype(np.float64) @ weight


def biased(kinds, random):
    q, k = (random.standard_normal((1, 2, n, 16), np.float32) for n in (20, 70))
    keep, bias = np.array([1, 1, 0, 1, 1], bool), random.standard_normal(5, np.float32)

    def golden():
        scores = 0.25 * q.astype(np.float64) @ k.astype(np.float64).swapaxes(2, 3) + bias[kinds]
        weights = np.where(keep[kinds], np.exp(scores), 0)
        return weights / weights.sum(-1, keepdims=True) @ k

    return [q, k, kinds, keep, bias], golden


def position(at, random):
    table, x = random.standard_normal((50, 24), np.float32), random.standard_normal(24, np.float32)
    return [at, table, x], lambda: table[at[0]] + x


def updated(at, random):
    rows, table = random.standard_normal((7, 24), np.float32), random.standard_normal((50, 24), np.float32)

    def golden():
        new = table.copy()
        for place, row in zip(at, rows):
            new[place] = row
        return new

    return [at, rows, table], golden


# Model, how many indices it takes, how many are in the table, and the line and the message of the error for an index
# beyond the table and for one before it.
MODELS = [
    (lookup, 66, 50, (14, BELOW), (16, ABOVE)),
    (implied, 61, 37, (14, INSIDE), (14, INSIDE)),
    (biased, 70, 5, ((8, 20), INSIDE), ((8, 20), INSIDE)),
    (updated, 7, 50, (5, WRITTEN), (5, WRITTEN)),
    (position, 1, 50, (7, "position must be in the table"), (14, INSIDE)),
]


def first_before(model, size):
    """The first index before those in the table: places of updates count from the end as well."""
    return -1 - size if model is updated else -1


DTYPES = {"float32": "f32", "int64": "i64", "int32": "i32", "bool": "i1"}


def write(path, tensors):
    safetensors_io.write(path, {name: (DTYPES[str(value.dtype)], value.shape, value.ravel().tolist())
                                for name, value in tensors.items()})


def run(folder, package, device, arguments, golden=None):
    inputs, results = os.path.join(folder, "in"), os.path.join(folder, "golden")
    write(inputs, {f"arg{number}": value for number, value in enumerate(arguments)})
    command = ["stof-run", package, f"--inputs={inputs}", f"--device={device}"]
    if golden is None:
        command += [f"--outputs={results}.none"]
    else:
        write(results, {"result0": golden.astype(np.float32)})
        command += [f"--compare={results}", "--tolerance=1e-5"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check(folder, target, device, model, count, size, beyond, before):
    source = os.path.join(HERE, model.__name__ + ".mlir")
    package = os.path.join(folder, model.__name__)
    subprocess.run(["stof-compile", source, "-o", package, f"--target={target}", "--allow-unregistered-dialect"], check=True)
    random = np.random.default_rng(3)
    good = random.integers(0, size, count)
    good[-1], good[0] = 0, size - 1
    arguments, golden = model(good, random)
    done = run(folder, package, device, arguments, golden())
    assert done.returncode == 0, done.stdout + done.stderr
    tried = 1
    for place in (0, count // 2, count - 1):
        for index in (size, 1000, 2 ** 31 - 1, first_before(model, size), -(2 ** 31)) + ((10 ** 12, -(2 ** 63)) if model is not implied else ()):
            bad = good.copy()
            bad[place] = index
            arguments, _ = model(bad, random)
            done = run(folder, package, device, arguments)
            lines, message = before if index < 0 else beyond
            places = [f"{model.__name__}.mlir:{line}:" for line in (lines if isinstance(lines, tuple) else (lines,))]
            said = f"stof-run: error: 'main': {message}, as "
            assert done.returncode == 1 and said in done.stderr and any(p in done.stderr for p in places), \
                (model.__name__, place, index, done)
            tried += 1
    # What comes after is not touched by it.
    arguments, golden = model(good, random)
    done = run(folder, package, device, arguments, golden())
    assert done.returncode == 0, done.stdout + done.stderr
    return tried + 1


def main():
    folder, target = sys.argv[1:3]
    device = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    os.makedirs(folder, exist_ok=True)
    tried = sum(check(folder, target, device, *model) for model in MODELS)
    print(f"all {tried} runs as expected")


if __name__ == "__main__":
    main()
