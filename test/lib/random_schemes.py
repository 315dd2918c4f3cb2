"""Compiles models with random schemes and runs them: whatever shares a kernel, the numbers stay the same.

    random_schemes.py [MODEL.mlir...] [--cases] [--schedules] [--runs=N] [--seed=N] [--target=T] [--split-k=N] [--jobs=N]

Next to each model are its inputs and exact results: MODEL.inputs.safetensors and MODEL.results.safetensors, or both in
MODEL.safetensors or golden/MODEL.safetensors; with --cases the functions of contraction_cases.py are models as well. A
scheme is made by joining the operations of the model one boundary after another, in random order, as long as the
compiler takes it; some of its groups have to be of several branches. With --schedules each group and attention has
random tiles of those that stof-list-schedules prints. With --split-k K of each matmul is split first, on a processor.
A failure is printed with its scheme.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Integration" / "Inputs"))

import run_cases
import safetensors_io

# A line of stof-list-schedules: an asterisk at the schedule in use, and the tiles.
SCHEDULE = re.compile(r"^([* ]) .*? (\[?#stof\..*)$", re.M)
# What precedes the tiles in an operation with schedules, and the layout that depends on them.
SCHEDULED = re.compile(r"(\bstof\.(?:group|attention)(?: ins\([^)]*\))?(?: mask\([^)]*\))?)"
                       r"(?: (?:layout|schedule) <.*?(?= (?:sinks|captures|outs)\())?")
HEAD = re.compile(r"(func\.func @\w+\(.*?\)(?: -> [^\n]*?)?)(?: attributes \{([^\n]*)\})? \{\n")


def with_scheme(text, bits):
    """The model with a scheme on its first function."""
    def head(match):
        attributes = ", ".join(filter(None, [match[2], f'stof.scheme = #stof.scheme<"{bits}">']))
        return f"{match[1]} attributes {{{attributes}}} {{\n"
    return HEAD.sub(head, text, count=1)


class Planner:
    """How the compiler groups the operations of a model for a target."""

    def __init__(self, target, factor):
        self.flag = "--stof-plan" if target.startswith("cpu") else f"--stof-plan=chip={target}"
        if factor:
            self.flag = run_cases.plan_split_k(factor)

    def plan(self, text, *options):
        return subprocess.run(["stof-opt", self.flag, *options], input=text, capture_output=True, text=True)

    def with_schedules(self, text, source):
        """The model with a random schedule for each group and attention, and how many of these are not the usual ones."""
        planned = self.plan(text).stdout
        chip = self.flag.partition("=")[2] or ""
        listed = subprocess.run(["stof-opt", f"--stof-list-schedules={chip}", "-o", os.devnull], input=planned,
                                check=True, capture_output=True, text=True).stdout
        tables = [SCHEDULE.findall(table) for table in listed.split(": schedules of ")[1:]]
        chosen = [source.choice(table) for table in tables]
        parts = SCHEDULED.split(planned)
        assert len(parts) == 2 * len(chosen) + 1, "not every group and attention has a table of schedules"
        for number, (_, schedule) in enumerate(chosen):
            parts[2 * number + 1] += spell_schedule(schedule)
        return "".join(parts), sum(mark != "*" for mark, _ in chosen)

    def count_wide(self, text):
        """How many groups of the model have several branches."""
        remarks = self.plan(text, "--remarks-filter-analyse=stof-form-groups").stderr
        return sum(int(branches) > 1 for branches in re.findall(r"FormedGroup.*Branches=(\d+)", remarks))

    def count_operations(self, text):
        """How many bits a scheme of the model has: as many as the one that the compiler finds."""
        return len(re.search(r'#stof\.scheme<"([01]+)">', self.plan(text).stdout)[1])

    def random_scheme(self, text, count, source):
        cuts = [True] * (count - 1)
        often = source.random()
        for place in source.sample(range(count - 1), count - 1):
            if source.random() > often:
                continue
            cuts[place] = False
            done = self.plan(with_scheme(text, spell(cuts)))
            if done.returncode:
                if "cannot be grouped by the scheme" not in done.stderr:
                    raise RuntimeError(f"{spell(cuts)}: {done.stderr}")
                cuts[place] = True
        return spell(cuts)


def spell_schedule(schedule):
    """The clause of an operation with this schedule."""
    return f" tiles {schedule}" if schedule.startswith("[") else " tile " + schedule.removeprefix("#stof.attention_tile")


def spell(cuts):
    """The bits of a scheme with boundaries where `cuts` is true."""
    bits = "0"
    for cut in cuts:
        bits += str(int(bits[-1]) ^ cut)
    return bits


def find_numbers(model, folder):
    """The files with the inputs of a model and with its exact results."""
    inputs, results = (model.with_suffix(f".{kind}.safetensors") for kind in ("inputs", "results"))
    if inputs.exists():
        return str(inputs), str(results)
    both = next(path for path in (model.with_suffix(".safetensors"), model.parent / "golden" / f"{model.stem}.safetensors")
                if path.exists())
    inputs = f"{folder}/{model.stem}.in"
    safetensors_io.write(inputs, {key: value for key, value in safetensors_io.read(str(both)).items()
                                  if key.startswith("arg")})
    return inputs, str(both)


def read_models(paths, folder):
    """(name, text, inputs, golden, tolerance) of each model."""
    for model in paths:
        tolerance = run_cases.EXCEPTIONS.get(model.stem, run_cases.TOLERANCE[model.stem.rsplit("_", 1)[1]])
        yield model.stem, model.read_text(encoding="ascii"), *find_numbers(model, folder), tolerance


def read_cases(folder, planned):
    # Groups do not say where sizes come from.
    cases = (case for case in run_cases.contraction_cases.cases() if not planned or not case.dynamic)
    for name, model, inputs, golden, tolerance, _ in run_cases.functions(folder, "cpu", cases):
        yield name, pathlib.Path(model).read_text(encoding="ascii"), inputs, golden, tolerance


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--schedules", action="store_true")
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--split-k", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    planner = Planner(options.target, options.split_k)

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def try_scheme(name, text, inputs, golden, tolerance, count, run):
            """What went wrong, if anything, and how many groups have several branches and unusual tiles."""
            bits = planner.random_scheme(text, count, random.Random(f"{options.seed} {name} {run}"))
            path = pathlib.Path(f"{folder}/{name}.{run}.mlir")
            model = with_scheme(text, bits)
            wide, unusual = planner.count_wide(model), 0
            if options.schedules:
                model, unusual = planner.with_schedules(model, random.Random(f"{options.seed} {name} {run} tiles"))
            elif options.split_k:
                model = planner.plan(model).stdout
            path.write_text(model, encoding="ascii")
            failure = run_cases.check(folder, options.target, [], f"{name}.{run}", str(path), inputs, golden, tolerance)
            return failure and f"{name} with the scheme {bits}: {failure}", wide, unusual

        cases = read_cases(folder, options.split_k or options.schedules) if options.cases else []
        models = list(itertools.chain(read_models(options.models, folder), cases))
        counts = pool.map(lambda model: planner.count_operations(model[1]), models)
        tries = [(*model, count, run) for model, count in zip(models, counts) for run in range(options.runs)]
        failures = wide = unusual = 0
        for failure, branches, tiles in pool.map(lambda one: try_scheme(*one), tries):
            wide += branches
            unusual += tiles
            failures += bool(failure)
            if failure:
                print(failure, flush=True)
    print(f"{len(tries) - failures} of {len(tries)} schemes agree; {wide} groups have several branches, "
          f"{unusual} unusual tiles")
    sys.exit(bool(failures) or not wide or options.schedules and not unusual)


if __name__ == "__main__":
    main()
