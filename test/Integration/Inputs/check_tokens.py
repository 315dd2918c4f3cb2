"""Runs models of a folder on tokens outside of their vocabulary, which each finds.

    check_tokens.py FOLDER TARGET,... MODELS

The models have 50 words. Prints what is said of each, and that tokens inside are taken.
"""

import json
import os
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import safetensors_io

MODELS = ["tiny_gpt2_f32", "tiny_llama_f16", "tiny_mistral_f32"]
WORDS = 50


def run(folder, package, signature, token):
    random = np.random.default_rng(1)
    tensors = {}
    for tensor in signature["inputs"]:
        count = int(np.prod(tensor["shape"]))
        whole = tensor["dtype"] == "i64"
        values = random.integers(0, WORDS, count) if whole else 0.1 * random.standard_normal(count)
        if whole:
            values[count // 3] = token
        tensors[tensor["name"]] = (tensor["dtype"], tensor["shape"], values.tolist())
    safetensors_io.write(f"{folder}/in", tensors)
    return subprocess.run(["stof-run", package, f"--inputs={folder}/in", f"--outputs={folder}/out", "--device=cpu"],
                          capture_output=True, text=True, check=False)


def main():
    folder, targets, models = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name in MODELS:
        for target in targets.split(","):
            package = f"{folder}/{name}.{target}"
            subprocess.run(["stof-compile", f"{models}/{name}.mlir", "-o", package, f"--target={target}"], check=True)
            with open(f"{package}/manifest.json", encoding="utf-8") as file:
                signature = json.load(file)["functions"][0]
            done = run(folder, package, signature, WORDS - 1)
            assert done.returncode == 0, done
            for token in (-1, 100, 10 ** 12):
                done = run(folder, package, signature, token)
                said = re.search(r"error: 'main': (index must be .*), as .*:\d+:\d+ asserts", done.stderr)
                assert done.returncode == 1 and said, (name, target, token, done)
                print(f"{name} {target}: {said[1]}")
    print("all as expected")


if __name__ == "__main__":
    main()
