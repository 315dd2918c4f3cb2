//===----------------------------------------------------------------------===//
// Transform scripts that replay a search.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_TRANSFORMSCRIPT_H
#define STOF_LIB_SEARCH_TRANSFORMSCRIPT_H

#include "mlir/IR/BuiltinOps.h"

namespace stof {

/// A transform script, of upstream's operations, that makes `module` of what it
/// was before the search: it forms the groups of each function by its scheme
/// for `chip`, and gives groups and attentions the schedules that they have
/// now. Functions without a scheme are left alone.
std::string printTransformScript(mlir::ModuleOp module, llvm::StringRef chip);

} // namespace stof

#endif // STOF_LIB_SEARCH_TRANSFORMSCRIPT_H
