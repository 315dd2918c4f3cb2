//===----------------------------------------------------------------------===//
// Where a layout finds what its mask captures.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_SYMBOLSOURCE_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_SYMBOLSOURCE_H

#include "LayoutPlan.h"

namespace stof {

/// Where the value of a symbol comes from: an operand of the attention, and a
/// position in it as a function of (batch, head).
struct SymbolSource {
  mlir::Value operand;
  mlir::AffineMap position;
};

/// The source of `symbol`, which may be emitted before the attention; nothing
/// if no operand gives it.
std::optional<SymbolSource> findSource(const MaskedAttention &attention,
                                       const Expr *symbol);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_SYMBOLSOURCE_H
