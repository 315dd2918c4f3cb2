//===----------------------------------------------------------------------===//
// What to do about a model that cannot be read. MLIR's own messages say what a
// program would have to register, which is of no use to who runs one.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_PARSEHINTS_H
#define STOF_TOOLS_STOFCOMPILE_PARSEHINTS_H

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace stof {

/// For as long as it lives, errors in reading `model` have a note that says how
/// to write or read it so that they do not come up.
class ParseHints : mlir::ScopedDiagnosticHandler {
public:
  ParseHints(mlir::MLIRContext *context, llvm::MemoryBufferRef model);
};

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_PARSEHINTS_H
