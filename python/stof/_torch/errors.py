"""The exceptions of tracing and lowering."""

from collections.abc import Mapping
from typing import Any


class ExportError(ValueError):
    """A torch module cannot be traced or lowered, or what it takes and returns cannot be that of a compiled function.

    `reasons` has the nodes of the graph that are the reason, with what is known of each.
    """

    def __init__(self, message: str, reasons: Mapping[Any, str] | None = None) -> None:
        super().__init__(message)
        self.reasons = dict(reasons or {})


# Of what depends on the values of tensors.
ADVICE = "If these are values of an argument, constants= can name it, and what is compiled is for its values in the example"
