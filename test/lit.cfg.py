"""How lit runs the suite: where tests are, what tools they may name."""

import ctypes
import os
import shutil

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

tools = os.path.join(config.stof_binary_dir, "bin")

config.name = "stof"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.stof_binary_dir, "test")
config.excludes = ["Inputs", "lib"]

llvm_config.with_environment("PATH", tools, append_path=True)
llvm_config.use_default_substitutions()
llvm_config.add_tool_substitutions(
    [
        # Every file that a test parses makes the round trip through text and back.
        ToolSubst("stof-opt", extra_args=["--verify-roundtrip"], unresolved="fatal"),
        ToolSubst("stof-run", unresolved="fatal"),
        ToolSubst("%python", config.python_executable, unresolved="fatal"),
    ],
    [tools, config.llvm_tools_dir],
)

# ptxas is optional: tests that assemble say `REQUIRES: ptxas`.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")


def has_gpu():
    """Whether the CUDA driver is here and sees a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


if has_gpu():
    config.available_features.add("gpu")
