"""Writes matmuls of single tiles: odd sizes, all orders of memory, operands that
come from shared memory, through it, or as fragments; and changes of layout.

Usage: make_tiles.py > tiles.mlir
"""

# Rows, columns, depth and the warps that divide rows and columns.
SIZES = [(16, 8, 16, 1, 1), (64, 24, 48, 4, 1), (32, 48, 80, 2, 2), (128, 64, 32, 4, 2), (16, 96, 112, 1, 4)]

PRODUCT = """
  gpu.func @{name}(%a: memref<{am}x{t}>, %b: memref<{bm}x{t}>, %c: memref<{m}x{n}xf32>) kernel
      attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<{m}x{n}xf32, {acc}>
{lhs}
    %y = tile.load %b[%c0, %c0] along [{b_along}] : memref<{bm}x{t}> -> !tile.shared<{bt}x{t}>
    %r = tile.contract %x, %y, %s{flags} : {lhs_type}, !tile.shared<{bt}x{t}>, !tile.fragment<{m}x{n}xf32, {acc}>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<{m}x{n}xf32, {acc}>, memref<{m}x{n}xf32>
    gpu.return
  }}"""

CONVERT = """
  gpu.func @{name}(%a: memref<{m}x{n}x{t}>, %b: memref<{m}x{n}x{t}>) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<{m}x{n}x{t}> -> !tile.fragment<{m}x{n}x{t}, {source}>
    %y = tile.convert %x : !tile.fragment<{m}x{n}x{t}, {source}> -> !tile.fragment<{m}x{n}x{t}, {result}>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<{m}x{n}x{t}, {result}>, memref<{m}x{n}x{t}>
    gpu.return
  }}"""


def product(size, element, transpose_lhs, transpose_rhs, turned, lhs):
    """`turned`: memory has the rows of tiles as columns. `lhs`: how it comes."""
    m, n, k, rows, columns = size
    at = (k, m) if transpose_lhs else (m, k)
    bt = (n, k) if transpose_rhs else (k, n)
    acc = f"#tile.mma<warps = [{rows}, {columns}]>"
    order = "1, 0" if turned else "0, 1"
    am, bm = (shape[::-1] if turned else shape for shape in (at, bt))

    def text(shape):
        return f"{shape[0]}x{shape[1]}"

    load = f"tile.load %a[%c0, %c0] along [{order}] : memref<{text(am)}x{element}>"
    shared = f"!tile.shared<{text(at)}x{element}>"
    if lhs == "shared":
        code, lhs_type = f"    %x = {load} -> {shared}", shared
    else:
        held = acc if lhs == "held" else f"#tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [{rows}, {columns}]>"
        lhs_type = f"!tile.fragment<{text(at)}x{element}, {held}>"
        code = f"    %{'x' if lhs == 'held' else 'h'} = {load} -> {lhs_type}"
        if lhs == "through":
            code += f"\n    %x = tile.convert %h : {lhs_type} -> {shared}"
            lhs_type = shared
    name = (f"tile_{element}_{m}_{n}_{k}_{'t' if transpose_lhs else 'n'}{'t' if transpose_rhs else 'n'}"
            f"_{lhs}{'_turned' if turned else ''}")
    print(PRODUCT.format(
        name=name, t=element, m=m, n=n, threads=32 * rows * columns, acc=acc, lhs=code, lhs_type=lhs_type,
        am=text(am), bm=text(bm), bt=text(bt), b_along=order,
        flags=(" transpose_lhs" if transpose_lhs else "") + (" transpose_rhs" if transpose_rhs else "")))


print("// Matmuls of single tiles, written by make_tiles.py.\n")
print("gpu.module @tiles {", end="")
for size in SIZES:
    for element in ("f16", "f32"):
        for transpose_lhs in (False, True):
            for transpose_rhs in (False, True):
                product(size, element, transpose_lhs, transpose_rhs, False, "shared")
        product(size, element, True, False, True, "shared")
        if size[4] == 1:
            product(size, element, False, True, False, "held")
            product(size, element, False, False, False, "held")
        if size[0] % (8 * size[3]) == 0:
            product(size, element, False, False, True, "through")
LAYOUTS = ["#tile.mma<warps = [4, 1]>", "#tile.mma<warps = [2, 2]>",
           "#tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>",
           "#tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>"]
for element in ("f16", "f32", "i1", "i64"):
    for source in range(4):
        for result in range(4):
            if source != result:
                print(CONVERT.format(name=f"convert_{element}_{source}_{result}", m=64, n=64, t=element,
                                     source=LAYOUTS[source], result=LAYOUTS[result]))
print("}")
