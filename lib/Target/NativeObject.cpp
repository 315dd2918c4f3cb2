//===----------------------------------------------------------------------===//
// Code generation for x86-64 from the LLVM dialect.
//===----------------------------------------------------------------------===//

#include "stof/Target/NativeObject.h"

#include "HalfConversions.h"
#include "NativeLink.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace stof;

/// Symbols available in every process that can load a shared object.
static constexpr StringLiteral allowedSymbols[] = {
    "malloc", "calloc", "free", "memcpy", "memmove", "memset", "memcmp", "bcmp",
    // For failed checks.
    "write", "abort"};

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(Location loc, const NativeOptions &options) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  // The lookup cannot fail: the target is linked in.
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  std::string cpu = options.cpu;
  std::string features;
  if (cpu.empty()) {
    cpu = llvm::sys::getHostCPUName().str();
    // A virtual machine can have fewer features than its CPU.
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features += (features.empty() ? "" : ",") +
                  std::string(feature.second ? "+" : "-") +
                  feature.first().str();
  }
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(cpu)) {
    emitError(loc) << "expects a CPU that LLVM supports, but got '" << cpu
                   << "'";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, options.optimizationLevel));
}

/// CPU features for operating systems or explicit use through intrinsics, which
/// code generation never selects.
static constexpr StringLiteral systemFeatures[] = {
    "64bit",  "cldemote",  "clflushopt", "clwb",     "clzero",    "cx16",
    "cx8",    "enqcmd",    "fsgsbase",   "fxsr",     "hreset",    "invpcid",
    "kl",     "lwp",       "movdir64b",  "movdiri",  "mwaitx",    "pconfig",
    "pku",    "prefetchi", "prfchw",     "ptwrite",  "rdpid",     "rdpru",
    "rdrnd",  "rdseed",    "rtm",        "sahf",     "serialize", "sgx",
    "shstk",  "tsxldtrk",  "uintr",      "usermsr",  "waitpkg",   "wbnoinvd",
    "widekl", "xsave",     "xsavec",     "xsaveopt", "xsaves"};

FailureOr<PackagedProcessor>
stof::describeProcessor(Location loc, const NativeOptions &options) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(loc, options);
  if (!machine)
    return failure();
  PackagedProcessor processor{machine->getTargetCPU().str(), {}};
  // The runtime compares with this list of features.
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (!llvm::is_contained(systemFeatures, feature.first()) &&
        machine->getMCSubtargetInfo()->checkFeatures(
            ("+" + feature.first()).str()))
      processor.features.push_back(feature.first().str());
  llvm::sort(processor.features);
  return processor;
}

/// Without FMA instructions, replaces fma by fmuladd, which rounds twice, to
/// avoid calls of the math library.
static void relaxFusedMultiply(llvm::Module &module,
                               const llvm::TargetMachine &machine) {
  if (machine.getMCSubtargetInfo()->checkFeatures("+fma"))
    return;
  for (llvm::Function &function : module)
    if (function.getIntrinsicID() == llvm::Intrinsic::fma)
      for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        call->setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(
            &module, llvm::Intrinsic::fmuladd, call->getType()));
      }
}

static void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::CodeGenOptLevel level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cycles;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(cycles);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, cycles, modules);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel chosen = levels[static_cast<unsigned>(level)];
  llvm::ModulePassManager passes =
      level == llvm::CodeGenOptLevel::None
          ? builder.buildO0DefaultPipeline(chosen)
          : builder.buildPerModuleDefaultPipeline(chosen);
  passes.run(module, modules);
}

/// Rejects calls of functions that are not available in every process.
static LogicalResult verifyUndefinedSymbols(ModuleOp module, StringRef object) {
  std::unique_ptr<llvm::object::ObjectFile> file =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(
          llvm::MemoryBufferRef(object, "module.o")));
  for (const llvm::object::SymbolRef &symbol : file->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    StringRef name = llvm::cantFail(symbol.getName());
    // The global offset table is created by the linker.
    if (!(flags & llvm::object::SymbolRef::SF_Undefined) || name.empty() ||
        name == "_GLOBAL_OFFSET_TABLE_" ||
        llvm::is_contained(allowedSymbols, name))
      continue;
    Operation *declaration = module.lookupSymbol(name);
    return emitError(declaration ? declaration->getLoc() : module.getLoc())
           << "expects native code to call only memory functions of the C "
              "library, but got a call of '"
           << name << "'";
  }
  return success();
}

/// Converts i1 resources, one byte per element, which upstream's translation
/// does not support, to dense elements.
static void readBooleans(ModuleOp module) {
  module.walk([](LLVM::GlobalOp global) {
    auto resource =
        dyn_cast_or_null<DenseResourceElementsAttr>(global.getValueAttr());
    AsmResourceBlob *blob =
        resource ? resource.getRawHandle().getBlob() : nullptr;
    if (!blob || !resource.getElementType().isInteger(1) ||
        int64_t(blob->getData().size()) != resource.getNumElements())
      return;
    auto values = llvm::map_to_vector(blob->getData(),
                                      [](char byte) { return byte != 0; });
    global.setValueAttr(
        DenseElementsAttr::get(resource.getType(), ArrayRef<bool>(values)));
  });
}

FailureOr<std::string> stof::compileNativeObject(ModuleOp module,
                                                 ArrayRef<std::string> exported,
                                                 const NativeOptions &options) {
  Location loc = module.getLoc();
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(loc, options);
  if (!machine)
    return failure();

  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  readBooleans(module);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, "stof");
  if (!code)
    return failure();
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  addHalfConversions(*code);
  llvm::internalizeModule(*code, [&](const llvm::GlobalValue &value) {
    return value.hasHiddenVisibility() ||
           llvm::is_contained(exported, value.getName());
  });
  relaxFusedMultiply(*code, *machine);
  optimizeModule(*code, *machine, options.optimizationLevel);

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emitter;
  // Cannot fail: the x86-64 backend emits object files.
  (void)machine->addPassesToEmitFile(emitter, stream, nullptr,
                                     llvm::CodeGenFileType::ObjectFile);
  emitter.run(*code);

  StringRef bytes(object.data(), object.size());
  if (failed(verifyUndefinedSymbols(module, bytes)))
    return failure();
  llvm::Expected<std::string> linked = linkSharedObject(bytes);
  if (!linked)
    return emitError(loc) << llvm::toString(linked.takeError());
  return std::move(*linked);
}
