//===----------------------------------------------------------------------===//
// Registration of all dialects, passes and pipelines of stof.
//===----------------------------------------------------------------------===//

#ifndef STOF_INITALL_H
#define STOF_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace stof {

/// Adds stof's dialects to `registry`. Upstream's dialects and extensions are
/// left to the caller; passes load the dialects of the operations they create.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Adds what models have and their compilation requires: the dialects and
/// extensions of upstream, and stof's dialects.
void registerModelDialects(mlir::DialectRegistry &registry);

/// Registers stof's passes and pipelines for parsers of pass pipelines. Further
/// calls have no effect.
void registerAllPasses();

} // namespace stof

#endif // STOF_INITALL_H
