"""Runs a prompt and the tokens behind it on one cache, and compares each with a forward pass over all of them.

    run_cache.py FOLDER TARGET files             stof-run, the cache in files from step to step; a few cases
    run_cache.py FOLDER TARGET arrays            stof's Python package on numpy arrays, which are updated where they lie
    run_cache.py FOLDER TARGET cuda              the same on torch tensors on a GPU, and again as CUDA graphs
    run_cache.py FOLDER TARGETS compile          no runs; a few cases

Compiles both functions into one package, which may neither copy a cache nor have room to do so.
"""

import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "..", "lib"), os.path.join(HERE, "..", "..", "..", "python")]

import cache_cases
import run_cases
import safetensors_io

TOLERANCE = {"f32": 1e-5, "f16": 5e-3}


def compile_package(case, folder, target):
    model, package = f"{folder}/{case.name}.mlir", f"{folder}/{case.name}.{target}"
    with open(model, "w", encoding="ascii") as file:
        file.write(case.model())
    command = ["stof-compile", model, "--allow-unregistered-dialect", "-o", package, f"--target={target}", f"--remarks={package}.remarks"]
    done = subprocess.run(command + run_cases.choose_level(target, case.name), capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr)
    return package


def check_in_place(case, package):
    """That nothing in the package moves a cache: each update is in place, and no kernel has where to copy one to."""
    with open(f"{package}/manifest.json", encoding="utf-8") as file:
        manifest = json.load(file)
    smallest = min(math.prod(shape) for shape in case.cache_shapes) * (2 if case.dtype == "f16" else 4)
    for function in manifest["functions"]:
        inputs = [tensor["name"] for tensor in function["inputs"]][-len(case.cache_shapes):]
        aliases = [result.get("aliases") for result in function["results"]]
        if aliases != [None, *inputs]:
            raise ValueError(f"expects results in place of {inputs}, but got {aliases}")
    if "cpu-reference" in package:
        return
    with open(f"{package}.remarks", encoding="utf-8") as file:
        remarks = file.read()
    # Targets say the same once. Keys and values of each layer, in both functions.
    if "CopiedOriginal" in remarks or "CopiedResult" in remarks or remarks.count("UpdatedInPlace") != 4 * case.layers:
        raise ValueError("expects updates in place alone, but got\n" + remarks)
    decode = next(function for function in manifest["functions"] if function["name"] == "decode")
    for target in decode["targets"]:
        if not isinstance(target["workspace"], int) or target["workspace"] >= smallest:
            raise ValueError(f"expects a workspace below the {smallest} bytes of a cache, but got {target['workspace']}")


class Files:
    """A function run by stof-run; caches are what the last run wrote."""

    def __init__(self, case, package, folder):
        self.case, self.package, self.folder = case, package, folder
        self.caches = [(case.dtype, shape, [0] * math.prod(shape)) for shape in case.cache_shapes]

    def step(self, function, *tokens):
        arguments = [*tokens, *self.case.constants(), *self.caches]
        inputs, outputs = f"{self.folder}/{self.case.name}.in", f"{self.folder}/{self.case.name}.out"
        safetensors_io.write(inputs, {f"arg{i}": what for i, what in enumerate(arguments)})
        subprocess.run(["stof-run", self.package, f"--function={function}", "--device=cpu", f"--inputs={inputs}",
                        f"--outputs={outputs}"], check=True, capture_output=True)
        results = safetensors_io.read(outputs)
        self.caches = [results[f"result{1 + i}"] for i in range(len(self.caches))]
        return results["result0"][2]


class Arrays:
    """A function of the Python package; every run updates the same arrays."""

    def __init__(self, case, package, make, graphs=False):
        import stof
        self.package, self.make, self.graphs = stof.load(package), make, graphs
        self.constants = [make(*what) for what in case.constants()]
        self.caches = [make(case.dtype, shape, [0] * math.prod(shape)) for shape in case.cache_shapes]
        self.captured = {}

    def step(self, function, *tokens):
        tokens = [self.make(*what) for what in tokens]
        if not self.graphs:
            logits, *caches = self.package[function](*tokens, *self.constants, *self.caches)
        else:
            if function not in self.captured:
                self.captured[function] = self.package[function].graph(*tokens, *self.constants, *self.caches)
            graph = self.captured[function]
            for held, new in zip(graph.inputs, tokens):
                held.copy_(new)
            logits, *caches = graph.replay()
        if any(result is not cache for result, cache in zip(caches, self.caches)):
            raise ValueError("expects the caches themselves as results")
        return logits.reshape(-1).tolist()


def make_numpy(dtype, shape, values):
    import numpy
    aligned = numpy.empty(math.prod(shape) * 8 + 64, "int8")
    kind = numpy.dtype({"f32": "float32", "f16": "float16", "i64": "int64"}[dtype])
    start = -aligned.ctypes.data % 64
    array = aligned[start: start + math.prod(shape) * kind.itemsize].view(kind).reshape(shape)
    array[...] = numpy.array(values, kind).reshape(shape)
    return array


def make_cuda(dtype, shape, values):
    import torch
    kind = {"f32": torch.float32, "f16": torch.float16, "i64": torch.int64}[dtype]
    return torch.tensor(values, dtype=kind).reshape(shape).cuda()


def largest_error(case, run):
    """Of every logit of every step, against the largest of all."""
    exact = [case.logits(sequence) for sequence in range(case.batch)]
    most = max(abs(value) for rows in exact for row in rows for value in row)
    error = 0
    for step in range(-1, case.steps):
        logits = run.step("prefill" if step < 0 else "decode", *case.tokens(step))
        queries = case.prompt if step < 0 else 1
        for sequence, places in enumerate(case.places(step)):
            for query, place in enumerate(places):
                start = (sequence * queries + query) * cache_cases.WORDS
                found = logits[start: start + cache_cases.WORDS]
                difference = max(abs(a - b) for a, b in zip(found, exact[sequence][place]))
                # Not a number is no small difference.
                error = max(error, difference if difference == difference else math.inf)
    return error / most


def check(case, folder, target, kind):
    package = compile_package(case, folder, target)
    check_in_place(case, package)
    runs = {
        "compile": lambda: [],
        "files": lambda: [Files(case, package, folder)],
        "arrays": lambda: [Arrays(case, package, make_numpy)],
        "cuda": lambda: [Arrays(case, package, make_cuda), Arrays(case, package, make_cuda, graphs=True)],
    }[kind]()
    for run in runs:
        error = largest_error(case, run)
        if error > TOLERANCE[case.dtype]:
            raise ValueError(f"expects an error of at most {TOLERANCE[case.dtype]}, but got {error}")


def main(folder, target, kind):
    os.makedirs(folder, exist_ok=True)
    failures, count = [], 0
    for case in cache_cases.cases() if kind in ("arrays", "cuda") else cache_cases.few_cases():
        count += 1
        try:
            check(case, folder, target, kind)
        except ValueError as failure:
            failures.append(f"{case.name} on {target}: {failure}")
    print(*failures, f"{count - len(failures)} of {count} cases agree", sep="\n")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(*sys.argv[1:])
