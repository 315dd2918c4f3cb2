"""Writes kernels that apply one function to each element.

Usage: make_functions.py > functions.mlir
"""

HEAD = """// Functions of each element, written by make_functions.py.

#line = #tile.blocked<elements = [4], lanes = [32], warps = [4]>

gpu.module @functions {"""

KERNEL = """
  gpu.func @{name}({arguments}, %r: memref<?x{t}>) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
{loads}
    %o = tile.map ins({inputs} : {types}) {{
    ^bb0(%c: index, {elements}):
      %e = math.{function} {operands} : {signature}
      tile.yield %e : {t}
    }} -> !tile.fragment<512x{t}, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512x{t}, #line>, memref<?x{t}>
    gpu.return
  }}"""

UNARY = ("exp exp2 expm1 log log2 log10 log1p sqrt rsqrt tanh erf erfc sin cos tan sinh cosh "
         "asinh acosh atanh atan asin acos cbrt floor ceil round roundeven trunc absf").split()


def kernel(name, function, kinds, element):
    names = "xy"[:len(kinds)]
    signature = element if len(set(kinds)) == 1 else ", ".join(kinds)
    print(KERNEL.format(
        name=name, function=function, t=element, signature=signature,
        arguments=", ".join(f"%{n}: memref<?x{k}>" for n, k in zip(names, kinds)),
        loads="\n".join(f"    %t{n} = tile.load %{n}[%i] along [0] : memref<?x{k}> "
                        f"-> !tile.fragment<512x{k}, #line>" for n, k in zip(names, kinds)),
        inputs=", ".join(f"%t{n}" for n in names),
        types=", ".join(f"!tile.fragment<512x{k}, #line>" for k in kinds),
        elements=", ".join(f"%v{n}: {k}" for n, k in zip(names, kinds)),
        operands=", ".join(f"%v{n}" for n in names)))


print(HEAD, end="")
for function in UNARY:
    kernel(f"{function}_f32", function, ["f32"], "f32")
for function in ("exp", "tanh", "rsqrt", "erf"):
    kernel(f"{function}_f16", function, ["f16"], "f16")
kernel("exp2_bf16", "exp2", ["bf16"], "bf16")
kernel("sqrt_f64", "sqrt", ["f64"], "f64")
for function in ("powf", "atan2", "copysign"):
    kernel(f"{function}_f32", function, ["f32", "f32"], "f32")
kernel("fpowi_f32", "fpowi", ["f32", "i32"], "f32")
print("}")
