"""Runs the PTX of a kernel on the CPU, all threads of a block at once.

It knows the instructions that stof's kernels use, nothing more, and is strict
where hardware is silent: it stops at an access outside a buffer, at a barrier or
a warp instruction that not all threads reach, at a read of shared memory that
another thread wrote since the last barrier or that an asynchronous copy has yet
to fill, at a write of what others read since the last barrier, and at an ldmatrix
that is slowed down by bank conflicts.
"""

import re

import numpy as np

from ptx_instructions import INSTRUCTIONS, bits_of, read_text

GUARD = 1 << 20
# Instructions that the threads of a warp execute together.
WARP_WIDE = ("shfl", "mma", "ldmatrix", "vote")


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


class Shared:
    """Shared memory that remembers who touched what since the last barrier."""

    NOBODY, MANY = -1, -2

    def __init__(self, size):
        self.bytes = np.full(size, 0xFF, np.uint8)
        self.writer = np.full(size, self.NOBODY, np.int32)
        self.reader = np.full(size, self.NOBODY, np.int32)
        self.copying = np.zeros(size, bool)
        self.groups = []
        self.open = []

    def barrier(self):
        self.writer[:] = self.NOBODY
        self.reader[:] = self.NOBODY

    def cells(self, at, size):
        at = at.astype(np.int64)
        if at.min() < 0 or at.max() + size > self.bytes.size:
            raise IndexError(f"access at bytes {at.min()}..{at.max() + size} of "
                             f"{self.bytes.size} of shared memory")
        if np.any(at % size):
            raise IndexError(f"shared access of {size} bytes that is not aligned")
        return at[:, None] + np.arange(size)

    def read(self, threads, at, size):
        cells = self.cells(at, size)
        if self.copying[cells].any():
            raise RuntimeError("read of shared memory that a copy has yet to fill")
        writer = self.writer[cells]
        if np.any((writer != self.NOBODY) & (writer != threads[:, None])):
            raise RuntimeError("read of what another thread wrote since the barrier")
        for thread, row in zip(threads, cells):
            known = self.reader[row]
            self.reader[row] = np.where(
                (known == self.NOBODY) | (known == thread), thread, self.MANY)
        return self.bytes[cells]

    def claim(self, threads, at, size):
        """Checks that these threads may write, and returns the places."""
        cells = self.cells(at, size)
        if self.copying[cells].any():
            raise RuntimeError("write of shared memory that a copy has yet to fill")
        for known, what in ((self.reader, "read"), (self.writer, "wrote")):
            others = known[cells]
            if np.any((others != self.NOBODY) & (others != threads[:, None])):
                raise RuntimeError(f"write of what another thread {what} since the barrier")
        return cells

    def write(self, threads, at, data):
        cells = self.claim(threads, at, data.shape[1])
        self.bytes[cells] = data
        self.writer[cells] = threads[:, None]

    def copy(self, threads, at, data):
        cells = self.claim(threads, at, data.shape[1])
        self.copying[cells] = True
        self.open.append((threads, cells, data))

    def commit(self):
        self.groups.append(self.open)
        self.open = []

    def wait(self, pending):
        while len(self.groups) > pending:
            for threads, cells, data in self.groups.pop(0):
                self.copying[cells] = False
                self.bytes[cells] = data
                self.writer[cells] = threads[:, None]


