"""Compiles a model of dynamic batch and length once, calls it for several sizes, and compares with exact results.

    run_sizes.py MODEL FOLDER TARGET

The models are as torch-mlir wrote them. dynamic_layer.mlir is a norm, causal attention with two heads, its projection and
a residual; dynamic_tokens.mlir is the same behind embeddings of tokens and positions and before a head.
"""

import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import safetensors_io

WORDS, POSITIONS, FEATURES, HEADS = 11, 16, 8, 2
SIZES = [(1, 1), (1, 7), (3, 1), (2, 5), (3, 16), (7, 2)]


def make_weights(chance, has_tokens):
    """The arguments behind the first."""
    shapes = [(FEATURES,), (FEATURES,), (3 * FEATURES, FEATURES), (3 * FEATURES,), (FEATURES, FEATURES), (FEATURES,)]
    if has_tokens:
        shapes = [(WORDS, FEATURES), (POSITIONS, FEATURES), *shapes, (WORDS, FEATURES), (WORDS,)]
    return [make_tensor(chance, shape) for shape in shapes]


def make_tensor(chance, shape):
    return "f32", shape, [chance.randint(-64, 64) / 64 for _ in range(math.prod(shape))]


def linear(row, weight, bias):
    _, (outs, ins), values = weight
    return [bias[2][o] + sum(row[i] * values[o * ins + i] for i in range(ins)) for o in range(outs)]


def normalise(row, scale, shift):
    mean = sum(row) / len(row)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-5)
    return [(x - mean) / deviation * a + b for x, a, b in zip(row, scale[2], shift[2])]


def attend(rows):
    """Causal attention on rows of queries, keys and values."""
    size = FEATURES // HEADS
    out = []
    for at, row in enumerate(rows):
        mixed = []
        for begin in range(0, FEATURES, size):
            query = row[begin:begin + size]
            scores = [sum(q * k for q, k in zip(query, other[FEATURES + begin:])) / math.sqrt(size) for other in rows[:at + 1]]
            powers = [math.exp(score - max(scores)) for score in scores]
            mixed += [sum(p * other[2 * FEATURES + begin + i] for p, other in zip(powers, rows)) / sum(powers) for i in range(size)]
        out.append(mixed)
    return out


def layer(rows, scale, shift, qkv, qkv_bias, out, out_bias):
    mixed = attend([linear(normalise(row, scale, shift), qkv, qkv_bias) for row in rows])
    return [[a + b for a, b in zip(row, linear(more, out, out_bias))] for row, more in zip(rows, mixed)]


def split(values, size):
    return [values[at:at + size] for at in range(0, len(values), size)]


def decode(tokens, words, positions, *weights):
    *weights, head, head_bias = weights
    words, positions = split(words[2], FEATURES), split(positions[2], FEATURES)
    rows = [[a + b for a, b in zip(words[token], positions[at])] for at, token in enumerate(tokens)]
    return [linear(row, head, head_bias) for row in layer(rows, *weights)]


def make_call(chance, has_tokens, batch, length):
    """The arguments and the result."""
    weights = make_weights(chance, has_tokens)
    if has_tokens:
        first = "i64", (batch, length), [chance.randrange(WORDS) for _ in range(batch * length)]
        results = [decode(tokens, *weights) for tokens in split(first[2], length)]
    else:
        first = make_tensor(chance, (batch, length, FEATURES))
        rows = split(first[2], FEATURES)
        results = [layer(some, *weights) for some in split(rows, length)]
    flat = [number for rows in results for row in rows for number in row]
    return [first, *weights], ("f64", (batch, length, len(flat) // (batch * length)), flat)


def main(model, folder, target):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["stof-compile", model, "--allow-unregistered-dialect", "-o", f"{folder}/model", f"--target={target}"], check=True)
    chance = random.Random(8)
    agreed = 0
    for batch, length in SIZES:
        inputs, result = make_call(chance, "tokens" in os.path.basename(model), batch, length)
        safetensors_io.write(f"{folder}/in", {f"arg{i}": tensor for i, tensor in enumerate(inputs)})
        safetensors_io.write(f"{folder}/out", {"result0": result})
        done = subprocess.run(["stof-run", f"{folder}/model", "--device=cpu", f"--inputs={folder}/in", f"--compare={folder}/out",
                               "--tolerance=1e-5"], capture_output=True, text=True)
        agreed += done.returncode == 0
        if done.returncode:
            print(f"{batch} x {length} on {target}: {done.stdout}{done.stderr}")
    print(f"{agreed} of {len(SIZES)} sizes agree")
    sys.exit(agreed != len(SIZES))


if __name__ == "__main__":
    main(*sys.argv[1:])
