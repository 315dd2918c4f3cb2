//===----------------------------------------------------------------------===//
// A fragment as one thread sees it: a list of registers. Elements of 16-bit
// floats share a register in pairs, all others have one each.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_REGISTERS_H
#define STOF_LIB_CONVERSION_TILETONVVM_REGISTERS_H

#include "stof/Tile/Tile.h"

#include "mlir/Transforms/DialectConversion.h"

namespace stof::tile {

/// Converts a fragment to its registers and a shared tile to its offset in
/// bytes (i32) in the shared memory of the block; leaves all else alone.
class DeviceTypeConverter : public mlir::TypeConverter {
public:
  DeviceTypeConverter();
};

/// Operands that are converted to one value each.
llvm::SmallVector<mlir::Value>
getSingleValues(llvm::ArrayRef<mlir::ValueRange> converted);

/// The number of elements that a thread holds.
int64_t getNumElements(FragmentType type);

/// Calls `callback` for each element that a thread holds, with its register
/// index along each dimension and its number among all elements.
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

/// Adds the pattern that rounds two floats to 16 bits in one instruction where
/// both go into one register.
void populatePairTruncationPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_REGISTERS_H
