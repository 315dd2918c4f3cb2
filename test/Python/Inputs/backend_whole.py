"""Compiles functions by torch.compile(backend="stof")."""

import stof
import torch
from torch import nn

torch.manual_seed(0)
linear = nn.Linear(16, 48)


def attend(x):
    q, k, v = linear(x).chunk(3, -1)
    return (x + (q @ k.transpose(-1, -2)).softmax(-1) @ v).transpose(0, 1), x, x.shape[0] + 1


def agrees(compiled, x):
    return torch.allclose(compiled(x)[0], attend(x)[0], rtol=1e-5, atol=1e-5)


def fails(function, *inputs, **options):
    torch._dynamo.reset()
    try:
        torch.compile(function, backend="stof", **options)(*inputs)
    except torch._dynamo.exc.BackendCompilerFailed as error:
        inner = error.inner_exception
        print(f"{type(inner).__name__}: {inner}")
    else:
        print("no error")


x, reports = torch.randn(2, 8, 16), []
with torch.no_grad():
    compiled = torch.compile(attend, backend="stof", options={"report": reports.append})
    result, argument, number = compiled(x)
    strides = result.stride() == attend(x)[0].stride()
    print("static", agrees(compiled, x), "strides", strides, "argument", argument is x, "number", number)
    (region,) = reports[0].regions
    print(f"regions {len(reports[0].regions)}, attentions {len(region[1].attentions)}, left {len(reports[0].rest)}")
    results = [agrees(compiled, torch.randn(2, length, 16)) for length in (5, 7)]
    print("dynamic", results)
    adds = torch.compile(lambda count: count.add_(1) * 2, backend="stof")
    count = torch.zeros(8)
    print("in place", adds(count)[0].item(), count[0].item() == 1)
    assert adds(count)[0].item() == 4
fails(attend, x)
with torch.no_grad():
    def transform(x):
        return torch.special.bessel_j0(x)

    fails(transform, x)
    fails(attend, x, options={"whole": True})
    fails(attend, x, options={"rest": "cpu"})
    fails(attend, x, mode="max-autotune")
