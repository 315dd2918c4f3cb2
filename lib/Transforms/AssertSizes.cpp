//===----------------------------------------------------------------------===//
// Asserts the preconditions of operations on sizes, for the host to check
// before a call:
//
// 1. Sizes are read as expressions of the sizes of inputs; assertions of the
//    source are assumed, as they are checked.
// 2. Each relation of an operation that does not follow from earlier assertions
//    is asserted, and assumed from then on.
//===----------------------------------------------------------------------===//

#include "AssertSizes/Relations.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Path.h"

namespace stof {
#define GEN_PASS_DEF_ASSERTSIZESPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

class SizeAsserter {
public:
  explicit SizeAsserter(func::FuncOp function)
      : function(function), facts(function) {}

  /// Adds the assertions. A relation that can never hold is an error.
  LogicalResult run();

private:
  bool isImplied(const SizeRelation &relation) const;
  /// The relation in words, with both sides as compared.
  std::string describe(const SizeRelation &relation) const;
  LogicalResult assertRelation(Operation *op, SizeRelation relation);
  void createAssertion(Operation *op, const SizeRelation &relation);
  LogicalResult verifyEquation(Operation *op, const CountExpr &lhs,
                               const CountExpr &rhs) const;
  LogicalResult readAssertion(cf::AssertOp assertion);

  func::FuncOp function;
  SizeFacts facts;
  /// Asserted relations other than `Equal`; `facts` holds those.
  SmallVector<SizeRelation> asserted;
};

} // namespace

bool SizeAsserter::isImplied(const SizeRelation &relation) const {
  auto isKnown = [&](const SizeRelation &known) {
    return known.kind == relation.kind && known.guard == relation.guard &&
           facts.areEqual(known.lhs, relation.lhs) &&
           facts.areEqual(known.rhs, relation.rhs);
  };
  if (llvm::any_of(asserted, isKnown))
    return true;
  switch (relation.kind) {
  case SizeRelation::Equal:
    return facts.areEqual(relation.lhs, relation.rhs);
  case SizeRelation::AtMost: {
    // A guard with the relation as a factor implies it.
    CountExpr difference = relation.rhs - relation.lhs;
    return facts.isNonNegative(difference) ||
           CountExpr::divideExactly(relation.guard,
                                    CountExpr::isNonNegative(difference));
  }
  case SizeRelation::Multiple: {
    std::optional<int64_t> divisor = facts.simplify(relation.rhs).constant();
    if (!divisor || *divisor < 1)
      return facts.areEqual(relation.lhs, relation.rhs);
    CountExpr whole = facts.simplify(relation.lhs);
    return CountExpr::floorDivide(whole, *divisor) * *divisor == whole;
  }
  }
  llvm_unreachable("all kinds are known");
}

std::string SizeAsserter::describe(const SizeRelation &relation) const {
  std::string lhs = relation.lhs.toSizeExpr().print(),
              rhs = relation.rhs.toSizeExpr().print();
  switch (relation.kind) {
  case SizeRelation::Equal:
    return "expects " + lhs + " to be " + rhs;
  case SizeRelation::AtMost: {
    bool isMinimum = relation.lhs.constant() && !relation.rhs.constant();
    return "expects " +
           (isMinimum ? rhs + " to be at least " + lhs
                      : lhs + " to be at most " + rhs) +
           (relation.guard == 1
                ? ""
                : " where " + relation.guard.toSizeExpr().print());
  }
  case SizeRelation::Multiple:
    return "expects " + lhs + " to be a multiple of " + rhs;
  }
  llvm_unreachable("all kinds are known");
}

/// The operation and its location. Directories are omitted, as a package must
/// not depend on the folder of its compilation.
static std::string printOrigin(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  auto position = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!position)
    return name;
  return (name + " at " + llvm::sys::path::filename(position.getFilename()) +
          ":" + Twine(position.getLine()) + ":" + Twine(position.getColumn()))
      .str();
}

void SizeAsserter::createAssertion(Operation *op,
                                   const SizeRelation &relation) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value lhs = facts.build(builder, loc, relation.lhs * relation.guard);
  Value rhs = facts.build(builder, loc, relation.rhs * relation.guard);
  auto predicate = arith::CmpIPredicate::eq;
  if (relation.kind == SizeRelation::AtMost)
    predicate = arith::CmpIPredicate::sle;
  if (relation.kind == SizeRelation::Multiple) {
    lhs = arith::RemUIOp::create(builder, loc, lhs, rhs);
    rhs = arith::ConstantIndexOp::create(builder, loc, 0);
  }
  Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  cf::AssertOp::create(builder, loc, holds,
                       describe(relation) + " (" + printOrigin(op) + ")");
}

