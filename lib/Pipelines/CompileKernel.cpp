//===----------------------------------------------------------------------===//
// Compilation of one kernel to a package, for measurements.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Compile.h"

using namespace mlir;
using namespace stof;

LogicalResult stof::compileKernel(ModuleOp module, StringRef target,
                                  StringRef folder) {
  CompileOptions options;
  options.output = folder.str();
  options.targets = {target.str()};
  // Checks belong to the calls of a whole model.
  options.assertions = false;
  Report report;
  return compilePackage(module, options, report);
}
