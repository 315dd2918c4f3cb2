//===----------------------------------------------------------------------===//
// Inlining of mask predicates: the evaluation of a mask at one pair of query
// and key.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_MASKPREDICATE_H
#define STOF_TRANSFORMS_MASKPREDICATE_H

#include "mlir/IR/Builders.h"

namespace stof {

/// Whether `inlinePredicate` supports `mask`, a value of mask type: it is
/// produced by stof.mask or stof.block_mask.
bool hasPredicate(mlir::Value mask);

/// Inserts the predicate of `mask` at the four `coordinates` (batch, head,
/// query, key; all of type index) and returns its result, an i1.
mlir::Value inlinePredicate(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value mask, mlir::ValueRange coordinates);

/// Inserts a copy of the operations of `body`, which has one block, with its
/// arguments replaced, and returns the operands of its terminator.
mlir::SmallVector<mlir::Value> inlineBody(mlir::OpBuilder &builder,
                                          mlir::Region &body,
                                          mlir::ValueRange arguments);

} // namespace stof

#endif // STOF_TRANSFORMS_MASKPREDICATE_H
