//===----------------------------------------------------------------------===//
// Registration of all dialects, passes and pipelines of stof.
//===----------------------------------------------------------------------===//

#include "stof/InitAll.h"
#include "stof/Conversion/Passes.h"
#include "stof/IR/Stof.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Target/Passes.h"
#include "stof/Tile/Tile.h"
#include "stof/Tile/Transforms/Passes.h"
#include "stof/Transforms/Host/Passes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/MemRef/Transforms/RuntimeOpVerification.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void stof::registerAllDialects(DialectRegistry &registry) {
  registry.insert<StofDialect, tile::TileDialect>();
  // Required by --check-bounds.
  linalg::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  memref::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  // Required for PTX.
  registerAllGPUToLLVMIRTranslations(registry);
}

void stof::registerModelDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  stof::registerAllDialects(registry);
}

void stof::registerAllPasses() {
  // Pipelines must not be registered twice.
  [[maybe_unused]] static const bool once = [] {
    registerStofConversionPasses();
    registerStofHostPasses();
    registerStofTargetPasses();
    registerStofTileTransformsPasses();
    registerStofTransformsPasses();
    registerPipelines();
    return true;
  }();
}
