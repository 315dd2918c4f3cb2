//===----------------------------------------------------------------------===//
// Patterns that lower tile operations to per-thread code.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H
#define STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H

#include "AccessDivisors.h"
#include "stof/Conversion/TileToNVVM/Registers.h"

namespace stof::tile {

void populateLoadPatterns(const DeviceTypeConverter &converter,
                          const AccessDivisors &divisors,
                          mlir::RewritePatternSet &patterns);
void populateStorePatterns(const DeviceTypeConverter &converter,
                           const AccessDivisors &divisors,
                           mlir::RewritePatternSet &patterns);
void populateChannelPatterns(const DeviceTypeConverter &converter,
                             const AccessDivisors &divisors,
                             mlir::RewritePatternSet &patterns);
void populateClaimPatterns(const DeviceTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateRolePatterns(const DeviceTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateMapPatterns(const DeviceTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
void populateReducePatterns(const DeviceTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateConvertPatterns(const DeviceTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateContractPatterns(const DeviceTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
void populateWgmmaPatterns(const DeviceTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);

/// Gives the first turn wherever consumers take turns (`tile.begin_turn`),
/// before these are lowered.
void giveFirstTurns(WarpSpecializeOp op);

/// Lowers `tile.warp_specialize`, whose regions are lowered, to a branch.
void lowerWarpSpecialize(WarpSpecializeOp op);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_PATTERNS_H
