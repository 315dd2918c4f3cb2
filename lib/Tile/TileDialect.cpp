//===----------------------------------------------------------------------===//
// Registration of the tile dialect.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Tile.h"

#include "stof/Support/InlineAnywhere.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof::tile;

#include "stof/Tile/TileDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "stof/Tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "stof/Tile/TileTypes.cpp.inc"

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
  addInterfaces<stof::InlineAnywhere>();
}
