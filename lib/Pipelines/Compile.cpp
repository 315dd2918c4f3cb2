//===----------------------------------------------------------------------===//
// The compiler as one call.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Compile.h"

#include "CompileTargets.h"
#include "stof/IR/Stof.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Support/Chip.h"
#include "stof/Support/NativeAbi.h"
#include "stof/Support/SymbolStem.h"
#include "stof/Target/HostSteps.h"
#include "stof/Target/Interface.h"
#include "stof/Target/NativeObject.h"
#include "stof/Target/Package.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace stof;

SmallVector<func::FuncOp> stof::publicFunctions(ModuleOp module) {
  return llvm::filter_to_vector(
      module.getOps<func::FuncOp>(), [](func::FuncOp function) {
        return function.isPublic() && !function.isExternal();
      });
}

/// Hides all functions but those to be compiled.
static LogicalResult selectFunctions(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> functions = publicFunctions(module);
  if (functions.empty())
    return module.emitError("expects a public function, but got none");
  if (name.empty())
    return success();
  if (llvm::none_of(functions, [&](func::FuncOp function) {
        return function.getName() == name;
      })) {
    InFlightDiagnostic error = module.emitError("expects a public function '")
                               << name << "', but got ";
    llvm::interleaveComma(functions, error, [&](func::FuncOp function) {
      error << "'" << function.getName() << "'";
    });
    return error;
  }
  for (func::FuncOp function : functions)
    if (function.getName() != name)
      function.setPrivate();
  return success();
}

