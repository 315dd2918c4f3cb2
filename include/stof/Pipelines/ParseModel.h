//===----------------------------------------------------------------------===//
// Models from text or bytecode, with hints on those that cannot be parsed:
// MLIR's messages name dialects to be registered, which is not actionable for
// users of a program.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_PARSEMODEL_H
#define STOF_PIPELINES_PARSEMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"

#include <memory>

namespace stof {

/// A context for models, with its threads.
class ModelContext {
public:
  /// Passes use at most `threads` threads; 0 is one per hardware thread.
  ModelContext(const mlir::DialectRegistry &registry, unsigned threads);

  mlir::MLIRContext *get() { return &context; }

private:
  llvm::DefaultThreadPool pool;
  mlir::MLIRContext context;
};

/// Parses the first buffer of `sources`. Errors are emitted with notes that
/// name options or formats which avoid them; the result is then null.
mlir::OwningOpRef<mlir::ModuleOp>
parseModel(const std::shared_ptr<llvm::SourceMgr> &sources,
           mlir::MLIRContext *context);

} // namespace stof

#endif // STOF_PIPELINES_PARSEMODEL_H
