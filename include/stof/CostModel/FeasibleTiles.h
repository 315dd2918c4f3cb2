//===----------------------------------------------------------------------===//
// Whether a GPU has tiles for all that a group computes.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_FEASIBLETILES_H
#define STOF_COSTMODEL_FEASIBLETILES_H

#include "stof/Fusion/GroupSections.h"

namespace stof {

/// Plans the group of `members`, as GroupSections does, and refuses it where no
/// GPU has tiles for one of its products, or none that take the same number of
/// warps for all of them.
GroupSections planGroup(llvm::ArrayRef<mlir::Operation *> members);

} // namespace stof

#endif // STOF_COSTMODEL_FEASIBLETILES_H
