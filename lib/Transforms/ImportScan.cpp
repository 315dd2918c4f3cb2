//===----------------------------------------------------------------------===//
// Imports scans in generic form as linalg. A kernel computes elements
// independently, hence a scan of n elements takes n^2 steps: acceptable for the
// short rows of masks and positions that models scan.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/LinalgUtils.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {
#define GEN_PASS_DEF_IMPORTSCANPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

constexpr StringLiteral scanName = "tm_tensor.scan";

/// The only operation of the scan's region if it combines both arguments and
/// has a neutral element, otherwise null.
Operation *findCombiner(Operation *scan) {
  if (scan->getNumRegions() != 1 || !scan->getRegion(0).hasOneBlock())
    return nullptr;
  Block &body = scan->getRegion(0).front();
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2)
    return nullptr;
  Operation *combiner = &body.front();
  bool combines =
      combiner->getNumOperands() == 2 && combiner->getNumResults() == 1 &&
      llvm::is_contained(combiner->getOperands(), body.getArgument(0)) &&
      llvm::is_contained(combiner->getOperands(), body.getArgument(1)) &&
      body.back().getNumOperands() == 1 &&
      body.back().getOperand(0) == combiner->getResult(0);
  return combines && stof::findNeutralElement(combiner) ? combiner : nullptr;
}

LogicalResult importScan(Operation *scan) {
  auto dimension = scan->getAttrOfType<IntegerAttr>("dimension");
  auto inclusive = scan->getAttrOfType<BoolAttr>("inclusive");
  bool formed = scan->getNumOperands() == 3 && scan->getNumResults() == 2 &&
                dimension && inclusive;
  auto type = formed ? dyn_cast<RankedTensorType>(scan->getOperand(0).getType())
                     : RankedTensorType();
  if (!type || scan->getResult(0).getType() != type || dimension.getInt() < 0 ||
      dimension.getInt() >= type.getRank())
    return scan->emitOpError() << "expects an input, two outputs of ranked "
                                  "tensors, a dimension and whether it is "
                                  "inclusive";
  if (!inclusive.getValue())
    return scan->emitOpError() << "expects an inclusive scan, but got an "
                                  "exclusive one";
  if (!scan->getResult(1).use_empty())
    return scan->emitOpError() << "expects an unused last result";
  Operation *combiner = findCombiner(scan);
  if (!combiner)
    return scan->emitOpError() << "expects a region of one operation with a "
                                  "neutral element";

  IRRewriter rewriter(scan);
  Location loc = scan->getLoc();
  int64_t rank = type.getRank(), dim = dimension.getInt();
  // Loop `rank` is the reduction.
  SmallVector<AffineExpr> read, write;
  for (int64_t loop = 0; loop < rank; ++loop) {
    read.push_back(rewriter.getAffineDimExpr(loop == dim ? rank : loop));
    write.push_back(rewriter.getAffineDimExpr(loop));
  }
  SmallVector<AffineMap> maps{
      AffineMap::get(rank + 1, 0, read, rewriter.getContext()),
      AffineMap::get(rank + 1, 0, write, rewriter.getContext())};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  Value input = scan->getOperand(0);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, input),
      type.getElementType());
  Value neutral = arith::ConstantOp::create(
      rewriter, loc, *stof::findNeutralElement(combiner));
  Value start =
      linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  auto result = linalg::GenericOp::create(
      rewriter, loc, type, input, start, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        Value at = linalg::IndexOp::create(builder, loc, dim);
        Value from = linalg::IndexOp::create(builder, loc, rank);
        Value before = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ule, from, at);
        Operation *combined = builder.clone(*combiner);
        combined->setOperands({elements[1], elements[0]});
        Value next = arith::SelectOp::create(
            builder, loc, before, combined->getResult(0), elements[1]);
        linalg::YieldOp::create(builder, loc, next);
      });
  rewriter.replaceAllUsesWith(scan->getResult(0), result.getResult(0));
  rewriter.eraseOp(scan);
  return success();
}

struct ImportScanPass : stof::impl::ImportScanPassBase<ImportScanPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> scans;
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef() == scanName)
        scans.push_back(op);
    });
    for (Operation *scan : scans)
      if (failed(importScan(scan)))
        return signalPassFailure();
  }
};

} // namespace
