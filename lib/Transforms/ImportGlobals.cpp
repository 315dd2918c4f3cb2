//===----------------------------------------------------------------------===//
// Imports the globals of a program: mutable ones become arguments and results
// of functions, the others constants.
//===----------------------------------------------------------------------===//

#include "stof/IR/KernelAttributes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace stof {
#define GEN_PASS_DEF_IMPORTGLOBALSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// Replaces the accesses of one function to globals.
class GlobalImporter {
public:
  explicit GlobalImporter(func::FuncOp function)
      : function(function), rewriter(function) {}

  LogicalResult run();

private:
  FailureOr<ml_program::GlobalOp> find(Operation *access, SymbolRefAttr name);
  LogicalResult collect();
  LogicalResult replaceByConstant(Operation *load, ml_program::GlobalOp global);
  void thread();

  func::FuncOp function;
  IRRewriter rewriter;
  /// Loads and stores of mutable globals in order, with the global.
  SmallVector<std::pair<Operation *, ml_program::GlobalOp>> accesses;
};

} // namespace

FailureOr<ml_program::GlobalOp> GlobalImporter::find(Operation *access,
                                                     SymbolRefAttr name) {
  auto global =
      SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(access, name);
  assert(global && "verified with the symbols that the access uses");
  if (!isa<RankedTensorType>(global.getType()))
    return access->emitOpError() << "cannot be compiled: expects a global of a "
                                    "ranked tensor, but got "
                                 << global.getType();
  return global;
}

LogicalResult GlobalImporter::replaceByConstant(Operation *load,
                                                ml_program::GlobalOp global) {
  auto value = dyn_cast_or_null<TypedAttr>(global.getValueAttr());
  if (!value || !isa<ElementsAttr>(value))
    return load->emitOpError() << "cannot be compiled: expects a global with a "
                                  "value, but @"
                               << global.getSymName() << " has none";
  rewriter.setInsertionPoint(load);
  Value constant = arith::ConstantOp::create(rewriter, load->getLoc(), value);
  if (constant.getType() != load->getResult(0).getType())
    constant = tensor::CastOp::create(rewriter, load->getLoc(),
                                      load->getResult(0).getType(), constant);
  rewriter.replaceOp(load, constant);
  return success();
}

LogicalResult GlobalImporter::collect() {
  SmallVector<std::pair<Operation *, SymbolRefAttr>> found;
  WalkResult known =
      function.walk([&](Operation *op) {
        if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op)) {
          found.push_back({op, load.getGlobal()});
        } else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op)) {
          found.push_back({op, load.getGlobal()});
        } else if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op)) {
          found.push_back({op, store.getGlobal()});
        } else if (isa_and_nonnull<ml_program::MLProgramDialect>(
                       op->getDialect())) {
          op->emitOpError()
              << "cannot be compiled: expects globals to be loaded and "
                 "stored in order";
          return WalkResult::interrupt();
        }
        return WalkResult::advance();
      });
  if (known.wasInterrupted())
    return failure();
  for (auto [access, name] : found) {
    FailureOr<ml_program::GlobalOp> global = find(access, name);
    if (failed(global))
      return failure();
    if (!global->getIsMutable()) {
      if (failed(replaceByConstant(access, *global)))
        return failure();
      continue;
    }
    if (access->getParentOp() != function || !function.getBody().hasOneBlock())
      return access->emitOpError()
             << "cannot be compiled: expects a mutable global to be accessed "
                "outside of control flow";
    if (!function.isPublic())
      return access->emitOpError()
             << "cannot be compiled: expects a mutable global to be accessed "
                "by a public function, but '"
             << function.getName() << "' could not be inlined";
    accesses.push_back({access, *global});
  }
  return success();
}

/// Threads the value of each global through its accesses.
void GlobalImporter::thread() {
  llvm::MapVector<ml_program::GlobalOp, Value> values;
  for (auto [access, global] : accesses)
    values.insert({global, Value()});
  auto describe = [&](ml_program::GlobalOp global) {
    return rewriter.getDictionaryAttr(rewriter.getNamedAttr(
        stof::globalAttrName, rewriter.getStringAttr(global.getSymName())));
  };
  for (auto &[global, value] : values) {
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, global.getType(), describe(global),
                                  global.getLoc());
    value = function.getArgument(position);
  }
  for (auto [access, global] : accesses) {
    Value &value = values[global];
    if (auto store = dyn_cast<ml_program::GlobalStoreOp>(access)) {
      value = store.getValue();
      rewriter.eraseOp(access);
    } else {
      rewriter.replaceOp(access, value);
    }
  }
  Operation *end = function.getBody().front().getTerminator();
  for (auto &[global, value] : values) {
    (void)function.insertResult(function.getNumResults(), global.getType(),
                                describe(global));
    end->insertOperands(end->getNumOperands(), value);
  }
}

LogicalResult GlobalImporter::run() {
  if (failed(collect()))
    return failure();
  if (!accesses.empty())
    thread();
  return success();
}

namespace {

struct ImportGlobalsPass
    : stof::impl::ImportGlobalsPassBase<ImportGlobalsPass> {
  using Base::Base;
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(GlobalImporter(function).run()))
        return signalPassFailure();
    for (auto global : llvm::make_early_inc_range(
             getOperation().getOps<ml_program::GlobalOp>()))
      if (SymbolTable::symbolKnownUseEmpty(global, getOperation()))
        global.erase();
  }
};

} // namespace
