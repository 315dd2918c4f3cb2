"""Attention in the graphs of torch."""

import stof
import torch
from stof.masks import causal, documents
from stof.scores import soft_cap

torch.manual_seed(0)
query, key, value = (torch.randn(2, 4, 48, 16) for _ in range(3))
mask = causal() & documents(torch.arange(48) // 20)
score = soft_cap(20.0)


def model(query, key, value):
    out, lse = stof.attention(query * 2, key, value, mask=mask, score=score, return_lse=True)
    return out + stof.attention(query, key, value, mask=mask) + lse[..., None]


class Model(torch.nn.Module):
    def forward(self, query, key, value):
        return stof.attention(query, key, value, mask=mask)


def fails(error, action):
    try:
        action()
    except error as raised:
        print(type(raised).__name__, next(line for line in str(raised).splitlines() if "expects" in line).strip())
    else:
        print("no error")


compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
print("compiled", torch.equal(compiled(query, key, value), model(query, key, value)))
fixed = torch.compile(lambda *x: stof.attention(*x, mask=mask, dynamic=False), backend="eager", fullgraph=True)
print("static", torch.equal(fixed(query, key, value), stof.attention(query, key, value, mask=mask, dynamic=False)))
short = query[:, :, :20].contiguous()
print("other lengths", torch.equal(compiled(short, key, value), model(short, key, value)))
one = [tensor[:1].contiguous() for tensor in (query, key, value)]
three = [torch.cat([tensor, tensor[:1]]) for tensor in (query, key, value)]
print("other batches", [torch.equal(compiled(*tensors), model(*tensors)) for tensors in (three, one)])
step = query[:, :, :1].contiguous()
print("one query", torch.allclose(compiled(step, key, value), model(step, key, value), atol=1e-6))
stored = [tensor.transpose(1, 2).contiguous().transpose(1, 2) for tensor in (query, key, value)]
result = compiled(*stored)
print("positions first", torch.allclose(result, model(query, key, value), atol=1e-6), result.stride() == stored[0].stride())
for strict in (True, False):
    length = torch.export.Dim("length", min=2, max=48)
    shapes = {"query": {2: length}, "key": None, "value": None}
    exported = torch.export.export(Model(), (query, key, value), strict=strict, dynamic_shapes=shapes)
    print("exported", torch.equal(exported.module()(short, key, value), Model()(short, key, value)))
    batch = torch.export.Dim("batch", min=1, max=9)
    shapes = {"query": {0: batch}, "key": {0: batch}, "value": {0: batch}}
    exported = torch.export.export(Model(), (step, key, value), strict=strict, dynamic_shapes=shapes)
    print("one query of any batch", torch.allclose(exported.module()(step[:1], key[:1], value[:1]), Model()(step[:1], key[:1], value[:1]), atol=1e-6))
operator = torch.ops.stof.attention.default
captured = [torch.arange(48) // 20]
for tensors in ((query, key, value), stored):
    exported = torch.export.export(Model(), tuple(tensors))
    options = next(node.args[4:] for node in exported.graph.nodes if node.target is operator)
    checks = torch.library.opcheck(operator, (*tensors, captured, *options))
    print(sorted(set(checks.values())), len(checks))
fails(Exception, lambda: torch.compile(Model(), backend="eager", fullgraph=True)(query.double(), key, value))
fails(Exception, lambda: torch.compile(Model(), backend="eager", fullgraph=True)(query[..., ::2], key[..., ::2], value))
fails(Exception, lambda: torch.compile(Model(), backend="eager", fullgraph=True)(query.requires_grad_(), key, value))
fails(Exception, lambda: torch.compile(lambda *x: stof.attention(*x, mask=lambda b, h, q, k: k <= q), fullgraph=True)(query, key, value))
