"""Compiles models with random schemes for the CPU: whatever shares a kernel, the numbers stay the same.

    random_schemes.py [MODEL.mlir...] [--cases] [--runs=N] [--seed=N]

Beside each model lie its exact results, in MODEL.safetensors or golden/MODEL.safetensors; with --cases the
functions of product_cases.py are models as well. A scheme is made by joining the operations of the model one
boundary after another, in random order, as long as the compiler takes it; some of its groups have to be of
several sections. A failure is printed with its scheme.
"""

import argparse
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Integration" / "Inputs"))

import run_cases
import safetensors_io

HEAD = re.compile(r"(func\.func @\w+\(.*?\)(?: -> [^\n]*?)?)(?: attributes \{([^\n]*)\})? \{\n")


def with_scheme(text, bits):
    """The model with a scheme on its first function."""
    def head(match):
        attributes = ", ".join(filter(None, [match[2], f'stof.scheme = #stof.scheme<"{bits}">']))
        return f"{match[1]} attributes {{{attributes}}} {{\n"
    return HEAD.sub(head, text, count=1)


def plan(text, *options):
    return subprocess.run(["stof-opt", "--stof-plan", *options], input=text, capture_output=True, text=True)


def count_wide(text):
    """How many groups of the model have several sections."""
    remarks = plan(text, "--remarks-filter-analyse=stof-form-groups").stderr
    return sum(int(sections) > 1 for sections in re.findall(r"FormedGroup.*Sections=(\d+)", remarks))


def count_operations(text):
    """How many bits a scheme of the model has: as many as the one that the compiler finds."""
    return len(re.search(r'#stof\.scheme<"([01]+)">', plan(text).stdout)[1])


def spell(cuts):
    """The bits of a scheme with boundaries where `cuts` is true."""
    bits = "0"
    for cut in cuts:
        bits += str(int(bits[-1]) ^ cut)
    return bits


def random_scheme(text, count, source):
    cuts = [True] * (count - 1)
    often = source.random()
    for place in source.sample(range(count - 1), count - 1):
        if source.random() > often:
            continue
        cuts[place] = False
        done = plan(with_scheme(text, spell(cuts)))
        if done.returncode:
            if "cannot be grouped by the scheme" not in done.stderr:
                raise RuntimeError(f"{spell(cuts)}: {done.stderr}")
            cuts[place] = True
    return spell(cuts)


def read_models(paths, folder):
    """(name, text, inputs, golden, tolerance) of each model."""
    for model in paths:
        name = model.stem
        golden = next(path for path in (model.with_suffix(".safetensors"), model.parent / "golden" / f"{name}.safetensors")
                      if path.exists())
        inputs = f"{folder}/{name}.in"
        safetensors_io.write(inputs, {key: value for key, value in safetensors_io.read(str(golden)).items()
                                      if key.startswith("arg")})
        tolerance = run_cases.EXCEPTIONS.get(name, run_cases.TOLERANCE[name.rsplit("_", 1)[1]])
        yield name, model.read_text(encoding="ascii"), inputs, str(golden), tolerance


def read_cases(folder):
    for name, model, inputs, golden, tolerance, _ in run_cases.functions(folder, "cpu", run_cases.product_cases.cases()):
        yield name, pathlib.Path(model).read_text(encoding="ascii"), inputs, golden, tolerance


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    failures = done = wide = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = read_cases(folder) if options.cases else []
        for name, text, inputs, golden, tolerance in itertools.chain(read_models(options.models, folder), cases):
            count = count_operations(text)
            for run in range(options.runs):
                bits = random_scheme(text, count, source)
                path = f"{folder}/{name}.{run}.mlir"
                pathlib.Path(path).write_text(with_scheme(text, bits), encoding="ascii")
                wide += count_wide(with_scheme(text, bits))
                failure = run_cases.check(folder, "cpu", f"{name}.{run}", path, inputs, golden, tolerance)
                done += 1
                failures += bool(failure)
                if failure:
                    print(f"{name} with the scheme {bits}: {failure}")
    print(f"{done - failures} of {done} schemes agree; {wide} groups have several sections")
    sys.exit(bool(failures) or not wide)


if __name__ == "__main__":
    main()
