//===----------------------------------------------------------------------===//
// The errors are known by their words: MLIR gives them no other mark.
//===----------------------------------------------------------------------===//

#include "ParseHints.h"

#include "mlir/Bytecode/BytecodeReader.h"

#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace stof;

static constexpr StringLiteral thisProducer = "MLIR" LLVM_VERSION_STRING;
static constexpr StringLiteral genericForm =
    "in generic form (--mlir-print-op-generic, in Python "
    "get_asm(print_generic_op_form=True))";

/// What wrote `model`, if it is bytecode: the text behind the magic number and
/// the version, which is one byte for as long as it is below 128.
static StringRef getProducer(llvm::MemoryBufferRef model) {
  constexpr size_t magicAndVersion = 5;
  if (!isBytecode(model))
    return "";
  return model.getBuffer().drop_front(magicAndVersion).split('\0').first;
}

/// The note to `error`; empty if there is none.
static std::string getHint(const Diagnostic &error, StringRef producer) {
  std::string text = error.str();
  StringRef message = text;
  if (message.contains("not found for custom op"))
    return ("an operation of a dialect that is not known can be read " +
            genericForm + ", with --allow-unregistered-dialect")
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

ParseHints::ParseHints(MLIRContext *context, llvm::MemoryBufferRef model)
    : ScopedDiagnosticHandler(context) {
  setHandler([producer = getProducer(model).str()](Diagnostic &error) {
    std::string hint = getHint(error, producer);
    if (error.getSeverity() == DiagnosticSeverity::Error && !hint.empty())
      error.attachNote() << hint;
    // Whoever prints comes next.
    return failure();
  });
}
