//===----------------------------------------------------------------------===//
// The preconditions of operations on the sizes of their operands.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_ASSERTSIZES_RELATIONS_H
#define STOF_LIB_TRANSFORMS_ASSERTSIZES_RELATIONS_H

#include "stof/Size/SizeFacts.h"

namespace stof {

struct SizeRelation {
  enum Kind { Equal, AtMost, Multiple } kind;
  CountExpr lhs, rhs;
  /// 1 where the relation must hold, otherwise 0.
  CountExpr guard = 1;
};

/// The relations between sizes, in terms of `facts`, that keep the accesses of
/// `op` in bounds and that upstream's verifiers cannot check for dynamic sizes.
llvm::SmallVector<SizeRelation> listRelations(mlir::Operation *op,
                                              const SizeFacts &facts);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_ASSERTSIZES_RELATIONS_H
