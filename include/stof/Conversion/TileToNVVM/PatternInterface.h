//===----------------------------------------------------------------------===//
// The interface of dialects that have tile operations of their own.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_TILETONVVM_PATTERNINTERFACE_H
#define STOF_CONVERSION_TILETONVVM_PATTERNINTERFACE_H

#include "stof/Conversion/TileToNVVM/Registers.h"

#include "mlir/IR/DialectInterface.h"

namespace stof::tile {

/// By this interface, a dialect takes part in `stof-tile-to-nvvm`. Operations
/// that use shared memory also have SharedMemoryOpInterface.
class TileToNVVMPatternInterface
    : public mlir::DialectInterface::Base<TileToNVVMPatternInterface> {
public:
  explicit TileToNVVMPatternInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Adds the patterns that lower operations of the dialect, and marks these
  /// operations as illegal. `converter` outlives the patterns.
  virtual void
  populateTileToNVVMPatterns(const DeviceTypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             mlir::ConversionTarget &target) const = 0;
};

} // namespace stof::tile

#endif // STOF_CONVERSION_TILETONVVM_PATTERNINTERFACE_H
