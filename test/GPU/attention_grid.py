"""Attention on the GPU against float64, for masks x head sizes x dtypes x lengths x grouped heads.

    attention_grid.py --compiler=bin/stof-compile --target=sm_80 [--masks=causal,...] [--sizes=64,...]
        [--types=f16,...] [--tiles=two,...] [--only=TEXT] [--jobs=N] [--keep=FOLDER]

Every case is compiled, run and compared. The error is the largest difference from float64, relative to the
largest value; a case passes if it is within twice that of torch's own attention in the same precision, or within
the rounding of the result's type. Keys and values lie between NaNs, and the output is NaN before the run. With
--tiles, attention has these tiles rather than the one that is chosen, for lengths that can have them. Ends
with the number of cases run and failed and the worst error; exits with 1 if any failed.
"""

import argparse
import concurrent.futures
import itertools
import os
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import stof  # noqa: E402

import attention_masks  # noqa: E402

# Queries, keys, and whether the lengths are dynamic in the compiled function.
LENGTHS = [(1, 1, False), (17, 17, False), (128, 128, False), (200, 200, False), (1024, 1024, False),
           (200, 333, False), (65, 1, False), (1, 1000, False), (5, 333, False), (150, 150, True), (40, 190, True)]
BATCH, HEADS = 2, 4
# Tiles with up to three warpgroups, which load for themselves or have producers, and whose iterations overlap or do
# not; those of persistent CTAs, which share row tiles or claim them, come with more heads than a GPU has SMs.
TILES = {"alone": "queries = 64, keys = 64, warps = 4",
         "one": "queries = 64, keys = 64, warps = 4, producers = 1, overlaps = true",
         "two": "queries = 128, keys = 64, warps = 8, producers = 4",
         "two-overlaps": "queries = 128, keys = 64, warps = 8, producers = 4, overlaps = true",
         "one-persistent": "queries = 64, keys = 64, warps = 4, producers = 1, resident = {RESIDENT}",
         "two-persistent": "queries = 128, keys = 64, warps = 8, producers = 4, overlaps = true, resident = 1",
         "three-persistent": "queries = 192, keys = 64, warps = 12, producers = 4, overlaps = true, resident = 1",
         # As many keys as features: weights are in as many registers as the queries that are held next to them.
         "held": "queries = 64, keys = {SIZE}, warps = 4, holds_queries = true",
         "held-twice": "queries = 128, keys = {SIZE}, warps = 8, holds_queries = true"}
TILES |= {name.replace("persistent", "persistent-claimed"): tile + ", dynamic = true"
          for name, tile in TILES.items() if "persistent" in name}
PERSISTENT_HEADS = 16
# How many CTAs of a warpgroup fit on an SM, by the size of a head.
RESIDENT = {64: 3, 128: 2}
# Half a unit in the last place of the result, and of the weights that it is summed from.
ROUNDING = {torch.float16: 2**-10, torch.bfloat16: 2**-7, torch.float32: 2**-19}
ELEMENT = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32"}
CAPTURED = {torch.bool: "i1", torch.int32: "i32"}


def tensor_type(shape, element, dynamic=()):
    sizes = ["?" if dim in dynamic else str(size) for dim, size in enumerate(shape)]
    return f"tensor<{'x'.join(sizes + [element])}>"


def can_have(tile, queries, dynamic):
    """Whether queries of this length fill more than half of a tile."""
    return dynamic or 2 * queries > int(TILES[tile].split()[2].strip(","))


def count_heads(tile, key_heads):
    """Those of queries and of keys."""
    times = PERSISTENT_HEADS if "persistent" in tile else 1
    return HEADS * times, key_heads * times


def source(mask, queries, keys, size, key_heads, dtype, dynamic, tile):
    """The function of one case as a module."""
    heads, key_heads = count_heads(tile, key_heads)
    element = ELEMENT[dtype]
    length = (2,) if dynamic else ()
    q = tensor_type((BATCH, heads, queries, size), element, length)
    k = tensor_type((BATCH, key_heads, keys, size), element, length)
    captures = mask.captures if mask else {}
    types = {name: tensor_type(tensor.shape, CAPTURED[tensor.dtype], range(tensor.dim()) if dynamic else ())
             for name, tensor in captures.items()}
    arguments = "".join(f", %in_{name}: {type}" for name, type in types.items())
    lines = [f"func.func @main(%query: {q}, %key: {k}, %value: {k}{arguments}) -> {q} {{"]
    positions = "?x?" if dynamic else f"{queries}x{keys}"
    if mask:
        inside = "".join(f", %{name}: {type}" for name, type in types.items())
        region = mask.region
        for name, type in types.items():
            region = region.replace(name.upper(), type)
        outside = f"captures({', '.join('%in_' + name for name in types)} : {', '.join(types.values())})" if types else ""
        lines += [f"  %m = stof.mask {outside} {{", f"  ^bb0(%b: index, %h: index, %q: index, %k: index{inside}):{region}",
                  f"  }} : !stof.mask<{positions}>"]
    size_operand = ""
    if dynamic:
        lines += ["  %c2 = arith.constant 2 : index", f"  %n = tensor.dim %query, %c2 : {q}"]
        size_operand = "%n"
    clauses = f"mask(%m : !stof.mask<{positions}>)" if mask else ""
    if tile:
        clauses += f" tile <{TILES[tile].format(RESIDENT=RESIDENT.get(size), SIZE=size)}>"
    lines += [f"  %e = tensor.empty({size_operand}) : {q}",
              f"  %o = stof.attention ins(%query, %key, %value : {q}, {k}, {k}) {clauses} outs(%e : {q}) "
              f"scale {size ** -0.5:e} -> {q}",
              f"  return %o : {q}", "}"]
    return "\n".join(lines) + "\n"


