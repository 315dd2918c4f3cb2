//===----------------------------------------------------------------------===//
// Floating-point operations that a processor lacks, without a run-time library.
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

/// Functions of one small float become functions of an f32.
static void addMathInF32(RewritePatternSet &patterns) {
  populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
}

/// Functions that are no instruction become polynomials, or others that do.
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

/// Arithmetic on bf16 becomes arithmetic on f32, rounded after each operation.
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
  // Upstream lets a rounding between two operations vanish; here it is kept.
  root->walk([](arith::ArithFastMathInterface op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      op->removeAttr(op.getFastMathAttrName());
  });
  return success();
}

/// Functions of f64 that would become calls into a library.
static LogicalResult checkFunctions(Operation *root) {
  WalkResult result = root->walk([](Operation *op) -> WalkResult {
    bool isCall = isa<arith::RemFOp>(op) ||
                  (stof::isRounding(op) && !isa<math::SqrtOp>(op));
    if (!isCall || !getElementTypeOrSelf(op->getResult(0)).isF64())
      return WalkResult::advance();
    return op->emitOpError() << "expects a function that can be written in "
                                "arithmetic, but none is known for "
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
