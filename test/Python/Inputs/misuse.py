"""Every misuse is an error of the kind and the words that the test expects; nothing is compiled for them."""

import numpy
import reference
import stof
from stof import masks, scores
from stof.masks import Mask

q, k, v = reference.draw(0, 2, 4, 2, 8, 8, 16, 16)
ids = numpy.zeros(8, "int32")
strided = numpy.asfortranarray(q)
block_list = masks.block_list(numpy.zeros(2, "int32"), numpy.zeros(4, "int32"), (8, 8))


def attend(query=q, key=k, value=v, **options):
    return lambda: stof.attention(query, key, value, **options)


def mask(predicate):
    return lambda: Mask(predicate)


def score(function):
    return lambda: scores.Score(function)


shifted = numpy.empty(q.size + 1, "float32")[1:].reshape(q.shape)
if shifted.ctypes.data % 16 == 0:
    shifted = numpy.empty(q.size + 2, "float32")[2:].reshape(q.shape)

leaked = []
Mask(lambda b, h, q, k: leaked.append(q) or True)

MISUSES = [
    # Tensors.
    attend(query=[1, 2]),
    attend(query=q[0]),
    attend(query=q.astype("float64")),
    attend(key=k.astype("float16")),
    attend(key=k[:1]),
    attend(key=numpy.ascontiguousarray(k[..., :8])),
    attend(value=numpy.ascontiguousarray(v[:, :, :5])),
    attend(query=numpy.ascontiguousarray(q[:, :3])),
    attend(query=numpy.ascontiguousarray(q[:, :, :0])),
    attend(query=strided),
    attend(query=shifted),
    attend(scale="0.5"),
    attend(scale=float("nan")),
    attend(mask=True),
    attend(score=1.0),
    attend(mask=masks.documents(ids[:5])),
    attend(score=scores.alibi(numpy.zeros(3, "float32"))),
    attend(mask=block_list, query=numpy.ascontiguousarray(numpy.tile(q, (1, 1, 2, 1)))),
    # Predicates.
    mask(lambda b, h, q, k: q - k),
    mask(lambda b, h, q, k: q > k and k > 3),
    mask(lambda b, h, q, k: 0 <= q - k <= 3),
    mask(lambda b, h, q, k: range(q)),
    mask(lambda b, h, q, k: ids[q] == 0),
    mask(lambda b, h, q, k: masks.captured(ids)[q / 2] == 0),
    mask(lambda b, h, q, k: masks.captured(ids)[q, k] == 0),
    mask(lambda b, h, q, k: masks.captured(numpy.zeros((8, 8)))[q, k] > 0),
    mask(lambda b, h, q, k: masks.captured(numpy.zeros((8, 8), "float32"))[q] > k),
    mask(lambda b, h, q, k: q > "3"),
    mask(lambda b, h, q, k: numpy.cumsum(q) > k),
    mask(lambda b, h, q, k: (q / 2) & 1 == 0),
    mask(lambda b, h, q, k: q.to("float16") > k),
    mask(lambda b, h, q, k: q.clamp(k, out=q) > 0),
    mask(lambda b, h, q, k: numpy.add.reduce(q) > k),
    mask(lambda b, h, q, k: q.new_full((2,), 1) > k),
    mask(lambda b, h, q, k: q.clamp(1, 2, 3) > k),
    mask(lambda b, h, q, k: leaked[0] > k),
    mask(3),
    score(lambda s, b, h, q, k: q > k),
    score("s"),
    # Constructors.
    lambda: masks.window(-1),
    lambda: masks.window(2.5),
    lambda: masks.causal(0.5),
    lambda: masks.dilated(0),
    lambda: masks.dilated(2, right=1),
    lambda: masks.strided(4, -1),
    lambda: masks.blocked(True),
    lambda: masks.prefix("4"),
    lambda: masks.padding(None),
    lambda: masks.padding(numpy.zeros((2, 2), "int32")),
    lambda: masks.documents(3),
    lambda: masks.documents(numpy.zeros((1, 2, 3), "int32")),
    lambda: masks.blocks(ids, (4, 4)),
    lambda: masks.block_list(numpy.zeros(2), ids, (8, 8)),
    lambda: masks.captured(ids)[3],
    lambda: block_list & masks.causal(),
    lambda: ~block_list,
    lambda: scores.soft_cap(0),
    lambda: scores.bias(ids),
    lambda: masks.documents(ids).dense(9),
    lambda: masks.causal().explain(64, target="cpu-reference"),
]

for number, misuse in enumerate(MISUSES):
    try:
        misuse()
    except stof.ArgumentError as error:
        print(f"{number}: {error}")
    else:
        print(f"{number}: no error")
print(f"{len(MISUSES)} misuses")
