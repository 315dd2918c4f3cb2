"""Changes models at random and compiles them: whatever the verifier accepts is compiled, or refused with a place and a reason.

    check_mutants.py BIN FOLDER INPUT... [--count=N] [--seed=N] [--only=N] [--numbers=N] [--targets=A,B] [--all-targets]

An input is a file, or a folder of files, of MLIR; what `// -----` separates is several models. A mutant follows from
its number and the seed, however many there are; `--only` makes that one again. It is compiled for one of the targets, in
turn, or for `--all-targets`. Every so many mutants (`--numbers`, 0 for none) are compiled for the CPU as well, both by
definition and by kernels, and the results compared on random inputs where they are finite and do not depend on
what memory held before or on the last bits of the inputs.

No signal, no other exit code than 0 and 1, no error without a place, no more than 30 s and no more than 4 GB are
allowed. What fails is written to FOLDER, with as few changes as fail as well.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import resource
import subprocess
import sys

import random_models
import safetensors_io

SECONDS, BYTES = 30, 4 << 30
TARGETS = ["sm_80", "sm_90a", "sm_100a"]
MOST_CHANGES, TRIES = 4, 12
TOLERANCE = {"f64": 1e-4, "f32": 1e-4, "f16": 1e-2, "bf16": 6e-2}
# By how much inputs are moved to see what the last bits are worth.
LAST_BITS = {"f64": 1e-6, "f32": 1e-6, "f16": 1e-3, "bf16": 8e-3}
# Beyond these a sum that is taken in another order, or rounded otherwise, may be infinite.
NEAR_LARGEST = {"f64": 1e303, "f32": 5e33, "bf16": 5e33, "f16": 65000}
MOST_ELEMENTS = 100_000


class Verdict(Exception):
    """Why a mutant fails."""


def run(command, limit, perturb=None):
    """(exit code, what it says) of a program that ends in time."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    # Assembling says nothing about what is compiled, and takes longer than that.
    environment = {"PATH": "/usr/bin:/bin"}
    if perturb is not None:
        environment["MALLOC_PERTURB_"] = str(perturb)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=restrict, env=environment,
                              timeout=10 * SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Verdict(f"has not ended after {10 * SECONDS} s: {' '.join(command)}") from None
    return done.returncode, done.stdout + done.stderr


class Compiler:
    def __init__(self, tools, limit):
        self.tools, self.limit = tools, limit

    def accepts(self, path):
        code, _ = run([f"{self.tools}/stof-opt", path, "-o", os.devnull], self.limit)
        return code == 0

    def compile(self, path, package, target, *flags):
        """Whether `path` was compiled; raises what must not happen."""
        command = [f"{self.tools}/stof-compile", path, "-o", package, f"--target={target}", "-O0", f"--remarks={package}.remarks", *flags]
        code, said = run(command, self.limit)
        if code == 0:
            return True
        shown = said.strip()[-800:]
        if code < 0:
            reason = re.search(r"Assertion .*|.*Sanitizer: .*", said)
            raise Verdict(f"{target}: signal {-code}" + (f", {reason[0]}" if reason else f"\n{shown}"))
        if code != 1:
            raise Verdict(f"{target}: exit code {code}\n{shown}")
        if not re.search(r"^\S+:\d+:\d+: error: .", said, re.M) or re.search(r"LLVM ERROR|PLEASE submit", said):
            raise Verdict(f"{target}: no error with a place\n{shown}")
        return False

    def calls(self, package, seed, moved=False):
        """Inputs for each function of a package."""
        with open(f"{package}/manifest.json", encoding="utf-8") as file:
            functions = json.load(file)["functions"]
        for function in functions:
            chance = random.Random(f"{seed} {function['name']}")
            open_size, tensors = chance.choice([1, 2, 5, 8]), {}
            for number, spec in enumerate(function["inputs"]):
                shape = [size if isinstance(size, int) else open_size for size in spec["shape"]]
                count, dtype = math.prod(shape), spec["dtype"]
                if count > MOST_ELEMENTS:
                    break
                if dtype in LAST_BITS:
                    values = [chance.uniform(-1, 1) for _ in range(count)]
                    if moved:
                        values = [value * (1 + (i * 7 % 5 - 2) * LAST_BITS[dtype]) for i, value in enumerate(values)]
                else:
                    values = [chance.randint(0, 1) for _ in range(count)]
                tensors[f"arg{number}"] = (dtype, shape, values)
            if len(tensors) == len(function["inputs"]):
                yield function["name"], tensors

    def results(self, package, function, tensors, stem, perturb):
        """What a function computes; nothing where it refuses its inputs."""
        safetensors_io.write(f"{stem}.in", tensors)
        command = [f"{self.tools}/stof-run", package, f"--function={function}", "--device=cpu", "--threads=1",
                   f"--outputs={stem}.out"] + ([f"--inputs={stem}.in"] if tensors else [])
        code, said = run(command, self.limit, perturb)
        if code:
            return code, said
        return 0, safetensors_io.read(f"{stem}.out")

    def compare(self, path, stem, seed):
        """Compares the definition with the kernels; says whether there was anything to compare."""
        exact, kernels = f"{stem}.reference", f"{stem}.kernels"
        # What the one takes the other does. Statistics that are changed may need the doubles that they are in.
        taken = [self.compile(path, package, target, "--keep-doubles") for package, target in ((kernels, "cpu"), (exact, "cpu-reference"))]
        if not all(taken):
            return False
        with open(f"{kernels}.remarks", encoding="utf-8") as file:
            if "UndefinedElements" in file.read():
                return False
        compared = False
        moved = {name: tensors for name, tensors in self.calls(exact, seed, moved=True)}
        for name, tensors in self.calls(exact, seed):
            code, expected = self.results(exact, name, tensors, stem, 85)
            if code:
                # Undefined, or refused.
                continue
            if repr(self.results(exact, name, tensors, stem, 170)) != repr((0, expected)):
                # It depends on what memory held before.
                continue
            code, other = self.results(exact, name, moved[name], stem, 170)
            if code:
                continue
            code, actual = self.results(kernels, name, tensors, stem, 170)
            if code:
                raise Verdict(f"cpu: running '{name}' ended with {code}, the reference with 0\n{actual.strip()[-500:]}")
            for result, (dtype, _, values) in expected.items():
                compared |= agree(f"'{name}' {result}", dtype, values, other[result][2], actual[result][2])
        return compared


