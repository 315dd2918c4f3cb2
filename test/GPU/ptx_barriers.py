"""What threads of a block wait for one another with: named barriers and mbarriers, for ptx_simulator.py."""

import numpy as np

from ptx_instructions import U64, read_text

NONE = np.array([], np.int64)


def list_warps(threads):
    return "warps " + ", ".join(map(str, np.unique(threads // 32)))


def one(values, what):
    """The value that all threads give."""
    if (values != values[0]).any():
        raise RuntimeError(f"expects {what} to be the same for all threads")
    return int(values[0])


class Barrier:
    """A barrier with a number; without a count, of all threads that have not ended."""

    def __init__(self, block, number, count):
        self.block, self.number, self.count = block, number, count
        self.arrived, self.waiting = NONE, NONE
        self.message = 0
        self.votes, self.results = False, []

    def arrive(self, threads, waits):
        if np.isin(threads, self.arrived).any():
            raise RuntimeError(f"arrives twice at barrier {self.number}")
        self.message = np.maximum(self.message, self.block.order.release(threads))
        self.arrived = np.concatenate([self.arrived, threads])
        if waits:
            self.waiting = np.concatenate([self.waiting, threads])
            self.block.asleep[threads] = True

    def complete(self):
        """Lets the threads go on once all are there."""
        running = self.block.get_unfinished()
        expected = self.count or running.sum()
        if len(self.arrived) > expected:
            raise RuntimeError(f"{len(self.arrived)} threads at barrier {self.number} of {expected}")
        if len(self.arrived) < expected:
            return
        del self.block.barriers[self.number]
        self.block.asleep[self.waiting] = False
        self.block.order.acquire(self.waiting, self.message)
        if running.sum() == len(self.waiting):
            self.block.shared.reader.fill(self.block.shared.NOBODY)
        for name, mask in self.results:
            self.block.assign(name, np.full(mask.sum(), self.votes, U64), mask)

    def describe(self):
        return f"barrier {self.number} has {len(self.arrived)} of {self.count or 'all'} threads"


class MemoryBarrier:
    """An mbarrier: phases that end with so many arrivals and all bytes that were announced."""

    def __init__(self, block, at, count):
        self.block, self.at, self.count = block, at, count
        self.phase, self.pending, self.bytes = 0, count, 0
        self.message = self.last = np.zeros((2, block.order.count + 2), np.int32)
        self.waiting = NONE

    def arrive(self, count, message, whole_bytes=0):
        """Arrivals with what they release; `whole_bytes` are announced, or landed if negative."""
        if count > self.pending:
            raise RuntimeError(f"{count} arrivals at mbarrier {self.at:#x}, which expects {self.pending}")
        self.message = np.maximum(self.message, message)
        self.pending -= count
        self.bytes += whole_bytes
        if self.pending or self.bytes:
            return
        self.phase, self.pending = self.phase + 1, self.count
        self.last, self.message = self.message, np.zeros_like(self.message)
        self.block.asleep[self.waiting] = False
        self.waiting = NONE

    def wait(self, threads, phase, is_parity):
        """Whether a phase is over. If it is not, whatever the threads do about it can wait until it is."""
        if (self.phase & 1) != phase if is_parity else self.phase > phase:
            self.block.order.acquire(threads, self.last)
            return True
        self.waiting = np.concatenate([self.waiting, threads])
        self.block.asleep[threads] = True
        return False

    def describe(self):
        return f"mbarrier {self.at:#x} lacks {self.pending} arrivals and {self.bytes} bytes of phase {self.phase}"


class Registers:
    """The registers of a block, which its warpgroups give back and wait for."""

    def __init__(self, block):
        self.block = block
        self.counts = np.full(block.count, block.kernel.registers)
        self.total = self.counts.sum()
        self.wanted = []

    def change(self, threads, count, is_more):
        known = self.counts[threads[0]]
        if not known:
            raise RuntimeError("setmaxnreg in a kernel that does not say how many registers it starts with")
        if count < known if is_more else count > known:
            raise RuntimeError(f"setmaxnreg from {known} registers to {count}")
        # What is given back is there for those that wait.
        self.wanted.insert(len(self.wanted) if is_more else 0, (threads, count))
        self.block.asleep[threads] = True
        for threads, count in list(self.wanted):
            if self.counts.sum() + (count - self.counts[threads[0]]) * len(threads) <= self.total:
                self.counts[threads] = count
                self.block.asleep[threads] = False
                self.wanted = [(others, more) for others, more in self.wanted if others is not threads]

    def describe(self):
        return f"warpgroups have {self.counts.sum()} of {self.total} registers"


def run_barrier(block, parts, operands, mask):
    parts = [part for part in parts if part not in ("cta", "aligned")]
    if parts[0] == "warp":
        threads = np.flatnonzero(mask)
        for warp in np.unique(threads // 32):
            lanes = threads[threads // 32 == warp]
            block.order.acquire(lanes, block.order.release(lanes))
        return
    numbers = operands[1:-1] if parts[0] == "red" else operands
    given = block.value(numbers[0], 32, mask)
    for number in np.unique(given).tolist():
        here = mask.copy()
        here[mask] = given == number
        if np.isin(np.flatnonzero(here) // 32, np.flatnonzero(mask & ~here) // 32).any():
            raise RuntimeError("expects a barrier to be the same for all threads of a warp")
        count = one(block.value((numbers + ["0"])[1], 32, here), "the threads of a barrier")
        meet(block, parts, operands, here, number, count)


def meet(block, parts, operands, mask, number, count):
    """Threads arrive at one barrier."""
    threads = np.flatnonzero(mask)
    if count % 32:
        raise RuntimeError(f"expects whole warps at a barrier, but got {count} threads")
    known = block.barriers.setdefault(number, Barrier(block, number, count))
    if known.count != count:
        raise RuntimeError(f"barrier {number} of {known.count} threads and of {count}")
    if parts[0] == "red":
        if parts[1] != "or":
            raise NotImplementedError("bar.red." + parts[1])
        given = block.value(operands[-1].lstrip("!"), 1, mask) != 0
        known.votes |= bool((given != operands[-1].startswith("!")).any())
        known.results.append((operands[0], mask.copy()))
    known.arrive(threads, parts[0] != "arrive")
    known.complete()


def find(block, threads, at):
    """The mbarrier at an address, which the threads must know to be there."""
    if at not in block.mbarriers:
        raise RuntimeError(f"no mbarrier at {at:#x}")
    block.shared.check_writes(threads, np.arange(at, at + 8)[None], "use of an mbarrier")
    return block.mbarriers[at]


def run_memory_barrier(block, parts, operands, mask):
    place = next(number for number, text in enumerate(operands) if text.startswith("["))
    addresses = block.address(operands[place], mask)
    rest = [block.value(text, 64, mask) for text in operands[place + 1:]]
    results = np.zeros(len(addresses), U64)
    for at in np.unique(addresses).tolist():
        here = addresses == at
        threads = np.flatnonzero(mask)[here]
        value = one(rest[0][here], "an operand of mbarrier") if rest else None
        if parts[0] == "init":
            block.shared.write(threads, addresses[here], np.zeros((len(threads), 8), np.uint8))
            block.mbarriers[at] = MemoryBarrier(block, at, value)
            continue
        known = find(block, threads, at)
        results[here] = known.phase
        if parts[0] == "inval":
            del block.mbarriers[at]
        elif parts[0] == "expect_tx":
            known.arrive(0, 0, value)
        elif parts[0] == "arrive" and "expect_tx" in parts:
            known.arrive(len(threads), block.order.release(threads), len(threads) * value)
        elif parts[0] == "arrive":
            known.arrive(len(threads) * (value or 1), block.order.release(threads))
        elif parts[0] in ("try_wait", "test_wait"):
            results[here] = known.wait(threads, value, "parity" in parts)
        else:
            raise NotImplementedError("mbarrier." + parts[0])
    for name in operands[:place]:
        if name != "_":
            block.assign(name, results, mask)


def elect(block, parts, operands, mask):
    """The first thread of each warp."""
    threads = np.flatnonzero(mask)
    first = ~np.isin(threads - 1, threads) | (threads % 32 == 0)
    into, predicate = operands[0].split("|")
    block.assign(into, np.zeros(len(threads), U64), mask)
    block.assign(predicate, first.astype(U64), mask)


def set_registers(block, parts, operands, mask):
    count = read_text(operands[0], 32)
    if count % 8 or not 24 <= count <= 256:
        raise RuntimeError(f"setmaxnreg of {count} registers")
    for number in np.unique(np.flatnonzero(mask) // 128):
        threads = np.arange(number * 128, (number + 1) * 128)
        if not np.isin(threads, np.flatnonzero(mask)).all():
            raise RuntimeError("expects setmaxnreg of a whole warpgroup")
        block.registers_left.change(threads, count, parts[0] == "inc")


def fence(block, parts, operands, mask):
    if parts[:2] == ["proxy", "async"]:
        block.order.fence(np.flatnonzero(mask))
    elif parts[0] != "mbarrier_init":
        raise NotImplementedError("fence." + parts[0])


BARRIERS = {"bar": run_barrier, "barrier": run_barrier, "mbarrier": run_memory_barrier, "elect": elect,
            "setmaxnreg": set_registers, "fence": fence}
