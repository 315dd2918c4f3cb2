//===----------------------------------------------------------------------===//
// Compilation of candidates to packages.
//===----------------------------------------------------------------------===//

#include "CompileCandidates.h"

#include "stof/Search/KernelModule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"

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

Compilation::Compilation(MutableArrayRef<Candidate> candidates,
                         MLIRContext &context, StringRef target,
                         const CompileKernel &compile, unsigned jobs)
    : pool(llvm::hardware_concurrency(jobs)) {
  context.getDialectRegistry().appendTo(registry);
  for (Candidate &candidate : candidates)
    compiled.push_back(pool.async([this, &candidate, &compile, target] {
      if (!isOver)
        compileCandidate(candidate, registry, target, compile);
    }));
}

Compilation::~Compilation() {
  isOver = true;
  pool.wait();
}

void Compilation::wait(size_t count) const {
  for (const std::shared_future<void> &each :
       ArrayRef(compiled).take_front(count))
    each.wait();
}
