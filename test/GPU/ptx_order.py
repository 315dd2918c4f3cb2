"""What happens before what in a block, as vector clocks of its threads, for ptx_simulator.py.

There is one clock for the block, which moves on whenever a thread releases what it did. Threads pass on what they
know at barriers: a message says, for each agent, up to when its accesses have happened. Agents are the threads and
the two that copy on their behalf. wgmma and bulk copies see what an agent wrote only if a fence.proxy.async lies
between, thus a message says that as well.
"""

import numpy as np

# The time of an access that is under way, and what threads know of themselves.
NEVER = 2**31 - 1
ALWAYS = NEVER - 1


class Order:
    def __init__(self, count):
        self.now = 1
        self.count = count
        # The agents behind the threads: of cp.async and of bulk copies.
        self.copies, self.bulk = count, count + 1
        self.known = np.zeros((count, count + 2), np.int32)
        np.fill_diagonal(self.known, ALWAYS)
        self.fenced = np.zeros((count, count + 2), np.int32)
        # What each thread knows of all threads of a warp.
        self.least = np.zeros((count, count // 32), np.int32)

    def release(self, threads):
        """The message of threads that pass on what they know and did."""
        known = self.known[threads].max(0)
        known[threads] = self.now
        self.now += 1
        return np.stack([known, self.fenced[threads].max(0)])

    def release_agent(self, agent):
        """The message of an agent that copied."""
        message = np.zeros((2, self.count + 2), np.int32)
        message[0, agent] = self.now
        if agent == self.bulk:
            message[1, agent] = self.now
        self.now += 1
        return message

    def acquire(self, threads, message):
        known = np.maximum(self.known[threads], message[0])
        self.known[threads] = known
        self.fenced[threads] = np.maximum(self.fenced[threads], message[1])
        self.least[threads] = known[:, :self.count].reshape(len(threads), -1, 32).min(2)

    def fence(self, threads):
        """A fence.proxy.async of each of these threads."""
        self.fenced[threads] = self.known[threads]
        self.fenced[threads, threads] = self.now
        self.now += 1

    def happened(self, threads, agents, times):
        """Whether accesses of agents at times are known to the thread of their row."""
        return np.take(self.known, threads[:, None] * (self.count + 2) + agents) >= times
