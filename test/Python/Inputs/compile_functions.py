"""Compiles modules with state that they change."""

import stof
import torch
from torch import nn

torch.manual_seed(0)
LENGTH = 12


class Attention(nn.Module):
    """Attention on a cache, into which it first writes keys and values at `positions`."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(1, LENGTH, 16))

    def forward(self, x, positions):
        q, k, v = self.qkv(x).chunk(3, -1)
        self.keys.index_copy_(1, positions, k)
        self.values.index_copy_(1, positions, v)
        kept = torch.arange(LENGTH) <= positions[:, None]
        scores = (q @ self.keys.transpose(-1, -2)).masked_fill(~kept, float("-inf"))
        return scores.softmax(-1) @ self.values


module = Attention().eval()
x, prompt = torch.randn(1, 8, 16), torch.arange(5)
functions = stof.compile_functions(
    {
        "prefill": stof.Example(module, (x[:, :5], prompt)),
        "decode": stof.Example(module, {"x": x[:, :1], "positions": prompt[:1]}),
    }
)
prefill, decode = functions["prefill"], functions["decode"]
print(sorted(stof.load(prefill.archive).functions), "in", "one package" if prefill.archive is decode.archive else "two")
print("decode donates", [decode._run.names[argument] for argument in sorted(decode._run.donated)])
with torch.no_grad():
    expected = module(x, torch.arange(8))
caches = [module.keys, module.values]
addresses = [cache.data_ptr() for cache in caches]
for cache in caches:
    cache.zero_()


def agrees(result, start, end):
    return torch.allclose(result, expected[:, start:end], rtol=1e-5, atol=1e-5)


print("prompt", agrees(prefill(x[:, :5], prompt), 0, 5))
print("tokens", [agrees(decode(x[:, i : i + 1], torch.tensor([i])), i, i + 1) for i in range(5, 8)])
print("the same memory", [module.keys.data_ptr(), module.values.data_ptr()] == addresses)


class Counter:
    def __init__(self):
        self.count = torch.zeros(4)


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = Counter()

    def forward(self, x):
        self.counter.count.add_(1)
        return x + self.counter.count


class Adding(nn.Module):
    def forward(self, count, x):
        return count.add_(x)


module = Counting().eval()
counting = stof.compile(module, torch.zeros(4))
module.counter.count.zero_()
print("counts", [counting(torch.zeros(4))[0].item() for _ in range(3)])


class Rotating(nn.Module):
    def __init__(self):
        super().__init__()
        angles = torch.arange(4.0)
        self.register_buffer("rotation", torch.polar(torch.ones(4), angles))

    def forward(self, x, shift):
        return torch.view_as_complex(x.view(-1, 4, 2)) * self.rotation * 2 + shift


rotating = Rotating().eval()
inputs = torch.randn(3, 8), torch.randn(3, 4, dtype=torch.complex64)
print("complex", torch.allclose(stof.compile(rotating, inputs)(*inputs), rotating(*inputs)))
count, one = torch.zeros(8), torch.ones(8)
adding = stof.compile(Adding().eval(), (count.clone(), one))
returned = adding(count, one)
print("returned", returned is count, returned[0].item() == 1)
try:
    adding(torch.zeros(16)[::2], one)
except stof.ArgumentError as error:
    print(f"ArgumentError: {error}")
