//===----------------------------------------------------------------------===//
// The C interface of stof-compile. Diagnostics of a context are copied, since
// it ends with the compilation.
//===----------------------------------------------------------------------===//

#include "stof-c/Compile.h"
#include "stof/InitAll.h"
#include "stof/Pipelines/Compile.h"
#include "stof/Pipelines/ParseModel.h"
#include "stof/Target/NativeObject.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stof;

namespace {
/// A StofDiagnostic with its strings.
struct CopiedDiagnostic {
  MlirDiagnosticSeverity severity;
  std::string file;
  unsigned line = 0, column = 0;
  std::string message;
};
} // namespace

struct StofCompilation {
  bool succeeded = false;
  std::vector<CopiedDiagnostic> diagnostics;
  Report report;
  std::string json;
  std::string archive;

  void add(const Diagnostic &diagnostic);
};

static MlirDiagnosticSeverity convertSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return MlirDiagnosticError;
  case DiagnosticSeverity::Warning:
    return MlirDiagnosticWarning;
  case DiagnosticSeverity::Note:
    return MlirDiagnosticNote;
  case DiagnosticSeverity::Remark:
    return MlirDiagnosticRemark;
  }
  llvm_unreachable("all severities are converted");
}

void StofCompilation::add(const Diagnostic &diagnostic) {
  CopiedDiagnostic copy{convertSeverity(diagnostic.getSeverity()), "", 0, 0,
                        diagnostic.str()};
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    copy.file = place.getFilename().str();
    copy.line = place.getLine();
    copy.column = place.getColumn();
  }
  diagnostics.push_back(std::move(copy));
  for (const Diagnostic &note : diagnostic.getNotes())
    add(note);
}

static CompileOptions getOptions(const StofCompileOptions &given) {
  CompileOptions options;
  options.output = unwrap(given.output).str();
  options.targets.clear();
  for (const MlirStringRef &target :
       ArrayRef(given.targets, static_cast<size_t>(given.numTargets)))
    options.targets.push_back(unwrap(target).str());
  options.function = unwrap(given.function).str();
  options.assertions = !given.omitAssertions;
  options.checkBounds = given.checkBounds;
  return options;
}

/// Compiles `module` to a folder, or to an archive in `result`.
static LogicalResult compileTo(ModuleOp module, const CompileOptions &options,
                               StofCompilation &result) {
  if (!options.output.empty())
    return compilePackage(module, options, result.report);
  FailureOr<Package> package = compileToMemory(module, options, result.report);
  if (succeeded(package))
    result.archive = archivePackage(*package);
  return package;
}

/// Compiles `model` in `context`, with diagnostics and report in `result`.
static LogicalResult compileModel(StringRef model,
                                  const StofCompileOptions &given,
                                  MLIRContext *context,
                                  StofCompilation &result) {
  Location nowhere = UnknownLoc::get(context);
  if (given.numTargets <= 0)
    return emitError(nowhere) << "expects a target, but got none";
  StringRef name = given.name.length ? unwrap(given.name) : "model";
  auto sources = std::make_shared<llvm::SourceMgr>();
  // Copied, as the parser requires a null character at the end.
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(model, name),
                              llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseModel(sources, context);
  if (!module || failed(collectRemarks(*context, result.report)) ||
      failed(compileTo(*module, getOptions(given), result)))
    return failure();
  result.json = llvm::formatv("{0}", result.report.toJSON(*module));
  return success();
}

StofCompilation *stofCompile(MlirStringRef model,
                             const StofCompileOptions *options) {
  auto result = std::make_unique<StofCompilation>();
  DialectRegistry registry;
  registerModelDialects(registry);
  ModelContext context(registry, options->threads);
  context.get()->allowUnregisteredDialects(options->allowUnregisteredDialects);
  context.get()->getDiagEngine().registerHandler(
      [&](Diagnostic &diagnostic) { result->add(diagnostic); });
  result->succeeded =
      succeeded(compileModel(unwrap(model), *options, context.get(), *result));
  return result.release();
}

void stofCompilationDestroy(StofCompilation *compilation) {
  delete compilation;
}

bool stofCompilationSucceeded(const StofCompilation *compilation) {
  return compilation->succeeded;
}

intptr_t stofCompilationGetNumDiagnostics(const StofCompilation *compilation) {
  return static_cast<intptr_t>(compilation->diagnostics.size());
}

StofDiagnostic stofCompilationGetDiagnostic(const StofCompilation *compilation,
                                            intptr_t position) {
  const CopiedDiagnostic &from = compilation->diagnostics[position];
  return {from.severity, wrap(StringRef(from.file)), from.line, from.column,
          wrap(StringRef(from.message))};
}

intptr_t stofCompilationGetNumRemarks(const StofCompilation *compilation) {
  return static_cast<intptr_t>(compilation->report.remarks.size());
}

StofRemark stofCompilationGetRemark(const StofCompilation *compilation,
                                    intptr_t position) {
  const RemarkReport &from = compilation->report.remarks[position];
  auto wrapText = [](const std::string &text) { return wrap(StringRef(text)); };
  return {wrapText(from.kind), wrapText(from.name), wrapText(from.function),
          wrapText(from.loc), wrapText(from.text)};
}

MlirStringRef stofCompilationGetReport(const StofCompilation *compilation) {
  return wrap(StringRef(compilation->json));
}

MlirStringRef stofCompilationGetArchive(const StofCompilation *compilation) {
  return wrap(StringRef(compilation->archive));
}

MlirStringRef stofGetVersion() { return wrap(StringRef(STOF_VERSION)); }

static std::string describeHost() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  FailureOr<PackagedProcessor> host =
      describeProcessor(UnknownLoc::get(&context), NativeOptions{});
  if (failed(host))
    return "";
  std::string text = host->name;
  for (const std::string &feature : host->features)
    text += " " + feature;
  return text;
}

MlirStringRef stofGetHostProcessor() {
  static const std::string host = describeHost();
  return wrap(StringRef(host));
}
