"""Masks as functions of torch, and what is found of them."""

import numpy
import torch
from stof._command.expressions import parse_mask
from stof.bench.case import Attention, Shape
from stof.bench.gallery import GALLERY
from stof.bench.structure import find_structure
from stof.bench.torch_mask import DenseMask
from stof.masks import Mask, causal, documents, padding, window

ids = numpy.array([[0] * 20 + [1] * 20, [0] * 5 + [1] * 35], "int32")
table = torch.randn(40, 40)
MASKS = [
    *(parse_mask(name, 40, torch.from_numpy) for name in GALLERY),
    ~causal(-3) & window(9) | ~window(30),
    documents(torch.from_numpy(ids)),
    padding(torch.tensor([11, 40])),
    Mask(lambda b, h, q, k: ((q - k) % 3 == 1) & (h % 2 == b) | (torch.minimum(q, k) > 30)),
    Mask(lambda b, h, q, k: ((q - k).abs() // 4 < 2) ^ (torch.maximum(q, k).clamp(max=20) << 1 > k)),
    Mask(lambda b, h, q, k: (table[q, k] * 0.5 + 0.1 > (q - k).float().exp()) | (torch.where(q > k, q, k) == 7)),
    Mask(lambda b, h, q, k: True),
]
for mask in MASKS:
    dense = DenseMask(mask, 2, 2, 40, 37, "cpu")
    rows = torch.cat([dense.rows(0, 13), dense.rows(13, 40)], 2).expand(2, 2, 40, 37)
    assert (rows.numpy() == mask.dense(40, 37, 2, 2)).all(), mask
print(len(MASKS), "masks")


def describe(text, queries=48, keys=48):
    structure = find_structure(DenseMask(parse_mask(text, queries, torch.from_numpy), 2, 2, queries, keys, "cpu"))
    parts = [f"{structure.nonzeros}"]
    parts += ["dense"] * structure.is_dense + ["causal"] * structure.is_causal
    parts += [f"band {structure.band}"] if structure.band else []
    if structure.documents:
        parts.append(f"documents {structure.documents}{' causal' * structure.are_documents_causal}")
    print(f"{text}:", ", ".join(parts))


describe("dense")
describe("causal")
describe("causal()", 8, 48)
describe("window(3, 5)")
describe("causal() & window(7, 0)")
describe(f"documents({[0] * 10 + [1] * 8 + [2] * 30})")
describe(f"causal() & documents({[0] * 10 + [1] * 8 + [2] * 30})")
describe("blocked(16)")
describe("longformer")
describe("~causal()")
describe("window(0)")
case = Attention("causal() & blocked(16)", Shape(2, 4, 2, 48, 48, 8), "f16", "cpu")
print(case, f"{case.density:.3f}", case.flops == 4 * 2 * 4 * 8 * case.structure.nonzeros, case.bytes)
