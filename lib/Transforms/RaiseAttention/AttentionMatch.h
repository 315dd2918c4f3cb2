//===----------------------------------------------------------------------===//
// Recognises attention in the making of a tensor.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONMATCH_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONMATCH_H

#include "MaskSplit.h"
#include "Operands.h"
#include "Softmax.h"

namespace stof {

/// A tensor that is an attention, and all that its operation needs.
struct AttentionMatch {
  mlir::Value root;
  /// The digits of each dimension of the root.
  llvm::SmallVector<Digits> rootDigits;
  /// What the dimensions of the operands are made of. Query heads are `heads`
  /// then `groups`; key heads are `heads`.
  Digits batch, heads, groups, queries, keys, features, depth;
  llvm::SmallVector<OperandStage> query, key, value;

  /// The coordinates in which everything below is written: batch, query head,
  /// query, key. A constant zero where there is one position.
  std::array<const Expr *, 4> coordinates{};
  /// Stands for scale times the product of query and key.
  const Expr *product = nullptr;
  double scale = 1;
  /// The part of the scale that is known at run time; null for one.
  const Expr *times = nullptr;
  const Expr *score = nullptr;
  const Expr *keep = nullptr;
  const Expr *sink = nullptr;
  /// What a sum of attentions multiplies this one by, in the indices of the
  /// root; null for one.
  const Expr *factor = nullptr;
  /// The indices of the root.
  llvm::SmallVector<const Expr *> rootIndices;
  EmptyRow emptyRow = EmptyRow::Zero;
  SplitScore split;
  /// The narrow types to which the source rounds between its steps.
  llvm::SmallVector<mlir::Type> roundings;

  llvm::SmallVector<Digits> groupsOfQuery() const;
  llvm::SmallVector<Digits> groupsOfKey() const;
  llvm::SmallVector<Digits> groupsOfValue() const;
  llvm::SmallVector<Digits> groupsOfResult() const;
};

/// Matches tensors that come out of a contraction of weights and values.
class AttentionMatcher {
public:
  AttentionMatcher(ExprContext &context, ElementAt &elements, double scoreBound)
      : context(context), elements(elements), scoreBound(scoreBound) {}

  /// The attention that `root` is, or nothing; then `reason` is why not.
  std::optional<AttentionMatch> match(mlir::Value root);

  /// The attentions that `root`, which is none by itself, is a sum of, each
  /// times a factor; none if it is no such sum.
  llvm::SmallVector<AttentionMatch, 0> matchSum(mlir::Value root);

  std::string reason;
  /// Whether an exponential of a contraction is contracted.
  bool isCandidate = false;
  /// Whether that looks like attention: a sum of exponentials, or keys and
  /// values that differ between batches or heads.
  bool isLikely = false;

private:
  struct State;
  bool start(State &state, mlir::Value root);
  bool findProduct(State &state);
  bool matchWeight(State &state);
  bool setFactor(AttentionMatch &match, const Expr *factor);
  bool findScore(State &state, unsigned skip, unsigned &count);
  bool findDigits(State &state);
  bool nameDigits(State &state);
  bool checkOperands(State &state);
  void chooseCoordinates(State &state);
  bool findSoftmax(State &state);
  bool splitScore(State &state, const Softmax &softmax);
  bool splitRows(State &state, const Softmax &softmax, const Expr *score,
                 llvm::ArrayRef<const Expr *> keeps);
  bool fail(llvm::StringRef why) {
    reason = why.str();
    return false;
  }

  ExprContext &context;
  ElementAt &elements;
  double scoreBound;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONMATCH_H
