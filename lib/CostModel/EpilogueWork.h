//===----------------------------------------------------------------------===//
// The work of the consumers of contractions, on tiles in registers.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_COSTMODEL_EPILOGUEWORK_H
#define STOF_LIB_COSTMODEL_EPILOGUEWORK_H

#include "stof/CostModel/CostModel.h"
#include "stof/Fusion/GroupPlan.h"

namespace stof {

/// What the epilogue of `plan` takes per accumulator of all its contractions.
EpilogueCounts countEpilogue(const GroupPlan &plan);

} // namespace stof

#endif // STOF_LIB_COSTMODEL_EPILOGUEWORK_H
