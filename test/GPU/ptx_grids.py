"""Programmatic dependent launch, for ptx_simulator.py: until a kernel has waited for those before it, their results may
not be there yet."""

import numpy as np


class Prerequisites:
    """Which threads of a block have waited for the kernels before theirs, if the kernel waits at all."""

    def __init__(self, kernel, count):
        self.are_pending = any(one.name == "griddepcontrol" and one.parts == ["wait"] for one in kernel.code)
        self.have_waited = np.zeros(count, bool)

    def check(self, mask):
        """Stops at an access to global memory by threads that have not waited."""
        if self.are_pending and not self.have_waited[mask].all():
            raise RuntimeError("access to global memory before griddepcontrol.wait")


def control(block, parts, operands, mask):
    if parts != ["wait"]:
        raise NotImplementedError("griddepcontrol." + ".".join(parts))
    block.prerequisites.have_waited |= mask


GRIDS = {"griddepcontrol": control}
