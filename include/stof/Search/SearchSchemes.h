//===----------------------------------------------------------------------===//
// The first stage of a search: moves from one fusion scheme to another.
//
// The operations of a function are in the order of stof-form-groups, in which a
// kernel computes a contiguous sequence. A move changes two neighbours:
//
// - expand: they share a kernel;
// - seize: one with a compute-intensive operation takes the nearest operation
//   of one without;
// - compete: one takes the nearest operation of the other, and both have a
//   compute-intensive operation. The one with fewer of these tries first.
//
// Legality is that of the fusion plan, cost that of the model; both are kept
// for each sequence, so nothing is planned twice. A walk takes the move that
// gains most. Where none gains, a move that loses is tried with the best one
// next to it, and undone unless both together gain. It is walked from two
// schemes, the greedy one and that with a kernel for each operation.
//
// Source: STOF (PPoPP'26), section 4.4.2.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_SEARCHSCHEMES_H
#define STOF_SEARCH_SEARCHSCHEMES_H

#include "stof/Transforms/FormGroups/PlanCache.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// Replaces neighbours of a scheme.
struct SchemeMove {
  /// `expand`, `seize`, `compete`, or `split`, the reverse of `expand`.
  llvm::StringRef name;
  llvm::SmallVector<OpSequence> before, after;
  /// Predicted microseconds.
  double gain = 0;
};

/// The operations of each kernel, and the predicted microseconds of all.
struct FusionScheme {
  llvm::SmallVector<OpSequence> kernels;
  double microseconds = 0;

  /// One bit for each operation, as in #stof.scheme.
  std::string getBits() const;

  /// Makes the move; returns false if the scheme does not have what it
  /// replaces.
  bool take(const SchemeMove &move);
};

/// The same move at every place of a function, such as each layer, where its
/// operations are equal.
using Alternative = llvm::SmallVector<SchemeMove>;

struct SchemeSearch {
  /// That of stof-form-groups, and the fastest that was found.
  FusionScheme untuned, chosen;
  /// How many schemes were compared.
  unsigned tried = 0;
  /// Moves of the chosen scheme that are predicted to lose so little that they
  /// may gain; that which loses least is the first.
  std::vector<Alternative> alternatives;
};

/// Searches the schemes of `function`, whose operations are prepared for
/// groups, until `most` are compared.
SchemeSearch searchSchemes(mlir::func::FuncOp function,
                           const TargetInfo *target, unsigned most);

} // namespace stof

#endif // STOF_SEARCH_SEARCHSCHEMES_H
