"""wgmma, for ptx_simulator.py.

Products are computed at once, but their registers and the shared memory that they read are in flight up to a wait.
Descriptors of tiles with 128-byte swizzle are known (PTX ISA, "Matrix Descriptor Format").
"""

import re

import numpy as np

from ptx_barriers import one
from ptx_instructions import pairs, split, typed, untyped

GROUP = 128
LANE = np.arange(GROUP)
# What has happened to a register of wgmma.
SETTLED, TOUCHED, ACCUMULATES, FEEDS = range(4)


def swizzle(addresses):
    """The addresses of bytes in rows of 128 bytes, whose chunks of 16 are permuted by the number of the row."""
    return addresses ^ (addresses >> 3 & 0x70)


def locate(descriptor, outer, is_contiguous_along_k):
    """The addresses of an `outer` x 16 operand."""
    if descriptor >> 62 != 1 or descriptor >> 49 & 7:
        raise NotImplementedError(f"matrix descriptor {descriptor:#x}")
    start, leading, stride = (descriptor >> bit << 4 & 0x3FFF0 for bit in (0, 16, 32))
    row, k = np.arange(outer)[:, None], np.arange(16)[None]
    if is_contiguous_along_k:
        inside = row // 8 * stride + row % 8 * 128 + k * 2
    else:
        inside = row // 64 * leading + row % 64 * 2 + k // 8 * stride + k % 8 * 128
    return swizzle(start + inside)


class Flight:
    """A wgmma of the threads of a warpgroup; its registers are named by their rows in `Warpgroups.states`."""

    def __init__(self, threads, accumulators, lhs):
        self.threads, self.accumulators, self.lhs = threads, accumulators, lhs
        self.cells = []


class Warpgroups:
    """The wgmmas of a block."""

    def __init__(self, block):
        self.block = block
        self.rows = {name: row for row, name in enumerate(block.kernel.matrix_registers)}
        self.states = np.full((len(self.rows), block.count), SETTLED, np.int8)
        # Of each warpgroup: those not committed, and the groups that are.
        self.open = [[] for _ in range(-(-block.count // GROUP))]
        self.groups = [[] for _ in self.open]

    def touch(self, name, mask):
        """Notes an access of another instruction."""
        state = self.states[self.rows[name]]
        if (state[mask] > TOUCHED).any():
            raise RuntimeError(f"access to {name}, which a wgmma in flight uses")
        state[mask] = TOUCHED

    def fence(self, threads):
        states = self.states[:, threads]
        states[states == TOUCHED] = SETTLED

    def enlist(self, flight):
        for rows, purpose in ((flight.accumulators, ACCUMULATES), (flight.lhs, FEEDS)):
            states = self.states[rows, flight.threads]
            bad = (states != SETTLED) & (states != purpose)
            if bad.any():
                row = np.flatnonzero(bad.any(1))[0]
                why = ("was accessed without a wgmma.fence since" if (states[row] == TOUCHED).any()
                       else "a wgmma in flight uses otherwise")
                raise RuntimeError(f"wgmma of {list(self.rows)[rows[row]]}, which {why}")
            self.states[rows, flight.threads] = purpose

    def commit(self, number):
        self.groups[number].append(self.open[number])
        self.open[number] = []

    def wait(self, number, pending):
        groups = self.groups[number]
        while len(groups) > pending:
            for flight in groups.pop(0):
                for cells in flight.cells:
                    self.block.shared.unwatch(flight.threads, cells)
                self.states[flight.accumulators + flight.lhs, flight.threads] = SETTLED
        for flight in sum(groups, self.open[number]):
            self.enlist(flight)

    def read_shared(self, flight, descriptor, outer, element, is_contiguous_along_k):
        shared = self.block.shared
        at = locate(descriptor, outer, is_contiguous_along_k)
        shared.cells(np.array([at.min(), at.max()]), 2)
        cells = (at.reshape(-1, 1) + np.arange(2)).ravel()
        shared.watch(flight.threads, cells)
        flight.cells.append(cells)
        return typed(shared.bytes[cells].view(np.uint16), element).reshape(at.shape).astype(np.float64)

    def read_registers(self, flight, names, element):
        """The 64 x 16 lhs: each thread holds pairs of two rows."""
        row, column = LANE // 32 * 16 + LANE % 32 // 4, LANE % 4 * 2
        lhs = np.zeros((64, 16))
        for number, name in enumerate(names):
            for half, values in enumerate(pairs(self.block.registers[name][flight.threads])):
                lhs[row + number % 2 * 8, column + number // 2 * 8 + half] = typed(values, element)
        return lhs

    def multiply(self, number, parts, operands, values):
        """One wgmma of warpgroup `number`; `values` has the scalar operands."""
        shape, result, element = parts[3:6]
        columns = int(re.fullmatch(r"m64n(\d+)k16", shape)[1])
        if result != "f32" or element not in ("f16", "bf16") or columns % 8 or not 8 <= columns <= 256:
            raise NotImplementedError(".".join(parts))
        accumulators, is_shared = split(operands[0]), not operands[1].startswith("{")
        if len(accumulators) != columns // 2:
            raise RuntimeError(f"expects {columns // 2} accumulators, but got {len(accumulators)}")
        lhs, rhs, keeps, *signs = values[1:6]
        if signs != [1, 1]:
            raise NotImplementedError("wgmma with a sign")
        names = [] if is_shared else split(operands[1])
        flight = Flight(slice(number * GROUP, (number + 1) * GROUP),
                        *([self.rows[name] for name in listed] for listed in (accumulators, names)))
        self.enlist(flight)
        if is_shared:
            left = self.read_shared(flight, lhs, 64, element, not values[6])
        else:
            left = self.read_registers(flight, names, element)
        product = left @ self.read_shared(flight, rhs, columns, element, not values[-1]).T
        place = np.arange(len(accumulators))[:, None]
        total = product[LANE // 32 * 16 + LANE % 32 // 4 + place // 2 % 2 * 8, place // 4 * 8 + LANE % 4 * 2 + place % 2]
        if not keeps:
            for name in accumulators:
                self.block.registers.setdefault(name, np.zeros(self.block.count, np.uint64))
        registers = [self.block.registers[name][flight.threads] for name in accumulators]
        if keeps:
            total = total + typed(np.stack(registers), "f32")
        for register, value in zip(registers, untyped(total, "f32")):
            register[:] = value
        self.open[number].append(flight)


def run(block, parts, operands, mask):
    for number in np.unique(np.flatnonzero(mask) // GROUP):
        here = np.zeros(block.count, bool)
        here[number * GROUP:(number + 1) * GROUP] = True
        if here.sum() != GROUP or not mask[here].all():
            raise RuntimeError("expects wgmma of a whole warpgroup")
        if parts[0] == "fence":
            block.warpgroups.fence(slice(number * GROUP, (number + 1) * GROUP))
        elif parts[0] == "commit_group":
            block.warpgroups.commit(number)
        elif parts[0] == "wait_group":
            block.warpgroups.wait(number, int(operands[0]))
        else:
            values = [None if text.startswith("{") else one(block.value(text, 64, here), f"{text} of wgmma")
                      for text in operands]
            with np.errstate(all="ignore"):
                block.warpgroups.multiply(number, parts, operands, values)


WGMMA = {"wgmma": run}
