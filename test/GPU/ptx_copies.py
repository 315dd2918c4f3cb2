"""Copies to shared memory that go on while threads do other things, for ptx_simulator.py.

cp.async of threads land where a thread waits for them, or at some time before an mbarrier counts them. Bulk copies of
tensors land at some time, and tell an mbarrier.
"""

import dataclasses

import numpy as np

import ptx_barriers
from ptx_instructions import U64
from ptx_wgmma import swizzle


@dataclasses.dataclass
class TensorMap:
    """What cuTensorMapEncodeTiled is told; the first dimension is contiguous. Outside of the tensor lie zeros."""

    base: int
    element_bytes: int
    sizes: list
    # In bytes, of all dimensions but the first.
    strides: list
    box: list
    is_swizzled: bool = True

    def __post_init__(self):
        row = self.box[0] * self.element_bytes
        aligned = {"address": [self.base], "strides": self.strides, "length of rows of boxes": [row]}
        for name, values in aligned.items():
            if any(value % 16 for value in values):
                raise RuntimeError(f"expects a tensor map's {name} to be multiples of 16 bytes, but got {values}")
        for name, values, most in (("sizes", self.sizes, 1 << 32), ("box", self.box, 256)):
            if not all(1 <= value <= most for value in values):
                raise RuntimeError(f"expects a tensor map's {name} from 1 to {most}, but got {values}")
        if self.is_swizzled and row > 128:
            raise RuntimeError("swizzled box with rows of more than 128 bytes")

    def locate(self, start):
        """The addresses of the elements of a box, last dimension first, and which of them exist."""
        address, inside = np.int64(self.base), True
        for place, (first, size, stride, length) in enumerate(
                zip(start, self.sizes, [self.element_bytes, *self.strides], self.box)):
            index = (first + np.arange(length)).reshape(-1, *[1] * place)
            address = address + index * stride
            inside = inside & (index >= 0) & (index < size)
        return address, inside


def copy_tensor(block, operands, mask):
    into, source, barrier = operands[:3]
    name, _, coordinates = source.strip("[]").partition(",")
    block.prerequisites.check(mask)
    starts = [block.value(text.strip(), 32, mask).astype(np.uint32).view(np.int32)
              for text in coordinates.strip(" {}").split(",")]
    for number, thread in enumerate(np.flatnonzero(mask)):
        tensor = block.tensor_maps[int(block.value(name, 64, mask)[number])]
        at, inside = tensor.locate([int(start[number]) for start in starts])
        data = np.zeros((at.size, tensor.element_bytes), np.uint8)
        data[inside.ravel()] = block.memory.read(at[inside].astype(U64), tensor.element_bytes)
        data = data.ravel()
        first = int(block.address(into, mask)[number])
        if first % 128:
            raise RuntimeError("bulk copy to an address that is no multiple of 128")
        cells = block.shared.cells(np.array([first]), 1)[0] + np.arange(data.size)
        block.shared.cells(cells[-1:], 1)
        cells = swizzle(cells) if tensor.is_swizzled else cells
        block.shared.claim_bulk(thread, cells)
        known = ptx_barriers.find(block, np.array([thread]), int(block.address(barrier, mask)[number]))

        def land(cells=cells, data=data, known=known):
            block.shared.enter(cells, data, block.order.bulk)
            known.arrive(0, block.order.release_agent(block.order.bulk), -data.size)

        block.deferred.append(land)


@dataclasses.dataclass
class Arrival:
    """That of a thread at an mbarrier once its copies of the groups before `group` have landed."""

    shared: object
    order: object
    thread: int
    group: int
    barrier: ptx_barriers.MemoryBarrier

    def __call__(self):
        self.shared.land(lambda issuers, groups: (issuers == self.thread) & (groups < self.group), self.order.copies)
        self.barrier.arrive(1, self.order.release_agent(self.order.copies))


def arrive(block, parts, operands, mask):
    """Arrives at an mbarrier once the copies so far of the thread have landed."""
    for thread, at in zip(np.flatnonzero(mask), block.address(operands[0], mask)):
        known = ptx_barriers.find(block, np.array([thread]), int(at))
        if "noinc" not in parts:
            known.pending += 1
        block.shared.commit(np.array([thread]))
        block.deferred.append(Arrival(block.shared, block.order, thread, block.shared.committed[thread], known))


def wait(block, threads, pending):
    """Waits for copies of these threads; what they tell mbarriers comes first, since it is about copies, not threads."""
    def is_over(later):
        return isinstance(later, Arrival) and later.thread in threads and \
            later.group <= block.shared.committed[later.thread] - pending

    over = [later for later in block.deferred if is_over(later)]
    block.deferred = [later for later in block.deferred if not is_over(later)]
    for arrival in over:
        arrival()
    block.shared.wait(threads, pending)


def copy(block, parts, operands, mask):
    """cp.async of each thread, and what is said about them."""
    threads = np.flatnonzero(mask)
    if parts[1] == "commit_group":
        block.shared.commit(threads)
    elif parts[1] == "wait_group":
        wait(block, threads, int(operands[0]))
    elif parts[1] == "wait_all":
        block.shared.commit(threads)
        wait(block, threads, 0)
    elif parts[1] == "mbarrier":
        arrive(block, parts, operands, mask)
    elif parts[1] == "bulk":
        if parts[2] != "tensor" or "mbarrier::complete_tx::bytes" not in parts or "im2col" in parts:
            raise NotImplementedError("cp." + ".".join(parts))
        copy_tensor(block, operands, mask)
    else:
        block.prerequisites.check(mask)
        size = int(operands[2])
        data = np.zeros((len(threads), size), np.uint8)
        source = block.address(operands[1], mask)
        wanted = np.full(len(source), size) if len(operands) < 4 else \
            block.value(operands[3], 32, mask).astype(np.int64)
        some = wanted > 0
        if some.any():
            data[some] = block.memory.read(source[some], size)
            data[np.arange(size) >= wanted[:, None]] = 0
        block.shared.copy(threads, block.address(operands[0], mask), data)


COPIES = {"cp": copy}
