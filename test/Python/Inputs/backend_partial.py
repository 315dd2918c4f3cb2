"""Compiles functions in part."""

import stof
import torch

assert "stof" in torch._dynamo.list_backends(), stof


def transform(x):
    waves = torch.special.bessel_j0(x @ x.t())
    return waves.square() @ x


def multiply(x):
    return (x @ x.t()).relu()


def compile_partly(function, **options):
    torch._dynamo.reset()
    x, reports = torch.randn(8, 8), []
    options |= {"partial": True, "report": reports.append}
    compiled = torch.compile(function, backend="stof", options=options)
    with torch.no_grad():
        print("agrees", torch.allclose(compiled(x), function(x), rtol=1e-4, atol=1e-4))
    print(*reports)


compile_partly(transform, rest="eager")
compile_partly(multiply, rest="eager", targets=["sm_35"])
compile_partly(transform)
