//===----------------------------------------------------------------------===//
// stof for the stock mlir-opt:
//
//   mlir-opt --load-dialect-plugin=stof-plugin.so
//   --load-pass-plugin=stof-plugin.so
//===----------------------------------------------------------------------===//

#include "stof/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "stof", STOF_VERSION,
          [](mlir::DialectRegistry *registry) {
            stof::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "stof", STOF_VERSION,
          [] { stof::registerAllPasses(); }};
}
