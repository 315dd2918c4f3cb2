//===----------------------------------------------------------------------===//
// What kernels of products do before they multiply.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_COSTMODEL_PROLOGUEWORK_H
#define STOF_LIB_COSTMODEL_PROLOGUEWORK_H

#include "stof/CostModel/ContractionShape.h"

namespace stof {

/// Whether all products of prologues have tiles for those of this shape.
bool hasChainedTiles(const GroupPlan &plan, const ContractionShape &shape);

/// What the prologues compute for all tiles, in instructions of threads.
int64_t countPrologueOps(const GroupPlan &plan, const ContractionShape &shape);

/// Adds the products of prologues, which blocks make for each of their steps.
void addChainedWork(const GroupPlan &plan, const ContractionShape &shape,
                    KernelWork &work);

} // namespace stof

#endif // STOF_LIB_COSTMODEL_PROLOGUEWORK_H
