#ifndef STOF_TRANSFORMS_HOST_PASSES_TD
#define STOF_TRANSFORMS_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

// Functions that launch kernels: their buffers, kernels and checks.

def NumberChecksPass : Pass<"stof-number-checks", "::mlir::ModuleOp"> {
  let summary = "Tell checks which number to report and where";
  let description = [{
    A function that has checks, or launches kernels that have, takes a status word
    as a further argument, marked `stof.status`. Its attribute `stof.assertions`
    lists the checks as locations named by their messages; a check that fails
    stores its place in the list, counted from one.

    A kernel takes the word, and the number of checks before its own, as its last
    arguments, so that kernels which are equal stay so.

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

    Leaves functions and kernels without checks alone. Expects functions on buffers
    that are not called, and no workspace yet.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def MergeKernelsPass : Pass<"stof-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Launch one kernel where several compute the same";
  let description = [{
    Kernels of one `gpu.module` that are equal but for their names become one,
    which all their launches name: the layers of a network share their kernels.

    ```mlir
    gpu.launch_func @k::@layer0 ...
    gpu.launch_func @k::@layer1 ...
      ==>
    gpu.launch_func @k::@layer0 ...
    gpu.launch_func @k::@layer0 ...
    ```

    Expects canonical kernels. A remark says how many are left.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def KeepLoopsPass : Pass<"stof-keep-loops", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Keep the assembler from unrolling loops with barriers";
  let description = [{
    Marks each `scf.for` that a barrier is in. A block's threads go through such
    a loop together, so that nothing overlaps better when it is unrolled, while
    the addresses of many iterations at once take more registers than there are.

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
    which becomes the last argument. Buffers that are never alive together share
    memory: those of static size are placed one by one (largest, longest-lived or
    earliest first, whichever takes the least), each at the lowest offset where it
    fits beside its contemporaries; those of dynamic size follow,
    in slots that buffers of equal size take turns in. A buffer of static size that
    a launch computes of one that dies there takes its place, if the launch says in
    `stof.in_place` that this operand (the first of a pair) is read in no other
    thread, and not after, than the other is written in. Offsets are multiples of
    256 bytes, a boolean takes a byte.

    ```mlir
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>) {
      %a = memref.alloc() : memref<8xf32>
      ...
      ==>
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>, %workspace: memref<?xi8>) {
      %offset = arith.constant 0 : index
      %a = memref.view %workspace[%offset][] : memref<?xi8> to memref<8xf32>
    ```

    Expects one block, as `stof-lower-to-tile` leaves it. A function without that
    pass's attributes is left alone. A remark states the bytes of the workspace, how
    many there would be without sharing, and the most that are alive at once,
    where all begin at multiples of 256: no placement takes less. Where all sizes
    are static the function gets that number as `stof.workspace_bound`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def HoistBuffersPass : Pass<"stof-hoist-buffers", "::mlir::func::FuncOp"> {
  let summary = "Allocate buffers once, where a function begins";
  let description = [{
    Moves every `memref.alloc` to the beginning of the function and frees the
    buffers at its end, so that loops allocate nothing.

    Expects buffers of static size that are written before they are read in each
    iteration of the loops around them, as bufferization leaves them.

    ```mlir
    scf.for %i = ... {
      %t = memref.alloc() : memref<64x64xf32>
    ==>
    %t = memref.alloc() : memref<64x64xf32>
    scf.for %i = ... {...}
    memref.dealloc %t : memref<64x64xf32>
    return
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ExpandReshapesPass : Pass<"stof-expand-reshapes"> {
  let summary = "Write out the strides of reshaped contiguous buffers";
  let description = [{
    Replaces each `memref.expand_shape` of a contiguous buffer by a
    `memref.reinterpret_cast` with the strides of its sizes, of which any number
    may be dynamic. Other layouts are left to `expand-strided-metadata`.

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
  let summary = "Turn parallel loops into calls of the runtime";
  let description = [{
    The body of each outermost `scf.parallel` becomes a function of a closure and
    an index that counts the iterations of all its loops, the innermost fastest;
    the loop becomes a call of the runtime's `parallel_for`. The function around
    it gets the table of the runtime's functions as a further argument.

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
  let summary = "End the process where an assertion does not hold";
  let description = [{
    An assertion that does not hold writes its message to the standard error and
    aborts, with `write` and `abort` of the C library; on a GPU, where nobody
    reads messages, it becomes a trap (`stof-kernel-to-llvm`).

    ```mlir
    cf.assert %ok, "out-of-bounds access"
    ==>
    scf.if %not_ok {
      llvm.call @stof_stop(%message, %length) : (!llvm.ptr, i64) -> ()
    }
    ```

    Expects a module without a function `write` or `abort` of its own if there is
    an assertion in it. Leaves a module without assertions as it is.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def WrapEntriesPass : Pass<"stof-wrap-entries", "::mlir::ModuleOp"> {
  let summary = "Give functions on buffers the signature that runtimes call";
  let description = [{
    For each public function `f` on contiguous buffers adds `stof_f`, which reads
    the buffers from an array of 64-bit words: for each a pointer, then the size
    of each of its dynamic dimensions. Its second parameter is the table of the
    runtime's functions, which a function may take as its last argument. The
    function itself becomes private and takes another name, as its own may be one
    of the C library's; so does what else is called `stof_f`. Beside `stof_f` stands
    the number of words that it reads, for a runtime to compare with what it passes.

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
