//===----------------------------------------------------------------------===//
// Modules of tests of the search.
//===----------------------------------------------------------------------===//

#ifndef STOF_TEST_SEARCH_SEARCHMODULES_H
#define STOF_TEST_SEARCH_SEARCHMODULES_H

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

namespace stof {

/// The dialects of a module before a search.
inline mlir::DialectRegistry makeSearchRegistry() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
  registerAllDialects(registry);
  registerKernelModels(registry);
  return registry;
}

/// A product whose rows are divided by their sums. The model predicts that two
/// kernels take as long as one, within a tenth.
inline constexpr llvm::StringLiteral dividedRows = R"(
#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
!x = tensor<4096x4096xf16>
!y = tensor<4096x128xf16>
!sums = tensor<4096xf16>
func.func @main(%x: !x, %w: !y) -> !y {
  %zero = arith.constant 0.0 : f16
  %init = tensor.empty() : !y
  %fill = linalg.fill ins(%zero : f16) outs(%init : !y) -> !y
  %product = linalg.matmul ins(%x, %w : !x, !y) outs(%fill : !y) -> !y
  %init_sums = tensor.empty() : !sums
  %fill_sums = linalg.fill ins(%zero : f16) outs(%init_sums : !sums) -> !sums
  %sums = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%product : !y) outs(%fill_sums : !sums) {
  ^bb0(%a: f16, %b: f16):
    %sum = arith.addf %a, %b : f16
    linalg.yield %sum : f16
  } -> !sums
  %quotient = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]} ins(%product, %sums : !y, !sums) outs(%init : !y) {
  ^bb0(%a: f16, %b: f16, %c: f16):
    %ratio = arith.divf %a, %b : f16
    linalg.yield %ratio : f16
  } -> !y
  return %quotient : !y
})";

} // namespace stof

#endif // STOF_TEST_SEARCH_SEARCHMODULES_H
