//===----------------------------------------------------------------------===//
// The sources of captured values in a layout.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_SYMBOLSOURCE_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_SYMBOLSOURCE_H

#include "LayoutPlan.h"

namespace stof {

/// The source of a symbol: an operand of the attention, and an index into it as
/// a function of (batch, head).
struct SymbolSource {
  mlir::Value operand;
  mlir::AffineMap position;
};

/// The source of `symbol`, for which scalar operations may be inserted before
/// the attention; nothing if there is none.
std::optional<SymbolSource> findSource(const MaskedAttention &attention,
                                       const Expr *symbol);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_SYMBOLSOURCE_H
