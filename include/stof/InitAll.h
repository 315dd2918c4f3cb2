//===----------------------------------------------------------------------===//
// Everything that stof has, for a program that wants all of it.
//===----------------------------------------------------------------------===//

#ifndef STOF_INITALL_H
#define STOF_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace stof {

/// Adds stof's dialects to `registry`. Upstream's dialects and their extensions
/// are the caller's choice; a pass loads those that it creates.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Makes stof's passes and pipelines known to parsers of pass pipelines.
/// Further calls do nothing.
void registerAllPasses();

} // namespace stof

#endif // STOF_INITALL_H
