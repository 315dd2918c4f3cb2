//===----------------------------------------------------------------------===//
// The patterns that expand tile operations per thread, by kind.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H
#define STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H

#include "Registers.h"

namespace stof::tile {

/// The attribute by which operations that write to shared memory know their
/// place there, in bytes.
inline constexpr llvm::StringLiteral offsetAttr = "tile.offset";
/// The bytes of shared memory that a kernel needs.
inline constexpr llvm::StringLiteral sharedBytesAttr = "tile.shared_bytes";

/// The bytes of shared memory that an operation needs for its result or, while
/// it runs, for itself; 0 for none.
int64_t getSharedBytes(mlir::Operation *op);

/// What the place of an operation's shared memory is a multiple of, in bytes.
int64_t getSharedAlignment(mlir::Operation *op);

/// The place of an operation's shared memory, as an i32.
mlir::Value getSharedOffset(mlir::OpBuilder &builder, mlir::Operation *op);

/// Fails with an error at an operation of `kernel` that needs shared memory but
/// has no place there.
llvm::LogicalResult checkPlaces(mlir::Operation *kernel);

/// Whether a layout becomes another by what the lanes of a warp exchange.
bool convertsInLanes(ConvertOp op);

/// The threads of the block that runs `op`; 0 if its kernel does not say.
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
/// Whether warpgroups can compute `op` (wgmma).
bool canWarpgroupsMultiply(ContractOp op);

/// Where warpgroups can multiply, they do.
void populateWarpgroupPatterns(const DeviceTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H
