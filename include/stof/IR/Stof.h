//===----------------------------------------------------------------------===//
// The stof dialect: masks, masked attention and groups of operations that share
// a kernel. StofOps.td defines their semantics.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_STOF_H
#define STOF_IR_STOF_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include "stof/IR/StofDialect.h.inc"
#include "stof/IR/StofEnums.h.inc"

namespace stof {
/// The maximum length of a sequence, which keeps counts of positions of the
/// score matrix within 64 bits.
inline constexpr int64_t mostPositions = std::numeric_limits<int32_t>::max();

/// The most positions of an attention whose length is of the run, which the
/// host checks (stof-assert-sizes): kernels compute with them in i32.
inline constexpr int64_t mostDynamicPositions = int64_t(1) << 29;

class MaskOpInterface;

/// A tile of an attention, for which its mask is sliced.
struct MaskTile {
  /// Of batch, head and query.
  llvm::ArrayRef<mlir::OpFoldResult> offsets, sizes;
  /// Whether it is known to cover all batches, heads and queries, respectively.
  std::array<bool, 3> isWhole;
};

namespace detail {
// Default implementations of MaskOpInterface, which describes them.
MaskOrigin getOriginOfOperands(mlir::ValueRange operands);
std::optional<bool> getConstantPredicate(mlir::Region *predicate);
mlir::Value shiftMask(mlir::OpBuilder &builder, MaskOpInterface mask,
                      const MaskTile &tile);
mlir::LogicalResult verifyMask(mlir::Operation *op);
} // namespace detail
} // namespace stof

#include "stof/IR/MaskInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "stof/IR/StofAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "stof/IR/StofTypes.h.inc"

#define GET_OP_CLASSES
#include "stof/IR/StofOps.h.inc"

#endif // STOF_IR_STOF_H
