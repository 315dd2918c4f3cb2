"""Commands that fail, in one process; what is printed is their message, with the status unless it is 1."""

import contextlib
import importlib.util
import io
import pathlib
import sys

import numpy
from stof._command.errors import fit_screen, guard
from stof._command.main import main

folder, model = pathlib.Path(sys.argv[1]), sys.argv[2]
SIZES = """
func.func @first(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @second(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""


def write(name, text):
    (folder / name).write_text(text)
    return str(folder / name)


def quietly(*arguments):
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        status = main([*map(str, arguments)])
    # Without the progress, which is in front of the error.
    text = error.getvalue()
    return status, text[text.find("stof: ") :].rstrip()


package, sizes = folder / "package", folder / "sizes"
assert quietly("compile", model, "-o", package)[0] == 0
assert quietly("compile", write("sizes.mlir", SIZES), "-o", sizes)[0] == 0
write("text.npy", "text")
fails = write("fails.py", "zero = 0\nmask = 1 / zero\n")
broken = write("broken.mlir", "func.func @f() { my.op }")
numpy.save(folder / "wide.npy", numpy.zeros((2, 40, 64)))
numpy.save(folder / "narrow.npy", numpy.zeros(3, "float32"))
numpy.savez(folder / "narrow.npz", arg0=numpy.zeros(3, "float32"))
numpy.savez(folder / "named.npz", x=numpy.zeros(3, "float32"))
numpy.savez(folder / "reference.npz", result0=numpy.zeros(3, "float32"))
drawn = "run", package, "--seed", "0", "--device", "cpu"

MISUSES = [
    [],
    ["exprot"],
    ["show", "causal()", "--heigth"],
    # Masks.
    ["show", "causal() & diagonal()"],
    ["show", "causal() &"],
    ["show", '__import__("os")'],
    ["show", "window()"],
    ["show", "window(print(3))"],
    ["show", "documents([[1], [1, 2]])"],
    ["show", "window(-1)"],
    ["show", "causal()", "--tile", "64"],
    ["show", "causal()", "--length", "0"],
    ["show", "causal()", "--target", "cpu-reference"],
    ["show", "documents([0, 1, 2])"],
    ["show", "none:mask"],
    ["show", "none.py:mask"],
    ["show", "stof.masks:nothing"],
    ["show", f"{fails}:mask"],
    ["show", "causal()", "--picture", "a.png"],
    # Packages.
    ["run", folder / "none"],
    ["run", package],
    ["run", package, "--function", "other"],
    ["run", package, "--device", "tpu"],
    [*drawn, "--inputs", "a.txt"],
    [*drawn, "--inputs", "none.npz"],
    [*drawn, "--inputs", folder / "text.npy"],
    [*drawn, "--inputs", folder / "wide.npy"],
    [*drawn, "--inputs", f"arg0={folder / 'narrow.npy'}"],
    [*drawn, "--inputs", folder / "named.npz"],
    [*drawn, "--inputs", *[folder / "narrow.npy"] * 8],
    [*drawn, "--size", "s0"],
    [*drawn, "--size", "s0=3"],
    ["run", sizes, "--function", "first", "--seed", "0", "--size", "s9=3"],
    ["run", sizes, "--function", "first", "--seed", "0"],
    ["run", sizes, "--seed", "0"],
    [*drawn, "--reference", folder / "narrow.npz"],
    [*drawn, "--reference", folder / "reference.npz"],
    # The compiler.
    ["compile", "none.mlir", "-o", folder / "x"],
    ["compile", broken, "-o", folder / "x"],
    ["compile", model, "-o", folder / "x", "--target", "sm_35"],
    ["compile", model, "-o", folder / "x", "--target", ""],
    ["export", model, "-o", folder / "x"],
    # What is not installed.
    ["export", "bert", "-o", folder / "x"],
    ["bench"],
]

# As if they were not installed.
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in ("torch", "matplotlib") else find(name, *rest)
for number, misuse in enumerate(MISUSES):
    status, text = quietly(*misuse)
    print(f"{number}: {text}" + ("" if status == 1 else f", status {status}"))
    assert "Traceback" not in text


def interrupt():
    raise KeyboardInterrupt


error = io.StringIO()
with contextlib.redirect_stderr(error):
    status = guard("stof", interrupt)
print(f"{len(MISUSES)}: {error.getvalue().strip()}, status {status}")
lines = fit_screen("\n".join(map(str, range(32)))).splitlines()
print(f"{len(MISUSES) + 1}: {len(lines)} lines, the last of which is {lines[-1]!r}")
print(f"{len(MISUSES) + 2} misuses")
