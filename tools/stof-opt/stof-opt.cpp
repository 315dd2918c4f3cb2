//===----------------------------------------------------------------------===//
// mlir-opt with stof's dialects, passes and pipelines.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/IR/Stof.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Tile/Tile.h"
#include "stof/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<stof::StofDialect, stof::tile::TileDialect>();
  mlir::registerAllPasses();
  stof::registerStofConversionPasses();
  stof::registerStofTransformsPasses();
  stof::registerPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "stof optimizer driver\n", registry));
}
