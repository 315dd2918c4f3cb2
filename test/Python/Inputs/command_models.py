"""Modules for the command line."""

import torch
from torch import nn


class Block(nn.Module):
    """Attention in a window, and the sum of all inputs."""

    def __init__(self, width):
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.register_buffer("total", torch.zeros(width))

    def forward(self, x):
        self.total += x.sum((0, 1))
        query, key, value = (part.unflatten(-1, (2, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        place = torch.arange(x.shape[1])
        far = (place[:, None] - place).abs() > 4
        weights = (query @ key.transpose(-1, -2) / 4).masked_fill(far, float("-inf")).softmax(-1)
        return x + self.out((weights @ value).transpose(1, 2).flatten(2))


class Waves(nn.Module):
    def forward(self, x):
        return torch.special.bessel_j0(x)


def make(width=64):
    return Block(width), torch.randn(2, 12, width)


def waves():
    return Waves(), torch.randn(4, 4)


def fails():
    return {}["weight"]


def number():
    return 3
