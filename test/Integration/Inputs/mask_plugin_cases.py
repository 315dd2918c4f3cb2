"""Attentions whose masks a plugin defines, in the form of attention_cases.py."""

import random

from attention_cases import LONG, Case

SEGMENTS = [random.Random(1).randrange(3) for _ in range(LONG)]


def checkerboard(side):
    return dict(
        definition=f"test_masks.checkerboard {side} : {{}}",
        keep=lambda b, h, q, k: (q // side + k // side) % 2 == 0,
    )


def segments(count, extent):
    """Segments of the first `count` positions, which are interleaved."""
    return dict(
        queries=count, keys=count,
        definition=f"test_masks.segments %ids : tensor<{extent}xi32> -> {{}}",
        captures={"ids": (f"{extent}xi32", "i32", [count], SEGMENTS[:count])},
        keep=lambda b, h, q, k: k <= q and SEGMENTS[q] == SEGMENTS[k],
    )


def cases():
    yield Case("checkerboard", queries=150, keys=170, batch=1, key_heads=2, lse=True, **checkerboard(16))
    yield Case("checkerboard_odd", queries=70, keys=90, batch=1, dtype="f16", sinks=True, **checkerboard(7))
    yield Case("checkerboard_tiles", queries=256, keys=256, batch=1, heads=1, key_heads=1, **checkerboard(64))
    yield Case("checkerboard_dynamic", queries=130, keys=130, batch=1, dynamic=True, **checkerboard(32))
    # Queries of the second block have no key among the first.
    yield Case("checkerboard_empty", queries=9, keys=4, empty_rows="nan", lse=True, **checkerboard(4))
    yield Case("segments", lse=True, **segments(9, "9"))
    yield Case("segments_long", heads=1, key_heads=1, **segments(LONG, str(LONG)))
    yield Case("segments_dynamic", heads=1, key_heads=1, dynamic=True, dtype="bf16", **segments(LONG, "?"))