class Block:
    """One CTA while it runs; registers are arrays over its threads."""

    def __init__(self, kernel, memory, shared, count, position):
        self.kernel, self.memory, self.shared = kernel, memory, shared
        self.count = count
        self.registers = {
            "%tid.x": np.arange(count, dtype=np.uint64),
            **{f"%ctaid.{axis}": np.full(count, value, np.uint64)
               for axis, value in zip("xyz", position)},
        }
        self.next = np.zeros(count, np.int64)

    def value(self, text, bits, mask):
        """An operand of the threads in `mask` as unsigned integers."""
        if text.startswith("-%"):
            raise NotImplementedError(text)
        if text in self.registers:
            return self.registers[text][mask] & np.uint64((1 << bits) - 1 if bits < 64 else ~0 & (1 << 64) - 1)
        number = 0 if text == "tile_shared_memory" else read_text(text, bits)
        return np.full(mask.sum(), number, np.uint64)

    def assign(self, text, values, mask):
        if text == "_":
            return
        if text not in self.registers:
            self.registers[text] = np.zeros(self.count, np.uint64)
        self.registers[text][mask] = values

    def address(self, text, mask):
        base, _, offset = text.strip("[]").partition("+")
        return self.value(base, 64, mask) + np.uint64(int(offset or 0) & (1 << 64) - 1)

    def choose(self):
        """The threads to run next: those furthest behind that need no others."""
        for at in np.unique(self.next[self.next < len(self.kernel.code)]):
            here = self.next == at
            opcode = self.kernel.code[at][0]
            if opcode.startswith("bar"):
                ready = here | (self.next >= len(self.kernel.code))
            elif opcode.startswith(WARP_WIDE):
                ready = here.reshape(-1, 32)
                ready = ready.all(1) | ~ready.any(1)
            else:
                return at, here
            if ready.all():
                return at, here
        raise RuntimeError("threads that wait for one another at different places")

    def run(self):
        code = self.kernel.code
        while (self.next < len(code)).any():
            at, here = self.choose()
            opcode, operands, guard = code[at]
            mask = here
            if guard:
                name, holds = guard
                mask = here & (self.registers[name].astype(bool) == holds)
            self.next[here] += 1
            if opcode.startswith("bra"):
                self.next[mask] = self.kernel.labels[operands[0]]
            elif opcode == "ret":
                self.next[mask] = len(code)
            elif opcode == "trap":
                if mask.any():
                    raise RuntimeError("trap")
            elif mask.any():
                name, _, suffix = opcode.partition(".")
                INSTRUCTIONS[name](self, suffix.split("."), operands, mask)


class Kernel:
    """One entry of a PTX module."""

    def __init__(self, name, parameters, body):
        self.name = name
        self.parameters = parameters
        self.code, self.labels = [], {}
        body = re.sub(r"//.*", "", body)
        for statement in re.split(r"[;\n](?![^{]*\})", body.replace("\t", " ")):
            statement = statement.strip()
            while match := re.match(r"(\$\w+):", statement):
                self.labels[match[1]] = len(self.code)
                statement = statement[match.end():].strip()
            if statement and not statement.startswith("."):
                self.code.append(self.parse(statement))

    @staticmethod
    def parse(statement):
        guard = None
        if match := re.match(r"@(!?)(%p\d+)\s+", statement):
            guard = (match[2], not match[1])
            statement = statement[match.end():]
        opcode, _, rest = statement.partition(" ")
        operands = [text.strip() for text in re.split(r",(?![^{]*\})", rest) if text.strip()]
        return opcode.strip(), operands, guard


def load_module(text):
    """The kernels of a PTX module by name."""
    kernels = {}
    for match in re.finditer(r"\.entry (\w+)\((.*?)\)[^{]*\{\n(.*?)\n\}\n", text + "\n", re.S):
        parameters = re.findall(r"\.param \.(\w+)", match[2])
        # Instructions over several lines become one.
        body = re.sub(r"\n\t\t", " ", match[3])
        kernels[match[1]] = Kernel(match[1], parameters, body)
    return kernels


def launch(kernel, memory, grid, threads, shared_bytes, arguments):
    """Runs all blocks one after the other."""
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                block = Block(kernel, memory, Shared(shared_bytes), threads, (x, y, z))
                for number, (kind, value) in enumerate(zip(kernel.parameters, arguments)):
                    block.registers[f"[{kernel.name}_param_{number}]"] = np.full(
                        threads, bits_of(kind, value), np.uint64)
                block.run()
