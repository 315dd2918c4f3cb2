//===----------------------------------------------------------------------===//
// The predicate of a mask as operations: for analyses and kernels, which read a
// block of them, and for mask operations, which emit them.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_MASKPREDICATE_H
#define STOF_IR_MASKPREDICATE_H

#include "stof/IR/Stof.h"

#include "mlir/IR/IRMapping.h"

namespace stof {

/// The predicate of a mask as a block, whatever operation defines the mask: the
/// region of the operation, or else the code that it emits, in a `stof.mask`
/// that is in no block and lives as long as this object.
///
///   MaskPredicate predicate(attention.getMaskDefinition());
///   for (Operation &op : predicate.getBody().without_terminator())
///     ...
class MaskPredicate {
public:
  explicit MaskPredicate(MaskOpInterface mask);

  /// The block, which yields an i1. Its arguments are the four coordinates
  /// (batch, head, query, key; all of type index), then those that stand for
  /// the captured values.
  mlir::Block &getBody() const { return *body; }
  llvm::ArrayRef<mlir::BlockArgument> getCoordinates() const {
    return body->getArguments().take_front(MaskOp::numCoordinates);
  }
  llvm::ArrayRef<mlir::BlockArgument> getCaptureArguments() const {
    return body->getArguments().drop_front(MaskOp::numCoordinates);
  }
  mlir::ValueRange getCaptures() const { return mask->getOperands(); }

  /// The yielded i1.
  mlir::Value getResult() const { return body->getTerminator()->getOperand(0); }

  /// Creates a `stof.mask` with a copy of the predicate; `copies` maps values
  /// of the block to those of the copy.
  MaskOp copy(mlir::OpBuilder &builder, MaskType type,
              mlir::IRMapping &copies) const;

private:
  mlir::Operation *mask;
  /// Null if the mask has a region.
  mlir::OwningOpRef<MaskOp> emitted;
  mlir::Block *body;
};

/// Inserts a copy of the operations of `body`, which has one block, with its
/// arguments replaced, and returns the operands of its terminator.
llvm::SmallVector<mlir::Value> inlineBody(mlir::OpBuilder &builder,
                                          mlir::Region &body,
                                          mlir::ValueRange arguments);

/// Reads an element of `captured`, a tensor or a buffer.
mlir::Value emitElement(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value captured, mlir::ValueRange indices);

/// The size of dimension `dim` of `captured`, a tensor or a buffer.
mlir::Value emitSize(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value captured, int64_t dim);

} // namespace stof

#endif // STOF_IR_MASKPREDICATE_H
