//===----------------------------------------------------------------------===//
// The kernel of a group, built from its body, whose tensors are arguments of
// the group.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPKERNELS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPKERNELS_H

#include "GroupShape.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/Fusion/GroupBranches.h"
#include "stof/IR/Stof.h"

namespace stof {

/// Emits the kernel of all branches and its launch. `results` are those of
/// GroupContext.
mlir::LogicalResult emitGroupKernel(KernelBuilder &kernel, GroupOp group,
                                    const GroupBranches &branches,
                                    llvm::ArrayRef<GroupShape> shapes,
                                    const mlir::IRMapping &results);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPKERNELS_H
