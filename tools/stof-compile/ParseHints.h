//===----------------------------------------------------------------------===//
// Hints for models that cannot be parsed. MLIR's messages name dialects to be
// registered, which is not actionable for users of a program.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_PARSEHINTS_H
#define STOF_TOOLS_STOFCOMPILE_PARSEHINTS_H

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace stof {

/// Attaches notes to errors of the parser in its scope, with options or formats
/// that avoid them.
class ParseHints : mlir::ScopedDiagnosticHandler {
public:
  ParseHints(mlir::MLIRContext *context, llvm::MemoryBufferRef model);
};

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_PARSEHINTS_H
