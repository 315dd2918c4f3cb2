//===----------------------------------------------------------------------===//
// Dim factors of loops, values and operands.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupLoops.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

static DimFactors concatenate(ArrayRef<DimFactors> dims) {
  DimFactors all;
  for (const DimFactors &dim : dims)
    llvm::append_range(all, dim);
  return all;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool GroupLoops::areStatic(ArrayRef<unsigned> dimFactors) const {
  return llvm::all_of(dimFactors, [&](unsigned dimFactor) {
    return getExtent(dimFactor).isStatic();
  });
}

std::optional<DimFactors> GroupLoops::getLoopDimFactors(linalg::LinalgOp op,
                                                        unsigned loop) const {
  DimFactors dimFactors = flattenLoop(op, loop);
  // Loops of one iteration reduce nothing.
  if (!dimFactors.empty() &&
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
      !getCombiner(op))
    return std::nullopt;
  return dimFactors;
}

DimFactors GroupLoops::getDimFactors(linalg::LinalgOp op,
                                     ArrayRef<unsigned> which) const {
  DimFactors dimFactors;
  for (unsigned loop : which)
    llvm::append_range(dimFactors, flattenLoop(op, loop));
  return dimFactors;
}

DimFactors GroupLoops::getParallelDimFactors(linalg::LinalgOp op) const {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  return getDimFactors(op, parallel);
}

DimFactors GroupLoops::getReducedDimFactors(linalg::LinalgOp op) const {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return getDimFactors(op, reduced);
}

DimFactors GroupLoops::getIterationDimFactors(linalg::LinalgOp op) const {
  return getDimFactors(op, llvm::to_vector(llvm::seq(op.getNumLoops())));
}

SmallVector<DimFactors> GroupLoops::getValueDims(Value value) const {
  return llvm::map_to_vector(values.at(value), [&](const DimFactors &dim) {
    return space.flatten(dim);
  });
}

DimFactors GroupLoops::getValueDimFactors(Value value) const {
  return concatenate(getValueDims(value));
}

std::optional<SmallVector<DimFactors>>
GroupLoops::getOperandDims(OpOperand &operand) const {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  auto type = dyn_cast<ShapedType>(operand.get().getType());
  if (!type)
    return std::nullopt;
  SmallVector<DimFactors> dims;
  llvm::SmallDenseSet<unsigned> seen;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    dims.emplace_back();
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<DimFactors> own = getLoopDimFactors(op, loop.getPosition());
      if (!own)
        return std::nullopt;
      dims.back() = *own;
    } else if (!isa<AffineConstantExpr>(expr) || type.getDimSize(dim) != 1) {
      return std::nullopt;
    }
    for (unsigned dimFactor : dims.back())
      if (!seen.insert(dimFactor).second)
        return std::nullopt;
  }
  return dims;
}

std::optional<DimFactors>
GroupLoops::getOperandDimFactors(OpOperand &operand) const {
  std::optional<SmallVector<DimFactors>> dims = getOperandDims(operand);
  return dims ? std::optional(concatenate(*dims)) : std::nullopt;
}

bool GroupLoops::areDistinct(linalg::LinalgOp op,
                             const IterationSpace &within) const {
  llvm::SmallDenseSet<unsigned, 8> seen;
  for (unsigned loop : loops.at(op))
    for (unsigned dimFactor : within.flatten(loop))
      if (!seen.insert(dimFactor).second)
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The source of the extent of a dim of an initial value.
static FactorExtent getExtentOfInit(Value init, int64_t dim) {
  while (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.output();
  FactorExtent extent;
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty) {
    extent.tensor = init;
    extent.dim = dim;
  } else if (empty.getType().isDynamicDim(dim)) {
    extent.index = empty.getDynamicSize(dim);
  }
  return extent;
}

/// The source of the extent of a dim of an operand.
static FactorExtent getExtentOfOperand(OpOperand &operand, int64_t dim) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  if (op.isDpsInit(&operand) || operand.get().getDefiningOp<tensor::EmptyOp>())
    return getExtentOfInit(operand.get(), dim);
  FactorExtent extent;
  extent.tensor = operand.get();
  extent.dim = dim;
  return extent;
}

void GroupLoops::addOperation(linalg::LinalgOp op) {
  SmallVector<unsigned> &own = loops[op];
  for (int64_t size : op.getStaticLoopRanges())
    own.push_back(space.add(FactorExtent::ofSize(size)));
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()) || isInner(operand.get()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && !getExtent(own[loop.getPosition()]).isStatic())
        space.learn(own[loop.getPosition()], getExtentOfOperand(operand, dim));
  }
}

void GroupLoops::tryUnify(ArrayRef<EqualFactors> pairs,
                          ArrayRef<linalg::LinalgOp> operations) {
  IterationSpace attempt = space;
  for (const auto &[lhs, rhs] : pairs)
    if (!attempt.unify(lhs, rhs))
      return;
  if (llvm::all_of(operations, [&](linalg::LinalgOp op) {
        return areDistinct(op, attempt);
      }))
    space = attempt;
}