/// Whether `expr` only adds, subtracts and multiplies: substitution then
/// decides whether it is zero.
static bool isPolynomial(const SizeExpr &expr) {
  if (expr.constant() || expr.getSymbol())
    return true;
  std::optional<SizeOperator> op = expr.getOperator();
  return (op == SizeOperator::Add || op == SizeOperator::Subtract ||
          op == SizeOperator::Multiply) &&
         isPolynomial(expr.lhs()) && isPolynomial(expr.rhs());
}

/// An error at `op` if the sides are equal only if some size is 1: an exporter
/// then lost this dynamic size.
LogicalResult SizeAsserter::verifyEquation(Operation *op, const CountExpr &lhs,
                                           const CountExpr &rhs) const {
  CountExpr difference = facts.simplify(lhs - rhs);
  auto [solved, value] = facts.isolate(lhs, rhs);
  bool isDetermined = !(solved == lhs && value == rhs) ||
                      facts.listInputs(lhs - rhs).size() < 2;
  if (isDetermined || difference.constant() || !facts.isOfInputs(difference) ||
      !isPolynomial(difference.toSizeExpr()))
    return success();
  for (const std::string &name : facts.listInputs(difference))
    if (SizeFacts::substitute(difference, name, 1).constant() == 0)
      return op->emitOpError("expects equal sizes, but got ")
             << lhs.toSizeExpr().print() << " and " << rhs.toSizeExpr().print()
             << ", which are equal only if " << name
             << " is 1: the exporter took a dynamic size to be 1";
  return success();
}

LogicalResult SizeAsserter::readAssertion(cf::AssertOp assertion) {
  auto compared = assertion.getArg().getDefiningOp<arith::CmpIOp>();
  if (compared && compared.getPredicate() == arith::CmpIPredicate::eq &&
      failed(verifyEquation(assertion, facts.valueOf(compared.getLhs()),
                            facts.valueOf(compared.getRhs()))))
    return failure();
  facts.assumeCondition(assertion.getArg());
  return success();
}

LogicalResult SizeAsserter::assertRelation(Operation *op,
                                           SizeRelation relation) {
  if (isImplied(relation))
    return success();
  relation.lhs = facts.simplify(relation.lhs);
  relation.rhs = facts.simplify(relation.rhs);
  relation.guard = facts.simplify(relation.guard);
  bool isCertain = op->getBlock() == &function.getBody().front();
  if (!isCertain || !facts.isOfInputs(relation.lhs) ||
      !facts.isOfInputs(relation.rhs) || !facts.isOfInputs(relation.guard)) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("SizesNotChecked")
                                     .category("stof-assert-sizes"))
        << remark::reason("{0} depends on more than the sizes of inputs",
                          isCertain ? "a size" : "whether it is computed");
    return success();
  }
  CountExpr difference = relation.rhs - relation.lhs;
  bool neverHolds = relation.kind == SizeRelation::Equal
                        ? difference.constant().has_value()
                        : relation.kind == SizeRelation::AtMost &&
                              relation.guard == 1 &&
                              facts.isNonNegative(difference * -1 - 1);
  if (neverHolds)
    return op->emitOpError(describe(relation))
           << ", but no sizes of the inputs satisfy this";
  if (relation.kind == SizeRelation::Equal) {
    if (failed(verifyEquation(op, relation.lhs, relation.rhs)))
      return failure();
    auto [lhs, rhs] = facts.isolate(relation.lhs, relation.rhs);
    relation.lhs = lhs;
    relation.rhs = rhs;
    facts.assume(lhs, rhs);
  } else {
    asserted.push_back(relation);
  }
  createAssertion(op, relation);
  return success();
}

LogicalResult SizeAsserter::run() {
  for (auto assertion : function.getBody().front().getOps<cf::AssertOp>())
    if (failed(readAssertion(assertion)))
      return failure();
  SmallVector<Operation *> operations;
  function.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations)
    for (const SizeRelation &relation : listRelations(op, facts))
      if (failed(assertRelation(op, relation)))
        return failure();
  return success();
}

namespace {

struct AssertSizesPass : stof::impl::AssertSizesPassBase<AssertSizesPass> {
  using Base::Base;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getOps<func::CallOp>().empty())
      return;
    if (failed(SizeAsserter(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
