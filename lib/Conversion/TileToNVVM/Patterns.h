//===----------------------------------------------------------------------===//
// Patterns that lower tile operations to per-thread code.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H
#define STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H

#include "Registers.h"

namespace stof::tile {

/// The attribute for the offset, in bytes, of the shared memory of an
/// operation.
inline constexpr llvm::StringLiteral offsetAttr = "tile.offset";
/// The attribute for the bytes of shared memory of a kernel.
inline constexpr llvm::StringLiteral sharedBytesAttr = "tile.shared_bytes";

/// The bytes of shared memory for the result of an operation or for its
/// temporary use; 0 for none.
int64_t getSharedBytes(mlir::Operation *op);

/// The alignment of an operation's shared memory, in bytes.
int64_t getSharedAlignment(mlir::Operation *op);

/// The offset of an operation's shared memory, as an i32.
mlir::Value getSharedOffset(mlir::OpBuilder &builder, mlir::Operation *op);

/// Emits an error at an operation of `kernel` that needs shared memory but has
/// no offset.
llvm::LogicalResult checkPlaces(mlir::Operation *kernel);

/// Whether a layout conversion needs only shuffles between lanes.
bool convertsInLanes(ConvertOp op);

/// The threads of the CTA that runs `op`; 0 if unknown or not along x only.
int64_t getNumThreads(mlir::Operation *op);

void populateLoadPatterns(const DeviceTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateStorePatterns(const DeviceTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateMapPatterns(const DeviceTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
void populateReducePatterns(const DeviceTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateConvertPatterns(const DeviceTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateContractPatterns(const DeviceTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
/// Whether `op` can be lowered to wgmma.
bool canWarpgroupsMultiply(ContractOp op);

/// Lowers contractions to wgmma where possible.
void populateWarpgroupPatterns(const DeviceTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H
