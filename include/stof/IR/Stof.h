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
} // namespace stof

#define GET_ATTRDEF_CLASSES
#include "stof/IR/StofAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "stof/IR/StofTypes.h.inc"

#define GET_OP_CLASSES
#include "stof/IR/StofOps.h.inc"

#endif // STOF_IR_STOF_H