def agree(what, dtype, expected, moved, actual):
    """Whether there are numbers to compare; raises where they differ."""
    largest = NEAR_LARGEST.get(dtype, math.inf)
    known = [i for i, (e, m) in enumerate(zip(expected, moved)) if abs(e) < largest and abs(m) < largest]
    if not known:
        return False
    scale = max(abs(expected[i]) for i in known)
    # Where one element depends on last bits, its neighbours may as well.
    noise = max(abs(expected[i] - moved[i]) for i in known)
    if noise > scale:
        # It is of memory that nothing was written to.
        return False
    bound = TOLERANCE[dtype] * scale + 100 * noise if dtype in TOLERANCE else noise
    for i in known:
        if not abs(actual[i] - expected[i]) <= bound + 1e-30:
            raise Verdict(f"cpu: {what}[{i}] is {actual[i]:.9g} by kernels, {expected[i]:.9g} by definition; "
                          f"allowed are {bound:.2g} of {scale:.3g}")
    return True


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.compiler = Compiler(arguments.tools, arguments.memory)
        self.folder = arguments.folder
        self.sources = []
        for place in arguments.inputs:
            paths = sorted(place.rglob("*.mlir")) if place.is_dir() else [place]
            for path in paths:
                with open(path, encoding="utf-8") as file:
                    parts = re.split(r"^// -----.*$", file.read(), flags=re.M)
                self.sources += [(path, number, text) for number, text in enumerate(parts)
                                 if "func.func" in text and "tensor<" in text and "gpu." not in text and "tile." not in text
                                 and "expected-error" not in text and "memref<" not in text and len(text) < arguments.largest]

    def generic(self, stem, text):
        """A source in generic form; nothing where it is none that stands alone."""
        path = f"{stem}.source.mlir"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        code, said = run([f"{self.arguments.tools}/stof-opt", path, *random_models.FLAGS, "-o", f"{stem}.generic.mlir"], 0)
        if code:
            return None
        with open(f"{stem}.generic.mlir", encoding="utf-8") as file:
            return file.read()

    def mutant(self, number):
        """(what was changed, how often each, text) of a mutant; the first one that the verifier accepts."""
        chance, stem = random.Random(f"{self.arguments.seed} {number}"), f"{self.folder}/{number}"
        for _ in range(TRIES):
            path, part, source = chance.choice(self.sources)
            text = self.generic(stem, source)
            if not text:
                continue
            changes = []
            for _ in range(chance.randint(1, MOST_CHANGES)):
                for _ in range(TRIES):
                    try:
                        change = random_models.mutate(text, chance)
                    except random_models.Unreadable:
                        continue
                    if change and self.is_accepted(stem, change[1]):
                        changes.append(change)
                        text = change[1]
                        break
            if changes:
                return f"{path} part {part}", changes
        return None, []

    def is_accepted(self, stem, text):
        with open(f"{stem}.mlir", "w", encoding="utf-8") as file:
            file.write(text)
        return self.compiler.accepts(f"{stem}.mlir")

    def fails(self, stem, text, targets, with_numbers):
        """(why a text fails, whether it was compiled, whether its numbers were compared)."""
        with open(f"{stem}.mlir", "w", encoding="utf-8") as file:
            file.write(text)
        try:
            compiled = [self.compiler.compile(f"{stem}.mlir", f"{stem}.package", target) for target in targets]
            return "", all(compiled), with_numbers and self.compiler.compare(f"{stem}.mlir", stem, self.arguments.seed)
        except Verdict as verdict:
            return str(verdict), False, False

    def targets(self, number):
        listed = self.arguments.targets.split(",")
        return listed if self.arguments.all_targets else [listed[number % len(listed)]]

    def check(self, number):
        """(is a mutant, was compiled, its numbers were compared, complaint)."""
        stem = f"{self.folder}/{number}"
        source, changes = self.mutant(number)
        if not changes:
            self.clean(stem)
            return False, False, False, ""
        every = self.arguments.numbers
        with_numbers = every and number % every == 0
        why, compiled, compared = self.fails(stem, changes[-1][1], self.targets(number), with_numbers)
        complaint = ""
        if why:
            # The first changes may do.
            for first, (_, text) in enumerate(changes):
                shorter, _, _ = self.fails(stem, text, self.targets(number), with_numbers)
                if shorter:
                    why, changes = shorter, changes[: first + 1]
                    break
            with open(f"{self.folder}/failure-{self.arguments.seed}-{number}.mlir", "w", encoding="utf-8") as file:
                file.write(changes[-1][1])
            names = ", ".join(name for name, _ in changes)
            complaint = (f"mutant {number} of {source} by {names}: {why}\n  written to {file.name}; again by --seed={self.arguments.seed} "
                         f"--only={number}")
        self.clean(stem)
        return True, compiled, compared, complaint

    def clean(self, stem):
        for ending in ("mlir", "source.mlir", "generic.mlir", "in", "out"):
            pathlib.Path(f"{stem}.{ending}").unlink(missing_ok=True)
        for package in ("package", "reference", "kernels"):
            pathlib.Path(f"{stem}.{package}.remarks").unlink(missing_ok=True)
            folder = pathlib.Path(f"{stem}.{package}")
            for path in folder.glob("*"):
                path.unlink()
            if folder.exists():
                folder.rmdir()

    def fixed(self, case):
        """A complaint about a source as it is, for all targets."""
        number, (path, part, text) = case
        stem = f"{self.folder}/case{number}"
        why, _, _ = self.fails(stem, text, self.arguments.targets.split(","), self.arguments.numbers)
        self.clean(stem)
        return f"{path} part {part}: {why}" if why else ""

    def run_cases(self, pool):
        complaints = [complaint for complaint in pool.map(self.fixed, enumerate(self.sources)) if complaint]
        print(*complaints, f"{len(self.sources)} cases, {len(complaints)} failures", sep="\n")
        return bool(complaints) or not self.sources

    def run(self, pool):
        seed = self.arguments.seed
        only = self.arguments.only
        numbers = [only] if only is not None else range(self.arguments.first, self.arguments.first + self.arguments.count)
        mutants = compiled = compared = failures = 0
        for is_mutant, is_compiled, has_numbers, complaint in pool.map(self.check, numbers):
            mutants += is_mutant
            compiled += is_compiled
            compared += has_numbers
            failures += bool(complaint)
            if complaint:
                print(complaint, flush=True)
        print(f"seed {seed}: {mutants} mutants of {len(self.sources)} models, {compiled} compiled, the numbers of {compared} compared, "
              f"{failures} failures")
        return bool(failures) or not mutants


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tools")
    parser.add_argument("folder")
    parser.add_argument("inputs", nargs="+", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--numbers", type=int, default=1)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--all-targets", action="store_true")
    parser.add_argument("--cases", action="store_true", help="compile the inputs as they are")
    parser.add_argument("--largest", type=int, default=40_000, help="letters of a model")
    parser.add_argument("--memory", type=int, default=BYTES, help="bytes of a process; 0 for sanitizers, which reserve more")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    campaign = Campaign(arguments)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        return campaign.run_cases(pool) if arguments.cases else campaign.run(pool)


if __name__ == "__main__":
    sys.exit(main())
