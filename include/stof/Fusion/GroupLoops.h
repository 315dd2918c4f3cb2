//===----------------------------------------------------------------------===//
// The loops of the operations of a group and the dims of its values, as dim
// factors of one iteration space.
//
// relateLoops (RelateLoops.h) creates it:
//
//     linalg.matmul      m = 4096         n = 768
//     expand_shape       4096 -> 8 x 512
//     linalg.generic     b = 8, s = 512   d = 768
//
//     dim factors        0: 8,  1: 512,  2: 768
//     loops              m is [0, 1], n is [2]; b is [0], s is [1], d is [2]
//
// Sequences of dim factors are flat here: none is split further, and none has
// one iteration.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPLOOPS_H
#define STOF_FUSION_GROUPLOOPS_H

#include "stof/Fusion/GroupMembers.h"
#include "stof/Fusion/IterationSpace.h"

namespace stof {

/// A read of a value of the group at another element than the reader's own.
struct ElementRead {
  mlir::linalg::LinalgOp reader;
  mlir::Operation *extract;
  /// The dims whose index is not the reader's own.
  llvm::SmallVector<unsigned, 2> moved;
  /// Whether an index depends on elements of tensors.
  bool isFound = false;

  mlir::Value getTensor() const { return extract->getOperand(0); }
};

/// Two sequences that enumerate the same indices.
using EqualFactors = std::pair<DimFactors, DimFactors>;

class GroupLoops {
public:
  /// Whether the group computes `value`.
  bool isInner(mlir::Value value) const { return values.contains(value); }

  const FactorExtent &getExtent(unsigned dimFactor) const {
    return space.getExtent(dimFactor);
  }
  bool areStatic(llvm::ArrayRef<unsigned> dimFactors) const;

  /// The dim factors of a loop.
  DimFactors flattenLoop(mlir::linalg::LinalgOp op, unsigned loop) const {
    return space.flatten(loops.at(op)[loop]);
  }
  /// The same; nothing for a reduction loop that runs per element, since no
  /// combiner allows partial results of it.
  std::optional<DimFactors> getLoopDimFactors(mlir::linalg::LinalgOp op,
                                              unsigned loop) const;
  /// The dim factors of some loops, of all parallel ones, of all reduction
  /// loops, and of all loops.
  DimFactors getDimFactors(mlir::linalg::LinalgOp op,
                           llvm::ArrayRef<unsigned> which) const;
  DimFactors getParallelDimFactors(mlir::linalg::LinalgOp op) const;
  DimFactors getReducedDimFactors(mlir::linalg::LinalgOp op) const;
  DimFactors getIterationDimFactors(mlir::linalg::LinalgOp op) const;

  /// The dim factors of each dim of a value of the group, and of all in
  /// row-major order.
  llvm::SmallVector<DimFactors> getValueDims(mlir::Value value) const;
  DimFactors getValueDimFactors(mlir::Value value) const;

  /// The dim factors of each dim of an operand, if its operation reads each
  /// element exactly once, and of all in row-major order.
  std::optional<llvm::SmallVector<DimFactors>>
  getOperandDims(mlir::OpOperand &operand) const;
  std::optional<DimFactors>
  getOperandDimFactors(mlir::OpOperand &operand) const;

  llvm::ArrayRef<ElementRead> getElementReads() const { return reads; }
  /// The dim factors of index `dim` of a read.
  DimFactors getReadDimFactors(const ElementRead &read, unsigned dim) const {
    return space.flatten(values.at(read.getTensor())[dim]);
  }

  /// Whether no dim factor occurs twice among the loops of an operation.
  bool areDistinct(mlir::linalg::LinalgOp op) const {
    return areDistinct(op, space);
  }

  //===--------------------------------------------------------------------===//
  // Construction
  //===--------------------------------------------------------------------===//

  /// Adds a dim factor per loop of `op`. Extents of dynamic loops are those of
  /// operands from outside of the group.
  void addOperation(mlir::linalg::LinalgOp op);
  unsigned addDimFactor(const FactorExtent &extent) {
    return space.add(extent);
  }
  /// Adds a value of the group, given the dim factors of its dims.
  void addValue(mlir::Value value, llvm::SmallVector<DimFactors> dims) {
    values[value] = std::move(dims);
  }
  void addElementRead(const ElementRead &read) { reads.push_back(read); }

  /// Makes two sequences the same. If that fails, these loops are invalid.
  bool unify(llvm::ArrayRef<unsigned> lhs, llvm::ArrayRef<unsigned> rhs) {
    return space.unify(lhs, rhs);
  }
  /// Makes all pairs the same, unless one of them cannot be or loops of one of
  /// `operations` would no longer be distinct.
  void tryUnify(llvm::ArrayRef<EqualFactors> pairs,
                llvm::ArrayRef<mlir::linalg::LinalgOp> operations);

private:
  bool areDistinct(mlir::linalg::LinalgOp op,
                   const IterationSpace &within) const;

  IterationSpace space;
  /// The initial dim factor of each loop; `space` records how it was split.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loops;
  /// The dims of each value of the group.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<DimFactors>> values;
  llvm::SmallVector<ElementRead> reads;
};

} // namespace stof

#endif // STOF_FUSION_GROUPLOOPS_H
