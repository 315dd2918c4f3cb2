"""Compiles masks of hundreds of terms on a stack of 1 MB, for the CPU and a GPU, and compares their numbers on the CPU.

    long_masks.py FOLDER
"""

import math
import os
import random
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import safetensors_io
import shares

LENGTH, DEPTH = 48, 8


def diagonals(count):
    """The causal keys, and those at so many distances."""
    lines = ["%t0 = arith.cmpi ule, %j, %i : index"]
    for term in range(count):
        lines += [f"%c{term} = arith.constant {3 * term} : index", f"%d{term} = arith.addi %i, %c{term} : index",
                  f"%e{term} = arith.cmpi eq, %j, %d{term} : index", f"%t{term + 1} = arith.ori %t{term}, %e{term} : i1"]
    return lines + [f"stof.yield %t{count} : i1"], lambda i, j: j <= i or ((j - i) % 3 == 0 and (j - i) // 3 < count)


def mixed(count):
    """A chain of additions, products, remainders and maxima."""
    operations = [("addi", 3), ("muli", 3), ("remui", 11), ("maxsi", 3)]
    lines = ["%c3 = arith.constant 3 : index", "%c11 = arith.constant 11 : index", "%x0 = arith.addi %i, %j : index"]
    lines += [f"%x{n + 1} = arith.{operations[n % 4][0]} %x{n}, %c{operations[n % 4][1]} : index" for n in range(count)]
    lines += ["%c6 = arith.constant 6 : index", f"%keep = arith.cmpi ule, %x{count}, %c6 : index", "stof.yield %keep : i1"]

    def keeps(i, j):
        x = i + j
        for n in range(count):
            x = (x + 3, x * 3, x % 11, max(x, 3))[n % 4]
        return x <= 6

    return lines, keeps


def module(lines, length):
    tensor, mask = f"tensor<1x1x{length}x{DEPTH}xf32>", f"!stof.mask<{length}x{length}>"
    return "\n".join([
        f"func.func @main(%q: {tensor}, %o: {tensor}) -> {tensor} {{", "%m = stof.mask {",
        "^bb0(%b: index, %h: index, %i: index, %j: index):", *lines, f"}} : {mask}",
        f"%r = stof.attention ins(%q, %q, %q : {tensor}, {tensor}, {tensor}) mask(%m : {mask}) outs(%o : {tensor}) -> {tensor}",
        f"return %r : {tensor}", "}", ""])


def attend(q, keeps):
    """In float64; fully masked rows are zero."""
    result = []
    for i in range(LENGTH):
        powers = [math.exp(sum(a * b for a, b in zip(q[i], q[j]))) if keeps(i, j) else 0 for j in range(LENGTH)]
        total = sum(powers) or 1
        result += [sum(power * q[j][d] for j, power in enumerate(powers)) / total for d in range(DEPTH)]
    return result


def run(*command):
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))

    return subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(1)
    q = [[rng.uniform(-1, 1) for _ in range(DEPTH)] for _ in range(LENGTH)]
    shape = [1, 1, LENGTH, DEPTH]
    flat = [number for row in q for number in row]
    safetensors_io.write(f"{folder}/in", {"arg0": ("f32", shape, flat), "arg1": ("f32", shape, [0.0] * len(flat))})
    # Of constant lengths the tiles are known, whatever the mask takes; of others kernels ask it.
    kinds = [("diagonals", diagonals, 64, ["?"]), ("diagonals", diagonals, 400, [LENGTH, "?"]), ("mixed", mixed, 140, ["?"]),
             ("mixed", mixed, 400, [LENGTH])]
    for name, make, count, lengths in kinds:
        lines, keeps = make(count)
        safetensors_io.write(f"{folder}/out", {"result0": ("f32", shape, attend(q, keeps))})
        for length in lengths:
            model, package = f"{folder}/{name}.mlir", f"{folder}/{name}"
            with open(model, "w", encoding="ascii") as file:
                file.write(module(lines, length))
            # ptxas and LLVM's own backend take most of the time.
            chip = ("sm_80", "sm_90a")[shares.rank(name) % 2]
            for command in [
                ("stof-compile", model, "-o", package, *(["--target=cpu", "-O0"] if count == 400 else [f"--target=cpu,{chip}"])),
                ("stof-run", package, "--device=cpu", f"--inputs={folder}/in", f"--compare={folder}/out", "--tolerance=1e-5"),
            ]:
                done = run(*command)
                if done.returncode:
                    print(name, count, length, command[0], done.returncode, done.stdout, done.stderr[:2000])
                    break
            else:
                print(name, count, length, "agrees")
    lines, _ = diagonals(2000)
    for length in (LENGTH, "?"):
        with open(f"{folder}/long.mlir", "w", encoding="ascii") as file:
            file.write(module(lines, length))
        done = run("stof-compile", f"{folder}/long.mlir", "-o", f"{folder}/long", "--target=cpu")
        print("long", length, done.returncode, done.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
