#ifndef STOF_CONVERSION_PASSES_TD
#define STOF_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "stof/Conversion/CPUPasses.td"

def LowerToTilePass : Pass<"stof-lower-to-tile", "::mlir::ModuleOp"> {
  let summary = "Turn functions on tensors into host functions and tile kernels";
  let description = [{
    Each group and each attention becomes a kernel in the tile dialect, a buffer
    for its results and a launch; reshapes become views; results of the function
    become further arguments, which the kernels write. A kernel that reads a slice
    is given the whole buffer and takes the same slice of it.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = stof.group ins(%x : tensor<8xf32>) {...} -> tensor<8xf32>
      return %y : tensor<8xf32>
    }
      ==>
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>) {
      gpu.launch_func @main_kernels::@main_0_generic blocks in (...) threads in (...)
        args(%x : memref<8xf32>, %result : memref<8xf32>)
      return
    }
    gpu.module @main_kernels { gpu.func @main_0_generic(...) kernel {...} }
    ```

    The kernel of a group of several sections branches on the number of its block:
    the first blocks of the grid compute the first section, the next ones the
    second, each with tiles of its own.

    ```mlir
    %block = gpu.block_id x
    %first = arith.cmpi ult, %block, %blocks_of_first
    scf.if %first { ... } else { %number = arith.subi %block, %blocks_of_first ... }
    ```

    Where an attention has a layout in closed form, each interval of partial tiles
    is asked which comparisons of the mask have one outcome on all pairs of its
    tiles; those are constants in the copy of the mask that its tiles evaluate. A
    remark (`PartialTiles`) says how many comparisons, minima, maxima and absolute
    values are left.

    A product's tiles are those that the cost model predicts to be fastest on
    `chip`. `stof.schedule` of a kernel says which, and how many steps of loads
    `stof-pipeline-loads` is to have in memory at a time (`stages`).

    Expects groups (`stof-form-groups`), reshapes, slices that only groups read,
    constants and arithmetic on sizes. Anything else that computes on tensors is an
    error that names it. A function without tensors is left alone.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The GPU that the tiles of products are chosen for, as ptxas names "
           "it; empty for processors">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::stof::tile::TileDialect"
  ];
}

def LowerChecksPass : Pass<"stof-lower-checks"> {
  let summary = "Expand checks to stores of their numbers";
  let description = [{
    Where the condition of a `stof.check` does not hold, its number is stored into
    the status word, in no order with others, and 0 takes the place of the value.

    ```mlir
    %checked = stof.check %i if %ok, "index out of range" report %number to %status : index, memref<1xi32>
    ==>
    %fails = arith.xori %ok, %true : i1
    scf.if %fails {
      memref.store %number, %status[%c0] : memref<1xi32>
    }
    %checked = arith.select %ok, %i, %c0 : index
    ```

    In a kernel the store is one predicated instruction, so that the code around it
    stays one block. Expects checks with a number and a status word.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def BufferizePass : Pass<"stof-bufferize", "::mlir::ModuleOp"> {
  let summary = "Functions on tensors become functions on buffers";
  let description = [{
    Each function takes its tensors as contiguous row-major buffers, then one
    buffer for each result, and says how many there are of either. Inputs are
    never written. What is between is bufferized; a result is computed in its
    buffer where that is possible.

    Expects functions of one block that call no others, all of whose arguments
    and results are ranked tensors. The signature of a function without tensors
    stays as it is.

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
  let summary = "Write floating-point operations that no instruction computes";
  let description = [{
    What a processor would call a library for is written in arithmetic:

    - functions of f32 are expanded as by `stof-expand-math` (sin, cos, pow,
      atan2, remainders, ...), or become upstream's polynomials (exp, log, erf, tanh, ...),
      those of f16 and bf16 the same in f32;
    - arithmetic on bf16 is done in f32 and rounded after every operation;
    - conversions between bf16 and f32 are shifts, with rounding to even.

    Of functions of f64 those are expanded that `stof-expand-math` expands; another
    is an error at the operation.

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

def PipelineLoadsPass
    : Pass<"stof-pipeline-loads", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Load the tiles of the next iterations while one computes";
  let description = [{
    In an `scf.for` or `scf.while`, loads of shared tiles whose indices follow
    from the loop's own counting, not from tiles, are issued `stages` - 1
    iterations early. The loop carries the tiles; those that are no longer in use
    leave their places to new ones. Where the loop is about to end nothing is read.

    ```mlir
    scf.for %j = %c0 to %n step %c64 {
      %k = tile.load %key[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      ... %k ...
    }
    ==>
    %e0, %e1 = two of tile.empty : !tile.shared<64x64xf16>
    %k0 = tile.load %key[%c0, %c0] along [0, 1] when %any over %e0 : ...
    scf.for %j = %c0 to %n step %c64 iter_args(%sent = %k0, %old = %e1) -> (...) {
      %k = tile.await %sent : !tile.shared<64x64xf16>
      %j1 = arith.addi %j, %c64 : index
      %more = arith.cmpi slt, %j1, %n : index
      %next = tile.load %key[%j1, %c0] along [0, 1] when %more over %old : ...
      ... %k ...
      scf.yield %next, %sent : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    ```

    Where not all places fit into `capacity`, the last loads only move to the start
    of their own iteration. Loops that write memory are left alone, as are loads in
    control flow inside a loop. Where the kernel's
    `stof.schedule` has an entry `stages`, that is wanted instead of the option;
    it becomes what there is.

    Loads are issued first, but behind the products of an iteration where those are
    of warpgroups and it does nothing with them but add them up: they are under way
    while threads issue loads.
  }];
  let options = [
    Option<"warpgroups", "warpgroups", "bool", /*default=*/"false",
           "Whether groups of four warps multiply where they can (wgmma)">,
    Option<"stages", "stages", "int64_t", /*default=*/"2",
           "Tiles of one load that are in shared memory at a time">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"101376",
           "Bytes of shared memory that a loop's tiles may take">,
    Option<"scheduledCapacity", "scheduled-capacity", "int64_t", /*default=*/"101376",
           "The same where the schedule says how many stages are wanted">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::stof::tile::TileDialect"];
}

def AllocateSharedMemoryPass
    : Pass<"stof-allocate-shared-memory", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Give shared tiles their places in shared memory";
  let description = [{
    Gives every operation that needs shared memory, for its result or while it
    runs, the attribute `tile.offset`, a number of bytes, and the kernel the
    attribute `tile.shared_bytes`, the bytes that it needs in all. Tiles that are
    not in use at the same time may share a place.

    ```mlir
    %k = tile.load %key[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
    ==>
    %k = tile.load %key[%j, %c0] along [0, 1] {tile.offset = 0 : i64} : ...
    ```

    Expects that a loop which hands shared tiles to its next iteration begins with
    places of their own and hands on each of them once, and that the kernel needs
    no more than `capacity`; all else is an error.
  }];
  let options = [
    Option<"capacity", "capacity", "int64_t", /*default=*/"232448",
           "Bytes of shared memory that a block can have">
  ];
}

def InsertBarriersPass
    : Pass<"stof-insert-barriers", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Make threads wait for each other's memory accesses";
  let description = [{
    Inserts a `gpu.barrier` before an operation that reads what other threads
    wrote since the last one, or writes what they may still read; and before the
    barrier waits for the asynchronous loads that the operation depends on.

    ```mlir
    %k = tile.load %key[%j, %c0] ... -> !tile.shared<64x64xf16>
    %s = tile.contract %q, %k, %zero transpose_rhs : ...
    ==>
    %k = tile.load %key[%j, %c0] ... -> !tile.shared<64x64xf16>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %s = tile.contract %q, %k, %zero transpose_rhs : ...
    ```

    Expects places in shared memory (`stof-allocate-shared-memory`), distinct
    buffers as arguments of the kernel, and control flow that is the same for all
    threads of a block, which tile operations cannot violate.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def TileToNVVMPass : Pass<"stof-tile-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand tile operations to what one thread does";
  let description = [{
    Replaces tiles by the registers that a thread holds, and operations on them
    by operations on registers: predicated loads and stores, asynchronous copies
    to shared memory, ldmatrix and mma.sync, shuffles, or plain arithmetic for
    each register. Shared tiles become offsets in `@tile_shared_memory`, the
    dynamic shared memory of the block.

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

    Expects places in shared memory and barriers (`stof-allocate-shared-memory`,
    `stof-insert-barriers`) and a kernel with `known_block_size`; leaves control
    flow, arithmetic and memrefs alone.
  }];
  let options = [
    Option<"warpgroups", "warpgroups", "bool", /*default=*/"false",
           "Multiply by groups of four warps where tiles lie as wgmma reads "
           "them (sm_90a)">
  ];
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
    Turns each kernel into an `llvm.func` whose parameters are what a runtime
    passes: for a memref a pointer to global memory and an i64 for each dynamic
    dimension, in order; an i64 for an index; other scalars as they are. Memrefs
    are contiguous, in row-major order, and aligned to 16 bytes.

    ```mlir
    gpu.func @scale(%x: memref<2x?xf32>, %n: index) kernel
    ==>
    llvm.func @scale(%x: !llvm.ptr<1> {llvm.align = 16 : i64}, %x1: i64, %n: i64)
    ```

    `math.exp2` and `math.rsqrt` become the hardware's approximations, `cf.assert`
    becomes a trap. Functions without instructions of their own must have been
    expanded (`stof-expand-math`): a call into a library is an error at the
    operation. Expects no structured control flow.
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
    Replaces functions of f32 by arithmetic, integer operations on bits and the
    few functions that devices have instructions for (`math.exp2`, `math.rsqrt`,
    `math.sqrt`, rounding); functions of f16 and bf16 by the same in f32. Relative
    errors against exact results stay below 1e-6, tested for each function.

    ```mlir
    %y = math.log10 %x : f32
    ==>
    %l = ... : f32                 // a polynomial of the mantissa
    %y = arith.mulf %l, %log10_e : f32
    ```

    `math.sin` and `math.cos` reduce their argument in f64, `math.powf` computes
    its logarithm there. Of the functions of f64, powers, logarithms, `math.tanh`,
    `math.rsqrt`, `math.sin` and `math.cos` are expanded, with errors below 1e-12 of
    the largest result; the others are left alone. Divisions of integers that round
    down or up become such that round to zero. `arith.remf` of f32 and of floats of
    16 bits is computed on their bits, exactly as `fmod` of C.
  }];
  let options = [
    Option<"expandExp2", "exp2", "bool", /*default=*/"false",
           "Expand exp2 as well, for targets without an instruction for it">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // STOF_CONVERSION_PASSES_TD
