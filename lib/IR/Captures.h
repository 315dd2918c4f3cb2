//===----------------------------------------------------------------------===//
// Regions with captured values: what mask, attention, tile lists, scatter and
// group share.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_IR_CAPTURES_H
#define STOF_LIB_IR_CAPTURES_H

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {

/// Verifies that the arguments of `body` have the types `leading`, then those
/// of the captured values. `what` names the region in the message.
mlir::LogicalResult verifyRegionArguments(mlir::Operation *op,
                                          llvm::StringRef what,
                                          mlir::Block &body,
                                          mlir::TypeRange leading,
                                          mlir::ValueRange captures);

/// Verifies that `body` yields exactly `types`.
mlir::LogicalResult verifyYield(mlir::Operation *op, llvm::StringRef what,
                                mlir::Block &body, mlir::TypeRange types);

/// Verifies that the operations of `body` have no effects other than reads.
mlir::LogicalResult verifyNoSideEffects(mlir::Operation *op,
                                        llvm::StringRef what,
                                        mlir::Block &body);

/// Whether evaluating `mask` may read memory; conservatively true unless its
/// defining op is known and captures no buffer.
bool mayReadBuffers(mlir::Value mask);

/// Drops unused captured values, merges duplicates and clones scalar constants
/// into the region. `firstArgument` is the argument number of the first
/// captured value.
mlir::LogicalResult simplifyCaptures(mlir::RewriterBase &rewriter,
                                     mlir::Operation *op,
                                     mlir::MutableOperandRange captures,
                                     mlir::Block &body, unsigned firstArgument);

/// Adds `offsets` to the coordinates of `body`, which start at argument
/// `first`. Dynamic offsets are captured.
void shiftCoordinates(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Block &body, unsigned first,
                      llvm::ArrayRef<mlir::OpFoldResult> offsets,
                      mlir::MutableOperandRange captures);

/// Parses and prints the score region of an attention, which is omitted if it
/// is the identity.
mlir::ParseResult
parseMask(mlir::OpAsmParser &parser,
          llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &masks,
          llvm::SmallVectorImpl<mlir::Type> &types);
void printMask(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::OperandRange masks, mlir::TypeRange types);
/// The second mask, which follows the first one in `masks`.
mlir::ParseResult parseEmptyRowsMask(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &masks,
    llvm::SmallVectorImpl<mlir::Type> &types);
void printEmptyRowsMask(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::OperandRange masks, mlir::TypeRange types);
mlir::ParseResult parseScore(mlir::OpAsmParser &parser, mlir::Region &score);
void printScore(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::Region &score);

} // namespace stof

#endif // STOF_LIB_IR_CAPTURES_H
