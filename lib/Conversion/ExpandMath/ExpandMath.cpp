//===----------------------------------------------------------------------===//
// The pass that expands mathematical functions. Upstream's expansions are
// replaced where they are inaccurate or slow on GPUs (Functions.cpp).
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stof {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// Whether upstream's polynomial for a function is accurate enough.
static bool hasGoodPolynomial(StringRef name) {
  return llvm::is_contained(
      {math::LogOp::getOperationName(), math::Log2Op::getOperationName(),
       math::Log1pOp::getOperationName(), math::ErfOp::getOperationName(),
       math::ErfcOp::getOperationName(), math::TanhOp::getOperationName(),
       math::AsinOp::getOperationName(), math::AcosOp::getOperationName()},
      name);
}

bool stof::isRounding(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp,
              math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp,
              math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(
             op);
}

namespace {
/// f(x : f16) -> truncf f(extf x : f32)
struct WidenNarrowFloats : RewritePattern {
  explicit WidenNarrowFloats(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!stof::isRounding(op) || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "exact or not a function");
    auto isNarrow = [](Type type) {
      Type element = getElementTypeOrSelf(type);
      return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
    };
    Type type = op->getResult(0).getType();
    if (!isNarrow(type))
      return rewriter.notifyMatchFailure(op, "already f32 or wider");
    stof::Arithmetic arith(rewriter, op->getLoc(), type);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isNarrow(operand.getType())
                             ? arith.cast(arith.f32(), operand)
                             : operand);
    Operation *wide =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                        arith.f32(), op->getAttrs());
    rewriter.replaceOp(op, arith.cast(type, wide->getResult(0)));
    return success();
  }
};

struct ExpandMathPass : stof::impl::ExpandMathPassBase<ExpandMathPass> {
  using Base::Base;

  void runOnOperation() override {
    stof::expandRoundedFunctions(getOperation());
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<WidenNarrowFloats>(context);
    stof::populateNarrowFunctionPatterns(patterns);
    stof::populateFunctionPatterns(patterns);
    stof::populateExpPatterns(patterns);
    stof::populateWideFunctionPatterns(patterns);
    stof::populateRemainderPatterns(patterns);
    if (expandExp2)
      stof::populateExp2Patterns(patterns);
    populateMathAlgebraicSimplificationPatterns(patterns);
    populateMathPolynomialApproximationPatterns(patterns, hasGoodPolynomial);
    math::populateExpansionPatterns(
        patterns, {"sinh", "cosh", "tan", "acosh", "atanh", "fpowi"});
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
