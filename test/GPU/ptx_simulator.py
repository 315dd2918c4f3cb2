"""Runs the PTX of a kernel on the CPU, the threads of a block at once where they stand at the same place.

It knows the instructions that stof's kernels use, nothing more, and is strict
where hardware is silent: it stops at an access outside a buffer, at threads that
wait for what does not come, at a warp instruction that not all threads reach, at a
read of shared memory that another thread wrote without passing that on or that an
asynchronous copy has yet to fill, at a write of what others read and have not
released, at registers and shared memory that a wgmma in flight uses, at an access
to global memory before a wait for the kernels ahead, and at an ldmatrix that is
slowed down by bank conflicts.

What a kernel computes must not depend on which threads run first: a seed makes the
threads that can run take turns in another order.
"""

import numpy as np

from ptx_barriers import BARRIERS, Registers
from ptx_copies import COPIES, TensorMap
from ptx_grids import GRIDS, Prerequisites
from ptx_instructions import INSTRUCTIONS, bits_of, read_text
from ptx_kernel import load_module  # noqa: F401, for users of this module
from ptx_order import Order
from ptx_shared import Shared
from ptx_wgmma import WGMMA, Warpgroups

GUARD = 1 << 20
KNOWN = {**INSTRUCTIONS, **BARRIERS, **COPIES, **WGMMA, **GRIDS}
# What others wait for, or what waits: the turn of its threads may end.
WAITS = {*BARRIERS, "cp"}


