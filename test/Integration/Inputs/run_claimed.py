"""Runs the attentions of test/GPU/specialized_attention.py whose CTAs claim row tiles, as loops on the CPU, and compares
with float64.

    run_claimed.py LIBRARY
"""

import ctypes
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "GPU"))

from kernel_cases import Tensor, from_bytes, to_bytes
from run_kernels import POISON, largest_error
from specialized_cases import claimed

BODY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
PARALLEL_FOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, BODY, ctypes.c_void_p)


class Api(ctypes.Structure):
    """`stof_native_api` of stof/Support/NativeAbi.h."""
    _fields_ = [("context", ctypes.c_void_p), ("parallel_for", PARALLEL_FOR)]


@PARALLEL_FOR
def run_backwards(_, count, body, closure):
    """No CTA depends on one before it."""
    for index in reversed(range(count)):
        body(closure, index)


def main():
    cases = list(claimed(np.random.default_rng(20)))
    inputs, results = [], []
    for case in cases:
        # The counter is in the workspace.
        for number, tensor in enumerate(case.arguments[:-1]):
            data = to_bytes(tensor)
            if number in case.expected:
                data[:] = POISON
                results.append((data, tensor, case.expected[number], case))
            else:
                inputs.append(data)
    # Nothing is known of it at first.
    workspace = to_bytes(Tensor(np.full(1, 1000), "i32"))
    buffers = inputs + [data for data, *_ in results] + [workspace]
    words = [data.ctypes.data for data in buffers] + [workspace.size]
    function = ctypes.CDLL(sys.argv[1]).stof_claimed
    function((ctypes.c_uint64 * len(words))(*words), ctypes.byref(Api(None, run_backwards)))
    for data, tensor, expected, case in results:
        error = largest_error(from_bytes(data, tensor), expected, case.floor)
        assert error <= case.tolerance, (case.kernel, error)
    assert not workspace.any()
    print(f"{len(cases)} as expected")


if __name__ == "__main__":
    main()
