"""Decoders whose padding meets the mask of later keys as finite numbers, with sequences of padding alone, in three types."""

import torch
from torch import nn

import stof

BATCH, HEADS, LENGTH, DEPTH, LONGEST, WINDOW = 3, 2, 24, 16, 32, 5
# Padding at the start, everywhere, and at the end.
KEPT = torch.ones(BATCH, LENGTH, dtype=torch.int64)
KEPT[0, :7] = KEPT[1] = KEPT[2, 15:] = 0


def combine(kept, dtype):
    """The mask of later keys and of padding, as transformers adds it."""
    i = torch.arange(LENGTH)
    live = (i <= i[:, None]) & kept[:, None, None, :].bool()
    return torch.where(live, torch.zeros((), dtype=dtype), torch.finfo(dtype).min)


class Local(nn.Module):
    """As in GPT-Neo: a table fills in the lowest number of the scores, and that of the states is added."""

    def __init__(self, window):
        super().__init__()
        table = torch.ones(LONGEST, LONGEST).tril()
        self.bias = nn.Buffer((table - table.tril(-window)).bool(), persistent=False)

    def forward(self, q, k, v, kept):
        scores = q.float() @ k.float().transpose(-1, -2)
        scores = torch.where(self.bias[:LENGTH, :LENGTH], scores, torch.finfo(scores.dtype).min)
        return (scores + combine(kept, q.dtype)).softmax(-1).to(q.dtype) @ v


class Slopes(nn.Module):
    """As in BLOOM: a slope of each head, a power of a constant, times the position among the tokens that are no padding."""

    def forward(self, q, k, v, kept):
        slopes = torch.pow(2.0**-4, torch.arange(1, HEADS + 1))
        bias = slopes[:, None] * ((kept.cumsum(-1) - 1) * kept)[:, None]
        scores = (DEPTH**-0.5 * (q @ k.transpose(-1, -2)) + bias[:, :, None].to(q.dtype)) + combine(kept, q.dtype)
        return scores.softmax(-1, dtype=torch.float32).to(q.dtype) @ v


class Twice(nn.Module):
    """As in early decoders of transformers: both lowest numbers are added, so keys with both have minus infinity."""

    def forward(self, q, k, v, kept):
        lowest = torch.finfo(q.dtype).min
        later = torch.full((LENGTH, LENGTH), lowest, dtype=q.dtype).triu(1)
        padding = torch.zeros(BATCH, 1, 1, LENGTH, dtype=q.dtype).masked_fill(kept[:, None, None] == 0, lowest)
        return (q @ k.transpose(-1, -2) + (later + padding)).softmax(-1, dtype=torch.float32).to(q.dtype) @ v


torch.manual_seed(0)
models = {"global": Local(LONGEST), "window": Local(WINDOW), "slopes": Slopes(), "twice": Twice()}
for dtype, tolerance in ((torch.float32, 1e-5), (torch.bfloat16, 3e-2), (torch.float16, 5e-3)):
    states = [torch.randn(BATCH, HEADS, LENGTH, DEPTH).to(dtype) for _ in range(3)]
    examples = {name: stof.Example(model.eval(), (*states, KEPT)) for name, model in models.items()}
    compiled = stof.compile_functions(examples, ["cpu"])
    for name, model in models.items():
        (attention,) = compiled[name].report.attentions
        result, expected = compiled[name](*states, KEPT), model(*states, KEPT)
        agree = torch.allclose(result.float(), expected.float(), rtol=tolerance, atol=tolerance)
        print(f"{name} in {str(dtype)[6:]}, {attention.source}: {'agrees' if agree else 'differs'}")
