"""Tables of the tiles that a mask touches, as layouts of storage `tables` have them."""

import numpy as np

from kernel_cases import Tensor


def list_tiles(keep, room):
    """The ranges, `room` entries and the bitmaps of the tiles of 64 x 64; each tile has a bitmap of its own."""
    rows, columns = keep.shape[0] // 64, keep.shape[1] // 64
    tiles = keep.reshape(rows, 64, columns, 64).swapaxes(1, 2)
    # Of a row each thread's 16 bits lie together.
    column = np.arange(64)
    bits = np.zeros((rows * columns, 64, 64), np.uint8)
    bits[..., column // 2 % 4 * 16 + column // 8 * 2 + column % 2] = tiles.reshape(-1, 64, 64)
    words = np.packbits(bits, axis=2, bitorder="little").view(np.int32)
    entries, ranges = [], []
    for row in range(rows):
        first = len(entries)
        kept = [at for at in range(columns) if tiles[row, at].any()]
        entries += [(row * columns + at << 32) + 2 * at + 1 for at in kept if not tiles[row, at].all()]
        full = len(entries)
        entries += [2 * at for at in kept if tiles[row, at].all()]
        ranges.append([first, full, len(entries)])
    return [Tensor([[ranges]], "i64"), Tensor(entries + [0] * (room - len(entries)), "i64"), Tensor(words, "i32")]
