//===----------------------------------------------------------------------===//
// The work of the producers of contraction operands.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_COSTMODEL_PROLOGUEWORK_H
#define STOF_LIB_COSTMODEL_PROLOGUEWORK_H

#include "stof/CostModel/MatmulTile.h"

namespace stof {

/// Whether all back-to-back contractions have tiles for operands of this shape.
bool hasBackToBackTiles(const GroupPlan &plan, const MatmulTile &shape);

/// Instructions of all producers for all tiles, summed over threads.
int64_t countPrologueOps(const GroupPlan &plan, const MatmulTile &shape);

/// Adds the back-to-back contractions, which run in each mainloop iteration.
void addBackToBackWork(const GroupPlan &plan, const MatmulTile &shape,
                       KernelWork &work);

} // namespace stof

#endif // STOF_LIB_COSTMODEL_PROLOGUEWORK_H
