//===----------------------------------------------------------------------===//
// A mask as a set: the pairs (query, key) that it keeps, as a union of integer
// polyhedra (MLIR's Presburger library) whose symbols are the lengths, the
// batch, the head and what the mask captures.
//
// What is not affine, such as a captured tensor of document numbers, cannot be
// written so. Two sets then enclose the mask: it keeps every pair of `must` and
// none outside `may`, and its code decides between them.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_MASKSET_H
#define STOF_MASK_MASKSET_H

#include "stof/IR/Stof.h"
#include "stof/Scalar/ElementAt.h"

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

namespace stof {

/// The predicate of a mask over its four coordinates, which are variables with
/// the ranges of an attention.
struct MaskExpr {
  const Expr *batch, *head, *query, *key;
  const Expr *keep;
};

/// Reads the predicate of `mask` as an attention from `query` to `key` (tensors
/// of rank 4) uses it.
MaskExpr readMask(ElementAt &elements, MaskOp mask, mlir::Value query,
                  mlir::Value key);

/// What another predicate yields at the coordinates of `mask`. `elements` has
/// to be new to it.
const Expr *readPredicate(ElementAt &elements, MaskOp predicate,
                          const MaskExpr &mask);

/// Whether every constant in `root` is so small that its arithmetic on
/// positions cannot wrap. What does not hold for is left to code, which wraps
/// as arith does.
bool hasSmallConstants(const Expr *root);

/// The work that sets may take: coefficients of the pieces that are joined, and
/// nodes of the comparisons that are split. It is counted, not timed, so that
/// the same mask has the same set everywhere.
class SetBudget {
public:
  explicit SetBudget(int64_t work = ofMask) : left(work) {}

  /// Whether this much is left; it then is less.
  bool take(int64_t work) {
    left = work < left ? left - work : 0;
    return left > 0;
  }

  /// What one mask may take: some seconds.
  static constexpr int64_t ofMask = int64_t(1) << 20;

private:
  int64_t left;
};

class MaskSet {
public:
  using Set = mlir::presburger::PresburgerSet;

  /// The dimensions of the sets.
  enum Dim : unsigned { query = 0, key = 1, numDims = 2 };

  MaskSet(ExprContext &context, const MaskExpr &mask);
  /// The same out of a budget that several sets share.
  MaskSet(ExprContext &context, const MaskExpr &mask, SetBudget &budget);

  /// What the symbols of the sets stand for: expressions of type index that
  /// depend on neither query nor key.
  llvm::ArrayRef<const Expr *> getSymbols() const {
    return symbols.getArrayRef();
  }
  /// Pairs that are kept whatever the parts that are not affine say.
  const Set &getMust() const { return must; }
  /// Pairs that are kept if those parts say so.
  const Set &getMay() const { return may; }
  /// Pairs that are dropped unless those parts keep them, and those of keys
  /// beyond the last, which padded tiles hold.
  const Set &getOpen() const { return open; }
  /// All pairs of positions.
  const Set &getDomain() const { return domain; }
  /// The same with keys beyond the last.
  const Set &getPaddedDomain() const { return paddedDomain; }
  /// Whether a part is left to code because it has more pieces, cases or
  /// divisions than are worth their proofs.
  bool hasTooManyPieces() const { return tooManyPieces; }
  /// Whether nothing is left to code.
  bool isExact() const { return opaque.empty(); }
  /// The parts that are not affine.
  llvm::ArrayRef<const Expr *> getOpaque() const {
    return opaque.getArrayRef();
  }

private:
  /// Two sets that enclose the pairs for which a truth value holds.
  struct Bounds {
    Set must, may;
  };
  class Builder;

  llvm::SetVector<const Expr *> symbols, opaque;
  Set must, may, open, domain, paddedDomain;
  bool tooManyPieces = false;
};

} // namespace stof

#endif // STOF_MASK_MASKSET_H
