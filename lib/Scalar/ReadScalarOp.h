//===----------------------------------------------------------------------===//
// Reads operations of arith and math as scalar expressions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SCALAR_READSCALAROP_H
#define STOF_LIB_SCALAR_READSCALAROP_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// The result of `op`, which may be elementwise on tensors, for these operands.
/// Null if it is no operation of the table, or if it may wrap in its type.
const Expr *readScalarOp(ExprContext &context, mlir::Operation *op,
                         llvm::ArrayRef<const Expr *> operands);

} // namespace stof

#endif // STOF_LIB_SCALAR_READSCALAROP_H
