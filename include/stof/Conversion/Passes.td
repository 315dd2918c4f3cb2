#ifndef STOF_CONVERSION_PASSES_TD
#define STOF_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "stof/Conversion/CPUPasses.td"

def ListSchedulesPass : Pass<"stof-list-schedules"> {
  let summary = "Print the schedules that kernels can have";
  let description = [{
    Writes the schedules of each operation that kernels compute (`KernelOpInterface`)
    to the standard output: the predicted microseconds, the resource that bounds them
    (CostModel/CostModel.h), and the attribute. The fastest come first; `*` marks the
    schedule in use. The IR is unchanged.

    ```mlir
    %y = stof.group ins(%a, %b : ...) { ... linalg.matmul ... }
    ==>
    model.mlir:4:8: schedules of 'stof.group' in @main for sm_80: 42
          us bound        schedule
        8.11 L2           [#stof.matmul_tile<rows = 64, columns = 64, k = 64, ...>]
    *   8.32 latency      [#stof.matmul_tile<rows = 64, columns = 64, k = 64, ...>]
    ```

    A schedule of the list holds for a group that has it as `tiles`. Operations with
    nothing to choose are not listed.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Target GPU, by its ptxas name; empty for CPUs">,
    Option<"most", "most", "int64_t", /*default=*/"0",
           "Schedules to print for an operation, in addition to that in use; 0 "
           "for all">
  ];
  let dependentDialects = ["::stof::tile::TileDialect"];
}

def BufferizeKernelsPass
    : Pass<"stof-bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "Bufferize functions whose kernels are chosen";
  let description = [{
    The first of three steps from groups to kernels. Arguments become contiguous
    row-major buffers, followed by one for each result; attributes record the
    number of each. Operations that kernels compute (`KernelOpInterface`) write to
    destinations:

    - a result of the function is computed in its buffer, also behind reshapes;
    - a scatter updates its original in place if that is a temporary or a donated
      argument, and neither it nor a view of it is read afterwards; else it updates
      a copy. Remarks tell (`UpdatedInPlace`, `CopiedOriginal`);
    - anything else is computed in a buffer of its own (`stof-plan-memory` makes
      them share memory).

    Reshapes and slices become views, and so do transpositions of arguments that only
    attention reads, and of a result of attention that is returned, if features stay
    innermost. What is returned without being computed in its place is copied at the
    end (`CopiedResult`).

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = stof.group ins(%x : tensor<8xf32>) {...} -> tensor<8xf32>
      return %y : tensor<8xf32>
    }
      ==>
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>)
        attributes {stof.inputs = 1 : i64, stof.results = 1 : i64} {
      stof.group ins(%x : memref<8xf32>) outs(%result : memref<8xf32>) {...}
      return
    }
    ```

    Expects groups (`stof-form-groups`), attention, tile lists, scatters, reshapes,
    slices that only groups read, constants and arithmetic on sizes. Any other
    operation on tensors is an error. Functions without tensors are unchanged.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"
  ];
}

def OutlineKernelsPass : Pass<"stof-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Name the kernels of operations on buffers";
  let description = [{
    The second of three steps from groups to kernels. Each operation that kernels
    compute (`KernelOpInterface`) moves into a `stof.launch`, which names them, and
    has the buffers for what they pass to each other. The function gets a
    `gpu.module` for its kernels.

    ```mlir
    stof.list_tiles mask(%m : !stof.mask<?x?>) ... outs(%ranges, %entries : ...)
      ==>
    %flags = memref.alloc(%rows, %columns) : memref<1x1x?x?xi8>
    stof.launch [@main_kernels::@main_0_flags, @main_kernels::@main_1_tiles]
        temporaries(%flags : memref<1x1x?x?xi8>) {
      stof.list_tiles mask(%m : !stof.mask<?x?>) ... outs(%ranges, %entries : ...)
    }
    ```

    An operation that no kernel can compute is an error. Expects functions of
    `stof-bufferize-kernels`, and leaves others alone.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Target GPU that kernels have to fit, by its ptxas name; empty for "
           "CPUs">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::stof::StofDialect"
  ];
}

def EmitKernelsPass : Pass<"stof-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Write the kernels of launches in the tile dialect";
  let description = [{
    The last of three steps from groups to kernels. The operation of a `stof.launch`
    (`KernelOpInterface`) emits each kernel: its body in the tile dialect, its
    `gpu.launch_func` on a grid, and what the host computes for it. A kernel that
    reads a slice takes the whole buffer as an argument and slices it itself.

    ```mlir
    stof.launch [@main_kernels::@main_0_generic] {
      stof.group ins(%x : memref<8xf32>) outs(%result : memref<8xf32>) {...}
    }
      ==>
    gpu.launch_func @main_kernels::@main_0_generic blocks in (...) threads in (...)
      args(%x : memref<8xf32>, %result : memref<8xf32>)

    gpu.module @main_kernels { gpu.func @main_0_generic(...) kernel {...} }
    ```

    The kernel of a group with several branches dispatches on the CTA index: the
    first CTAs of the grid compute the first branch, the next ones the second,
    each with its own tile sizes.

    ```mlir
    %block = gpu.block_id x
    %first = arith.cmpi ult, %block, %blocks_of_first
    scf.if %first { ... } else { %number = arith.subi %block, %blocks_of_first ... }
    ```

    For layouts in closed form, the mask is specialised for each interval of
    partial tiles: comparisons with the same outcome at all positions of these tiles
    become constants. A remark (`PartialTiles`) states the number of comparisons,
    minima, maxima and absolute values that remain.

    The tile sizes of a contraction are those that its group asks for, else those with
    the shortest predicted time on `chip`. The kernel configuration (attribute
    `stof.schedule`) records them and the number of `stages` requested from
    `stof-pipeline-loads`.

    Expects the kernels of a launch to be in a `gpu.module`
    (`stof-outline-kernels`). Masks that only launches used are erased.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Target GPU for the choice of contraction tiles, by its ptxas name; "
           "empty for CPUs">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::stof::tile::TileDialect"
  ];
}

def LowerChecksPass : Pass<"stof-lower-checks"> {
  let summary = "Lower checks to conditional stores of their numbers";
  let description = [{
    If the condition of a `stof.check` is false, its number is stored to the status
    word and the value is replaced by 0. Stores of several failing checks are
    unordered.

    ```mlir
    %checked = stof.check %i if %ok, "index out of range" report %number to %status : index, memref<1xi32>
    ==>
    %fails = arith.xori %ok, %true : i1
    scf.if %fails {
      memref.store %number, %status[%c0] : memref<1xi32>
    }
    %checked = arith.select %ok, %i, %c0 : index
    ```

    In a kernel the store is one predicated instruction, which keeps the surrounding
    code in one basic block. Expects checks with a number and a status word.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def BufferizePass : Pass<"stof-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize functions, with results as output arguments";
  let description = [{
    Arguments become contiguous row-major buffers, followed by one buffer per
    result; attributes record the number of each. Only donated inputs are written.
    A result is computed in its buffer where possible.

    Expects functions of one block without calls, whose arguments and results are
    all ranked tensors. The signature of a function without tensors is unchanged.

    ```mlir
    func.func @f(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
      %0 = linalg.exp ins(%x : tensor<4x?xf32>) outs(%empty : tensor<4x?xf32>) -> tensor<4x?xf32>
      return %0 : tensor<4x?xf32>
    }
    ==>
    func.func @f(%x: memref<4x?xf32>, %y: memref<4x?xf32>)
        attributes {stof.inputs = 1 : i64, stof.results = 1 : i64} {
      linalg.exp ins(%x : memref<4x?xf32>) outs(%y : memref<4x?xf32>)
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def ExpandFloatsPass : Pass<"stof-expand-floats"> {
  let summary = "Expand floating-point operations without CPU instructions";
  let description = [{
    Expands operations that would become library calls on a CPU:

    - f32 functions are expanded as in `stof-expand-math` (sin, cos, pow, atan2,
      remainders, ...) or by upstream's polynomials (exp, log, erf, tanh, ...); f16
      and bf16 functions are computed in f32;
    - bf16 arithmetic is done in f32 and rounded after each operation;
    - conversions between bf16 and f32 become shifts, with rounding to even.

    f64 functions are expanded as in `stof-expand-math`; other f64 functions are
    errors.

    ```mlir
    %y = arith.addf %a, %b : bf16
    ==>
    ... %a and %b shifted into f32 ...
    %sum = arith.addf %wide_a, %wide_b : f32
    ... %sum rounded by integer arithmetic ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def TileToNVVMPass : Pass<"stof-tile-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower tile operations to per-thread code";
  let description = [{
    Replaces fragments by the registers of a thread, and tile operations by
    operations on registers: predicated loads and stores, asynchronous copies to
    shared memory, ldmatrix and mma.sync, wgmma, shuffles, or arithmetic per register.
    Shared tiles become offsets into `@tile_shared_memory`, the dynamic shared
    memory of the CTA.

    ```mlir
    %y = tile.map ins(%x : !tile.fragment<128xf32, #tile.blocked<elements = [4], lanes = [32], warps = [1]>>) {
    ^bb0(%i: index, %e: f32):
      %s = arith.addf %e, %e : f32
      tile.yield %s : f32
    } -> !tile.fragment<128xf32, #tile.blocked<elements = [4], lanes = [32], warps = [1]>>
    ==>
    %y0 = arith.addf %x0, %x0 : f32
    %y1 = arith.addf %x1, %x1 : f32
    ...
    ```

    Dialects with tile operations of their own add patterns for them by
    `TileToNVVMPatternInterface`.

    Expects allocated shared memory (`stof-allocate-shared-memory`), barriers
    (`stof-insert-barriers`) and kernels with `known_block_size`. Accumulators
    in flight are registers that wgmma changes, so each has one use. Control
    flow, arithmetic and memrefs are unchanged.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def KernelToLLVMPass : Pass<"stof-kernel-to-llvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert kernels to the LLVM and NVVM dialects";
  let description = [{
    Converts each kernel to an `llvm.func` with the parameters of a launch: for a
    memref, a pointer to global memory and an i64 per dynamic dimension, in order;
    for an index, an i64; other scalars are unchanged. Memrefs are contiguous,
    row-major and aligned to 16 bytes.

    ```mlir
    gpu.func @scale(%x: memref<2x?xf32>, %n: index) kernel
    ==>
    llvm.func @scale(%x: !llvm.ptr<1> {llvm.align = 16 : i64}, %x1: i64, %n: i64)
    ```

    `math.exp2` and `math.rsqrt` become the hardware's approximations, `cf.assert`
    becomes a trap. Other functions without instructions must have been expanded
    (`stof-expand-math`): library calls are errors. Expects no structured control
    flow.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def ExpandMathPass : Pass<"stof-expand-math"> {
  let summary = "Expand mathematical functions to arithmetic";
  let description = [{
    Replaces f32 functions by arithmetic, integer operations on bits and the few
    functions with instructions on GPUs (`math.exp2`, `math.rsqrt`, `math.sqrt`,
    rounding); f16 and bf16 functions are computed in f32. Relative errors are below
    1e-6, tested for each function.

    Functions of 16-bit floats, and functions and divisions of f32 that are rounded to
    16 bits before their last bits matter, are less accurate, up to a seventieth of
    half a unit in the last place of f16. `erf(x) + 1` and `tanh(x) + 1` of these are
    computed without cancellation.

    ```mlir
    %y = math.log10 %x : f32
    ==>
    %l = ... : f32                 // a polynomial of the mantissa
    %y = arith.mulf %l, %log10_e : f32
    ```

    `math.sin` and `math.cos` reduce their argument in f64, `math.powf` computes its
    logarithm in f64. The f64 functions that are expanded are powers, exponentials,
    logarithms, `math.tanh`, `math.rsqrt`, `math.sin` and `math.cos`, with errors
    below 1e-12 of the largest result; others are unchanged. Integer divisions that
    round down or up become divisions that round to zero. `arith.remf` of f32 and of
    16-bit floats is computed on bits and exact, like `fmod` in C.
  }];
  let options = [
    Option<"expandExp2", "exp2", "bool", /*default=*/"false",
           "Also expand exp2, for targets without an instruction for it">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // STOF_CONVERSION_PASSES_TD
