"""How good searches are: those of the default budget against all schedules, for kernels that a seed draws.

    search_quality.py --compiler=bin/stof-compile [--target=sm_90a] [--seed=N] [--kernels=20] [--json=FILE] MODEL.mlir...

Of each kernel: the time of what a search of the default budget chooses, and of what the cost model would, as
multiples of the shortest of all its schedules; the rank correlation of predicted and measured times; how many
predictions are 0.7 to 1.4 of what was measured; and the time of the choice in one search by that in the other, which
tells what to make of the multiples. No search knows of another, or takes schedules that ship. Measures every schedule
of each model that has a drawn kernel. The last line counts choices that take at most 1.05 of the shortest time.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

MOST = 1.05


def search(options, model, *more):
    """What a search of `model` writes as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "search.json")
        command = [options.compiler, model, "-o", os.path.join(folder, "package"), f"--target={options.target}", "--tune",
                   "--tuning-shipped=false", f"--tuning-json={report}", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{model}: {done.stderr.strip()}")
        with open(report, encoding="utf-8") as file:
            return {kernel["signature"]: kernel for kernel in json.load(file)["kernels"]}


def draw(options):
    """Kernels with more than one schedule, as signatures by model."""
    known, drawn = {}, {}
    for model in options.models:
        for signature, kernel in search(options, model, "--tuning-budget=0").items():
            if len(kernel["schedules"]) > 1:
                known.setdefault(signature, model)
    for signature in random.Random(options.seed).sample(sorted(known), min(options.kernels, len(known))):
        drawn.setdefault(known[signature], []).append(signature)
    return drawn


def compare(few, every):
    """The kernel of the search of the default budget with that of all schedules."""
    measured = {tried["schedule"]: tried for tried in every["schedules"] if tried["measured_us"]}
    for tried in every["schedules"]:
        if "failure" in tried:
            print(f"  {every['name']}, {tried['schedule']}: {tried['failure']}")
    shortest = min(tried["measured_us"] for tried in measured.values())
    choice = few["schedules"][few["chosen"]]
    again = measured[choice["schedule"]]["measured_us"]
    ratios = [tried["predicted_us"] / tried["measured_us"] for tried in measured.values() if tried["predicted_us"]]
    return {"kernel": every["name"], "signature": every["signature"], "schedules": len(every["schedules"]),
            "measured": sum(tried["measured_us"] is not None for tried in few["schedules"]), "shortest_us": shortest,
            "choice": again / shortest, "model": every["predictions"]["regret"],
            "rank_correlation": every["predictions"]["rank_correlation"],
            "predicted": sum(0.7 <= ratio <= 1.4 for ratio in ratios) / max(len(ratios), 1),
            "again": choice["measured_us"] / again, "failed": len(every["schedules"]) - len(measured)}


def describe(row):
    rank = "none" if row["rank_correlation"] is None else f"{row['rank_correlation']:.2f}"
    return (f"{row['kernel']}: {row['measured']} of {row['schedules']} schedules, choice {row['choice']:.3f} of "
            f"{row['shortest_us']:.2f} us, the model's {row['model']:.3f}, rank correlation {rank}, "
            f"{row['predicted']:.0%} of predictions near, {row['failed']} failed, once more {row['again']:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kernels", type=int, default=20)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    for model, signatures in draw(options).items():
        few, every = search(options, model), search(options, model, f"--tuning-budget={10**6}")
        for signature in signatures:
            rows.append(compare(few[signature], every[signature]))
            print(describe(rows[-1]), flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(rows, file, indent=1)
    near = sum(row["choice"] <= MOST for row in rows)
    print(f"{near} of {len(rows)} choices within {MOST - 1:.0%} of the shortest time")


if __name__ == "__main__":
    main()