class Memory:
    """Global memory: buffers at distant addresses, so that no address lies in two."""

    def __init__(self):
        self.buffers = []
        self.next = GUARD

    def add(self, array):
        """Gives a flat array of bytes an address."""
        address = self.next
        self.buffers.append((address, array))
        self.next = (address + array.size + 2 * GUARD) // GUARD * GUARD
        return address

    def locate(self, addresses, size):
        """Of each buffer that addresses lie in: which do, the buffer, and where."""
        left = np.ones(len(addresses), bool)
        for start, array in self.buffers:
            at = addresses.astype(np.int64) - start
            here = left & (at >= -GUARD // 2) & (at < array.size + GUARD // 2)
            if not here.any():
                continue
            at = at[here]
            if at.min() < 0 or at.max() + size > array.size:
                raise IndexError(
                    f"access at bytes {at.min()}..{at.max() + size} of a buffer of {array.size}")
            if np.any(at % size):
                raise IndexError(f"access of {size} bytes that is not aligned")
            yield here, array, at
            left &= ~here
        if left.any():
            raise IndexError(f"access at {addresses[left][0]:#x}, outside all buffers")

    def read(self, addresses, size):
        """A row of bytes for each address."""
        data = np.zeros((len(addresses), size), np.uint8)
        for here, array, at in self.locate(addresses, size):
            data[here] = array[at[:, None] + np.arange(size)]
        return data

    def write(self, addresses, data):
        for here, array, at in self.locate(addresses, data.shape[1]):
            array[at[:, None] + np.arange(data.shape[1])] = data[here]


class Block:
    """One CTA while it runs; registers are arrays over its threads."""

    def __init__(self, kernel, memory, shared_bytes, count, grid, position, seed):
        self.kernel, self.memory, self.count = kernel, memory, count
        self.random = None if seed is None else np.random.default_rng([seed, *position])
        self.registers = {
            "%tid.x": np.arange(count, dtype=np.uint64),
            "%laneid": np.arange(count, dtype=np.uint64) % np.uint64(32),
            **{f"%ctaid.{axis}": np.full(count, value, np.uint64)
               for axis, value in zip("xyz", position)},
            **{f"%nctaid.{axis}": np.full(count, value, np.uint64) for axis, value in zip("xyz", grid)},
        }
        self.order = Order(count)
        self.shared = Shared(shared_bytes, self.order)
        self.warpgroups = Warpgroups(self)
        self.registers_left = Registers(self)
        self.prerequisites = Prerequisites(kernel, count)
        self.barriers, self.mbarriers, self.tensor_maps = {}, {}, {}
        # Copies that land at any time from now on.
        self.deferred = []
        self.next = np.zeros(count, np.int64)
        self.asleep = np.zeros(count, bool)
        # The threads whose turn it is.
        self.turn = np.ones(count, bool)

    def pass_argument(self, number, kind, value):
        name = f"{self.kernel.name}_param_{number}"
        if isinstance(value, TensorMap):
            # The address of a parameter lies beyond all others.
            value, self.tensor_maps[1 << 60 | number] = 1 << 60 | number, value
        else:
            name = f"[{name}]"
        self.registers[name] = np.full(self.count, bits_of(kind, value), np.uint64)

    def value(self, text, bits, mask):
        """An operand of the threads in `mask` as unsigned integers."""
        if text.startswith("-%"):
            raise NotImplementedError(text)
        if text in self.kernel.matrix_registers:
            self.warpgroups.touch(text, mask)
        if text in self.registers:
            return self.registers[text][mask] & np.uint64((1 << bits) - 1 if bits < 64 else ~0 & (1 << 64) - 1)
        number = 0 if text == "tile_shared_memory" else read_text(text, bits)
        return np.full(mask.sum(), number, np.uint64)

    def assign(self, text, values, mask):
        if text == "_":
            return
        if text in self.kernel.matrix_registers:
            self.warpgroups.touch(text, mask)
        if text not in self.registers:
            self.registers[text] = np.zeros(self.count, np.uint64)
        self.registers[text][mask] = values

    def address(self, text, mask):
        base, _, offset = text.strip("[]").partition("+")
        return self.value(base, 64, mask) + np.uint64(int(offset or 0) & (1 << 64) - 1)

    def get_unfinished(self):
        return self.next < len(self.kernel.code)

    def get_complete(self, here, width):
        """Those of the threads `here` that all threads of their warp or warpgroup, so far as they run, are with."""
        if width == 1:
            return here
        groups = np.arange(self.count) // width
        lacking = np.bincount(groups, self.get_unfinished() & ~here)
        return here & (lacking[groups] == 0)

    def find_runnable(self, among):
        """Places and the threads that can go on there, those furthest behind first."""
        for at in np.unique(self.next[among]):
            here = among & (self.next == at)
            here = self.get_complete(here, self.kernel.code[at].width)
            if here.any():
                yield int(at), here

    def choose(self):
        """The threads to run next; none if all have ended."""
        while True:
            awake = self.get_unfinished() & ~self.asleep
            for choice in self.find_runnable(awake & self.turn):
                return choice
            choices = list(self.find_runnable(awake))
            if self.deferred and (not choices or self.random and self.random.random() < 0.5):
                self.deferred.pop(self.random.integers(len(self.deferred)) if self.random else 0)()
                continue
            if choices:
                at, here = choices[self.random.integers(len(choices))] if self.random else choices[0]
                if self.random:
                    self.turn = self.spread(here)
                return at, here
            if self.get_unfinished().any():
                raise RuntimeError(self.describe_deadlock())
            return None

    @staticmethod
    def spread(here):
        """All threads of the warps of `here`."""
        return np.repeat(here.reshape(-1, 32).any(1), 32)

    def describe_deadlock(self):
        places = []
        for at in np.unique(self.next[self.get_unfinished()]):
            for asleep in (True, False):
                threads = np.flatnonzero((self.next == at) & (self.asleep == asleep))
                if threads.size:
                    text = self.kernel.code[at - asleep].text
                    places.append(f"threads {threads[0]}..{threads[-1]} ({threads.size}) wait at '{text}'")
        objects = [*self.barriers.values(), *(known for known in self.mbarriers.values() if known.waiting.size)]
        objects += [self.registers_left] if self.registers_left.wanted else []
        return "deadlock: " + "; ".join(places + [known.describe() for known in objects])

    def end(self, mask):
        self.next[mask] = len(self.kernel.code)
        for barrier in list(self.barriers.values()):
            barrier.complete()

    def branch(self, at, here, mask, target):
        self.next[here] = at + 1
        self.next[mask] = target
        # Warps that part may take turns from here on.
        if self.random and 0 < np.count_nonzero(mask) < np.count_nonzero(here):
            self.turn[:] = False

    def advance(self, at, here):
        """Runs threads from a place on until they part, wait or meet others."""
        others = self.next[self.get_unfinished() & ~self.asleep & self.turn & ~here]
        limit = min(others[others > at], default=len(self.kernel.code))
        complete = {}
        while at < limit:
            instruction = self.kernel.code[at]
            name, width = instruction.name, instruction.width
            if width not in complete:
                complete[width] = np.array_equal(self.get_complete(here, width), here)
            if not complete[width]:
                break
            mask = here
            if instruction.guard:
                register, holds = instruction.guard
                mask = here & (self.registers[register].astype(bool) == holds)
            if name == "bra":
                self.branch(at, here, mask, self.kernel.labels[instruction.operands[0]])
                return
            at += 1
            self.next[here] = at
            if name == "ret":
                self.end(mask)
                return
            if name == "trap" and mask.any():
                raise RuntimeError("trap")
            if name != "trap" and mask.any():
                self.execute(instruction, mask)
            if name in WAITS:
                if self.random and self.random.random() < 0.25:
                    self.turn[:] = False
                return

    def execute(self, instruction, mask):
        try:
            KNOWN[instruction.name](self, instruction.parts, instruction.operands, mask)
        except (RuntimeError, IndexError) as error:
            raise type(error)(f"{error}, at '{instruction.text}'") from error

    def run(self):
        while choice := self.choose():
            self.advance(*choice)


def launch(kernel, memory, grid, threads, shared_bytes, arguments, seed=None):
    """Runs all blocks, one after the other unless they count what they do together. With a seed, warps take turns at
    random."""
    def start(position):
        block = Block(kernel, memory, shared_bytes, threads, grid, position, seed)
        for number, (kind, value) in enumerate(zip(kernel.parameters, arguments)):
            block.pass_argument(number, kind, value)
        return block

    positions = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
    if any(instruction.name == "atom" for instruction in kernel.code):
        run_together([start(position) for position in positions], seed)
        return
    for position in positions:
        start(position).run()


def run_together(blocks, seed):
    """Lets blocks take turns, in order or at random."""
    random = None if seed is None else np.random.default_rng(seed)
    number = 0
    while blocks:
        number = random.integers(len(blocks)) if random else number % len(blocks)
        if choice := blocks[number].choose():
            blocks[number].advance(*choice)
            number += 1
        else:
            del blocks[number]
