"""BLAKE3 (github.com/BLAKE3-team/BLAKE3-specs), written to be read: the hash that manifests have of each file."""

import struct

BLOCK, CHUNK = 64, 1024
START = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
MASK = 0xFFFFFFFF


def rotate(word, count):
    return (word >> count | word << (32 - count)) & MASK


def compress(chain, words, counter, length, flags):
    """The eight words that a block makes of those before it."""
    state = [*chain, *START[:4], counter & MASK, counter >> 32, length, flags]
    for _ in range(7):
        for turn, (a, b, c, d) in enumerate(COLUMNS + DIAGONALS):
            for word, first, second in ((words[2 * turn], 16, 12), (words[2 * turn + 1], 8, 7)):
                state[a] = (state[a] + state[b] + word) & MASK
                state[d] = rotate(state[d] ^ state[a], first)
                state[c] = (state[c] + state[d]) & MASK
                state[b] = rotate(state[b] ^ state[c], second)
        words = [words[place] for place in ORDER]
    return [low ^ high for low, high in zip(state[:8], state[8:])]


def chunk(data, counter, flags):
    chain = START
    starts = range(0, len(data), BLOCK) if data else [0]
    for start in starts:
        block = data[start : start + BLOCK]
        words = struct.unpack("<16I", block.ljust(BLOCK, b"\0"))
        marks = (CHUNK_START if start == 0 else 0) | (CHUNK_END | flags if start == starts[-1] else 0)
        chain = compress(chain, words, counter, len(block), marks)
    return chain


def tree(data, counter, flags):
    """The words of some chunks, the left half of which is as large a power of two as can be."""
    if len(data) <= CHUNK:
        return chunk(data, counter, flags)
    left = CHUNK << ((len(data) - 1) // CHUNK).bit_length() - 1
    words = tree(data[:left], counter, 0) + tree(data[left:], counter + left // CHUNK, 0)
    return compress(START, words, 0, BLOCK, PARENT | flags)


def digest(data):
    return struct.pack("<8I", *tree(bytes(data), 0, ROOT)).hex()
