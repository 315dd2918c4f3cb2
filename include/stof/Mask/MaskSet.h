//===----------------------------------------------------------------------===//
// A mask as a set: the unmasked positions (query, key) as a union of integer
// polyhedra (MLIR's Presburger library). The symbols are the lengths, the
// batch, the head and the captures of the mask.
//
// Parts that are not affine, such as a captured tensor of document numbers,
// have no such set. Two sets then enclose the mask: all pairs of `must` are
// unmasked, all pairs outside `may` are masked, and code decides in between.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_MASKSET_H
#define STOF_MASK_MASKSET_H

#include "stof/IR/MaskPredicate.h"
#include "stof/Scalar/TensorElement.h"

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

namespace stof {

/// The predicate of a mask over its four coordinates, which are variables with
/// the ranges of an attention.
struct MaskExpr {
  const Expr *batch, *head, *query, *key;
  const Expr *keep;
};

/// Reads the predicate of `mask` for an attention from `query` to `key`
/// (tensors of rank 4). Expressions refer to values of the predicate.
MaskExpr readMask(TensorElement &elements, const MaskPredicate &mask,
                  mlir::Value query, mlir::Value key);

/// The result of another predicate at the coordinates of `mask`. `elements`
/// must not have read `predicate` before.
const Expr *readPredicate(TensorElement &elements,
                          const MaskPredicate &predicate, const MaskExpr &mask);

/// Whether every constant in `root` is so small that its arithmetic on
/// positions cannot wrap. Other expressions are left to code, with the wrapping
/// semantics of arith.
bool hasSmallConstants(const Expr *root);

/// A limit on the work of computing sets: coefficients of combined disjuncts
/// and nodes of split comparisons. Work is counted instead of timed to make the
/// result deterministic.
class SetBudget {
public:
  explicit SetBudget(int64_t work = ofMask) : left(work) {}

  /// Consumes `work`; false once nothing is left.
  bool take(int64_t work) {
    left = work < left ? left - work : 0;
    return left > 0;
  }

  /// The budget of one mask: a few seconds.
  static constexpr int64_t ofMask = int64_t(1) << 20;

private:
  int64_t left;
};

class MaskSet {
public:
  using Set = mlir::presburger::PresburgerSet;

  /// Dimensions of the sets.
  enum Dim : unsigned { query = 0, key = 1, numDims = 2 };

  MaskSet(ExprContext &context, const MaskExpr &mask);
  /// As above, with a budget shared by several sets.
  MaskSet(ExprContext &context, const MaskExpr &mask, SetBudget &budget);

  /// The values of the symbols of the sets: expressions of type index that
  /// depend on neither query nor key.
  llvm::ArrayRef<const Expr *> getSymbols() const {
    return symbols.getArrayRef();
  }
  /// Pairs that are unmasked for all outcomes of the non-affine parts.
  const Set &getMust() const { return must; }
  /// Pairs that are unmasked for some outcome of the non-affine parts.
  const Set &getMay() const { return may; }
  /// Pairs that are masked for some outcome of the non-affine parts, and those
  /// of out-of-bounds keys, which padded tiles contain.
  const Set &getOpen() const { return open; }
  /// All in-bounds pairs.
  const Set &getDomain() const { return domain; }
  /// The domain extended by out-of-bounds keys.
  const Set &getPaddedDomain() const { return paddedDomain; }
  /// Whether a part is left to code because it exceeds the limits on disjuncts,
  /// cases or divisions.
  bool hasTooManyDisjuncts() const { return tooManyDisjuncts; }
  /// Whether nothing is left to code.
  bool isExact() const { return opaque.empty(); }
  /// The parts that are left to code.
  llvm::ArrayRef<const Expr *> getOpaque() const {
    return opaque.getArrayRef();
  }

private:
  /// Two sets that enclose the pairs that satisfy a condition.
  struct Bounds {
    Set must, may;
  };
  class Builder;

  llvm::SetVector<const Expr *> symbols, opaque;
  Set must, may, open, domain, paddedDomain;
  bool tooManyDisjuncts = false;
};

} // namespace stof

#endif // STOF_MASK_MASKSET_H
