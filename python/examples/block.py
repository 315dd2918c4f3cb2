"""A block of a transformer for the command line: `python -m stof compile python/examples/block.py:make -o PKG`."""

import torch
from torch import nn


class Block(nn.Module):
    """Causal attention with a residual."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        attended = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return x + self.out(attended.transpose(1, 2).flatten(2))


def make(width=256, heads=4, length=128):
    """The module, and an example of its inputs. `--set width=128` changes an argument."""
    return Block(width, heads), torch.randn(1, length, width)
