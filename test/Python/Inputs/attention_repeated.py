"""Calls of attention that repeat others, of which only what may differ is compared."""

import gc
import threading
import weakref

import stof
import torch
from stof.masks import Mask, causal, documents
from stof.scores import Score, bias

torch.manual_seed(0)


def draw(*shape):
    return [torch.randn(*shape) for _ in range(3)]


def expect(tensors, keep=None, bias=0.0):
    scores = tensors[0] @ tensors[1].transpose(-1, -2) * tensors[0].shape[-1] ** -0.5 + bias
    return (scores if keep is None else scores.masked_fill(~keep, float("-inf"))).softmax(-1) @ tensors[2]


def agrees(tensors, expected, **options):
    """Whether calls are right, the first and those after it."""
    results = [stof.attention(*tensors, **options) for _ in range(3)]
    return all(torch.allclose(result, expected, atol=1e-5) for result in results)


x, y, short = draw(2, 2, 24, 8), draw(2, 2, 24, 8), draw(1, 2, 7, 8)
tril = torch.ones(24, 24, dtype=torch.bool).tril()
mask = causal()
of_short = expect(short, tril[:7, :7])
cases = [(x, expect(x, tril)), (y, expect(y, tril)), (short, of_short), (x, expect(x, tril))]
print("others", [agrees(given, expected, mask=mask) for given, expected in cases])
print("one tensor three times", agrees([x[0]] * 3, expect([x[0]] * 3, tril), mask=mask))
stored = [tensor.transpose(1, 2).contiguous().transpose(1, 2) for tensor in x]
strides = stof.attention(*stored, mask=mask).stride()
print("positions first", agrees(stored, expect(x, tril), mask=mask), strides == stored[0].stride())
print("query alone", agrees([stored[0], *x[1:]], expect(x, tril), mask=mask))
pair = [stof.attention(*stored, mask=mask, return_lse=True) for _ in range(2)][1]
print("with lse", torch.allclose(pair[0], expect(x, tril), atol=1e-5), list(pair[1].shape), pair[1].is_contiguous())
scaled = agrees(x, expect([x[0] * 2, *x[1:]]), scale=2 * 8**-0.5)
print("options", agrees(x, expect(x), mask=None), scaled, agrees(x, expect(x), dynamic=False))
with torch.inference_mode():
    made = draw(2, 2, 24, 8)
    print("inference", agrees(x, expect(x, tril), mask=mask), agrees(made, expect(made, tril), mask=mask))
with torch.autocast("cpu", torch.bfloat16):
    print("autocast", stof.attention(*x, mask=mask).dtype)

parameters = [torch.nn.Parameter(tensor) for tensor in x]
with torch.no_grad():
    print("parameters", agrees(parameters, expect(x, tril), mask=mask))
ids = torch.arange(24) // 5
packed, table = documents(ids), torch.randn(24, 24)
biased = bias(table)
scored = agrees(x, expect(x, tril, table), mask=mask, score=biased)
print("captured", agrees(x, expect(x, ids[:, None] == ids), mask=packed), scored)
ids.copy_(torch.arange(24) // 7)
print("captured, changed", agrees(x, expect(x, ids[:, None] == ids), mask=packed))


def report(what, tensors, **options):
    """The error of a call after others, which is that of one without others before it."""
    messages = []
    for used in (options.get("mask"), Mask(lambda b, h, q, k: q >= k)):
        try:
            stof.attention(*tensors, **{**options, "mask": used})
            messages.append("none")
        except stof.ArgumentError as error:
            messages.append(str(error))
    print(f"{what}: {messages[0]}" if messages[0] == messages[1] else messages)


stof.attention(*x, mask=mask)
odd = torch.randn(2 * 2 * 24 * 8 + 1)[1:].view(2, 2, 24, 8)
report("address", [x[0], odd, x[2]], mask=mask)
report("strides", [x[0], x[1], torch.randn(2, 2, 24, 16)[..., ::2]], mask=mask)
report("dtype", [x[0], x[1].double(), x[2]], mask=mask)
report("shape", [x[0], x[1][0], x[2]], mask=mask)
report("gradient", [parameters[0], *x[1:]], mask=mask)
report("class", [x[0], x[1], None], mask=mask)
report("scale", x, mask=mask, scale=[1.0])
ids.resize_(10)
try:
    stof.attention(*x, mask=packed)
except stof.ArgumentError as error:
    print("captured, resized:", error)

kept = weakref.ref(table)
del table, biased
gc.collect()
print("released", kept() is None)
wrong = []


def work(tensors, expected):
    for _ in range(200):
        if not torch.allclose(stof.attention(*tensors, mask=mask), expected, atol=1e-5):
            wrong.append(tensors)


cases = [(x, expect(x, tril)), (short, of_short), (stored, expect(x, tril))]
threads = [threading.Thread(target=work, args=case) for case in cases]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("threads", not wrong)
