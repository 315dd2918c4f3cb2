"""Pictures of masks by matplotlib, which is optional."""

from __future__ import annotations

from typing import Any

from ._errors import ArgumentError

EMPTY, PARTIAL, FULL = range(3)
_COLORS = ("#ffffff", "#f2b134", "#2f5d8a")


def classify_tiles(dense: Any, tile: tuple[int, int]) -> Any:
    """EMPTY, PARTIAL or FULL for each tile of `dense`, an array of bool [queries, keys]; only positions in bounds
    count."""
    import numpy

    rows, columns = tile
    if rows < 1 or columns < 1:
        raise ArgumentError(f"expects a tile of positive sides, but got {rows} x {columns}")
    starts = numpy.arange(0, dense.shape[0], rows), numpy.arange(0, dense.shape[1], columns)
    sums = numpy.add.reduceat(numpy.add.reduceat(dense.astype("int64"), starts[0], 0), starts[1], 1)
    heights = numpy.minimum(rows, dense.shape[0] - starts[0])
    widths = numpy.minimum(columns, dense.shape[1] - starts[1])
    whole = heights[:, None] * widths[None, :]
    return numpy.where(sums == 0, EMPTY, numpy.where(sums == whole, FULL, PARTIAL))


def draw_tiles(dense: Any, tile: tuple[int, int], title: str, axes: Any) -> Any:
    """Draws the tiles of a mask into `axes`, or a new figure, and returns the axes."""
    tiles = classify_tiles(dense, tile)
    try:
        from matplotlib import colors, patches, pyplot
    except ImportError as error:
        raise ImportError("stof draws masks with matplotlib, which is not installed: pip install matplotlib") from error
    axes = axes or pyplot.subplots()[1]
    extent = (0, dense.shape[1], dense.shape[0], 0)
    cells = tiles.repeat(tile[0], 0).repeat(tile[1], 1)[: dense.shape[0], : dense.shape[1]]
    axes.imshow(cells, colors.ListedColormap(_COLORS), vmin=EMPTY, vmax=FULL, extent=extent, interpolation="nearest")
    counts = [int((tiles == kind).sum()) for kind in (FULL, PARTIAL, EMPTY)]
    labels = [f"{count} {name}" for count, name in zip(counts, ("full", "partial", "empty"))]
    handles = [
        patches.Patch(facecolor=_COLORS[kind], edgecolor="#808080", label=label)
        for kind, label in zip((FULL, PARTIAL, EMPTY), labels)
    ]
    axes.legend(handles=handles, loc="upper right")
    axes.set(title=f"{title}, tiles of {tile[0]} x {tile[1]}", xlabel="key", ylabel="query")
    return axes
