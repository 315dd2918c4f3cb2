"""Compiles modules that branch on values: of arguments that are constants, and of their own buffers."""

import stof
import torch
from torch import nn

torch.manual_seed(0)
x, grid = torch.randn(2, 10, 16), torch.tensor([[2, 3], [2, 2]])


class Packed(nn.Module):
    """Attends within images of sizes that an argument has."""

    def forward(self, x, grid, scale=1.0):
        ends = torch.nn.functional.pad(grid.prod(-1).cumsum(0), (1, 0))
        ends[0] = 0
        lengths = (ends[1:] - ends[:-1]).tolist()
        images = [image for image in x.split(lengths, 1) if image.shape[1] > 0]
        return torch.cat([(image @ image.mT).softmax(-1) @ image for image in images], 1) * scale, grid


class Mapped(nn.Module):
    """Has a mask that torch.vmap makes."""

    def forward(self, x, grid):
        places = torch.arange(x.shape[1])
        count = int(grid[0].prod())

        def see(query, key):
            return (key <= query) & (key < count) | query.new_zeros((), dtype=torch.bool)

        keep = torch.vmap(torch.vmap(see, (None, 0)), (0, None))(places, places)
        return (x @ x.mT).masked_fill(~keep, float("-inf")).softmax(-1) @ x


class Selected(nn.Module):
    """Computes on the positions that a mask keeps."""

    def forward(self, x, keep):
        result = x.clone()
        result[:, ~keep] = 0
        result[keep.expand(2, -1), 3:] += 1
        return x[:, keep].softmax(1), x[keep.expand(2, -1)].cumsum(0), result


class Padded(nn.Module):
    """Pads by the value of a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("width", torch.tensor(3))
        self.register_buffer("unused", torch.tensor(1))

    def forward(self, x):
        missing = int(torch.tensor([4]).expand(1)[0] * self.width) - x.shape[1]
        return nn.functional.pad(x, (0, 0, 0, missing)).repeat(1, torch.arange(3).max(), 1)


class Checked(nn.Module):
    """Checks values, which compiled modules do not."""

    def forward(self, x):
        torch._check((x.sum() < 100).item())
        return x + torch.vmap(torch.square)(x)


class Counted(nn.Module):
    """Branches on state that it changes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor(0))

    def forward(self, x):
        self.count += 1
        return x if self.count.item() > 1 else -x


def agrees(compiled, module, *args, **kwargs):
    expected, found = module(*args, **kwargs), compiled(*args, **kwargs)
    pairs = zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]
    return all(torch.allclose(*pair, rtol=1e-5, atol=1e-5) for pair in pairs)


def fails(action):
    try:
        action()
    except (stof.ArgumentError, stof.ExportError) as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0])
    else:
        print("no error")


packed = Packed().eval()
fails(lambda: stof.compile(packed, (x, grid)))
compiled = stof.compile(packed, (x, grid), constants=["grid"])
print(compiled)
print("as the example", agrees(compiled, packed, x, grid), "equal", agrees(compiled, packed, x, grid=grid.clone()))
print("omitted", agrees(lambda *args: compiled(x), packed, x, grid))
fails(lambda: compiled(x, grid.flip(0)))
fails(lambda: compiled(x, grid.int()))
dynamic = stof.compile(packed, (x, grid), {"x": {0: "batch"}}, constants=["grid"])
print("dynamic", agrees(dynamic, packed, torch.randn(3, 10, 16), grid))
mapped = Mapped().eval()
print("mapped", agrees(stof.compile(mapped, (x, grid), constants=["grid"]), mapped, x, grid))
keep = torch.arange(10) % 3 != 1
selected = Selected().eval()
print("selected", agrees(stof.compile(selected, (x, keep), constants=["keep"]), selected, x, keep))
grid[0, 0] = 1
fails(lambda: compiled(x, grid))

padded = Padded().eval()
names = list(padded._buffers)
compiled = stof.compile(padded, x)
print("by a buffer", agrees(compiled, padded, x), list(padded._buffers) == names, "forward" in vars(padded))
padded.unused += 1
print("another changed", agrees(compiled, padded, x))
padded.width += 1
fails(lambda: compiled(x))
print("unchecked", agrees(stof.compile(Checked().eval(), x), Checked(), x))
fails(lambda: stof.compile(Counted().eval(), x))
