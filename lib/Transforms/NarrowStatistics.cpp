//===----------------------------------------------------------------------===//
// Computes sums and variances with f64 intermediates in f32.
//
//   1. f64 values that operations relate, in bodies and as tensors, form an
//      equivalence class.
//   2. A class is narrowed if all of its inputs are constants or widened from
//      32 bits or less, all of its outputs are narrowed again or compared, and
//      all of its arithmetic exists for f32. Other uses of f64, such as exact
//      integers, are left alone.
//   3. The types of the values change in place.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace stof {
#define GEN_PASS_DEF_NARROWSTATISTICSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

static bool isDouble(Value value) {
  return getElementTypeOrSelf(value.getType()).isF64();
}

static bool isConstant(Value value) {
  return value.getDefiningOp<arith::ConstantOp>() != nullptr;
}

/// Float arithmetic that exists for f32 as well.
static bool isArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::SelectOp, math::AbsFOp,
             math::FmaOp, math::RsqrtOp, math::SqrtOp>(op);
}

/// Whether the constant `value` is the same number in f32, or, if `exactly` is
/// false, converts without overflow. Denormal results never fit.
static bool fitsSingle(Value value, bool exactly) {
  APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return false;
  bool losesInfo = false, isZero = number.isZero();
  APFloat::opStatus status = number.convert(
      APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (!isZero && (number.isZero() || number.isDenormal()))
    return false;
  return exactly ? !losesInfo : !(status & APFloat::opOverflow);
}

/// Whether all numbers of `type` are f32 numbers.
static bool isWithinSingle(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32;
}

namespace {
/// The classes of related f64 values in a function, and those that must stay.
class DoubleSets {
public:
  explicit DoubleSets(func::FuncOp function) {
    function.walk([&](Operation *op) {
      // Only the regions of linalg operations are followed.
      if (!isa<linalg::LinalgOp>(op))
        for (Region &region : op->getRegions())
          for (Block &block : region)
            llvm::for_each(block.getArguments(),
                           [&](Value argument) { keep(argument); });
      if (op != function)
        visit(op);
    });
  }

  /// The classes to narrow, each in program order.
  SmallVector<SmallVector<Value>> getNarrowable() const {
    llvm::MapVector<Value, SmallVector<Value>> members;
    for (Value value : order)
      members[sets.getLeaderValue(value)].push_back(value);
    llvm::SmallDenseSet<Value> leaders;
    for (Value value : kept)
      leaders.insert(sets.getLeaderValue(value));
    SmallVector<SmallVector<Value>> narrowable;
    for (auto &[leader, values] : members)
      if (!leaders.contains(leader))
        narrowable.push_back(values);
    return narrowable;
  }

private:
  bool take(Value value) {
    if (!isDouble(value) || isConstant(value))
      return false;
    if (known.insert(value).second) {
      order.push_back(value);
      sets.insert(value);
    }
    return true;
  }
  void keep(Value value) {
    if (take(value))
      kept.push_back(value);
  }
  void relate(ValueRange values) {
    Value first;
    for (Value value : values)
      if (take(value)) {
        if (first)
          sets.unionSets(first, value);
        else
          first = value;
      }
  }

  void visit(Operation *op) {
    if (isa<arith::ConstantOp>(op))
      return;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    SmallVector<Value> touched(op->getOperands());
    llvm::append_range(touched, op->getResults());
    if (isa<linalg::YieldOp>(op) && isa<linalg::LinalgOp>(op->getParentOp()))
      return;
    if (isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::CastOp>(op) ||
        isArithmetic(op)) {
      relate(touched);
      if (llvm::all_of(op->getOperands(), [](Value operand) {
            return !isDouble(operand) || !isConstant(operand) ||
                   fitsSingle(operand, /*exactly=*/false);
          }))
        return;
    } else if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
               llvm::any_of(touched, [](Value value) {
                 return isWithinSingle(value.getType());
               })) {
      for (Value value : touched)
        take(value);
      return;
    } else if (isa<arith::CmpFOp>(op)) {
      relate(touched);
      if (llvm::all_of(op->getOperands(), [](Value operand) {
            return !isConstant(operand) || fitsSingle(operand, true);
          }))
        return;
    }
    for (Value value : touched)
      keep(value);
  }

  void visitLinalg(linalg::LinalgOp op) {
    for (OpOperand &operand : op->getOpOperands())
      relate(operand.get(), op.getMatchingBlockArgument(&operand));
    Operation *yield = op.getBlock()->getTerminator();
    for (auto [init, yielded] :
         llvm::zip(op.getRegionOutputArgs(), yield->getOperands()))
      relate(yielded, init);
    for (auto [result, init] :
         llvm::zip(op->getResults(), op.getRegionOutputArgs()))
      relate(result, init);
  }
  /// Relates an operand or yielded value, possibly a constant, to its argument.
  void relate(Value value, BlockArgument argument) {
    relate({value, argument});
    if (isDouble(value) && isConstant(value) &&
        !fitsSingle(value, /*exactly=*/false))
      keep(argument);
  }

  llvm::EquivalenceClasses<Value> sets;
  SmallVector<Value> order, kept;
  llvm::SmallDenseSet<Value> known;
};

struct NarrowStatisticsPass
    : stof::impl::NarrowStatisticsPassBase<NarrowStatisticsPass> {
  using Base::Base;

  void runOnOperation() override {
    DoubleSets sets(getOperation());
    for (ArrayRef<Value> values : sets.getNarrowable())
      narrow(values);
  }

private:
  static Type narrowed(Type type) {
    Type single = Float32Type::get(type.getContext());
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? shaped.clone(single) : single;
  }

  /// Changes the values of a class and their constants to f32 and erases the
  /// conversions.
  static void narrow(ArrayRef<Value> values) {
    llvm::SmallDenseSet<Value> set(values.begin(), values.end());
    llvm::SetVector<Operation *> operations;
    for (Value value : values) {
      operations.insert(getOwner(value));
      for (Operation *user : value.getUsers())
        operations.insert(user);
    }
    for (Operation *op : operations)
      narrowConstants(op, set);
    for (Value value : values)
      value.setType(narrowed(value.getType()));
    Location loc = values.front().getLoc();
    remark::passed(
        loc,
        remark::RemarkOpts::name("Narrowed").category("stof-narrow-statistics"))
        << "f64 intermediates are computed in f32, by " +
               std::to_string(operations.size()) + " operations";
    for (Operation *op : operations)
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      }
  }

  /// The defining operation of `value`, or the parent of a block argument.
  static Operation *getOwner(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner()->getParentOp();
    return value.getDefiningOp();
  }

  /// Narrows the constant operands of `op` that belong to `set`: all of those
  /// of arithmetic; for a linalg operation those whose block argument is a
  /// member, and the constants that its body yields to a member.
  static void narrowConstants(Operation *op,
                              const llvm::SmallDenseSet<Value> &set) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (linalgOp ? set.contains(linalgOp.getMatchingBlockArgument(&operand))
                   : !isa<linalg::YieldOp>(op))
        narrowConstant(operand);
    if (!linalgOp)
      return;
    Operation *yield = linalgOp.getBlock()->getTerminator();
    for (auto [init, yielded] :
         llvm::zip(linalgOp.getRegionOutputArgs(), yield->getOpOperands()))
      if (set.contains(init))
        narrowConstant(yielded);
  }

  static void narrowConstant(OpOperand &operand) {
    Value value = operand.get();
    APFloat number(0.0);
    if (!isDouble(value) || !isConstant(value) ||
        !matchPattern(value, m_ConstantFloat(&number)))
      return;
    bool losesInfo;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    OpBuilder builder(operand.getOwner());
    TypedAttr attribute = builder.getFloatAttr(builder.getF32Type(), number);
    if (auto shaped = dyn_cast<ShapedType>(narrowed(value.getType())))
      attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
    operand.set(arith::ConstantOp::create(builder, value.getLoc(), attribute));
  }
};
} // namespace
