"""Decoders that find packed sequences in positions, as transformers does, with positions that are constants or an argument."""

import torch
from torch import nn

import stof

LENGTH, DEPTH = 1100, 16


class Packed(nn.Module):
    """Keys of another sequence are masked. A sequence begins where positions do not go on."""

    def __init__(self, restart):
        super().__init__()
        self.restart = restart

    def forward(self, q, k, v, positions=None):
        i = torch.arange(LENGTH)
        if positions is None:
            positions = (i if self.restart is None else i % self.restart)[None]
        sequence = (torch.diff(positions, prepend=positions[:, :1] - 1) != 1).cumsum(-1)
        kept = (i <= i[:, None]) & (sequence[:, :, None] == sequence[:, None, :])
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=kept[:, None])


torch.manual_seed(0)
states = [torch.randn(1, 2, LENGTH, DEPTH) for _ in range(3)]
modules = {"one": Packed(None), "several": Packed(300), "given": Packed(None)}
inputs = {"one": states, "several": states, "given": [*states, torch.arange(LENGTH)[None] % 300]}
compiled = stof.compile_functions({name: stof.Example(modules[name].eval(), inputs[name]) for name in modules}, ["cpu"])
for name, module in modules.items():
    (attention,) = compiled[name].report.attentions
    agrees = torch.allclose(compiled[name](*inputs[name]), module(*inputs[name]), rtol=1e-5, atol=1e-5)
    print(f"{name}, {attention.mask}: {'agrees' if agrees else 'differs'}")

reports = []
traced = torch.compile(modules["one"], backend="stof", options={"report": reports.append})
with torch.no_grad():
    agrees = torch.allclose(traced(*states), modules["one"](*states), rtol=1e-5, atol=1e-5)
((_, report),) = reports[0].regions
print(f"torch.compile, {report.attentions[0].mask}: {'agrees' if agrees else 'differs'}")
