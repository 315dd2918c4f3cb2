//===----------------------------------------------------------------------===//
// Receipts that both roles have.
//===----------------------------------------------------------------------===//

#include "RoleChannels.h"

using namespace mlir;
using namespace stof::tile;

Value RoleChannels::receiveClaim(OpBuilder &builder, Location loc,
                                 Value number) const {
  Value claimed = ReceiveClaimOp::create(builder, loc, claims, number);
  ReleaseOp::create(builder, loc, claims, number);
  return claimed;
}
