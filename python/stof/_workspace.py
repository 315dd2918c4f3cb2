"""Memory for the intermediate values of runs, kept from one run to the next."""

ALIGNMENT = 256


class Workspace:
    """Memory for one run at a time; `base` is the address in it that kernels use. It can serve later runs on `stream`, or
    none if that is None."""

    __slots__ = ("base", "bytes", "stream", "_memory")

    def __init__(self, call, stream=None):
        self._memory = call.allocate_workspace()
        self.base = -(-call.backend.address(self._memory) // ALIGNMENT) * ALIGNMENT
        self.bytes, self.stream = call.workspace_bytes, stream


class Workspaces:
    """The workspaces of runs on one device. A run takes one and puts it back once its kernels are queued, as runs after it on
    the same stream wait for these. A run on another stream, or at the same time in another thread, has one of its own."""

    __slots__ = ("_is_capturing", "_most", "_kept")

    def __init__(self, backend, device, most_bytes=None):
        """Larger ones than `most_bytes`, if given, are not kept."""
        self._is_capturing, self._most = backend.find_capturing(device), most_bytes
        self._kept = []

    def take(self, call, stream):
        """A workspace for a run of `call` on `stream`."""
        # The graph that captures a run has memory of its own, and may outlive this object.
        if self._is_capturing() or self._most is not None and call.workspace_bytes > self._most:
            return Workspace(call)
        try:
            kept = self._kept.pop()
        except IndexError:
            return Workspace(call, stream)
        return kept if kept.stream == stream and kept.bytes >= call.workspace_bytes else Workspace(call, stream)

    def put(self, workspace):
        """Keeps what `take` returned for later runs."""
        if workspace.stream is not None:
            self._kept.append(workspace)
