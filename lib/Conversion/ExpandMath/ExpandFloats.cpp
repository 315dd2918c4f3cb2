//===----------------------------------------------------------------------===//
// The pass that expands floating-point operations without CPU instructions.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stof {
#define GEN_PASS_DEF_EXPANDFLOATSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// Computes functions of narrow floats in f32.
static void addMathInF32(RewritePatternSet &patterns) {
  populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
}

/// Expands functions without instructions to polynomials.
static void addApproximations(RewritePatternSet &patterns) {
  stof::populateFunctionPatterns(patterns);
  stof::populateExp2Patterns(patterns);
  stof::populateWideFunctionPatterns(patterns);
  stof::populateRemainderPatterns(patterns);
  populateMathAlgebraicSimplificationPatterns(patterns);
  populateMathPolynomialApproximationPatterns(patterns,
                                              [](StringRef) { return true; });
  math::populateExpansionPatterns(patterns,
                                  {"sinh", "cosh", "tan", "asinh", "acosh",
                                   "atanh", "powf", "fpowi", "exp2", "rsqrt"});
}

/// Computes bf16 arithmetic in f32, rounded after each operation.
static LogicalResult emulateBF16(Operation *root) {
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  arith::populateEmulateUnsupportedFloatsConversions(
      converter, BFloat16Type::get(context), Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  if (failed(applyPartialConversion(root, target, std::move(patterns))))
    return failure();
  // Upstream's fast-math flags would fold the rounding between two operations.
  root->walk([](arith::ArithFastMathInterface op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      op->removeAttr(op.getFastMathAttrName());
  });
  return success();
}

/// Rejects f64 functions that would become library calls.
static LogicalResult checkFunctions(Operation *root) {
  WalkResult result = root->walk([](Operation *op) -> WalkResult {
    bool isCall = isa<arith::RemFOp>(op) ||
                  (stof::isRounding(op) && !isa<math::SqrtOp>(op));
    if (!isCall || !getElementTypeOrSelf(op->getResult(0)).isF64())
      return WalkResult::advance();
    return op->emitOpError() << "expects a function that expands to "
                                "arithmetic, but got none for "
                             << op->getResult(0).getType();
  });
  return failure(result.wasInterrupted());
}

namespace {

struct ExpandFloatsPass : stof::impl::ExpandFloatsPassBase<ExpandFloatsPass> {
  using Base::Base;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet functions(context);
    addMathInF32(functions);
    addApproximations(functions);
    if (failed(applyPatternsGreedily(getOperation(), std::move(functions))) ||
        failed(checkFunctions(getOperation())) ||
        failed(emulateBF16(getOperation())))
      return signalPassFailure();
    RewritePatternSet conversions(context);
    arith::populateExpandBFloat16Patterns(conversions);
    arith::populateCeilFloorDivExpandOpsPatterns(conversions);
    if (failed(applyPatternsGreedily(getOperation(), std::move(conversions))))
      signalPassFailure();
  }
};

} // namespace
