//===----------------------------------------------------------------------===//
// Readable text of sets of pairs: "k <= q and q - k < 64 or k < 16".
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_PRINTSET_H
#define STOF_MASK_PRINTSET_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// Prints `set` over (query, key) as q and k, with `names` for its symbols.
/// Constraints that are implied by `domain` are left out.
void printSet(llvm::raw_ostream &os, const mlir::presburger::PresburgerSet &set,
              const mlir::presburger::PresburgerSet &domain,
              llvm::ArrayRef<std::string> names);

/// The names of the symbols of `set`: b and h for batch and head, Sq and Sk for
/// the lengths, c0, c1, ... for captures.
llvm::SmallVector<std::string> nameSymbols(const MaskSet &set,
                                           const MaskExpr &mask);

/// The text of the may set of a mask.
std::string describeMask(const MaskSet &set, const MaskExpr &mask);

} // namespace stof

#endif // STOF_MASK_PRINTSET_H
