"""Compiles small functions with operations that real models use, all in one package."""

import stof
import torch
from torch import nn
from torch.nn import functional

torch.manual_seed(0)
x, table = torch.randn(2, 6, 16), torch.randn(16, 16)


def insert_slices(x):
    """Multi-head latent attention joins parts of keys in a new tensor."""
    joined = x.new_empty(2, 6, 24)
    joined[..., :16] = x
    joined[..., 16:] = x[..., :8].sin()
    return joined


def route_tokens(x):
    weights, experts = x.softmax(-1).topk(2, sorted=False)
    return weights / weights.sum(-1, keepdim=True), experts


def group_experts(x):
    """Rows by the expert that is their largest element, as transformers computes experts in groups."""
    rows, experts = x.reshape(12, 16), torch.arange(4 * 16 * 8, dtype=x.dtype).reshape(4, 16, 8).sin()
    choice, order = (rows[:, :4].argmax(-1)).sort()
    counts = torch.histc(choice.float(), bins=4, min=0, max=3)
    return torch._grouped_mm(rows[order], experts, offs=counts.cumsum(0).to(torch.int32)), order


def sort_rows(x):
    values, order = x.sort(-1, descending=True)
    return values, order


def sum_reversed(x):
    """Lengths of audio become masks by sums of flags from the end."""
    return (x > 1).long().flip([-1]).cumsum(-1).flip([-1]).bool()


def put_indices(x):
    filled = torch.zeros(8, 16)
    filled[torch.tensor([5, 1, 2])] = x[0, :3]
    return filled.index_add(0, torch.tensor([0, 0, 7]), x[1, :3])


def scatter_rows(x):
    return torch.zeros(2, 6, 16).scatter(-1, x.argsort(-1), x) + x.gather(-1, x.argsort(-1))


def rotate_complex(x):
    angles = torch.outer(torch.arange(6.0), torch.tensor([1.0, 0.1, 0.01, 0.001]))
    numbers = torch.view_as_complex(x.reshape(2, 6, 2, 4, 2))
    rotated = numbers * (torch.polar(torch.ones_like(angles), angles) * 0.5)[:, None]
    return torch.view_as_real(rotated).flatten(2), rotated.abs()


def chain_masks(x):
    rows = torch.arange(6)
    kept = (rows[:, None] >= rows) & (rows[:, None] - rows < 4)
    bias = torch.zeros(6, 6).masked_fill(~kept, float("-inf"))
    scores = torch.where(x[..., :1] > 3, torch.finfo(x.dtype).min, x @ x.transpose(-1, -2) + bias)
    return scores.masked_fill(rows == 5, float("-inf")).softmax(-1) @ x


def stretch_groups(x):
    """Audio codecs."""
    pairs, channels = table[:6].reshape(6, 2, 8), table[:3].reshape(6, 1, 2, 4)
    first = functional.conv_transpose1d(x, pairs, stride=3, padding=1, output_padding=2, groups=3)
    planes = x.reshape(2, 6, 4, 4)
    return first, functional.conv_transpose2d(planes, channels, stride=(2, 1), padding=(0, 1), dilation=(1, 2), groups=6)


def resize_bicubic(x):
    return functional.interpolate(x[None], size=(7, 9), mode="bicubic")


def resize_smoothly(x):
    options = {"mode": "bilinear", "antialias": True}
    smaller = functional.interpolate(x[None], size=(4, 5), align_corners=True, **options)
    return smaller, functional.interpolate(x[None], scale_factor=(1.5, 0.7), **options)


def resize_as_stored(x):
    """What follows views the result as it is in memory: features last."""
    places = functional.interpolate(x[None].permute(0, 3, 1, 2), size=(3, 4), mode="bicubic", antialias=True)
    return places.permute(0, 2, 3, 1).view(1, -1, 16) + 1


def accumulate_extrema(x):
    rounded = (x * 2).round()
    return *rounded.cummax(-1), *rounded.cummin(1), (x > 0).long().cummax(1).values


def correlate(x):
    frequencies = torch.fft.rfft(x, n=15, dim=1)
    spectrum = torch.fft.fft2(x) * 0.5
    return torch.fft.irfft(frequencies * frequencies.conj(), n=15, dim=1), torch.fft.ifftn(spectrum, dim=(1, 2)).real


def join_empty(x):
    """Rotations of a part of the features that is empty."""
    rotated = x[..., 16:].unflatten(-1, (0, 2)).flip(-1).flatten(-2) * 2
    return torch.cat([x.sin(), rotated], -1), (x.new_zeros(2, 0, 16) + 1).sum(1)


def share_constant(x):
    """Layers share the table of relative positions."""
    return x @ table + x.sin() @ table


def gelu_tanh(x):
    return functional.gelu(3 * x, approximate="tanh")


def merge_heads(x):
    batch, length, _ = x.shape
    heads = x.view(batch, length, 2, 8).transpose(1, 2)
    attended = functional.scaled_dot_product_attention(heads, heads, heads, is_causal=True)
    return attended.transpose(1, 2).reshape(batch * length, 16).view(batch, -1, 16)


def merge_tokens(x):
    """Tokens of all sequences, as routers see them."""
    return x.reshape(-1, 16).softmax(-1).sum(-1, keepdim=True) * x.reshape(-1, 16)


class Module(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def check(name, compiled, function, x):
    results, expected = compiled(x), function(x)
    if isinstance(expected, torch.Tensor):
        results, expected = (results,), (expected,)
    agree = all(torch.allclose(*pair, rtol=1e-5, atol=1e-5) for pair in zip(results, expected))
    print(f"{name} {'agrees' if agree else f'differs: {results}, but expects {expected}'}")


functions = [
    insert_slices,
    route_tokens,
    group_experts,
    sort_rows,
    sum_reversed,
    put_indices,
    scatter_rows,
    rotate_complex,
    chain_masks,
    stretch_groups,
    resize_bicubic,
    resize_smoothly,
    resize_as_stored,
    accumulate_extrema,
    correlate,
    join_empty,
    share_constant,
    gelu_tanh,
    merge_heads,
    merge_tokens,
]
dynamic = {function: {"x": {0: "batch", 1: "length"}} for function in (merge_heads, merge_tokens)}
examples = {f.__name__: stof.Example(Module(f).eval(), x, dynamic.get(f)) for f in functions}
compiled = stof.compile_functions(examples)
for function in functions:
    check(function.__name__, compiled[function.__name__], function, x)
for function in dynamic:
    check(f"{function.__name__} of other sizes", compiled[function.__name__], function, torch.randn(3, 5, 16))