def guarded(tensor):
    """A copy of `tensor` with NaNs before and behind it in memory."""
    margin = 4096
    memory = torch.full((tensor.numel() + 2 * margin,), float("nan"), dtype=tensor.dtype, device=tensor.device)
    inside = memory[margin:margin + tensor.numel()].view(tensor.shape)
    inside.copy_(tensor)
    return inside


def reference(q, k, v, keep):
    """float64 attention; a query without a key gives 0."""
    group = q.shape[1] // k.shape[1]
    k, v = (x.double().repeat_interleave(group, 1) for x in (k, v))
    scores = q.double() @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if keep is not None:
        scores = scores.masked_fill(~keep, float("-inf"))
    return torch.softmax(scores, -1).nan_to_num(0.0) @ v


def relative(result, expected):
    return ((result.double() - expected).abs().max() / expected.abs().max().clamp_min(1e-30)).item()


def check(case, package):
    """The errors of ours and of torch's attention; NaN where an element was not computed."""
    name, size, dtype, (queries, keys, _), key_heads, tile = case
    heads, key_heads = count_heads(tile, key_heads)
    torch.manual_seed(len(str(case)) + queries + 7 * keys)
    q = guarded(torch.randn(BATCH, heads, queries, size, device="cuda").to(dtype))
    k, v = (guarded(torch.randn(BATCH, key_heads, keys, size, device="cuda").to(dtype)) for _ in range(2))
    mask = attention_masks.make(name, queries, keys, "cuda")
    keep = None
    if mask:
        keep = mask.keep(torch.arange(queries, device="cuda")[:, None], torch.arange(keys, device="cuda")[None, :])
        keep = keep.expand(queries, keys)
    captures = list(mask.captures.values()) if mask else []
    result = stof.load(package).main(q, k, v, *captures)
    expected = reference(q, k, v, keep)
    group = heads // key_heads
    theirs = torch.nn.functional.scaled_dot_product_attention(
        q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), attn_mask=keep).nan_to_num(0.0)
    return relative(result, expected), relative(theirs, expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--masks", default=",".join(attention_masks.NAMES))
    parser.add_argument("--sizes", default="64,80,128")
    parser.add_argument("--types", default="f16,bf16")
    parser.add_argument("--tiles", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    types = [dtype for dtype, name in ELEMENT.items() if name in options.types.split(",")]
    # One head of keys for all queries where tiles are what matters.
    heads = (HEADS // 4,) if options.tiles else (HEADS, HEADS // 4)
    cases = [case for case in itertools.product(options.masks.split(","), sizes, types, LENGTHS, heads,
                                                options.tiles.split(","))
             if options.only in str(case) and (not case[5] or can_have(case[5], case[3][0], case[3][2]))]
    folder = options.keep or tempfile.mkdtemp()

    def compile_case(number):
        name, size, dtype, (queries, keys, dynamic), key_heads, tile = cases[number]
        mask = attention_masks.make(name, queries, keys, "cpu")
        path = os.path.join(folder, str(number))
        with open(path + ".mlir", "w", encoding="utf-8") as file:
            file.write(source(mask, queries, keys, size, key_heads, dtype, dynamic, tile))
        run = subprocess.run([options.compiler, path + ".mlir", "-o", path, f"--target={options.target}"],
                             capture_output=True, text=True, check=False)
        return run.stderr if run.returncode else None

    failed = 0
    worst = {dtype: 0.0 for dtype in ROUNDING}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, problem in enumerate(pool.map(compile_case, range(len(cases)))):
            case = cases[number]
            if problem:
                print(f"FAILED {case}: {problem.strip().splitlines()[0]}")
                failed += 1
                continue
            ours, theirs = check(case, os.path.join(folder, str(number)))
            worst[case[2]] = max(worst[case[2]], ours)
            # A comparison with NaN is false.
            if not ours <= max(2 * theirs, ROUNDING[case[2]]):
                print(f"FAILED {case}: error {ours:.2e}, torch {theirs:.2e}")
                failed += 1
    for dtype, error in worst.items():
        if error:
            print(f"worst error {ELEMENT[dtype]}: {error:.2e}")
    print(f"{len(cases)} run, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
