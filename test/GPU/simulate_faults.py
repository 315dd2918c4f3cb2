"""Small kernels in which warps wait for one another: the simulator runs them as they are, in any order of their warps,
and finds each fault that is planted in them, whichever order that is.

    simulate_faults.py
"""

import os
import re

import numpy as np

import ptx_simulator
from ptx_copies import TensorMap

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
SEEDS = range(4)
SHARED_BYTES = 17408


def launch(memory, name, text, threads, arguments, seed, ctas=1):
    kernel = ptx_simulator.load_module(text)[name]
    ptx_simulator.launch(kernel, memory, (ctas, 1, 1), threads, SHARED_BYTES, arguments, seed)


def run_pipeline(text, seed):
    memory, out = ptx_simulator.Memory(), np.zeros(3 * 128, np.uint8)
    launch(memory, "pipeline", text, 64, [memory.add(out)], seed)
    assert (out.view(np.int32).reshape(3, 32) == np.arange(3)[:, None] * 100 + np.arange(32)[::-1]).all()


def run_copies(text, seed):
    memory, data, out = ptx_simulator.Memory(), np.arange(512).astype(np.uint8), np.zeros(512, np.uint8)
    launch(memory, "copies", text, 64, [memory.add(data), memory.add(out)], seed)
    assert (out.reshape(32, 16) == data.reshape(32, 16)[::-1]).all()


def run_names(text, seed):
    memory, out = ptx_simulator.Memory(), np.zeros(128, np.uint8)
    launch(memory, "names", text, 96, [memory.add(out)], seed)
    assert (out.view(np.int32) == np.arange(32)).all()


def run_product(text, seed):
    memory, out = ptx_simulator.Memory(), np.zeros(2048, np.uint8)
    launch(memory, "product", text, 128, [memory.add(out)], seed)
    assert (out.view(np.float32) == 32).all()


def run_roles(text, seed):
    memory, out = ptx_simulator.Memory(), np.zeros(2048, np.uint8)
    tiles = np.random.default_rng(3).standard_normal((6, 64, 64)).astype(np.float16)
    launch(memory, "roles", text, 256, [memory.add(tiles.reshape(-1).view(np.uint8)), memory.add(out)], seed)
    exact = sum(tile @ tile[:8].T for tile in tiles.astype(np.float64))
    thread, register = np.arange(128)[:, None], np.arange(4)
    row, column = thread // 32 * 16 + thread % 32 // 4 + register // 2 * 8, thread % 4 * 2 + register % 2
    error = np.abs(out.view(np.float32).reshape(128, 4) - exact[row, column]).max()
    assert error < 2e-3, error


def run_tensor(text, seed):
    memory, out = ptx_simulator.Memory(), np.zeros(1024, np.uint8)
    tensor = np.arange(1, 10 * 72 + 1, dtype=np.int16).reshape(10, 72)
    base = memory.add(tensor.reshape(-1).view(np.uint8))
    launch(memory, "tensor", text, 64, [TensorMap(base, 2, [72, 10], [144], [64, 8]), memory.add(out)], seed)
    expected = np.zeros((8, 64), np.int16)
    expected[:6, 8:] = tensor[4:, :56]
    # Chunks of 16 bytes are permuted by the number of the row.
    chunks = np.arange(8)[None] ^ np.arange(8)[:, None]
    found = out.view(np.int16).reshape(8, 8, 8)[np.arange(8)[:, None], chunks].reshape(8, 64)
    assert (found == expected).all()


def run_claims(text, seed):
    memory, counter, out = ptx_simulator.Memory(), np.zeros(4, np.uint8), np.zeros(7 * 128, np.uint8)
    launch(memory, "claims", text, 64, [memory.add(counter), memory.add(out)], seed, ctas=3)
    assert (out.view(np.int32) == np.arange(1, 7 * 32 + 1)).all()
    # Each CTA has taken one that is no tile.
    assert counter.view(np.int32)[0] == 10


WAIT = "mbarrier.try_wait.parity.shared.b64 P1, {};"
ALWAYS = "setp.eq.b32 P1, 0, 0;"

# What a warp that does not wait comes to, which depends on whether it is early or late.
UNORDERED = "of what another thread (wrote and has not passed on|read and has not released)"
IN_FLIGHT = "of shared memory that a wgmma in flight reads"
COPYING = "of shared memory that a copy has yet to fill"

