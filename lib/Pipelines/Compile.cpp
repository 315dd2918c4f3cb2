//===----------------------------------------------------------------------===//
// Compilation of a module to a package.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Compile.h"

#include "CompileTargets.h"
#include "stof/IR/Stof.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Support/NativeAbi.h"
#include "stof/Support/SymbolName.h"
#include "stof/Target/Interface.h"
#include "stof/Target/LaunchPlan.h"
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

/// Makes functions private except those to be compiled.
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

/// Rejects plans in the source, which are not verified against the mask.
static LogicalResult refusePlans(ModuleOp module) {
  WalkResult found = module.walk([](AttentionOp op) {
    for (StringRef name : {"layout", "schedule"})
      if (op->hasAttr(name)) {
        op.emitOpError() << "expects no " << name
                         << " in a model, which is planned from its mask "
                            "(--keep-plans accepts it), but got "
                         << op->getAttr(name);
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(found.wasInterrupted());
}

/// Rejects transform scripts, which are not compiled.
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
        target == "cpu" || target == "cpu-reference" || findTarget(target);
    if (!isKnown)
      return module.emitError("expects the targets cpu, cpu-reference or one "
                              "of the GPUs ")
             << listTargets() << ", but got '" << target << "'";
    if (!seen.insert(isNative(target) ? "cpu" : target).second)
      return module.emitError("expects each target once, but got another '")
             << target << "'";
  }
  return success();
}

/// Inlines all calls into public functions. With `assertions`, requirements on
/// sizes and indices become explicit.
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

/// Renames public functions to valid names in PTX, linkers and file systems;
/// the manifest has the original names.
static void nameFunctions(ModuleOp module) {
  SymbolTable symbols(module);
  for (func::FuncOp function : publicFunctions(module)) {
    std::string symbolName = sanitizeSymbolName(function.getName());
    if (function.getName() == symbolName)
      continue;
    auto isTaken = [&](StringRef name) { return symbols.lookup(name); };
    if (isTaken(symbolName)) {
      // Truncated, as the name must not exceed the limit with its number.
      constexpr size_t numberLength = 11;
      unsigned number = 0;
      symbolName =
          SymbolTable::generateSymbolName<maxSymbolLength>(
              StringRef(symbolName).take_front(maxSymbolLength - numberLength),
              isTaken, number)
              .str();
    }
    // Cannot fail: unregistered operations, whose symbol uses are unknown, have
    // been rejected.
    (void)symbols.rename(function, symbolName);
  }
}

/// Describes the native steps of the host functions in `lowered`.
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

/// Adds the exported names of a function, and to the module the exported data
/// of its contract.
static void exportEntry(ModuleOp lowered, const PackagedFunction &function,
                        std::vector<std::string> &exported) {
  const PackagedTarget &target = function.targets.back();
  assert(target.steps.size() == 1 && "native code has one step");
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

/// The launches of `host`, for the sizes of kernel operands; none if they
/// cannot be described as GPU steps.
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

/// Compiles all functions to one shared object.
static LogicalResult compileForCPU(ModuleOp module, bool reference,
                                   const CompileOptions &options,
                                   TimingScope &timing, Package &package,
                                   Report &report) {
  constexpr StringLiteral file = "model.cpu.so";
  NativeOptions nativeOptions{options.cpu, options.optimizationLevel};
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
    tile.search = options.search;
    buildToTilePipeline(toHost, tile);
    buildTileToCPUPipeline(toLLVM, native);
  }
  toHost.enableTiming(timing);
  toLLVM.enableTiming(timing);
  if (failed(toHost.run(*lowered)) ||
      failed(describeNativeSteps(*lowered, file, nativeOptions, package)))
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
      report.kernels.push_back(describeKernel(described.name, nullptr, kernel,
                                              steps ? &*steps : nullptr));
  }
  if (failed(toLLVM.run(*lowered)))
    return failure();
  std::vector<std::string> exported;
  for (const PackagedFunction &function : package.functions)
    exportEntry(*lowered, function, exported);
  TimingScope nativeTiming = timing.nest("native code");
  FailureOr<std::string> object =
      compileNativeObject(*lowered, exported, nativeOptions);
  if (failed(object))
    return failure();
  package.files[file.str()] = std::move(*object);
  return success();
}

/// The scope of `options` for times, or `none`.
static TimingScope &findTiming(const CompileOptions &options,
                               TimingScope &none) {
  return options.timing ? *options.timing : none;
}

FailureOr<Package> stof::compileToMemory(ModuleOp module,
                                         const CompileOptions &options,
                                         Report &report) {
  TimingScope none;
  TimingScope &timing = findTiming(options, none);
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
  // The report requires the names of the source in `module`.
  OwningOpRef<ModuleOp> named = module.clone();
  nameFunctions(*named);
  ConstantsFile constants;
  for (StringRef target : options.targets) {
    TimingScope targetTiming = timing.nest(target);
    const TargetInfo *gpu = findTarget(target);
    if (failed(gpu ? compileForGPU(*named, *gpu, options, targetTiming,
                                   constants, package, report)
                   : compileForCPU(*named, target == "cpu-reference", options,
                                   targetTiming, package, report)))
      return failure();
  }
  if (!constants.bytes.empty())
    package.files[ConstantsFile::name.str()] = std::move(constants.bytes);
  return package;
}

LogicalResult stof::compilePackage(ModuleOp module,
                                   const CompileOptions &options,
                                   Report &report) {
  FailureOr<Package> package = compileToMemory(module, options, report);
  if (failed(package))
    return failure();
  TimingScope none;
  TimingScope writing = findTiming(options, none).nest("package");
  // The error has no location in the source.
  if (llvm::Error error =
          writePackage(*package, options.output, options.onTemporary))
    return emitError(UnknownLoc::get(module.getContext()))
           << llvm::toString(std::move(error));
  return success();
}
