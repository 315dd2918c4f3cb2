//===----------------------------------------------------------------------===//
// mlir-lsp-server with stof's dialects: types, uses and errors in editors.
//===----------------------------------------------------------------------===//

#include "../lib/Version.h"
#include "stof/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  stof::setVersionPrinter("stof-lsp-server");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  stof::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
