"""Shared memory that remembers who touched what and when, for ptx_simulator.py.

Each byte has its last writer and the time of the write, and for each warp the time of its last read. An access is
wrong if the thread does not know of those before it, no matter in which order they were simulated (ptx_order.py).
"""

import numpy as np

from ptx_order import NEVER


class Shared:
    NOBODY, MANY = -1, -2

    def __init__(self, size, order):
        self.order = order
        self.bytes = np.full(size, 0xFF, np.uint8)
        self.writer = np.full(size, order.copies)
        # 0 where nothing was written, NEVER while a copy is under way.
        self.written = np.zeros(size, np.int32)
        # The only reader since the last write.
        self.reader = np.full(size, self.NOBODY, np.int16)
        self.read_at = np.zeros((size, order.count // 32), np.int32)
        # The wgmmas under way that read a byte.
        self.watched = np.zeros(size, np.int16)
        self.watches = 0
        self.copies = []
        self.committed = np.zeros(order.count, np.int64)

    def cells(self, at, size):
        at = at.astype(np.int64)
        if at.min() < 0 or at.max() + size > self.bytes.size:
            raise IndexError(f"access at bytes {at.min()}..{at.max() + size} of "
                             f"{self.bytes.size} of shared memory")
        if np.any(at % size):
            raise IndexError(f"shared access of {size} bytes that is not aligned")
        return at[:, None] + np.arange(size)

    def check_writes(self, threads, cells, what):
        """Stops at bytes that were written without these threads knowing."""
        if not self.order.happened(threads, self.writer[cells], self.written[cells]).all():
            if (self.written[cells] == NEVER).any():
                raise RuntimeError(f"{what} of shared memory that a copy has yet to fill")
            raise RuntimeError(f"{what} of what another thread wrote and has not passed on")

    def know_reads(self, threads, cells):
        """Whether a thread knows of all reads of a byte."""
        return (self.read_at[cells] <= self.order.least[threads][:, None]).all(2)

    def read(self, threads, at, size):
        cells = self.cells(at, size)
        self.check_writes(threads, cells, "read")
        mine, known = threads[:, None], self.reader[cells]
        alone = (known == self.NOBODY) | (known == mine)
        if not alone.all():
            alone |= self.know_reads(threads, cells)
        self.reader[cells] = np.where(alone, mine, self.MANY)
        # Of several threads that read a byte at once the last has been entered.
        self.reader[cells[self.reader[cells] != mine]] = self.MANY
        self.read_at[cells, mine // 32] = self.order.now
        return self.bytes[cells]

    def claim(self, threads, cells):
        """Checks that these threads may write."""
        self.check_writes(threads, cells, "write")
        if self.watches and self.watched[cells].any():
            raise RuntimeError("write of shared memory that a wgmma in flight reads")
        reader = self.reader[cells]
        others = (reader != self.NOBODY) & (reader != threads[:, None])
        if others.any() and (others & ~self.know_reads(threads, cells)).any():
            raise RuntimeError("write of what another thread read and has not released")

    def enter(self, cells, data, writer):
        self.bytes[cells] = data
        self.writer[cells] = writer
        self.written[cells] = self.order.now
        self.reader[cells] = self.NOBODY

    def write(self, threads, at, data):
        cells = self.cells(at, data.shape[1])
        self.claim(threads, cells)
        self.enter(cells, data, threads[:, None])

    def copy(self, threads, at, data):
        """A cp.async of each thread."""
        cells = self.cells(at, data.shape[1])
        self.claim(threads, cells)
        self.written[cells] = NEVER
        self.copies.append((threads, self.committed[threads], cells, data))

    def commit(self, threads):
        self.committed[threads] += 1

    def wait(self, threads, pending):
        """Lands all but the last groups of copies of these threads."""
        until = np.full(self.order.count, -1)
        until[threads] = self.committed[threads] - pending
        self.land(lambda issuers, groups: groups < until[issuers])

    def land(self, arrived, agent=None):
        """Lands the copies that have arrived, in the name of their threads or of an agent."""
        left = []
        for issuers, groups, cells, data in self.copies:
            done = arrived(issuers, groups)
            if done.any():
                writer = issuers[done, None] if agent is None else agent
                self.enter(cells[done], data[done], writer)
            if not done.all():
                left.append((issuers[~done], groups[~done], cells[~done], data[~done]))
        self.copies = left

    def claim_bulk(self, thread, cells):
        """Checks that a bulk copy of `thread` may write `cells`, and takes them."""
        issuer = np.array([thread])
        self.claim(issuer, cells[None])
        if (self.order.fenced[thread, self.writer[cells]] < self.written[cells]).any():
            raise RuntimeError("bulk copy to what was written without a fence.proxy.async since")
        self.written[cells] = NEVER

    def watch(self, threads, cells):
        """Begins the reads of a wgmma of `threads`, a slice."""
        writer, written = self.writer[cells], self.written[cells]
        if (self.order.fenced[threads].min(0)[writer] < written).any():
            self.check_writes(np.arange(self.order.count)[threads], cells[None], "wgmma")
            raise RuntimeError("wgmma of what was written without a fence.proxy.async since")
        self.watched[cells] += 1
        self.watches += 1

    def unwatch(self, threads, cells):
        """Ends them."""
        self.watched[cells] -= 1
        self.watches -= 1
        self.reader[cells] = self.MANY
        self.read_at[cells, threads.start // 32:threads.stop // 32] = self.order.now
