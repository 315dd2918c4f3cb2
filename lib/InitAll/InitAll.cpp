//===----------------------------------------------------------------------===//
// The one list of what stof has.
//===----------------------------------------------------------------------===//

#include "stof/InitAll.h"
#include "stof/Conversion/Passes.h"
#include "stof/IR/Stof.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Tile/Tile.h"
#include "stof/Transforms/Passes.h"

using namespace mlir;

void stof::registerAllDialects(DialectRegistry &registry) {
  registry.insert<StofDialect, tile::TileDialect>();
}

void stof::registerAllPasses() {
  // A second registration of a pipeline ends a program with assertions.
  [[maybe_unused]] static const bool once = [] {
    registerStofConversionPasses();
    registerStofTransformsPasses();
    registerPipelines();
    return true;
  }();
}
