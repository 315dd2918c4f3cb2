//===----------------------------------------------------------------------===//
// Regions that are called with captured values: what mask, attention and group
// share in verification and canonicalisation.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_IR_CAPTURES_H
#define STOF_LIB_IR_CAPTURES_H

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {

/// Checks that the arguments of `body` are `leading`, then one of the type of
/// each captured value. `what` names the region in the message.
mlir::LogicalResult verifyRegionArguments(mlir::Operation *op,
                                          llvm::StringRef what,
                                          mlir::Block &body,
                                          mlir::TypeRange leading,
                                          mlir::ValueRange captures);

/// Checks that `body` yields exactly `types`.
mlir::LogicalResult verifyYield(mlir::Operation *op, llvm::StringRef what,
                                mlir::Block &body, mlir::TypeRange types);

/// Checks that nothing in `body` writes, allocates or has unknown effects.
mlir::LogicalResult verifyNoSideEffects(mlir::Operation *op,
                                        llvm::StringRef what,
                                        mlir::Block &body);

/// Drops captured values that the region ignores, merges those captured twice
/// and moves scalar constants inside. `firstArgument` is the position of the
/// first captured value among the arguments of `body`.
mlir::LogicalResult simplifyCaptures(mlir::RewriterBase &rewriter,
                                     mlir::Operation *op,
                                     mlir::MutableOperandRange captures,
                                     mlir::Block &body, unsigned firstArgument);

/// Reads and writes the score region of an attention, which is left out where
/// it yields the score as it is.
mlir::ParseResult parseScore(mlir::OpAsmParser &parser, mlir::Region &score);
void printScore(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::Region &score);

} // namespace stof

#endif // STOF_LIB_IR_CAPTURES_H
