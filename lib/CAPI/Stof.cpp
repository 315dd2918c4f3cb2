//===----------------------------------------------------------------------===//
// The C interface of the compiler.
//===----------------------------------------------------------------------===//

#include "stof-c/Stof.h"
#include "stof/IR/Stof.h"
#include "stof/InitAll.h"
#include "stof/Tile/Tile.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Stof, stof, stof::StofDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(StofTile, tile, stof::tile::TileDialect)

void stofRegisterAllDialects(MlirDialectRegistry registry) {
  stof::registerAllDialects(*unwrap(registry));
}

void stofRegisterAllPasses(void) { stof::registerAllPasses(); }

bool stofTypeIsAMask(MlirType type) {
  return isa<stof::MaskType>(unwrap(type));
}

MlirType stofMaskTypeGetChecked(MlirLocation location, int64_t queries,
                                int64_t keys) {
  Location where = unwrap(location);
  return wrap(stof::MaskType::getChecked([&] { return emitError(where); },
                                         where.getContext(), queries, keys));
}

int64_t stofMaskTypeGetQueries(MlirType type) {
  return cast<stof::MaskType>(unwrap(type)).getQueries();
}

int64_t stofMaskTypeGetKeys(MlirType type) {
  return cast<stof::MaskType>(unwrap(type)).getKeys();
}

MlirTypeID stofMaskTypeGetTypeID(void) {
  return wrap(stof::MaskType::getTypeID());
}