# A kernel, what to replace in it, and the error that must come, as a regular expression, if any.
FAULTS = [
    (run_pipeline, WAIT.format("[%r31], %r5, 1000"), ALWAYS, f"{UNORDERED}|deadlock"),
    (run_pipeline, WAIT.format("[%r31+8], %r6, 1000"), ALWAYS, f"{UNORDERED}|deadlock"),
    (run_pipeline, "mbarrier.arrive.shared.b64 %rd2, [%r31+8];", "",
     re.escape("deadlock: threads 0..31 (32) wait at 'mbarrier.try_wait.parity.shared.b64 P1.1, [%r31+8], %r6, 1000'; "
               "threads 32..63 (32) wait at 'mbarrier.try_wait.parity.shared.b64 P1.2, [%r31], %r5, 1000'; mbarrier 0x0 "
               "lacks 32 arrivals and 0 bytes of phase 1; mbarrier 0x8 lacks 32 arrivals and 0 bytes of phase 0")),
    (run_pipeline, "bar.sync 0;", "", "no mbarrier at 0x0|no mbarrier at 0x8|use of an mbarrier of what another thread"),
    (run_pipeline, "[%r31], 32;", "[%r31], 33;", "deadlock: .* mbarrier 0x0 lacks 1 arrivals"),
    (run_pipeline, "[%r31], 32;", "[%r31], 16;", "32 arrivals at mbarrier 0x0, which expects 16"),
    (run_copies, WAIT.format("[%r31], 0, 1000"), ALWAYS, f"{UNORDERED}|read {COPYING}"),
    (run_copies, "cp.async.mbarrier.arrive.noinc.shared.b64", "mbarrier.arrive.shared.b64 _,", f"read {COPYING}"),
    (run_copies, "arrive.noinc.shared.b64 [%r31];", "arrive.noinc.shared.b64 [%r31]; ld.shared.b32 %r5, [%r4+1024];",
     f"read {COPYING}"),
    (run_copies, "arrive.noinc.shared.b64 [%r31];", "arrive.noinc.shared.b64 [%r31]; cp.async.wait_all;", None),
    (run_copies, "arrive.noinc", "arrive", "deadlock: .* mbarrier 0x0 lacks 32 arrivals"),
    (run_copies, "bar.sync 0;", "griddepcontrol.wait; bar.sync 0;", None),
    (run_copies, "st.global", "griddepcontrol.wait; st.global", "access to global memory before griddepcontrol.wait"),
    (run_copies, "cp.async.cg", "griddepcontrol.wait; cp.async.cg", "access to global memory before griddepcontrol.wait"),
    (run_names, "bar.sync 1, 64;", "bar.sync 1, 96;", "barrier 1 of (64 threads and of 96|96 threads and of 64)"),
    (run_names, "bar.sync 1, 64;", "bar.sync 1, 72;", "expects whole warps at a barrier, but got 72 threads"),
    (run_names, "bar.sync 1, 64;", "bar.sync 2, 64;", "deadlock: .*'bar.sync 2, 64'; .*barrier 2 has 32 of 64 threads"),
    (run_names, "bar.sync 1, 64;", "shr.u32 %r4, %r1, 5; bar.sync %r4, 64;", None),
    (run_names, "bar.sync 1, 64;", "and.b32 %r4, %r1, 1; bar.sync %r4, 64;", "a barrier to be the same for all threads of a warp"),
    (run_names, "bar.arrive 1, 64;", 3 * "bar.arrive 1, 64; ", "arrives twice at barrier 1"),
    (run_names, "bar.sync 1, 64;", "", UNORDERED),
    (run_product, "fence.proxy.async.shared::cta;", "", "wgmma of what was written without a fence.proxy.async since"),
    (run_product, "bar.sync 0;\n\tfence.proxy.async.shared::cta;", "fence.proxy.async.shared::cta;\n\tbar.sync 0;", None),
    (run_product, "bar.sync 0;", "", "wgmma of what another thread wrote and has not passed on"),
    (run_product, "wgmma.fence.sync.aligned;", "", "wgmma of %r4, which was accessed without a wgmma.fence since"),
    (run_product, "wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;",
     "access to %r4, which a wgmma in flight uses"),
    (run_product, "wgmma.wait_group", "mov.b32 %r8, 0; wgmma.wait_group", "access to %r8, which a wgmma in flight uses"),
    (run_product, "wgmma.wait_group", "st.shared.b32 [%r2+1024], %r2; wgmma.wait_group",
     f"write {IN_FLIGHT}"),
    (run_product, "aligned 0;", "aligned 0; st.shared.b32 [%r2+1024], %r2;",
     "write of what another thread read and has not released"),
    (run_product, "{%r8, %r9, %r8, %r9}", "{%r8, %r4, %r8, %r4}", "wgmma of %r4, which a wgmma in flight uses otherwise"),
    (run_product, "add.s64 %rd3, %rd3, 46", "add.s64 %rd3, %rd2, 46", "to be the same for all threads"),
    (run_roles, WAIT.format("[%r9], %r10, 1000"), ALWAYS, f"wgmma {COPYING}|{UNORDERED}|write {IN_FLIGHT}|deadlock"),
    (run_roles, "fence.proxy.async.shared::cta;", "", "wgmma of what was written without a fence.proxy.async since"),
    (run_roles, "xor.b32 %r11, %r9, 8;", "mov.b32 %r11, %r9;", f"{UNORDERED}|write {IN_FLIGHT}|deadlock"),
    (run_roles, "aligned 1;", "aligned 2;", f"{UNORDERED}|write {IN_FLIGHT}"),
    (run_roles, "aligned 0;\n\tmul", "aligned 1;\n\tmul", "access to %r20, which a wgmma in flight uses"),
    (run_roles, "@%p4 mbarrier.arrive.shared.b64 %rd5, [%r11+16];", "",
     r"deadlock: threads 128\.\.255 .*; threads 0\.\.127 .*; mbarrier 0x10 lacks 128 arrivals and 0 bytes of phase 0"),
    (run_roles, "setp.lt.u32 %p2, %r1, 128;", "setp.lt.u32 %p2, %r1, 96;", "deadlock: .*'setmaxnreg.inc.sync.aligned.u32 216'"),
    (run_roles, "u32 216", "u32 300", "setmaxnreg of 300 registers"),
    (run_roles, "u32 216", "u32 232", "deadlock: .*'setmaxnreg.inc.sync.aligned.u32 232'; .*have 21504 of 32768 registers"),
    (run_roles, "u32 216", "u32 120", "setmaxnreg from 128 registers to 120"),
    (run_roles, ".maxnreg 128\n", "", "setmaxnreg in a kernel that does not say how many registers it starts with"),
    (run_tensor, WAIT.format("[%r31], 0"), ALWAYS, f"{UNORDERED}|read {COPYING}"),
    (run_tensor, "[%r31], 1024;", "[%r31], 2048;", "deadlock: .*mbarrier 0x0 lacks 0 arrivals and 1024 bytes of phase 0"),
    (run_tensor, "[%r31], 1024;", "[%r31], 1024; st.shared.b32 [%r31+1024], %r1;",
     "bulk copy to what was written without a fence.proxy.async since"),
    (run_tensor, "[%r31], 1024;", "[%r31], 1024; st.shared.b32 [%r31+1024], %r1; fence.proxy.async.shared::cta;", None),
    (run_claims, "mbarrier.arrive.shared.b64 %rd5, [%r31+8];", "",
     re.escape("deadlock: threads 0..31 (32) wait at 'mbarrier.try_wait.parity.shared.b64 P1.1, [%r31+8], %r6, 1000'; "
               "threads 32..63 (32) wait at 'mbarrier.try_wait.parity.shared.b64 P1.3, [%r31], %r5, 1000'; mbarrier 0x0 "
               "lacks 32 arrivals and 0 bytes of phase 1; mbarrier 0x8 lacks 32 arrivals and 0 bytes of phase 0")),
    (run_claims, "mbarrier.arrive.shared.b64 %rd4, [%r31+8];", "", "deadlock: .*mbarrier 0x8 lacks 32 arrivals"),
    (run_claims, WAIT.format("[%r31+8], %r6, 1000"), ALWAYS, f"{UNORDERED}|deadlock|arrivals at mbarrier 0x0"),
    (run_claims, WAIT.format("[%r31], %r5, 1000"), ALWAYS, f"{UNORDERED}|deadlock|arrivals at mbarrier 0x8"),
    (run_claims, "[%rd1], 1;", "[%rd1], 1; griddepcontrol.wait;", "access to global memory before griddepcontrol.wait, at 'atom"),
]


