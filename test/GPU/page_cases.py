"""Inputs and results for the kernels of pages.mlir and sent_pages.mlir."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized

KEYS = 256


def write_tables(lengths, keys, random):
    """The pages of sequences, of `keys` each, in a random order, and where those of each begin and end."""
    counts = [-(-length // keys) for length in lengths]
    # Others, and none at all, follow those of a sequence.
    pages = random.permutation(KEYS // keys)[:sum(counts)]
    ends = np.cumsum(counts)
    lists = [pages[end - count:end] for count, end in zip(counts, ends)]
    return np.append(pages, -1), ends - counts, ends, lists


def attend(q, k, v, keys, pages, length):
    """The results of one sequence, and their log-sum-exp."""
    at = (pages[:, None] * keys + np.arange(keys)).ravel()[:length]
    scores = q @ k[:, at].swapaxes(1, 2) / 8
    with np.errstate(all="ignore"):
        top = scores.max(2, keepdims=True, initial=-np.inf)
        power = np.exp(scores - top)
        total = power.sum(2, keepdims=True)
        return np.where(total == 0, 0, power @ v[:, at] / total), (top + np.log(total))[..., 0]


def make_case(module, kernel, shape, keys, lengths, random, by_batch=True, features=64):
    """`shape`: sequences, heads, and the queries of each."""
    sequences, heads, queries = shape
    entries, begins, ends, lists = write_tables(lengths, keys, random)
    k, v = random.standard_normal((heads, KEYS, 64)), random.standard_normal((heads, KEYS, features))
    free = np.setdiff1d(np.arange(KEYS // keys), entries[:-1])
    for page in free:
        k[:, page * keys:(page + 1) * keys] = v[:, page * keys:(page + 1) * keys] = np.nan
    q, k, v = (Tensor(array, "f16") for array in (random.standard_normal((sequences, heads, queries, 64)), k[None], v[None]))
    results = [attend(one, k.exact[0], v.exact[0], keys, pages, length)
               for one, pages, length in zip(q.exact, lists, lengths)]
    out, lse = (np.stack(parts) for parts in zip(*results))
    rows, grid = np.stack([begins, ends], 1), (-(-queries // 64), heads, sequences)
    if not by_batch:
        # Queries of one batch, sequence after sequence.
        rows, grid = np.append(begins, ends[-1]), (sequences, heads, 1)
        q, out, lse = (array.swapaxes(0, 1).reshape(1, heads, sequences * queries, *array.shape[3:])
                       for array in (q.array, out, lse))
        q = Tensor(q, "f16")
    return Case(module, kernel, grid,
                sized(q, k, v, Tensor(rows, "i32"), (Tensor(entries, "i32"), [0]),
                      Tensor(np.array(lengths)[:, None] if by_batch else np.array(lengths), "i32"),
                      empty(out.shape, "f16"), empty(lse.shape, "f32")),
                {7: out, 8: lse}, 2e-3)


def pages(random):
    # One key, none, and lengths that end within a page, at the end of one, and at that of a tile.
    for lengths in ((100, 1, 0), (48, 64, 33)):
        yield make_case("pages", "pages_0_attention", (3, 2, 4), 16, lengths, random)
        yield make_case("pages", "pages_1_attention", (3, 2, 4), 64, lengths[::-1], random)
        yield make_case("pages", "pages_2_attention", (3, 2, 16), 8, lengths, random, by_batch=False)


def sent_pages(random):
    for lengths in ((100, 1, 0), (48, 64, 33)):
        yield make_case("sent_pages", "sent_pages_0_attention", (3, 2, 40), 16, lengths, random, features=128)