/// A written plan is not compared with the mask, so none is taken.
static LogicalResult refusePlans(ModuleOp module) {
  WalkResult found = module.walk([](AttentionOp op) {
    for (StringRef name : {"layout", "schedule"})
      if (op->hasAttr(name)) {
        op.emitOpError() << "expects no " << name
                         << " in a model, which is planned from its mask "
                            "(--keep-plans believes it), but got "
                         << op->getAttr(name);
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(found.wasInterrupted());
}

/// What transforms a module is none of its code, and nothing compiles it.
static LogicalResult refuseTransforms(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (op.getName().getDialectNamespace() == "transform")
      return op.emitOpError() << "expects a model, but got an operation of the "
                                 "transform dialect, which mlir-opt applies";
  return success();
}

static bool isNative(StringRef target) { return target.starts_with("cpu"); }

static LogicalResult verifyTargets(ModuleOp module,
                                   ArrayRef<std::string> targets) {
  llvm::StringSet<> seen;
  for (StringRef target : targets) {
    bool isKnown =
        target == "cpu" || target == "cpu-reference" || findChip(target);
    if (!isKnown)
      return module.emitError("expects the targets cpu, cpu-reference or one "
                              "of the GPUs ")
             << listChips() << ", but got '" << target << "'";
    if (!seen.insert(isNative(target) ? "cpu" : target).second)
      return module.emitError("expects each target once, but got another '")
             << target << "'";
  }
  return success();
}

/// Inlines all calls, so that each public function stands alone. With
/// `assertions`, says what it takes for granted of sizes and indices.
static LogicalResult inlineCalls(ModuleOp module, bool assertions,
                                 TimingScope &timing) {
  PassManager pm(module.getContext());
  if (assertions)
    buildCheckPipeline(pm);
  buildImportPipeline(pm, /*assertSizes=*/assertions);
  pm.addNestedPass<func::FuncOp>(createRecoverSizesPass());
  pm.enableTiming(timing);
  return pm.run(module);
}

/// Gives the public functions names that PTX, linkers and file systems take;
/// the manifest keeps their own.
static void nameFunctions(ModuleOp module) {
  SymbolTable symbols(module);
  for (func::FuncOp function : publicFunctions(module)) {
    std::string stem = stemOf(function.getName());
    if (function.getName() == stem)
      continue;
    auto isTaken = [&](StringRef name) { return symbols.lookup(name); };
    if (isTaken(stem)) {
      // With its number the name still is a stem.
      constexpr size_t numberLength = 11;
      unsigned number = 0;
      stem = SymbolTable::generateSymbolName<longestStem>(
                 StringRef(stem).take_front(longestStem - numberLength),
                 isTaken, number)
                 .str();
    }
    // Operations that nobody knows have been refused, so that all uses are
    // seen.
    (void)symbols.rename(function, stem);
  }
}

/// Bytes of workspace are counted on the host functions in `lowered`.
static LogicalResult describeNativeSteps(ModuleOp lowered, StringRef file,
                                         const NativeOptions &options,
                                         Package &package) {
  FailureOr<PackagedProcessor> processor =
      describeProcessor(lowered.getLoc(), options);
  if (failed(processor))
    return failure();
  for (auto [described, host] :
       llvm::zip_equal(package.functions, publicFunctions(lowered))) {
    FailureOr<PackagedTarget> target =
        describeNativeStep(host, "cpu", file, described);
    if (failed(target))
      return failure();
    target->processor = *processor;
    described.targets.push_back(std::move(*target));
  }
  return success();
}

/// Adds the name of what native code exports, and to the module what it exports
/// besides its functions.
static void exportEntry(ModuleOp lowered, const PackagedFunction &function,
                        std::vector<std::string> &exported) {
  const PackagedTarget &target = function.targets.back();
  std::string entry = target.steps.front().function;
  std::string contract = STOF_NATIVE_CONTRACT + entry;
  OpBuilder builder = OpBuilder::atBlockEnd(lowered.getBody());
  std::string text = describeContract(function, target);
  text.push_back('\0');
  LLVM::GlobalOp::create(
      builder, lowered.getLoc(),
      LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
      /*isConstant=*/true, LLVM::Linkage::External, contract,
      builder.getStringAttr(text));
  exported.push_back(STOF_NATIVE_COUNT + entry);
  exported.push_back(std::move(contract));
  exported.push_back(std::move(entry));
}

/// The launches of `host`, for what they say of the sizes that kernels work on;
/// none if a GPU could not do what a CPU can.
static std::optional<PackagedTarget> readLaunches(func::FuncOp host,
                                                  PackagedFunction described) {
  ScopedDiagnosticHandler none(host.getContext(), [](Diagnostic &) {});
  ConstantsFile constants;
  FailureOr<PackagedTarget> steps =
      describeSteps(host, "cpu", /*module=*/"", described, constants);
  if (failed(steps))
    return std::nullopt;
  return *steps;
}

/// Compiles all functions into one shared object.
static LogicalResult compileForCPU(ModuleOp module, bool reference,
                                   const CompileOptions &options,
                                   TimingScope &timing, Package &package,
                                   Report &report) {
  constexpr StringLiteral file = "model.cpu.so";
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager toHost(module.getContext()), toLLVM(module.getContext());
  RaisePipelineOptions raise;
  CPUPipelineOptions native;
  native.checkBounds = options.checkBounds;
  if (reference) {
    buildRaisePipeline(toHost, raise);
    buildReferencePipeline(toHost);
    buildReferenceToLLVMPipeline(toLLVM, native);
  } else {
    TilePipelineOptions tile;
    tile.keepDoubles = options.keepDoubles;
    buildToTilePipeline(toHost, tile);
    buildTileToCPUPipeline(toLLVM, native);
  }
  toHost.enableTiming(timing);
  toLLVM.enableTiming(timing);
  if (failed(toHost.run(*lowered)) ||
      failed(describeNativeSteps(*lowered, file, {options.cpu}, package)))
    return failure();
  for (auto [described, host] :
       llvm::zip_equal(package.functions, publicFunctions(*lowered))) {
    report.workspaces.push_back(
        describeWorkspace(described.name, described.targets.back()));
    describeAttentions(described.name, "cpu", host, report);
    gpu::GPUModuleOp kernels = findKernels(host);
    if (!kernels)
      continue;
    std::optional<PackagedTarget> steps = readLaunches(host, described);
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      report.kernels.push_back(describeKernel(described.name, "cpu", kernel,
                                              steps ? &*steps : nullptr));
  }
  if (failed(toLLVM.run(*lowered)))
    return failure();
  std::vector<std::string> exported;
  for (const PackagedFunction &function : package.functions)
    exportEntry(*lowered, function, exported);
  TimingScope nativeTiming = timing.nest("native code");
  FailureOr<std::string> object =
      compileNativeObject(*lowered, exported, {options.cpu});
  if (failed(object))
    return failure();
  package.files[file.str()] = std::move(*object);
  return success();
}

LogicalResult stof::compilePackage(ModuleOp module,
                                   const CompileOptions &options,
                                   Report &report) {
  TimingScope none;
  TimingScope &timing = options.timing ? *options.timing : none;
  report.readSource(module);
  if (failed(verifyTargets(module, options.targets)) ||
      failed(refuseTransforms(module)) ||
      (!options.keepPlans && failed(refusePlans(module))) ||
      failed(selectFunctions(module, options.function)) ||
      failed(inlineCalls(module, options.assertions, timing)))
    return failure();
  nameLocations(module);
  Package package;
  package.options = llvm::json::Object{{"assertions", options.assertions},
                                       {"check_bounds", options.checkBounds},
                                       {"keep_doubles", options.keepDoubles}};
  for (func::FuncOp function : publicFunctions(module)) {
    FailureOr<PackagedFunction> described = describeInterface(function);
    if (failed(described))
      return failure();
    package.functions.push_back(std::move(*described));
  }
  // The report asks the module for the functions of the source.
  OwningOpRef<ModuleOp> named = module.clone();
  nameFunctions(*named);
  ConstantsFile constants;
  for (StringRef target : options.targets) {
    TimingScope targetTiming = timing.nest(target);
    if (failed(isNative(target)
                   ? compileForCPU(*named, target == "cpu-reference", options,
                                   targetTiming, package, report)
                   : compileForGPU(*named, target, options, targetTiming,
                                   constants, package, report)))
      return failure();
  }
  if (!constants.bytes.empty())
    package.files[ConstantsFile::name.str()] = std::move(constants.bytes);
  TimingScope writing = timing.nest("package");
  // No place in the source is at fault.
  if (llvm::Error error =
          writePackage(package, options.output, options.onTemporary))
    return emitError(UnknownLoc::get(module.getContext()))
           << llvm::toString(std::move(error));
  return success();
}
