#ifndef STOF_CONVERSION_PASSES_TD
#define STOF_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizePass : Pass<"stof-bufferize", "::mlir::ModuleOp"> {
  let summary = "Functions on tensors become functions on buffers";
  let description = [{
    Each function takes its tensors as contiguous row-major buffers, then one
    buffer for each result, and says how many there are of either. Inputs are
    never written. What is between is bufferized; a result is computed in its
    buffer where that is possible.

    Expects functions of one block that call no others, all of whose arguments
    and results are ranked tensors.

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

    - functions (exp, log, erf, tanh, sin, cos, pow, ...) of f32 are upstream's
      polynomial approximations, those of f16 and bf16 the same in f32;
    - arithmetic on bf16 is done in f32 and rounded after every operation;
    - conversions between bf16 and f32 are shifts, with rounding to even.

    Functions of f64 are left alone.

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

def WrapEntriesPass : Pass<"stof-wrap-entries", "::mlir::ModuleOp"> {
  let summary = "Give functions on buffers the signature that runtimes call";
  let description = [{
    For each public function `f` on contiguous buffers adds `stof_f`, which reads
    the buffers from an array of 64-bit words: for each a pointer, then the size
    of each of its dynamic dimensions. Its second parameter is the table of the
    runtime's functions. The function itself becomes private.

    ```mlir
    func.func @f(%x: memref<4x?xf32>) {...}
    ==>
    func.func private @f(%x: memref<4x?xf32>) {...}
    func.func @stof_f(%parameters: !llvm.ptr, %api: !llvm.ptr) {
      %0 = llvm.load %parameters : !llvm.ptr -> !llvm.ptr
      %1 = llvm.getelementptr %parameters[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %2 = llvm.load %1 : !llvm.ptr -> i64
      ...
      call @f(%x) : (memref<4x?xf32>) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // STOF_CONVERSION_PASSES_TD
