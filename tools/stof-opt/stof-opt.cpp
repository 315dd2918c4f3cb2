//===----------------------------------------------------------------------===//
// mlir-opt with stof's dialects, passes and pipelines.
//===----------------------------------------------------------------------===//

#include "../lib/DebugOnly.h"
#include "../lib/Version.h"
#include "stof/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  stof::setVersionPrinter("stof-opt");
  stof::addDebugOnlyOption();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  stof::registerAllDialects(registry);
  mlir::registerAllPasses();
  stof::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "stof optimizer driver\n", registry));
}
