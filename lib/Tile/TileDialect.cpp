//===----------------------------------------------------------------------===//
// Registration of the tile dialect.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof::tile;

#include "stof/Tile/TileDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "stof/Tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "stof/Tile/TileTypes.cpp.inc"

namespace {
/// Tile operations do not depend on their function.
struct TileInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "stof/Tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "stof/Tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "stof/Tile/TileOps.cpp.inc"
      >();
  addInterfaces<TileInlinerInterface>();
}
