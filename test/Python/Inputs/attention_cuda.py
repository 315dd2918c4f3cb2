"""Attention on a GPU against float64: on the current stream, without waiting for the device, in graphs of torch."""

import threading

import numpy
import reference
import stof
import torch
from stof.masks import causal, documents, global_tokens, padding, window
from stof.scores import alibi, soft_cap

ids = torch.arange(300, device="cuda") // 70
lengths = torch.tensor([300, 0], device="cuda")
slopes = torch.tensor([0.5, 0.25, 0.125, 0.0625], device="cuda")
CASES = [
    (causal() & window(40) | global_tokens(3), None),
    (causal() & documents(ids), soft_cap(20.0)),
    (padding(lengths), alibi(slopes)),
]


def expect(query, key, value, mask, score):
    """The result in float64, of numpy."""
    batch, heads, queries, _ = query.shape
    arrays = [tensor.float().cpu().numpy() for tensor in (query, key, value)]
    functions = {
        None: None,
        CASES[1][1]: lambda s, b, h, q, k: 20 * numpy.tanh(s / 20),
        CASES[2][1]: lambda s, b, h, q, k: s + slopes.cpu().numpy()[h] * (k - q),
    }
    return reference.attend(*arrays, mask.dense(queries, key.shape[2], batch, heads), 0.125, functions[score])


torch.manual_seed(0)
runs = 0
for dtype, tolerance in ((torch.float16, 4e-3), (torch.bfloat16, 3e-2), (torch.float32, 2e-3)):
    for mask, score in CASES:
        for queries, keys in ((300, 300), (37, 130), (1, 300)):
            query = torch.randn(2, 4, queries, 64, device="cuda", dtype=dtype)
            key, value = (torch.randn(2, 2, keys, 64, device="cuda", dtype=dtype) for _ in range(2))
            out, lse = stof.attention(query, key, value, mask=mask, score=score, return_lse=True)
            expected, expected_lse = expect(query, key, value, mask, score)
            assert out.dtype == dtype and lse.dtype == torch.float32
            assert abs(out.float().cpu().numpy() - expected).max() < tolerance, (mask, dtype)
            finite = numpy.isfinite(expected_lse)
            assert abs(lse.cpu().numpy()[finite] - expected_lse[finite]).max() < tolerance
            runs += 1
print(runs, "attentions")
stored = [tensor.transpose(1, 2).contiguous().transpose(1, 2) for tensor in (query, key, value)]
out = stof.attention(*stored, mask=mask, score=score)
agrees = abs(out.float().cpu().numpy() - expected).max() < tolerance
print("positions first", agrees, out.stride() == stored[0].stride())

torch.cuda.set_sync_debug_mode("error")
stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    first = stof.attention(query, key, value, mask=mask, score=score)
torch.cuda.set_sync_debug_mode("default")
stream.synchronize()
print("on a stream", torch.equal(first, stof.attention(query, key, value, mask=mask, score=score)))
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    captured = stof.attention(query, key, value, mask=mask, score=score)
query.copy_(torch.randn_like(query))
graph.replay()
print("in a graph", torch.equal(captured, stof.attention(query, key, value, mask=mask, score=score)))
steps = [torch.randn(1, 8, 1, 64, device="cuda", dtype=torch.float16) for _ in range(200)]
cache = [torch.randn(1, 2, 3000, 64, device="cuda", dtype=torch.float16) for _ in range(2)]
alone = [stof.attention(step, *cache).clone() for step in steps]
found = [None] * len(steps)


def attend(first):
    for index in range(first, len(steps), 2):
        found[index] = stof.attention(steps[index], *cache)


threads = [threading.Thread(target=attend, args=(first,)) for first in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("decoding in threads", all(map(torch.equal, alone, found)))
try:
    stof.attention(query, key, value, mask=documents(ids.cpu()))
except stof.ArgumentError as error:
    print(error)
