"""Modules traced on a GPU, which tensors of a trace need not have, run on the CPU."""

import warnings

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import stof

warnings.simplefilter("ignore")


class Attend(torch.nn.Module):
    """Makes its mask and more on the device of its input."""

    def forward(self, x):
        positions = torch.arange(x.shape[2], device=x.device)
        mask = (positions[:, None] >= positions) & x.new_ones((), dtype=torch.bool)
        attended = torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)
        limit = torch.full((3,), torch.finfo(x.dtype).min, device=x.device).amax()
        return torch.where(mask.any(), attended, limit)


class Move(torch.nn.Module):
    """Moves constants to the device of its input, and what depends on it away from there and back."""

    def forward(self, x):
        return (x + torch.arange(8).to(x.device, x.dtype)).cpu().mul(2).to(x.device) + 1


class Noise(torch.nn.Module):
    def forward(self, x):
        return torch.rand(8, device=x.device) + torch.rand_like(x)


class Leave(torch.nn.Module):
    def forward(self, x):
        return x + 1, x.cpu()


class Count(torch.nn.Module):
    def forward(self, x):
        return x + 1, torch.arange(3)


def compile_on_gpu(module, *shape):
    with FakeTensorMode():
        return stof.compile(module.eval(), torch.empty(*shape, device="cuda"), targets=["cpu"])


x = torch.randn(1, 2, 16, 8)
attend = compile_on_gpu(Attend(), 1, 2, 16, 8)
print(attend.report.attentions[0].mask, torch.allclose(attend(x), Attend()(x), atol=1e-5))
print("moves", torch.equal(compile_on_gpu(Move(), 4, 8)(x[0, 0, :4]), Move()(x[0, 0, :4])))
noise = compile_on_gpu(Noise(), 4, 8)(x[0, 0, :4])
print("random", noise.device, bool(((noise > 0) & (noise < 2)).all()))
for module in (Leave(), Count()):
    try:
        compile_on_gpu(module, 4, 8)
    except stof.ExportError as error:
        print(f"{type(error).__name__}: {error}")
