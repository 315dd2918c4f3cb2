//===----------------------------------------------------------------------===//
// Failed assertions on the CPU are reported on the standard error, and the
// process aborts. Upstream's conversion of cf.assert calls puts, whose buffer
// is lost on abort, and which mixes messages with the output of a program.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace stof {
#define GEN_PASS_DEF_REPORTASSERTIONSPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// Lowers the assertions of one module.
class Reporter {
public:
  explicit Reporter(ModuleOp module)
      : symbols(module), builder(ImplicitLocOpBuilder::atBlockBegin(
                             module.getLoc(), module.getBody())),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        none(LLVM::LLVMVoidType::get(module.getContext())) {}

  /// Creates the noreturn function of a text and its length.
  LogicalResult createStop();
  void report(cf::AssertOp assertion);

private:
  FailureOr<LLVM::LLVMFuncOp> declare(StringRef name, Type result,
                                      ArrayRef<Type> parameters);
  LLVM::GlobalOp getText(StringRef text);

  SymbolTable symbols;
  ImplicitLocOpBuilder builder;
  Type pointer, i32, i64, none;
  LLVM::LLVMFuncOp stop;
  llvm::StringMap<LLVM::GlobalOp> texts;
};

} // namespace

/// Declares a function of the C library.
FailureOr<LLVM::LLVMFuncOp> Reporter::declare(StringRef name, Type result,
                                              ArrayRef<Type> parameters) {
  if (Operation *other = symbols.lookup(name))
    return other->emitOpError("expects '")
           << name
           << "' to be the C library function, which failed assertions call";
  auto function = LLVM::LLVMFuncOp::create(
      builder, name, LLVM::LLVMFunctionType::get(result, parameters));
  symbols.insert(function);
  return function;
}

LogicalResult Reporter::createStop() {
  constexpr int32_t standardError = 2;
  FailureOr<LLVM::LLVMFuncOp> write =
      declare("write", i64, {i32, pointer, i64});
  FailureOr<LLVM::LLVMFuncOp> abort = declare("abort", none, {});
  if (failed(write) || failed(abort))
    return failure();
  stop = LLVM::LLVMFuncOp::create(
      builder, "stof_stop", LLVM::LLVMFunctionType::get(none, {pointer, i64}),
      LLVM::Linkage::Internal);
  symbols.insert(stop);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = stop.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  Value file = LLVM::ConstantOp::create(builder, i32, standardError);
  LLVM::CallOp::create(
      builder, *write,
      ValueRange{file, body->getArgument(0), body->getArgument(1)});
  LLVM::CallOp::create(builder, *abort, ValueRange());
  LLVM::UnreachableOp::create(builder);
  return success();
}

LLVM::GlobalOp Reporter::getText(StringRef text) {
  LLVM::GlobalOp &known = texts[text];
  if (!known) {
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    known = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true,
                                   LLVM::Linkage::Internal, "stof_assertion",
                                   builder.getStringAttr(text));
    symbols.insert(known);
  }
  return known;
}

void Reporter::report(cf::AssertOp assertion) {
  LLVM::GlobalOp text = getText((assertion.getMsg() + "\n").str());
  ImplicitLocOpBuilder at(assertion.getLoc(), assertion);
  Value yes = arith::ConstantIntOp::create(at, 1, 1);
  Value fails = arith::XOrIOp::create(at, assertion.getArg(), yes);
  scf::IfOp::create(at, fails, [&](OpBuilder &inner, Location loc) {
    Value address = LLVM::AddressOfOp::create(inner, loc, text);
    Value length = LLVM::ConstantOp::create(
        inner, loc, i64, cast<StringAttr>(text.getValueAttr()).size());
    LLVM::CallOp::create(inner, loc, stop, ValueRange{address, length});
    scf::YieldOp::create(inner, loc);
  });
  assertion.erase();
}

namespace {

struct ReportAssertionsPass
    : stof::impl::ReportAssertionsPassBase<ReportAssertionsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<cf::AssertOp> assertions;
    getOperation().walk(
        [&](cf::AssertOp assertion) { assertions.push_back(assertion); });
    if (assertions.empty())
      return;
    Reporter reporter(getOperation());
    if (failed(reporter.createStop()))
      return signalPassFailure();
    for (cf::AssertOp assertion : assertions)
      reporter.report(assertion);
  }
};

} // namespace