# Tensor maps that cannot be encoded.
MAPS = [
    ((8, 2, [72, 10], [144], [64, 8]), "address to be multiples of 16 bytes"),
    ((16, 2, [72, 10], [136], [64, 8]), "strides to be multiples of 16 bytes"),
    ((16, 2, [72, 10], [144], [60, 8]), "length of rows of boxes to be multiples of 16 bytes"),
    ((16, 2, [72, 0], [144], [64, 8]), "sizes from 1 to 4294967296"),
    ((16, 2, [72, 10], [144], [64, 257]), "box from 1 to 256"),
    ((16, 2, [72, 10], [144], [72, 8]), "swizzled box with rows of more than 128 bytes"),
]

# A wait that is not repeated: it matters where the phase is not over yet.
NOT_REPEATED = (run_pipeline, "@P1 bra.uni DONE;\n\tbra.uni LAB_WAIT;\n\tDONE:\n\t}\n\tsub", "DONE:\n\t}\n\tsub", UNORDERED)


def find_errors(run, text):
    errors = []
    for seed in SEEDS:
        try:
            run(text, seed)
        except (RuntimeError, IndexError) as error:
            errors.append(str(error))
    return errors


def find_error(members):
    try:
        return TensorMap(*members)
    except RuntimeError as error:
        return str(error)


def main():
    for members, expected in MAPS:
        error = find_error(members)
        assert expected in error, (members, error)
    for run in (run_pipeline, run_copies, run_names, run_product, run_roles, run_tensor, run_claims):
        with open(os.path.join(INPUTS, run.__name__.removeprefix("run_") + ".ptx"), encoding="ascii") as file:
            text = file.read()
        assert not find_errors(run, text), run
        for fault in FAULTS + [NOT_REPEATED]:
            where, old, new, expected = fault
            if where != run:
                continue
            assert text.count(old) == 1, old
            errors = find_errors(run, text.replace(old, new))
            wanted = 0 if expected is None else len(SEEDS)
            assert len(errors) == wanted or fault is NOT_REPEATED and errors, (old, new, errors)
            assert all(re.search(expected, error) for error in errors), (old, new, errors)
    print("all as expected")


if __name__ == "__main__":
    main()
