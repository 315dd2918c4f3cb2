"""Modules that cannot be compiled."""

import stof
import torch
from torch import nn

x = torch.ones(2, 8)


def fails(module, *inputs, train=False, **options):
    try:
        stof.compile(module.train(train), inputs, **options)
    except (stof.ExportError, stof.CompileError, TypeError) as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("no error")


class Branch(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


class Waves(nn.Module):
    def forward(self, x):
        return torch.special.bessel_j0(x)


class Places(nn.Module):
    def forward(self, x):
        return x.nonzero()


class Masked(nn.Module):
    """The number of elements is known from what is added to them."""

    def forward(self, x, mask, added):
        x = x.clone()
        x[mask] = x[mask] + added
        return x


class Nothing(nn.Module):
    def forward(self, x):
        return 3


class Strided(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(8, 8).t().narrow(0, 0, 4))

    def forward(self, x):
        return x @ self.weight.t()


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        with torch.inference_mode():
            self.register_buffer("table", torch.arange(8))

    def forward(self, x):
        return x + self.table


fails(Branch(), x, train=True)
fails(Branch(), x)
fails(Waves(), x)
fails(Places(), x)
fails(Masked(), x, x.tril() > 0, torch.ones(3))
fails(Nothing(), x)
fails(Strided(), x)
fails(Table(), x)
fails(Branch())
