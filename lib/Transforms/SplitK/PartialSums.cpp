//===----------------------------------------------------------------------===//
// A split-K contraction and the sum of its partial sums.
//===----------------------------------------------------------------------===//

#include "PartialSums.h"
#include "stof/Fusion/GroupOperations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

std::optional<unsigned> stof::findDividedLoop(linalg::LinalgOp contraction,
                                              int64_t count) {
  std::optional<ContractionLoops> loops = getContractionLoops(contraction);
  assert(loops && "expects a contraction");
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  AffineMap left =
      contraction.getMatchingIndexingMap(contraction.getDpsInputOperand(0));
  for (AffineExpr expr : left.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (llvm::is_contained(loops->reduction, loop) && sizes[loop] % count == 0)
      return loop;
  }
  return std::nullopt;
}

int64_t stof::countK(linalg::LinalgOp contraction) {
  std::optional<ContractionLoops> loops = getContractionLoops(contraction);
  assert(loops && "expects a contraction");
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  assert(!ShapedType::isDynamicShape(sizes) && "expects static sizes");
  int64_t count = 1;
  for (unsigned loop : loops->reduction)
    count *= sizes[loop];
  return count;
}

namespace {
/// Builds the partial sums, then their sum.
class SumBuilder {
public:
  SumBuilder(IRRewriter &rewriter, linalg::LinalgOp contraction, unsigned loop,
             int64_t count)
      : rewriter(rewriter), contraction(contraction), loc(contraction.getLoc()),
        loop(loop), count(count) {}

  linalg::LinalgOp buildParts();
  linalg::LinalgOp buildSum(Value parts);

private:
  RankedTensorType getType() const {
    return cast<RankedTensorType>(contraction->getResult(0).getType());
  }
  /// A map of the contraction's loops, followed by the split-K loop.
  AffineMap makeMap(ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(contraction.getNumLoops() + 1, /*symbolCount=*/0,
                          exprs, rewriter.getContext());
  }
  /// The split-K loop.
  AffineExpr getPart() {
    return rewriter.getAffineDimExpr(contraction.getNumLoops());
  }
  /// An operand with a split K dim, and its indexing map.
  std::pair<Value, AffineMap> divide(OpOperand &operand);

  IRRewriter &rewriter;
  linalg::LinalgOp contraction;
  Location loc;
  unsigned loop;
  int64_t count;
};
} // namespace

std::pair<Value, AffineMap> SumBuilder::divide(OpOperand &operand) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<ReassociationIndices> reassociation;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> shape;
  auto add = [&](AffineExpr expr, int64_t size) {
    reassociation.back().push_back(shape.size());
    exprs.push_back(expr);
    shape.push_back(size);
  };
  AffineMap map = contraction.getMatchingIndexingMap(&operand);
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape())) {
    reassociation.emplace_back();
    bool isDivided = cast<AffineDimExpr>(expr).getPosition() == loop;
    if (isDivided)
      add(getPart(), count);
    add(expr, isDivided ? size / count : size);
  }
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, loc, type.clone(shape), operand.get(), reassociation);
  return {expanded, makeMap(exprs)};
}

linalg::LinalgOp SumBuilder::buildParts() {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    auto [expanded, map] = divide(*operand);
    operands.push_back(expanded);
    maps.push_back(map);
  }
  OpOperand *init = contraction.getDpsInitOperand(0);
  SmallVector<AffineExpr> exprs{getPart()};
  llvm::append_range(exprs,
                     contraction.getMatchingIndexingMap(init).getResults());
  maps.push_back(makeMap(exprs));
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, getType().getShape());
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getF32Type());
  Value start = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  auto parts =
      linalg::ContractOp::create(rewriter, loc, start.getType(), operands,
                                 start, rewriter.getAffineMapArrayAttr(maps));
  return cast<linalg::LinalgOp>(parts.getOperation());
}

linalg::LinalgOp SumBuilder::buildSum(Value parts) {
  RankedTensorType type = getType();
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank + 1, rewriter.getIndexAttr(0)),
      strides(rank + 1, rewriter.getIndexAttr(1)),
      sizes{rewriter.getIndexAttr(1)};
  for (int64_t size : type.getShape())
    sizes.push_back(rewriter.getIndexAttr(size));
  SmallVector<Value> slices;
  for (int64_t part = 0; part < count; ++part) {
    offsets.front() = rewriter.getIndexAttr(part);
    slices.push_back(tensor::ExtractSliceOp::create(
        rewriter, loc, type.clone(rewriter.getF32Type()), parts, offsets, sizes,
        strides));
  }
  Value init = contraction.getDpsInitOperand(0)->get();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  bool isZero = fill && matchPattern(fill.value(), m_AnyZeroFloat());
  if (isZero)
    init = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                   type.getElementType());
  SmallVector<AffineMap> maps(count + 1, rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      rewriter, loc, type, slices, init, maps, parallel,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        Value all = elements.front();
        auto addTo = [&](Value value) {
          all = arith::AddFOp::create(builder, loc, all, value);
        };
        for (Value part : elements.drop_front().drop_back())
          addTo(part);
        bool isWide = type.getElementType().isF32();
        Value start = elements.back();
        if (!isZero)
          addTo(isWide ? start
                       : Value(arith::ExtFOp::create(
                             builder, loc, builder.getF32Type(), start)));
        if (!isWide)
          all =
              arith::TruncFOp::create(builder, loc, type.getElementType(), all);
        linalg::YieldOp::create(builder, loc, all);
      });
  return cast<linalg::LinalgOp>(sum.getOperation());
}

PartialSums stof::buildPartialSums(IRRewriter &rewriter,
                                   linalg::LinalgOp contraction, unsigned loop,
                                   int64_t count) {
  Operation *before = contraction->getPrevNode();
  rewriter.setInsertionPoint(contraction);
  SumBuilder builder(rewriter, contraction, loop, count);
  PartialSums sums;
  sums.parts = builder.buildParts();
  sums.sum = builder.buildSum(sums.parts->getResult(0));
  Operation *first =
      before ? before->getNextNode() : &contraction->getBlock()->front();
  for (Operation *op = first; op != contraction; op = op->getNextNode())
    sums.built.push_back(op);
  return sums;
}
