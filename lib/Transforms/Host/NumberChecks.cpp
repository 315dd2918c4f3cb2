//===----------------------------------------------------------------------===//
// Numbers the checks of a function in program order: checks of a kernel follow
// those of the kernels launched before it.
//===----------------------------------------------------------------------===//

#include "stof/IR/StatusWord.h"
#include "stof/IR/Stof.h"
#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace stof {
#define GEN_PASS_DEF_NUMBERCHECKSPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

class CheckNumberer {
public:
  explicit CheckNumberer(func::FuncOp function)
      : function(function),
        status(
            MemRefType::get(1, Builder(function.getContext()).getI32Type())) {}

  void run();

private:
  Value getStatus();
  /// Numbers the checks of `kernel` relative to its last argument.
  ArrayRef<Attribute> numberKernel(gpu::GPUFuncOp kernel);
  /// Gives `check` the number `index` + 1, plus `before` if that is set.
  void number(CheckOp check, Value word, unsigned index, Value before = {});

  func::FuncOp function;
  MemRefType status;
  Value argument;
  SmallVector<Attribute> assertions;
  /// The messages of each kernel's checks.
  DenseMap<Operation *, SmallVector<Attribute>> kernels;
};

} // namespace

/// The message and location that `check` reports on failure.
static Attribute describe(CheckOp check) {
  return NameLoc::get(check.getMessageAttr(), check.getLoc());
}

Value CheckNumberer::getStatus() {
  if (!argument) {
    unsigned position = function.getNumArguments();
    Builder builder(function.getContext());
    (void)function.insertArgument(
        position, status,
        builder.getDictionaryAttr(
            builder.getNamedAttr(statusName, builder.getUnitAttr())),
        function.getLoc());
    argument = function.getArgument(position);
  }
  return argument;
}

void CheckNumberer::number(CheckOp check, Value word, unsigned index,
                           Value before) {
  OpBuilder builder(check);
  Value number =
      arith::ConstantIntOp::create(builder, check.getLoc(), index + 1, 32);
  if (before)
    number = arith::AddIOp::create(builder, check.getLoc(), before, number);
  check.getNumberMutable().assign(number);
  check.getStatusMutable().assign(word);
}

ArrayRef<Attribute> CheckNumberer::numberKernel(gpu::GPUFuncOp kernel) {
  auto [known, isNew] = kernels.try_emplace(kernel);
  SmallVector<Attribute> &said = known->second;
  if (!isNew)
    return said;
  SmallVector<CheckOp> checks;
  kernel.walk([&](CheckOp check) { checks.push_back(check); });
  if (checks.empty())
    return said;
  unsigned position = kernel.getNumArguments();
  Builder builder(kernel.getContext());
  (void)kernel.insertArgument(position, status, {}, kernel.getLoc());
  (void)kernel.insertArgument(position + 1, builder.getI32Type(), {},
                              kernel.getLoc());
  for (CheckOp check : checks) {
    number(check, kernel.getArgument(position), said.size(),
           kernel.getArgument(position + 1));
    said.push_back(describe(check));
  }
  return said;
}

void CheckNumberer::run() {
  SmallVector<Operation *> reporters;
  function.walk([&](Operation *op) {
    if (isa<CheckOp, gpu::LaunchFuncOp>(op))
      reporters.push_back(op);
  });
  for (Operation *op : reporters) {
    if (auto check = dyn_cast<CheckOp>(op)) {
      number(check, getStatus(), assertions.size());
      assertions.push_back(describe(check));
      continue;
    }
    auto launch = cast<gpu::LaunchFuncOp>(op);
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernel());
    ArrayRef<Attribute> said =
        kernel ? numberKernel(kernel) : ArrayRef<Attribute>();
    if (said.empty())
      continue;
    OpBuilder builder(launch);
    Value before = arith::ConstantIntOp::create(builder, launch.getLoc(),
                                                assertions.size(), 32);
    launch.getKernelOperandsMutable().append({getStatus(), before});
    llvm::append_range(assertions, said);
  }
  if (!assertions.empty())
    function->setAttr(assertionsName,
                      ArrayAttr::get(function.getContext(), assertions));
}

namespace {

struct NumberChecksPass : stof::impl::NumberChecksPassBase<NumberChecksPass> {
  using Base::Base;
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        CheckNumberer(function).run();
  }
};

} // namespace
