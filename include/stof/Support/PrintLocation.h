//===----------------------------------------------------------------------===//
// Locations in what passes print for people.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_PRINTLOCATION_H
#define STOF_SUPPORT_PRINTLOCATION_H

#include "mlir/IR/Location.h"

namespace stof {

/// FILE:LINE:COLUMN, if known, with the file name only.
std::string printLocation(mlir::Location loc);

} // namespace stof

#endif // STOF_SUPPORT_PRINTLOCATION_H
