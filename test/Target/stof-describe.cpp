//===----------------------------------------------------------------------===//
// Prints the manifest that a module would have: `stof-describe interface FILE`
// for functions on tensors, `stof-describe steps FILE` and `stof-describe
// native FILE` for host functions. The chunks of a split file are modules of
// their own; diagnostics are checked against the comments that expect them.
//===----------------------------------------------------------------------===//

#include "stof/InitAll.h"
#include "stof/Target/Interface.h"
#include "stof/Target/LaunchPlan.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace stof;

/// The interface of a host function, a symbol for each dynamic size of an
/// input; a dynamic size of a result is that of the first symbol.
static PackagedFunction describeHost(func::FuncOp host) {
  PackagedFunction function;
  function.name = host.getName().str();
  auto count = [&](StringRef name) {
    return host->getAttrOfType<IntegerAttr>(name).getInt();
  };
  int64_t numInputs = count("stof.inputs"), numResults = count("stof.results");
  for (int64_t i = 0; i < numInputs + numResults; ++i) {
    auto type = dyn_cast<MemRefType>(host.getArgumentTypes()[i]);
    PackagedTensor tensor;
    bool isInput = i < numInputs;
    tensor.name = isInput ? "arg" + std::to_string(i)
                          : "result" + std::to_string(i - numInputs);
    if (!type) {
      (isInput ? function.inputs : function.results).push_back(tensor);
      continue;
    }
    tensor.dtype = getDTypeName(type.getElementType()).value().str();
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (!ShapedType::isDynamic(size)) {
        tensor.shape.push_back(size);
        continue;
      }
      std::string symbol = "s0";
      if (isInput) {
        symbol = "s" + std::to_string(function.symbols.size());
        function.symbols.push_back(
            {symbol, static_cast<unsigned>(i), static_cast<unsigned>(dim)});
      }
      tensor.shape.push_back(SizeExpr::symbol(symbol));
    }
    (isInput ? function.inputs : function.results).push_back(tensor);
  }
  return function;
}

static LogicalResult describe(ModuleOp module, StringRef kind, Package &package,
                              ConstantsFile &constants) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (kind == "interface") {
      FailureOr<PackagedFunction> described = describeInterface(function);
      if (failed(described))
        return failure();
      package.functions.push_back(std::move(*described));
      continue;
    }
    PackagedFunction described = describeHost(function);
    FailureOr<PackagedTarget> target =
        kind == "native"
            ? describeNativeStep(function, "cpu", "model.cpu.so", described)
            : describeSteps(function, "sm_80", "model.sm_80.ptx", described,
                            constants);
    if (failed(target))
      return failure();
    described.targets.push_back(std::move(*target));
    package.functions.push_back(std::move(described));
  }
  return success();
}

static LogicalResult describeChunk(std::unique_ptr<llvm::MemoryBuffer> chunk,
                                   StringRef kind, DialectRegistry &registry,
                                   raw_ostream &output) {
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(chunk), llvm::SMLoc());
  SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  Package package;
  ConstantsFile constants;
  if (module && succeeded(describe(*module, kind, package, constants))) {
    if (!constants.bytes.empty())
      package.files[ConstantsFile::name.str()] = constants.bytes;
    output << llvm::formatv("{0}\n", toJSON(package));
  }
  return handler.verify();
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  stof::registerAllDialects(registry);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(argv[2], &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return 1;
  }
  auto run = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, raw_ostream &os) {
    return describeChunk(std::move(chunk), argv[1], registry, os);
  };
  return failed(splitAndProcessBuffer(std::move(file), run, llvm::outs(),
                                      kDefaultSplitMarker,
                                      kDefaultSplitMarker));
}
