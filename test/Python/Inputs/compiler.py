"""Compiles modules from Python, and prints what the compiler says about them."""

import io
import pathlib
import pickle
import subprocess
import sys
import tarfile

import numpy
import stof
from stof._compiler import compile_module

folder, stof_opt = pathlib.Path(sys.argv[1]), sys.argv[2]
TWICE = """func.func @twice(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = arith.addf %x, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
"""
x = numpy.arange(16, dtype="float32").reshape(2, 8)


def twice(source, **options):
    result = compile_module(source, folder / "package", targets=["cpu"], **options)
    assert numpy.array_equal(stof.load(result.folder).twice(x), 2 * x)
    return result


result = twice(TWICE)
print([function["name"] for function in result.report["functions"]], result.diagnostics)
print(next(remark for remark in result.remarks if remark.name == "PlannedMemory"))
bytecode = subprocess.run([stof_opt, "--emit-bytecode"], input=TWICE.encode(), capture_output=True, check=True).stdout
twice(bytecode, function="twice", name="of bytes", assertions=False, threads=1)
print("bytecode of", len(bytecode) > 0 and bytecode[:4])

result = compile_module(TWICE, targets=["cpu"])
archive = bytearray(result.archive)
package = stof.load(archive)
# What a caller can change has been copied.
archive[:] = bytes(len(archive))
again = compile_module(TWICE, targets=["cpu"]).archive == result.archive
print("in memory", numpy.array_equal(package.twice(x), 2 * x), result.folder, again)
with tarfile.open(fileobj=io.BytesIO(result.archive)) as members:
    found = {name: members.extractfile(name).read() for name in members.getnames()}
twice(TWICE)
print(list(found), found == {path.name: path.read_bytes() for path in (folder / "package").iterdir()})


def fails(source, **options):
    try:
        compile_module(source, folder / "package", **{"targets": ["cpu"], **options})
    except stof.CompileError as error:
        again = pickle.loads(pickle.dumps(error))
        assert again.diagnostics == error.diagnostics and str(again) == str(error)
        print(error)
    else:
        print("no error")


fails(TWICE, function="thrice", name="twice.mlir")
fails(TWICE, targets=[])
fails(TWICE, targets=["sm_35"])
fails("func.func @f() { my.op }", name="f.mlir")
fails(TWICE.replace("addf", "addi"))
try:
    compile_module(TWICE, "", targets=["cpu"])
except ValueError as error:
    print(error)
print("the package is as before", numpy.array_equal(stof.load(folder / "package").twice(x), 2 * x))
