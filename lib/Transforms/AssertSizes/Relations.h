//===----------------------------------------------------------------------===//
// What an operation takes for granted of the sizes of its operands.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_ASSERTSIZES_RELATIONS_H
#define STOF_LIB_TRANSFORMS_ASSERTSIZES_RELATIONS_H

#include "stof/Size/SizeFacts.h"

namespace stof {

struct SizeRelation {
  enum Kind { equal, atMost, multiple } kind;
  CountExpr lhs, rhs;
  /// 1 where it has to hold, else 0.
  CountExpr guard = 1;
};

/// The relations between the sizes that `facts` has read which upstream's
/// verifiers cannot check where they are dynamic, and without which `op` reads
/// or writes outside its operands.
llvm::SmallVector<SizeRelation> listRelations(mlir::Operation *op,
                                              const SizeFacts &facts);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_ASSERTSIZES_RELATIONS_H
