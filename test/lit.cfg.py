"""How lit runs the suite: where tests are, what tools they may name."""

import ctypes
import os
import shutil
import subprocess
import sys

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

llvm_config.with_environment("PATH", [tools, config.llvm_tools_dir], append_path=True)
# Ahead of lit's own, which is the Python that runs lit.
config.substitutions.append(("%python", f'"{config.python_executable}"'))
llvm_config.use_default_substitutions()
llvm_config.add_tool_substitutions(
    [
        # Every file that a test parses makes the round trip through text and back.
        ToolSubst("stof-opt", extra_args=["--verify-roundtrip"], unresolved="fatal"),
        ToolSubst("stof-compile", unresolved="fatal"),
        ToolSubst("stof-run", unresolved="fatal"),
        ToolSubst("stof-tune", unresolved="fatal"),
        ToolSubst("mlir-opt", unresolved="fatal"),
        ToolSubst("stof-lsp-server", unresolved="fatal"),
        ToolSubst("stof-c-compile-test", unresolved="fatal"),
        ToolSubst("stof-c-test", unresolved="fatal"),
        ToolSubst("stof-describe", unresolved="fatal"),
        ToolSubst("stof-unit-tests", unresolved="fatal"),
    ],
    [tools, config.llvm_tools_dir],
)

config.substitutions += [
    ("%stof_lib", os.path.join(config.stof_binary_dir, "lib")),
    ("%stof_build", config.stof_binary_dir),
    # The plugins of test/lib.
    ("%test_lib", os.path.join(config.stof_binary_dir, "test", "lib")),
    ("%stof_source", config.stof_source_dir),
    ("%mlir_include", config.mlir_include_dir),
    ("%clang_tidy_diff", os.path.join(config.llvm_tools_dir, "../share/clang/clang-tidy-diff.py")),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
]

# Who links stof to a program or loads a plugin into one shares libMLIR with it.
if config.mlir_linkage == "shared":
    config.available_features.add("shared-mlir")

# Logs and assertions are compiled in where they are asked for.
if config.assertions == "ON":
    config.available_features.add("assertions")

# Formatting is judged by the version that the project formats with.
if os.path.exists(os.path.join(config.llvm_tools_dir, "clang-format")):
    config.available_features.add("clang-format")

# clang-tidy looks at what the newest commit changes.
if os.path.exists(os.path.join(config.llvm_tools_dir, "clang-tidy")):
    config.available_features.add("clang-tidy")
if subprocess.run(["git", "-C", config.stof_source_dir, "rev-parse", "-q", "--verify", "HEAD~1"], capture_output=True).returncode == 0:
    config.available_features.add("git")

# A folder of models to run in addition to those of the suite.
models = lit_config.params.get("models")
if models:
    config.available_features.add("models")
    config.substitutions.append(("%models", models))

# ptxas is optional: tests that assemble say `REQUIRES: ptxas`.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")

# Python's packages are optional: tests that compare numbers say `REQUIRES: numpy`,
# the one that measures functions `REQUIRES: lizard`.
for package in ("numpy", "torch", "lizard"):
    if subprocess.run([config.python_executable, "-c", f"import {package}"], stderr=subprocess.DEVNULL).returncode == 0:
        config.available_features.add(package)


def find_python(*modules):
    """A Python that has all `modules`, or None. Nothing is imported, which would take seconds for torch."""
    script = f"import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, {list(modules)})))"
    on_path = [shutil.which("python3", path=folder) for folder in os.environ["PATH"].split(os.pathsep)]
    for python in dict.fromkeys([config.python_executable, sys.executable, *on_path, "/usr/bin/python3"]):
        if python and subprocess.run([python, "-c", script]).returncode == 0:
            return python
    return None


# For the folders that test the package for Python, in which the modules found here are features.
config.pythons = {module: find_python(module) for module in ("numpy", "torch", "torch_mlir", "jax", "matplotlib", "jsonschema", "rich")}
# What takes several.
config.pythons["torch_matplotlib"] = find_python("torch", "matplotlib")
config.pythons["transformers"] = find_python("torch_mlir", "transformers")
# The exporter, by the name of its package.
if config.pythons["torch_mlir"]:
    config.available_features.add("torch-mlir")


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
