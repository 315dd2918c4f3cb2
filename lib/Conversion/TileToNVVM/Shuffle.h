//===----------------------------------------------------------------------===//
// Exchange of values between lanes.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_SHUFFLE_H
#define STOF_LIB_CONVERSION_TILETONVVM_SHUFFLE_H

#include "mlir/IR/Builders.h"

namespace stof::tile {

/// The `value`, of any element type, of the lane whose index differs in `bit`.
mlir::Value shuffle(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, int64_t bit);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_SHUFFLE_H
