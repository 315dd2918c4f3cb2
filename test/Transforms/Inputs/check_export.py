"""Compares exported arrays with the paper's example and with the definition of the format."""

import json
import sys

FIGURE = {
    "load_row_ptr": [0, 3, 6, 10, 13],
    "full_row_ptr": [0, 1, 3, 5, 7],
    "part_row_ptr": [0, 2, 3, 5, 6],
    "load_col_idx": [0, 1, 3, 0, 1, 2, 0, 1, 2, 3, 0, 2, 3],
    "full_col_idx": [0, 0, 1, 0, 2, 0, 3],
    "part_col_idx": [1, 3, 2, 1, 3, 2],
}
KINDS = [[1, 2, 0, 2], [1, 1, 2, 0], [1, 2, 1, 2], [1, 0, 2, 1]]


def in_figure(q, k):
    kind = KINDS[q // 64][k // 64]
    return kind == 1 or (kind == 2 and q % 64 >= k % 64)


def arrays(queries, keys, keep):
    """The arrays of a mask, pair by pair."""
    result = {f"{kind}_{name}": [0] if name == "row_ptr" else []
              for kind in ("load", "full", "part") for name in ("row_ptr", "col_idx")}
    bitmaps = []
    for i in range(-(-queries // 64)):
        for j in range(-(-keys // 64)):
            tile = [[64 * i + x < queries and 64 * j + y < keys and keep(64 * i + x, 64 * j + y) for y in range(64)]
                    for x in range(64)]
            count = sum(map(sum, tile))
            if count == 0:
                continue
            kind = "full" if count == 64 * 64 else "part"
            result["load_col_idx"].append(j)
            result[f"{kind}_col_idx"].append(j)
            if kind == "part":
                bitmaps += [sum(1 << (8 * r + c) for r in range(8) for c in range(8) if tile[x + r][y + c])
                            for y in range(0, 64, 8) for x in range(0, 64, 8)]
        for kind in ("load", "full", "part"):
            result[f"{kind}_row_ptr"].append(len(result[f"{kind}_col_idx"]))
    return result | {"bitmap_mask": bitmaps}


figure, heads, *missing = json.load(open(sys.argv[1]))["attentions"]
wrong = [name for name, array in FIGURE.items() if figure["masks"][0][name] != array]
expected = [(figure["masks"][0], 0, arrays(256, 256, in_figure))]
for head in range(2):
    expected.append((heads["masks"][head], head, arrays(100, 70, lambda q, k: q + 10 * head >= k)))
for mask, head, wanted in expected:
    wrong += [(head, name) for name, array in (wanted | {"batch": 0, "head": head}).items() if mask[name] != array]
wrong += [entry for entry in missing if "masks" in entry or not entry["missing"]]
print(f"{len(wrong)} wrong: {wrong}")
