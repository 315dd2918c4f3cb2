//===----------------------------------------------------------------------===//
// Matches attention in the expression of a tensor's element.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONMATCH_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONMATCH_H

#include "MaskSplit.h"
#include "Operands.h"
#include "Softmax.h"

namespace stof {

/// A tensor that is an attention, with the arguments of its operation.
struct AttentionMatch {
  mlir::Value root;
  /// The dim factors of each dimension of the root.
  llvm::SmallVector<DimFactors> rootDimFactors;
  /// The dim factors of the operands. Query heads are `heads`, then `groups`
  /// (heads of a GQA group); key heads are `heads`; `headDim` is that of
  /// queries and keys.
  DimFactors batch, heads, groups, queries, keys, features, headDim;
  llvm::SmallVector<OperandStage> query, key, value;

  /// The coordinates of the expressions below: batch, query head, query, key.
  /// Constant zero for dimensions of size one.
  std::array<const Expr *, 4> coordinates{};
  /// A placeholder for scale times the contraction of query and key.
  const Expr *product = nullptr;
  double scale = 1;
  /// The run-time factor of the scale; null for one.
  const Expr *times = nullptr;
  const Expr *score = nullptr;
  const Expr *keep = nullptr;
  const Expr *sink = nullptr;
  /// The factor of this attention in a sum, in the indices of the root; null
  /// for one.
  const Expr *factor = nullptr;
  /// The indices of the root.
  llvm::SmallVector<const Expr *> rootIndices;
  EmptyRow emptyRows{EmptyRows::Zero};
  SplitScore split;
  /// The narrower types of intermediate results in the source.
  llvm::SmallVector<mlir::Type> roundings;

  llvm::SmallVector<DimFactors> getQueryDims() const;
  llvm::SmallVector<DimFactors> getKeyDims() const;
  llvm::SmallVector<DimFactors> getValueDims() const;
  llvm::SmallVector<DimFactors> getResultDims() const;
};

/// Matches tensors computed from a contraction of weights and values.
class AttentionMatcher {
public:
  AttentionMatcher(ExprContext &context, TensorElement &elements,
                   double scoreBound)
      : context(context), elements(elements), scoreBound(scoreBound) {}

  /// Matches `root` as an attention. On failure `reason` is set.
  std::optional<AttentionMatch> match(mlir::Value root);

  /// Matches `root`, not an attention by itself, as a sum of attentions, each
  /// times a factor; empty on failure.
  llvm::SmallVector<AttentionMatch, 0> matchSum(mlir::Value root);

  std::string reason;
  /// Whether the root has a contraction of an exponential of a contraction.
  bool isCandidate = false;
  /// Whether the candidate is likely an attention: it has a sum of
  /// exponentials, or its keys and values differ between batches or heads.
  bool isLikely = false;

private:
  struct State;
  bool start(State &state, mlir::Value root);
  bool findContraction(State &state);
  bool matchWeight(State &state);
  bool setFactor(AttentionMatch &match, const Expr *factor);
  bool findScore(State &state, unsigned skip, unsigned &count);
  bool findDimFactors(State &state);
  /// Sorts the dim factors of the result: those of values alone are features;
  /// those of weights alone go to `rows`, those of both to `shared`.
  bool sortDimFactors(State &state, DimFactors &shared, DimFactors &rows);
  bool nameDimFactors(State &state);
  bool checkOperands(State &state);
  void chooseCoordinates(State &state);
  bool findSoftmax(State &state);
  bool splitScore(State &state, const Softmax &softmax);
  bool splitRows(State &state, const Softmax &softmax, const Expr *score,
                 llvm::ArrayRef<const Expr *> keeps);
  bool findEmptyRows(State &state, const Expr *weight, const Expr *score,
                     llvm::ArrayRef<const Expr *> keeps);
  bool fail(llvm::StringRef why) {
    reason = why.str();
    return false;
  }

  ExprContext &context;
  TensorElement &elements;
  double scoreBound;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONMATCH_H
