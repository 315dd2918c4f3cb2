"""Compiles softmaxes under masks that are spelt at random, several in a row, for the CPU and compares the numbers.

    check_spellings.py BIN FOLDER [--count=N] [--seed=N] [--batch=N] [--reference]

What a fully masked row computes depends on how its masks are spelt, so such rows are frequent. Queries and keys are
eighths: scores are exact in f32, also those to which a large number was added. With --reference the kernels are left
out: attention is computed as its operation is defined.
"""

import itertools
import math
import pathlib
import random
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Integration" / "Inputs"))

from group_cases import Array, Function
import random_masks

DIMS = {"b": 2, "h": 2, "q": 7, "k": 9}
DEPTH = 4
ROW = {letter: DIMS[letter] for letter in "bhq"}
PLACE = ["%iq = linalg.index 3 : index", "%ik = linalg.index 2 : index", "%ih = linalg.index 1 : index"]
MINUS_INFINITY = "0xFF800000"
NUMBERS = {MINUS_INFINITY: -math.inf, "-3.40282347e+38": -3.4028234663852886e38, "-1.0e+09": -1e9, "-1.0e+04": -1e4}


def f32(value):
    """`value` as an f32 holds it."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


class Spelling:
    """A softmax; `value(b, h, q, k)` is its score so far, in the arithmetic of the source."""

    def __init__(self, name, chance):
        self.chance, self.function = chance, Function(name, None)
        self.names, self.numbers = itertools.count(), set()

        def eighths(size):
            return [chance.randint(-8, 8) / 8 for _ in range(DIMS["b"] * DIMS["h"] * size * DEPTH)]
        (query, queries), (key, keys), (self.values, self.exact_values) = (
            self.function.argument("f32", DIMS["b"], DIMS["h"], size, DEPTH, values=eighths(size))
            for size in (DIMS["q"], DIMS["k"], DIMS["k"]))
        self.score = self.function.matmul(query, key, "f32", "bhqd", "bhkd", "bhqk")
        self.value = lambda b, h, q, k: sum(queries[b, h, q, d] * keys[b, h, k, d] for d in range(DEPTH))

    def name(self):
        return f"n{next(self.names)}"

    def keep(self, lines, extra):
        """A condition, and what it is of (b, h, q, k). Adds its lines, and to `extra` the argument that it reads."""
        name, kind = f"%{self.name()}", self.chance.choice(["diagonal", "band", "block", "heads", "table", "padding", "floats"])
        if kind == "diagonal":
            ahead = self.chance.choice([-3, -2, -1, 0, 0, 1])
            lines += [f"{name}c = arith.constant {ahead} : index", f"{name}s = arith.addi %iq, {name}c : index",
                      f"{name} = arith.cmpi sle, %ik, {name}s : index"]
            return name, lambda b, h, q, k: k <= q + ahead
        if kind == "band":
            width, ahead = self.chance.choice([0, 1, 2]), self.chance.choice([0, 3, -4])
            lines += [f"{name}w = arith.constant {width} : index", f"{name}c = arith.constant {ahead} : index",
                      f"{name}d = arith.subi %iq, %ik : index", f"{name}e = arith.addi {name}d, {name}c : index",
                      f"{name}a = math.absi {name}e : index", f"{name} = arith.cmpi sle, {name}a, {name}w : index"]
            return name, lambda b, h, q, k: abs(q - k + ahead) <= width
        if kind == "block":
            size = self.chance.choice([2, 3, 4])
            lines += [f"{name}c = arith.constant {size} : index", f"{name}q = arith.floordivsi %iq, {name}c : index",
                      f"{name}k = arith.floordivsi %ik, {name}c : index", f"{name} = arith.cmpi eq, {name}q, {name}k : index"]
            return name, lambda b, h, q, k: q // size == k // size
        if kind == "heads":
            lines += [f"{name}c = arith.constant 0 : index", f"{name}h = arith.cmpi eq, %ih, {name}c : index",
                      f"{name}e = arith.cmpi sle, %ik, %iq : index", f"{name} = arith.ori {name}h, {name}e : i1"]
            return name, lambda b, h, q, k: h == 0 or k <= q
        if kind == "table":
            rows = [[self.chance.random() < 0.6 for _ in range(DIMS["k"])] for _ in range(DIMS["q"])]
            if self.chance.random() < 0.5:
                rows[2] = [False] * DIMS["k"]
            table = f"tensor<{DIMS['q']}x{DIMS['k']}xi1>"
            lines += [f"{name}t = arith.constant dense<{str(rows).lower()}> : {table}",
                      f"{name} = tensor.extract {name}t[%iq, %ik] : {table}"]
            return name, lambda b, h, q, k: rows[q][k]
        kept = [float(self.chance.random() < 0.6) for _ in range(DIMS["b"] * DIMS["k"])]
        missing = self.chance.choice([0, 4, DIMS["k"]])
        kept[:missing] = [0.0] * missing
        dtype, zero, test = ("i32", "0", "cmpi ne") if kind == "padding" else ("f32", "0.5", "cmpf ogt")
        values = [int(value) for value in kept] if kind == "padding" else kept
        argument, known = self.function.argument(dtype, DIMS["b"], DIMS["k"], values=values)
        extra.append((argument, "bk"))
        lines += [f"{name}c = arith.constant {zero} : {dtype}", f"{name} = arith.{test}, %{'abcd'[len(extra)]}, {name}c : {dtype}"]
        return name, lambda b, h, q, k: known[b, k] > 0.5

    def bias(self, lines):
        """A number for each pair."""
        name, slope = f"%{self.name()}", self.chance.choice([0.125, 0.25])
        lines += [f"{name}d = arith.subi %ik, %iq : index", f"{name}i = arith.index_cast {name}d : index to i32",
                  f"{name}f = arith.sitofp {name}i : i32 to f32", f"{name}c = arith.constant {slope} : f32",
                  f"{name} = arith.mulf {name}f, {name}c : f32"]
        return name, lambda b, h, q, k: (k - q) * slope

    def step(self):
        """One operation on the score."""
        lines, extra, before = list(PLACE), [], self.value
        kinds = ["fill", "fill", "fill", "add", "add", "float", "bias", "replace", "halve", "floor", "limit"]
        # Half of -1e4 is a score like any other: stof keeps it, rounds it as f32 does and computes its power from the
        # row's maximum, also where the source has 0 / 0.
        kind = self.chance.choice([kind for kind in kinds if kind != "halve" or -1e4 not in self.numbers])
        texts = [text for text in NUMBERS if text != MINUS_INFINITY or kind not in ("float", "floor")]
        text = self.chance.choice(texts)
        number = NUMBERS[text]
        self.numbers |= {number} if kind not in ("bias", "halve") else set()
        lines += [f"%low = arith.constant {text} : f32", "%zero = arith.constant 0.0 : f32", "%one = arith.constant 1.0 : f32"]
        keep, kept = self.keep(lines, extra) if kind not in ("bias", "halve", "floor") else (None, None)
        if kind == "fill":
            lines.append(f"%r = arith.select {keep}, %a, %low : f32")
            self.value = lambda *at: before(*at) if kept(*at) else number
        elif kind == "add":
            lines += [f"%m = arith.select {keep}, %zero, %low : f32", "%r = arith.addf %a, %m : f32"]
            self.value = lambda *at: f32(before(*at) + (0 if kept(*at) else number))
        elif kind == "float":
            lines += [f"%u = arith.uitofp {keep} : i1 to f32", "%v = arith.subf %one, %u : f32",
                      "%m = arith.mulf %v, %low : f32", "%r = arith.addf %a, %m : f32"]
            self.value = lambda *at: f32(before(*at) + (0 if kept(*at) else number))
        elif kind == "bias":
            bias, added = self.bias(lines)
            lines.append(f"%r = arith.addf %a, {bias} : f32")
            self.value = lambda *at: f32(before(*at) + added(*at))
        elif kind == "replace":
            bias, added = self.bias(lines)
            lines += [f"%m = arith.select {keep}, {bias}, %low : f32", "%r = arith.addf %a, %m : f32"]
            self.value = lambda *at: f32(before(*at) + (added(*at) if kept(*at) else number))
        elif kind == "halve":
            lines += ["%half = arith.constant 0.5 : f32", "%r = arith.mulf %a, %half : f32"]
            self.value = lambda *at: before(*at) / 2
        elif kind == "floor":
            lines.append("%r = arith.maximumf %a, %low : f32")
            self.value = lambda *at: max(before(*at), number)
        else:
            lines += ["%high = arith.constant 3.40282347e+38 : f32", f"%m = arith.select {keep}, %high, %low : f32",
                      "%r = arith.minimumf %a, %m : f32"]
            self.value = lambda *at: before(*at) if kept(*at) else min(before(*at), number)
        self.score = self.function.generic([(self.score, "bhqk")] + extra, "bhqk", "f32", lines, dims=DIMS)

    def finish(self):
        """The softmax of the score, with or without a guard of rows whose scores are all minus infinity or NaN."""
        guard = self.chance.choice([None, None, "infinite", "nan", "sum"])
        is_stable, is_late = self.chance.random() < 0.75, self.chance.random() < 0.3 and guard in (None, "sum")
        f, score, least = self.function, self.score, [f"%least = arith.constant {MINUS_INFINITY} : f32"]
        if guard == "infinite":
            dead = f.generic([(score, "bhqk")], "bhq", "i1", least + [
                "%c = arith.cmpf oeq, %a, %least : f32", "%r = arith.andi %c, %o : i1"], start="1", dims=DIMS)
        if is_stable:
            most = f.generic([(score, "bhqk")], "bhq", "f32", ["%r = arith.maximumf %a, %o : f32"],
                             start=MINUS_INFINITY, dims=DIMS)
            score = f.generic([(score, "bhqk"), (most, "bhq")], "bhqk", "f32", ["%r = arith.subf %a, %b : f32"], dims=DIMS)
        weight = f.generic([(score, "bhqk")], "bhqk", "f32", ["%r = math.exp %a : f32"], dims=DIMS)
        total = f.generic([(weight, "bhqk")], "bhq", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=DIMS)
        zero, divide = ["%zero = arith.constant 0.0 : f32"], ["%r = arith.divf %a, %b : f32"]
        if guard == "sum":
            total = f.generic([(total, "bhq")], "bhq", "f32", zero + [
                "%one = arith.constant 1.0 : f32", "%c = arith.cmpf oeq, %a, %zero : f32",
                "%r = arith.select %c, %one, %a : f32"], dims=ROW)
        if not is_late:
            weight = f.generic([(weight, "bhqk"), (total, "bhq")], "bhqk", "f32", divide, dims=DIMS)
        if guard == "infinite":
            weight = f.generic([(weight, "bhqk"), (dead, "bhq")], "bhqk", "f32", zero + [
                "%r = arith.select %b, %zero, %a : f32"], dims=DIMS)
        if guard == "nan":
            weight = f.generic([(weight, "bhqk")], "bhqk", "f32", zero + [
                "%c = arith.cmpf uno, %a, %a : f32", "%r = arith.select %c, %zero, %a : f32"], dims=DIMS)
        result = f.matmul(weight, self.values, "f32", "bhqk", "bhkd", "bhqd")
        if is_late:
            result = f.generic([(result, "bhqd"), (total, "bhq")], "bhqd", "f32", divide, dims={**ROW, "d": DEPTH})

        def exact(b, h, q, d):
            weights = self.weights([self.value(b, h, q, k) for k in range(DIMS["k"])], guard, is_stable)
            return sum(weight * self.exact_values[b, h, k, d] for k, weight in enumerate(weights))
        f.give(result, Array.of((DIMS["b"], DIMS["h"], DIMS["q"], DEPTH), exact))
        return f

    @staticmethod
    def weights(scores, guard, is_stable):
        """The weights of a row."""
        most = max(scores) if is_stable else 0
        powers = [0 if score == -math.inf < most else math.exp(score - most) for score in scores]
        powers = [0 if power < 1e-46 else power for power in powers]
        total = sum(powers)
        if math.isnan(total) or total == 0 and guard != "sum":
            is_dead = all(score == -math.inf for score in scores)
            return [0.0 if guard == "nan" or guard == "infinite" and is_dead else math.nan] * len(scores)
        return [power / (total or 1) for power in powers]


def spelling(number, chance):
    """A softmax of one to three steps."""
    made = Spelling(f"spelling_{number}", chance)
    for _ in range(chance.randint(1, 3)):
        made.step()
    return made.finish()


def check(tools, folder, target, spellings, tally):
    """Complaints about `spellings`."""
    for number, function in spellings:
        model, package, inputs, golden, remarks = (
            f"{folder}/{name}" for name in ("model.mlir", "package", "in", "out", "remarks"))
        function.write(model, inputs, golden)
        commands = [
            [f"{tools}/stof-compile", model, "-o", package, f"--target={target}", "-O0", f"--remarks={remarks}"],
            [f"{tools}/stof-run", package, "--device=cpu", f"--inputs={inputs}", f"--compare={golden}", "--tolerance=1e-5"],
        ]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                yield f"spelling {number}: {done.stdout}{done.stderr}\n{pathlib.Path(model).read_text()}"
                break
        else:
            tally["raised"] += "[Passed] RaisedAttention" in pathlib.Path(remarks).read_text()


def main():
    tally = {"raised": 0}
    campaign = random_masks.Campaign(40, 1, "--reference")
    target = "cpu-reference" if campaign.flags else "cpu"
    campaign.run(
        (spelling(number, random.Random(f"spelling {campaign.seed} {number}")) for number in range(campaign.count)),
        lambda batch: check(campaign.tool, campaign.folder, target, batch, tally),
        lambda: f"{tally['raised']} raised",
    )


if __name__ == "__main__":
    main()
