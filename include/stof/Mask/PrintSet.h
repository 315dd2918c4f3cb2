//===----------------------------------------------------------------------===//
// Sets of pairs as a person writes them: "k <= q and q - k < 64 or k < 16".
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_PRINTSET_H
#define STOF_MASK_PRINTSET_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// Prints which pairs of `domain` belong to `set`, over (query, key) as q and
/// k. What holds in all of the domain is left out. `names` are those of the
/// symbols.
void printSet(llvm::raw_ostream &os, const mlir::presburger::PresburgerSet &set,
              const mlir::presburger::PresburgerSet &domain,
              llvm::ArrayRef<std::string> names);

/// The names of the symbols of `set`; batch and head as b and h, sizes as
/// Sq and Sk, what is captured as c0, c1, ...
llvm::SmallVector<std::string> nameSymbols(const MaskSet &set,
                                           const MaskExpr &mask);

/// The pairs that may be kept of a mask.
std::string describeMask(const MaskSet &set, const MaskExpr &mask);

} // namespace stof

#endif // STOF_MASK_PRINTSET_H
