//===----------------------------------------------------------------------===//
// Translation to PTX by LLVM's NVPTX backend. Upstream's serialization of NVVM
// targets is not used: it searches environment variables for a CUDA toolkit.
//===----------------------------------------------------------------------===//

#include "stof/Target/PTX.h"
#include "stof/Support/ResolveTarget.h"

#include "mlir/Target/LLVM/ModuleToObject.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace stof;

static constexpr llvm::StringLiteral nvptxTriple = "nvptx64-nvidia-cuda";

std::string stof::getPTXFeatures(StringRef chip) {
  // Required by instructions of kernels on any chip.
  constexpr unsigned least = 80;
  return "+ptx" + std::to_string(std::max(least, findTarget(chip)->ptxVersion));
}

namespace {
/// Emits PTX without upstream's assembly step.
class PTXEmitter : public LLVM::ModuleToObject {
public:
  PTXEmitter(gpu::GPUModuleOp module, const PTXOptions &options)
      : ModuleToObject(*module, nvptxTriple, options.chip, options.features,
                       options.optLevel) {}

protected:
  /// Keeps the fence of a wgmma in its block: LLVM would hoist those with which
  /// both sides of a branch begin, and ptxas add one for each (C7519).
  void handleModulePreLink(llvm::Module &llvmModule) override {
    for (llvm::Function &function : llvmModule)
      for (llvm::Instruction &inst : llvm::instructions(function)) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
        auto *text =
            call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
                 : nullptr;
        if (text && text->getAsmString().contains("wgmma.fence"))
          call->addFnAttr(llvm::Attribute::NoMerge);
      }
  }

  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    // Contraction of a multiplication and an addition to an fma is allowed.
    (*machine)->Options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
    FailureOr<SmallString<0>> text = translateModuleToISA(
        llvmModule, **machine, [&] { return getOperation().emitError(); });
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }
};
} // namespace

static void initializeBackend() {
  [[maybe_unused]] static const bool once = [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
}

/// Fails on a call of an external function, which a driver cannot resolve.
static LogicalResult checkComplete(gpu::GPUModuleOp module, StringRef ptx) {
  constexpr llvm::StringLiteral declaration = ".extern .func";
  size_t found = ptx.find(declaration);
  if (found == StringRef::npos)
    return success();
  StringRef rest = ptx.drop_front(found + declaration.size());
  return module.emitOpError()
         << "expects PTX without external functions, but got a call to '"
         << rest.take_until([](char c) { return c == ';' || c == '\n'; }).trim()
         << "'";
}

FailureOr<std::string> stof::emitPTX(gpu::GPUModuleOp module,
                                     const PTXOptions &given) {
  PTXOptions options = given;
  if (failed(requireTarget(module, options.chip)))
    return failure();
  if (options.features.empty())
    options.features = getPTXFeatures(options.chip);
  initializeBackend();
  std::optional<SmallVector<char, 0>> text = PTXEmitter(module, options).run();
  if (!text)
    return failure();
  // The text ends with a null character.
  std::string ptx(text->begin(), text->end());
  while (!ptx.empty() && ptx.back() == '\0')
    ptx.pop_back();
  if (failed(checkComplete(module, ptx)))
    return failure();
  return ptx;
}
