//===----------------------------------------------------------------------===//
// Compilation of candidates to packages.
//===----------------------------------------------------------------------===//

#include "CompileCandidates.h"

#include "stof/Search/KernelModule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace stof;

static void compileCandidate(Candidate &candidate,
                             const DialectRegistry &registry, StringRef target,
                             const CompileKernel &compile) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler errors(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      candidate.failure +=
          (candidate.failure.empty() ? "" : "; ") + diagnostic.str();
  });
  auto module = parseSourceString<ModuleOp>(candidate.module, &context);
  Attribute schedule =
      module ? parseAttribute(candidate.schedule, &context) : Attribute();
  if (schedule) {
    findKernelOperation(*module).setSchedule(schedule);
    if (succeeded(compile(*module, target, candidate.folder)))
      candidate.failure.clear();
  }
}

void stof::compileCandidates(MutableArrayRef<Candidate> candidates,
                             MLIRContext &context, StringRef target,
                             const CompileKernel &compile, unsigned jobs) {
  DialectRegistry registry;
  context.getDialectRegistry().appendTo(registry);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
  for (Candidate &candidate : candidates)
    pool.async([&] { compileCandidate(candidate, registry, target, compile); });
  pool.wait();
}
