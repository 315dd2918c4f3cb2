//===----------------------------------------------------------------------===//
// The registers of a fragment in one thread. Two 16-bit floats share a
// register; other elements have one each.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_TILETONVVM_REGISTERS_H
#define STOF_CONVERSION_TILETONVVM_REGISTERS_H

#include "stof/Tile/Tile.h"

#include "mlir/Transforms/DialectConversion.h"

namespace stof::tile {

/// Converts a fragment to its registers, or to a struct of them while it is in
/// flight, and a shared tile or a channel to its byte offset (i32) in the
/// shared memory of the CTA; other types are legal.
class DeviceTypeConverter : public mlir::TypeConverter {
public:
  DeviceTypeConverter();
};

/// The values of operands that are converted 1:1.
llvm::SmallVector<mlir::Value>
getSingleValues(llvm::ArrayRef<mlir::ValueRange> converted);

/// The number of elements per thread.
int64_t getNumElements(FragmentType type);

/// Calls `callback` for each element of a thread, with its register index along
/// each dimension and its index among all elements.
void forEachElement(
    FragmentType type,
    llvm::function_ref<void(llvm::ArrayRef<int64_t> indices, int64_t element)>
        callback);

/// The elements of a fragment in the order of LayoutInterface::getRegister.
llvm::SmallVector<mlir::Value> unpackElements(mlir::OpBuilder &builder,
                                              mlir::Location loc,
                                              FragmentType type,
                                              mlir::ValueRange registers);

/// The reverse of `unpackElements`.
llvm::SmallVector<mlir::Value> packElements(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            FragmentType type,
                                            mlir::ValueRange elements);

/// Adds the pattern that truncates both floats of a 32-bit register in one
/// instruction.
void populatePairTruncationPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof::tile

#endif // STOF_CONVERSION_TILETONVVM_REGISTERS_H
