//===----------------------------------------------------------------------===//
// The common iteration space of the operations of a group.
//
// Loops are mixed-radix numbers. A reshape of tensor<4096x768> to
// tensor<8x512x768> between two operations says that one loop over 4096 equals
// two loops, over 8 and over 512: it is split into two dim factors. The result
// is a set of dim factors such that every loop is a sequence of them, most
// significant first.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_ITERATIONSPACE_H
#define STOF_FUSION_ITERATIONSPACE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace stof {

/// Indices of dim factors, most significant first.
using DimFactors = llvm::SmallVector<unsigned, 4>;

/// The trip count of a dim factor.
struct FactorExtent {
  /// Static size, or dynamic.
  int64_t size = mlir::ShapedType::kDynamic;
  /// Source of a dynamic size: a dim of a tensor, or an index value.
  mlir::Value tensor;
  int64_t dim = 0;
  mlir::Value index;

  static FactorExtent ofSize(int64_t size) {
    FactorExtent extent;
    extent.size = size;
    return extent;
  }
  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
  bool isKnown() const { return isStatic() || tensor || index; }
};

class IterationSpace {
public:
  unsigned add(const FactorExtent &extent);

  /// Adds knowledge about the extent of an unsplit dim factor.
  void learn(unsigned dimFactor, const FactorExtent &extent);

  /// The dim factors that `dimFactors` have been split into, without unit ones.
  DimFactors flatten(llvm::ArrayRef<unsigned> dimFactors) const;

  /// Splits two sequences that enumerate the same indices until they are equal.
  /// Fails if the sizes do not determine how; the space is invalid afterwards.
  bool unify(llvm::ArrayRef<unsigned> lhs, llvm::ArrayRef<unsigned> rhs);

  /// Expects a dim factor that flatten has returned.
  const FactorExtent &getExtent(unsigned dimFactor) const {
    return dimFactors[dimFactor].extent;
  }

private:
  struct DimFactor {
    FactorExtent extent;
    /// The replacement of a merged or split dim factor.
    DimFactors parts;
  };
  bool areEqual(unsigned lhs, unsigned rhs) const;
  bool merge(unsigned lhs, unsigned rhs);
  /// Merges equal dim factors at either end of two sequences, and removes them.
  /// Fails if only one sequence is left, or if sizes contradict.
  bool mergeEnds(DimFactors &lhs, DimFactors &rhs);
  /// Splits `whole` into `parts`. Fails if their sizes contradict.
  bool split(unsigned whole, llvm::ArrayRef<unsigned> parts);
  /// Splits the larger one of the last two dim factors by the smaller one, and
  /// removes the common part. May swap the sequences.
  bool splitLast(DimFactors &lhs, DimFactors &rhs);

  llvm::SmallVector<DimFactor> dimFactors;
};

} // namespace stof

#endif // STOF_FUSION_ITERATIONSPACE_H
