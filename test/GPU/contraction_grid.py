"""Contractions on the GPU against float64, for tiles with producer warps, persistent CTAs and groups x sizes x orders x dtypes,
alone, as three branches of a kernel and as the two products of a gated unit.

    contraction_grid.py --compiler=bin/stof-compile --target=sm_90a [--tiles=small,...] [--types=f16,...] [--only=TEXT]
        [--jobs=N] [--keep=FOLDER]

Every case is compiled, run and compared: each product is followed by a bias and GELU, or by nothing. The error is the
largest difference from float64, relative to the largest value; a case passes if it is within the rounding of the
result's type. Operands lie between NaNs, and the output is NaN before the run. Ends with the number of cases run and
failed and the worst error; exits with 1 if any failed.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import os
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import stof  # noqa: E402

from attention_grid import ELEMENT, ROUNDING, guarded, relative  # noqa: E402
from specialized_contractions import Contraction, write_function  # noqa: E402

# Batch, rows, columns and K. On GPUs of 132 SMs some have fewer tiles than CTAs, some have a few for each, and some one for
# a few CTAs only.
SIZES = [(1, 1, 72, 72), (1, 300, 200, 104), (1, 1000, 4104, 264), (3, 700, 2056, 136), (1, 2500, 2568, 328)]
# The contractions with the parts of one tensor, and whether they are those of a gated unit.
UNITS = [(1, False), (3, False), (2, True)]
SMALL = "rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 4"
TALL = "rows = 128, columns = 64, k = 64, row_warps = 8, column_warps = 1, stages = 4"
SQUARE = "rows = 128, columns = 128, k = 64, row_warps = 8, column_warps = 1, stages = 3"
BROAD = "rows = 128, columns = 192, k = 64, row_warps = 4, column_warps = 1, stages = 4"
WIDE = "rows = 128, columns = 256, k = 64, row_warps = 8, column_warps = 1, stages = 3"
TILES = {"small": SMALL + ", producers = 1", "small-1": SMALL + ", producers = 1, resident = 1",
         "small-3": SMALL + ", producers = 1, resident = 3", "square": SQUARE + ", producers = 1",
         "square-2": SQUARE + ", producers = 1, resident = 2", "wide-1": WIDE + ", producers = 1, resident = 1",
         "small-2-groups": SMALL + ", producers = 1, resident = 1, groups = 2",
         "small-3-groups": SMALL + ", producers = 4, resident = 1, groups = 3",
         "tall-2-groups": TALL + ", producers = 4, resident = 1, groups = 2",
         "square-2-groups": SQUARE.replace("warps = 8", "warps = 4") + ", producers = 4, resident = 1, groups = 2",
         "broad-2-groups": BROAD + ", producers = 4, resident = 1, groups = 2",
         "tall-3-groups": TALL + ", producers = 1, resident = 1, groups = 3"}

# Those of gated units: the registers of a thread hold the accumulators of two contractions.
GATED = ("small", "small-1", "small-2-groups", "small-3-groups", "tall-2-groups")


@dataclasses.dataclass
class Case:
    tile: str
    dtype: torch.dtype
    sizes: tuple
    order: str
    gelu: bool
    unit: tuple

    @property
    def contraction(self):
        return Contraction(TILES[self.tile], self.sizes, ELEMENT[self.dtype], self.order, self.gelu, False, *self.unit)

    @property
    def is_written(self):
        """Whether specialized_contractions.py has it: parts of a matrix with columns outermost."""
        parts, gated = self.unit
        return parts == 1 or (self.sizes[0] == 1 and self.order == "nk" and (not gated or self.tile in GATED))


def check(case, package):
    """The error; NaN where an element was not computed."""
    batch, rows, columns, depth = case.sizes
    parts, gated = case.unit
    torch.manual_seed(rows + 7 * columns)
    batches, columns = (batch,) * (batch > 1), parts * columns
    x, w = (guarded(torch.randn(*batches, *size, device="cuda").to(case.dtype))
            for size in ((rows, depth), (columns, depth) if case.order == "nk" else (depth, columns)))
    expected = x.double() @ (w.double().mT if case.order == "nk" else w.double())
    bias = [guarded(torch.randn(columns, device="cuda").to(case.dtype))] * case.gelu
    if case.gelu:
        expected = torch.nn.functional.gelu(expected + bias[0].double(), approximate="tanh")
    expected = expected.chunk(parts, dim=-1)
    results = stof.load(package).main(x, w, *bias)
    if gated:
        # Both are rounded before.
        expected = [expected[0].to(case.dtype).double() * expected[1].to(case.dtype).double()]
    results = results if isinstance(results, (tuple, list)) else [results]
    # A maximum of numbers would lose a NaN.
    return torch.tensor([relative(result, part) for result, part in zip(results, expected, strict=True)]).max().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--tiles", default=",".join(TILES))
    parser.add_argument("--types", default="f16,bf16")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    options = parser.parse_args()
    types = [dtype for dtype, name in ELEMENT.items() if name in options.types.split(",")]
    cases = [case for case in itertools.starmap(Case, itertools.product(
        options.tiles.split(","), types, SIZES, ("nk", "kn"), (False, True), UNITS))
             if options.only in str(case) and case.is_written]
    folder = options.keep or tempfile.mkdtemp()

    def compile_case(number):
        path = os.path.join(folder, str(number))
        with open(path + ".mlir", "w", encoding="utf-8") as file:
            file.write(write_function("main", [cases[number].contraction]))
        run = subprocess.run([options.compiler, path + ".mlir", "-o", path, f"--target={options.target}"],
                             capture_output=True, text=True, check=False)
        return run.stderr if run.returncode else None

    failed, worst = 0, dict.fromkeys(types, 0.0)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, problem in enumerate(pool.map(compile_case, range(len(cases)))):
            case = cases[number]
            if problem:
                print(f"FAILED {case}: {problem.strip().splitlines()[0]}")
                failed += 1
                continue
            error = check(case, os.path.join(folder, str(number)))
            worst[case.dtype] = max(worst[case.dtype], error)
            # A comparison with NaN is false.
            if not error <= ROUNDING[case.dtype]:
                print(f"FAILED {case}: error {error:.2e}")
                failed += 1
    for dtype, error in worst.items():
        print(f"worst error {ELEMENT[dtype]}: {error:.2e}")
    print(f"{len(cases)} run, {failed} failed")
    return failed > 0 or not cases


if __name__ == "__main__":
    sys.exit(main())
