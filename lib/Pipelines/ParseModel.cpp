//===----------------------------------------------------------------------===//
// Hints are given by the text of errors, which have no other identification in
// MLIR.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/ParseModel.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace stof;

static constexpr StringLiteral thisProducer = "MLIR" LLVM_VERSION_STRING;
static constexpr StringLiteral genericForm =
    "in generic form (--mlir-print-op-generic, in Python "
    "get_asm(print_generic_op_form=True))";

/// The producer of `model` if it is bytecode: the text after the magic number
/// and the version, which is a single byte if below 128.
static StringRef getProducer(llvm::MemoryBufferRef model) {
  constexpr size_t magicAndVersion = 5;
  if (!isBytecode(model))
    return "";
  return model.getBuffer().drop_front(magicAndVersion).split('\0').first;
}

/// The hint for `error`; empty if there is none.
static std::string getHint(const Diagnostic &error, StringRef producer) {
  std::string text = error.str();
  StringRef message = text;
  if (message.contains("not found for custom op"))
    return ("an operation of an unknown dialect can be read " + genericForm +
            ", with --allow-unregistered-dialect")
        .str();
  if (message.contains("with an unregistered dialect"))
    return "--allow-unregistered-dialect reads it";
  if (!producer.empty() && producer != thisProducer)
    return ("the bytecode is from " + producer + ", and this is " +
            thisProducer + ": write the model as text " + genericForm +
            ", or as bytecode with MLIR " + Twine(LLVM_VERSION_MAJOR))
        .str();
  return "";
}

static llvm::ThreadPoolStrategy limitThreads(unsigned threads) {
  llvm::ThreadPoolStrategy strategy;
  strategy.ThreadsRequested = threads;
  strategy.Limit = true;
  return strategy;
}

ModelContext::ModelContext(const DialectRegistry &registry, unsigned threads)
    : pool(limitThreads(threads)),
      // Without threads of its own.
      context(registry, MLIRContext::Threading::DISABLED) {
  if (threads != 1)
    context.setThreadPool(pool);
  // Errors show the source; operations would show intermediate IR.
  context.printOpOnDiagnostic(false);
}

OwningOpRef<ModuleOp>
stof::parseModel(const std::shared_ptr<llvm::SourceMgr> &sources,
                 MLIRContext *context) {
  const llvm::MemoryBuffer *model =
      sources->getMemoryBuffer(sources->getMainFileID());
  ScopedDiagnosticHandler hints(
      context, [producer = getProducer(*model)](Diagnostic &error) {
        std::string hint = getHint(error, producer);
        if (error.getSeverity() == DiagnosticSeverity::Error && !hint.empty())
          error.attachNote() << hint;
        // Forwards the error to the next handler, which reports it.
        return failure();
      });
  return parseSourceFile<ModuleOp>(sources, context);
}
