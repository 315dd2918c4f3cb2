#ifndef STOF_TRANSFORMS_HOST_PASSES_TD
#define STOF_TRANSFORMS_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

// Passes on functions that launch kernels: their buffers, kernels and checks.

def NumberChecksPass : Pass<"stof-number-checks", "::mlir::ModuleOp"> {
  let summary = "Assign numbers and a status word to checks";
  let description = [{
    A function with checks, its own or those of launched kernels, gets a status word
    as an additional argument, marked `stof.status`. Its attribute `stof.assertions`
    lists the checks as locations named by their messages; a failing check stores its
    position in the list, counted from one.

    A kernel takes the word, and the number of checks before its own, as its last
    arguments. Equal kernels stay equal this way.

    ```mlir
    gpu.launch_func @kernels::@k ... args(%x : memref<8xi64>)
    ...
    gpu.func @k(%x: memref<8xi64>) kernel {
      %checked = stof.check %i if %ok, "index out of range" : index
    ==>
    gpu.launch_func @kernels::@k ... args(%x : memref<8xi64>, %status : memref<1xi32>, %c0 : i32)
    ...
    gpu.func @k(%x: memref<8xi64>, %status: memref<1xi32>, %before: i32) kernel {
      %number = arith.addi %before, %c1 : i32
      %checked = stof.check %i if %ok, "index out of range" report %number to %status : index, memref<1xi32>
    ```

    Functions and kernels without checks are left alone. Expects functions on buffers
    without callers, before `stof-plan-memory` adds a workspace.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def MergeKernelsPass : Pass<"stof-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Merge equal kernels";
  let description = [{
    Kernels of one `gpu.module` that are equal up to their names become one, and
    their launches are redirected to it: the layers of a network share kernels.

    ```mlir
    gpu.launch_func @k::@layer0 ...
    gpu.launch_func @k::@layer1 ...
      ==>
    gpu.launch_func @k::@layer0 ...
    gpu.launch_func @k::@layer0 ...
    ```

    Expects canonical kernels. A remark states how many are left.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def DisableUnrollPass : Pass<"stof-disable-unroll", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Keep the assembler from unrolling loops with barriers";
  let description = [{
    Annotates each `scf.for` with a barrier in it. The threads of a CTA iterate in
    lockstep there, hence unrolling improves no overlap, while the addresses of many
    iterations exceed the registers.

    ```mlir
    scf.for %i = ... {
      gpu.barrier
    ==>
    scf.for %i = ... {
      gpu.barrier
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PlanMemoryPass : Pass<"stof-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Place all intermediate buffers in one workspace";
  let description = [{
    Replaces each `memref.alloc` of a host function by a view of one workspace,
    which becomes the last argument. Buffers with disjoint lifetimes share memory.
    Those of static size are placed one by one (largest, longest-lived or earliest
    first, whichever takes the least), each at the lowest offset that is free during
    its lifetime; those of dynamic size follow, in slots that buffers of equal size
    share. A buffer of static size reuses the memory of an operand that dies at the
    launch computing it, if `stof.in_place` has the pair: each element of the operand
    (the first of a pair) is then read only by the thread that writes the element of
    the other, and not after the write. Offsets are multiples of 256 bytes, a boolean
    takes a byte.

    ```mlir
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>) {
      %a = memref.alloc() : memref<8xf32>
      ...
      ==>
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>, %workspace: memref<?xi8>) {
      %offset = arith.constant 0 : index
      %a = memref.view %workspace[%offset][] : memref<?xi8> to memref<8xf32>
    ```

    Expects one block, as produced by `stof-bufferize-kernels`. A function without that
    pass's attributes is left alone. A remark states the bytes of the workspace, the
    bytes without sharing, and the maximum of bytes alive at once with buffers aligned
    to 256: a lower bound of any placement. If all sizes are static, the function gets
    this bound as `stof.workspace_bound`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def ExpandReshapesPass : Pass<"stof-expand-reshapes"> {
  let summary = "Expand reshapes of contiguous buffers to explicit strides";
  let description = [{
    Replaces each `memref.expand_shape` of a contiguous buffer by a
    `memref.reinterpret_cast` with strides computed from the sizes, any number of
    them dynamic. Other layouts are left to `expand-strided-metadata`.

    ```mlir
    %e = memref.expand_shape %x [[0, 1]] output_shape [%n, %n] : memref<?xf32> into memref<?x?xf32>
    ==>
    %e = memref.reinterpret_cast %x to offset: [0], sizes: [%n, %n], strides: [%n, 1]
      : memref<?xf32> to memref<?x?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"
  ];
}

def OutlineParallelPass : Pass<"stof-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Outline parallel loops into calls of the runtime";
  let description = [{
    The body of each outermost `scf.parallel` becomes a function of a closure and a
    linear index over the iterations of all its loops, innermost fastest; the loop
    becomes a call of the runtime's `parallel_for`. The enclosing function gets the
    table of the runtime's functions as an additional argument.

    ```mlir
    func.func @f(%x: memref<?xf32>) {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) { body }
    ==>
    func.func @f(%x: memref<?xf32>, %api: !llvm.ptr) {
      ... %x and %n stored in %closure ...
      llvm.call %parallel_for(%context, %count, @f_parallel, %closure)
    func.func private @f_parallel(%closure: !llvm.ptr, %index: i64) { body }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def ReportAssertionsPass : Pass<"stof-report-assertions", "::mlir::ModuleOp"> {
  let summary = "Abort the process on a failed assertion";
  let description = [{
    A failed assertion writes its message to the standard error and aborts, with
    `write` and `abort` of the C library; on a GPU, where messages cannot be read, it
    becomes a trap (`stof-kernel-to-llvm`).

    ```mlir
    cf.assert %ok, "out-of-bounds access"
    ==>
    scf.if %not_ok {
      llvm.call @stof_stop(%message, %length) : (!llvm.ptr, i64) -> ()
    }
    ```

    Expects a module with assertions to define no function `write` or `abort`. A
    module without assertions is unchanged.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def EmitEntryPointsPass : Pass<"stof-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "Emit entry points with the signature that runtimes call";
  let description = [{
    For each public function `f` on contiguous buffers adds `stof_f`, which reads
    the buffers from an array of 64-bit words: for each a pointer, then the size
    of each of its dynamic dimensions. Its second parameter is the table of the
    runtime's functions, which a function may take as its last argument. The
    function itself becomes private and is renamed, since its name may clash with
    the C library, and so is any other symbol named `stof_f`. A constant next to
    `stof_f` holds the number of words that it reads, for a runtime to verify.

    ```mlir
    func.func @f(%x: memref<4x?xf32>) {...}
    ==>
    func.func private @f_0(%x: memref<4x?xf32>) {...}
    func.func @stof_f(%parameters: !llvm.ptr, %api: !llvm.ptr) {
      %0 = llvm.load %parameters : !llvm.ptr -> !llvm.ptr
      %1 = llvm.getelementptr %parameters[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %2 = llvm.load %1 : !llvm.ptr -> i64
      ...
      call @f_0(%x) : (memref<4x?xf32>) -> ()
      return
    }
    llvm.mlir.global external constant @parameters_of_stof_f(2 : i64) : i64
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // STOF_TRANSFORMS_HOST_PASSES_TD
