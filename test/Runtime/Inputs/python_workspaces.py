"""Which runs share a workspace. The backend is a stand-in that counts allocations."""

import itertools

from stof._workspace import Workspaces

capturing = False


class Backend:
    def find_capturing(self, device):
        return lambda: capturing

    def address(self, memory):
        return memory


class Call:
    backend = Backend()
    allocated = itertools.count(1)

    def __init__(self, size):
        self.workspace_bytes = size

    def allocate_workspace(self):
        return 1000 * next(self.allocated)


def run(workspaces, size, stream):
    workspace = workspaces.take(Call(size), stream)
    assert workspace.base % 256 == 0 and workspace.bytes >= size
    workspaces.put(workspace)
    return workspace.base


workspaces = Workspaces(Call.backend, "cuda:0", most_bytes=100)
first = run(workspaces, 50, stream=7)
print("next on the stream", run(workspaces, 20, 7) == first, "larger", run(workspaces, 60, 7) == first)
held = workspaces.take(Call(60), 7)
print("at the same time", workspaces.take(Call(60), 7).base == held.base)
workspaces.put(held)
print("another stream", run(workspaces, 60, 8) == held.base, "again", run(workspaces, 60, 8) == run(workspaces, 60, 8))
print("too large to keep", run(workspaces, 101, 8) == run(workspaces, 101, 8))
kept = run(workspaces, 60, 8)
capturing = True
print("captured", run(workspaces, 60, 8) == kept, run(workspaces, 60, 8) == kept)
capturing = False
print("after the capture", run(workspaces, 60, 8) == kept)
