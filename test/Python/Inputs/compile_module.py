"""Compiles a block of a transformer, and calls it in many ways."""

import collections

import stof
import torch
from torch import nn
from torch.utils import _pytree

torch.manual_seed(0)
Output = collections.namedtuple("Output", "hidden input scale")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(32), nn.Linear(32, 96), nn.Linear(32, 32)
        self.register_buffer("mask", torch.ones(16, 16, dtype=torch.bool).tril(), persistent=False)

    def forward(self, x, scale=1):
        batch, length, _ = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, 2, 16).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2)).masked_fill(~self.mask[:length, :length], float("-inf"))
        attended = scores.softmax(-1) @ v
        return Output(x + self.out(attended.transpose(1, 2).reshape(x.shape)), x, scale)


def agrees(compiled, module, *args, **kwargs):
    with torch.no_grad():
        expected = module(*args, **kwargs).hidden
        return torch.allclose(compiled(*args, **kwargs).hidden, expected, rtol=1e-5, atol=1e-5)


def fails(action):
    try:
        action()
    except (stof.ArgumentError, stof.ExportError) as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0])
    else:
        print("no error")


block, x = Block().eval(), torch.randn(2, 12, 32)
compiled = stof.compile(block, (x, 2))
print(compiled)
print(compiled.report.attentions[0])
returned = compiled(x)
print("positional", agrees(compiled, block, x), type(returned).__name__, returned.input is x, returned.scale + 1)
print("by keyword", agrees(compiled, block, scale=2, x=x))
print("strided", agrees(compiled, block, torch.randn(12, 2, 32).transpose(0, 1), 2))
print("at an odd address", agrees(compiled, block, torch.randn(1 + x.numel())[1:].view(x.shape), 2))
with torch.no_grad():
    block.qkv.weight.mul_(2)
print("weights changed in place", agrees(compiled, block, x, 2))
block.out.bias = nn.Parameter(torch.randn(32))
print("weights replaced", agrees(compiled, block, x, 2))
weights = {name: owner[key] for name, (owner, key) in zip(compiled._run.names[1:], compiled._weights)}
print("shared:", all(tensor is block.get_parameter(name) for name, tensor in weights.items()))
needed = x.clone().requires_grad_()
fails(lambda: compiled(needed))
print("under no_grad", agrees(compiled, block, needed, 2))
fails(lambda: compiled(x[:1]))
fails(lambda: compiled(x.double()))
fails(lambda: compiled(x, 3))
block.mask[0, 1] = True
fails(lambda: compiled(x))
block.mask[0, 1] = False
block.mask = block.mask.clone()
print("an equal mask", agrees(compiled, block, x, 2))

length = torch.export.Dim("length", max=15)
dynamic = stof.compile(block, (x,), {"x": {0: "batch", 1: length}})
print(dynamic)
for sizes in ([1, 1], [3, 15]):
    print(sizes, agrees(dynamic, block, torch.randn(*sizes, 32)))
fails(lambda: dynamic(torch.randn(1, 16, 32)))


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.randn(1, 16, 32))

    def forward(self, x):
        return Output(x + self.table[:, : x.shape[1]], x, 1)


positions = Positions().eval()
ranged = stof.compile(positions, x, {"x": {1: "length"}})
print("all positions", agrees(ranged, positions, torch.randn(2, 16, 32)))
fails(lambda: ranged(torch.randn(2, 17, 32)))
fails(lambda: stof.compile(block, (x, 2), {"y": {0: "batch"}}))


class Noise(nn.Module):
    def forward(self, x):
        return torch.rand_like(x) + x


noise, zeros, drawn = stof.compile(Noise().eval(), torch.zeros(64, 64)), torch.zeros(64, 64), []
print(noise)
for seed in (1, 1, 2):
    torch.manual_seed(seed)
    drawn += [noise(zeros), noise(zeros)]
print("random", [torch.equal(drawn[0], other) for other in drawn], [0 <= t.min() < 0.5 < t.max() < 1 for t in drawn[:1]])
