"""Compiles attentions for GPUs that need not be here; the kernels of what is particular to masks and scores in Python."""

import pathlib
import sys

import numpy
from stof import _attention
from stof._compiler import compile_module
from stof._module import AttentionShape
from stof.masks import Mask, block_list, blocks, dilated, padding
from stof.scores import Score, alibi, soft_cap

folder = pathlib.Path(sys.argv[1])
masks = [
    blocks(numpy.zeros((4, 3, 3), bool), (64, 64)) & padding(numpy.zeros(2, "uint8")),
    block_list(numpy.zeros(4, "int32"), numpy.zeros(9, "int32"), (64, 64)),
    Mask(lambda b, h, q, k: ((q ^ k) & (q << 1) > 3) | (q % (h + 1) == 0)) | dilated(3, 4),
]
score = soft_cap(20).then(alibi(numpy.zeros(4, "float16"))).then(
    Score(lambda s, b, h, q, k: numpy.where(k % 7 == 3, s * numpy.sin(q / 3.0), s + numpy.sqrt(abs(q - k) + 1.0) ** -0.3))
)
kernels = 0
for mask in masks:
    shape = AttentionShape("bf16", 4, 2, 64, 128)
    text = _attention.write(mask, score, shape, 0.125, True)
    report = compile_module(text, folder / "package", targets=["sm_90a"]).report
    kernels += sum(kernel["kind"] == "attention" for function in report["functions"] for kernel in function["kernels"])
print(f"{len(masks)} masks, {kernels} kernels")
