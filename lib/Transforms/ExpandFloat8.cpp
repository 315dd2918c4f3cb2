//===----------------------------------------------------------------------===//
// Expands 8-bit floats to integers with the same bits.
//
//   1. Inputs of reductions are widened, other arithmetic is performed in f32.
//   2. The remaining conversions become integer arithmetic.
//   3. The types of all values change to i8.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stof {
#define GEN_PASS_DEF_EXPANDFLOAT8PASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// Whether `type` or its element type is an 8-bit float that is expanded.
static bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

/// Whether `type` or its element type is an unsupported float of at most 8
/// bits.
static bool isOtherNarrowFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() <= 8 && !isFloat8(element);
}

/// The type that holds the bits of a value of `type`.
static Type getStorageType(Type type) {
  Type bits = IntegerType::get(type.getContext(), 8);
  auto tensor = dyn_cast<ShapedType>(type);
  return tensor ? Type(tensor.clone(bits)) : bits;
}

namespace {

/// Builds the integer arithmetic of a conversion.
class BitBuilder {
public:
  BitBuilder(OpBuilder &builder, Location loc, unsigned width)
      : builder(builder), loc(loc), type(builder.getIntegerType(width)) {}

  Value constant(uint64_t value) {
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(type, APInt(type.getWidth(), value)));
  }
  template <typename Op>
  Value make(Value lhs, Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  template <typename Op>
  Value make(Value lhs, uint64_t rhs) {
    return Op::create(builder, loc, lhs, constant(rhs));
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, uint64_t rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, constant(rhs));
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }

  OpBuilder &builder;
  Location loc;
  IntegerType type;
};

/// The encoding of a float.
struct Format {
  unsigned mantissa, bias;
  /// The bits after those of the largest finite number, and of NaN; both
  /// without the sign.
  uint64_t overflow, nan;

  static Format of(Type type) {
    if (isa<Float8E5M2Type>(type))
      return {2, 15, 0x7C, 0x7F};
    if (isa<Float8E4M3FNType>(type))
      return {3, 7, 0x7F, 0x7F};
    if (type.isF64())
      return {52, 1023, uint64_t(0x7FF) << 52, uint64_t(0xFFF) << 51};
    return {23, 127, 0x7F800000, 0x7FC00000};
  }
};

} // namespace

/// Shifts `magnitude` right by `shift` bits, rounding to nearest, ties to even.
static Value roundShift(BitBuilder &bits, Value magnitude, Value shift) {
  Value one = bits.constant(1);
  Value isOdd = bits.make<arith::AndIOp>(
      bits.make<arith::ShRUIOp>(magnitude, shift), one);
  Value half =
      bits.make<arith::ShLIOp>(one, bits.make<arith::SubIOp>(shift, one));
  Value below = bits.make<arith::SubIOp>(half, one);
  Value sum = bits.make<arith::AddIOp>(
      bits.make<arith::AddIOp>(magnitude, below), isOdd);
  return bits.make<arith::ShRUIOp>(sum, shift);
}

/// The byte of the float of type `to` that is nearest to `value`.
static Value narrow(OpBuilder &builder, Location loc, Value value, Type to) {
  if (!value.getType().isF64() && !value.getType().isF32())
    value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Format from = Format::of(value.getType()), format = Format::of(to);
  BitBuilder bits(builder, loc, width);
  Value all = arith::BitcastOp::create(builder, loc, bits.type, value);
  Value magnitude =
      bits.make<arith::AndIOp>(all, (uint64_t(1) << (width - 1)) - 1);
  Value sign =
      bits.make<arith::ShLIOp>(bits.make<arith::ShRUIOp>(all, width - 1), 7);

  // A normal number keeps its exponent, minus the difference of the biases; a
  // mantissa that rounds up to a power of two carries into it.
  unsigned drop = from.mantissa - format.mantissa;
  uint64_t rebias = from.bias - format.bias;
  Value normal =
      bits.make<arith::SubIOp>(roundShift(bits, magnitude, bits.constant(drop)),
                               rebias << format.mantissa);
  // A subnormal number is a multiple of the smallest; the bound on the shift
  // keeps anything smaller below one half.
  Value exponent = bits.make<arith::ShRUIOp>(magnitude, from.mantissa);
  Value missing =
      bits.make<arith::SubIOp>(bits.constant(rebias + 1 + drop), exponent);
  Value shift = bits.make<arith::MinUIOp>(missing, from.mantissa + 2);
  Value fraction =
      bits.make<arith::AndIOp>(magnitude, (uint64_t(1) << from.mantissa) - 1);
  Value significand =
      bits.make<arith::OrIOp>(fraction, uint64_t(1) << from.mantissa);
  Value isNormal = bits.compare(arith::CmpIPredicate::ugt, exponent, rebias);
  // For a normal number the shift would wrap.
  Value safeShift = bits.select(isNormal, bits.constant(drop), shift);
  Value small = roundShift(bits, significand, safeShift);

  Value code = bits.select(isNormal, normal, small);
  code = bits.make<arith::MinUIOp>(code, format.overflow);
  Value isNaN =
      bits.compare(arith::CmpIPredicate::ugt, magnitude, from.overflow);
  code = bits.select(isNaN, bits.constant(format.nan), code);
  code = bits.make<arith::OrIOp>(code, sign);
  return arith::TruncIOp::create(builder, loc, builder.getI8Type(), code);
}

/// The value of the float of type `from` whose byte is `byte`.
static Value widen(OpBuilder &builder, Location loc, Value byte, Type from,
                   Type to) {
  Type single = builder.getF32Type();
  Format format = Format::of(from), wide = Format::of(single);
  BitBuilder bits(builder, loc, 32);
  Value all = arith::ExtUIOp::create(builder, loc, bits.type, byte);
  Value code = bits.make<arith::AndIOp>(all, 0x7F);
  Value sign =
      bits.make<arith::ShLIOp>(bits.make<arith::AndIOp>(all, 0x80), 24);
  Value normal = bits.make<arith::AddIOp>(
      bits.make<arith::ShLIOp>(code, wide.mantissa - format.mantissa),
      uint64_t(wide.bias - format.bias) << wide.mantissa);
  // Subnormal numbers are multiples of the smallest one, and normal in f32.
  APFloat smallest =
      APFloat::getSmallest(cast<FloatType>(from).getFloatSemantics());
  bool losesInfo = false;
  smallest.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
  Value unit = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(single, smallest));
  Value product = arith::MulFOp::create(
      builder, loc, arith::UIToFPOp::create(builder, loc, single, code), unit);
  Value small = arith::BitcastOp::create(builder, loc, bits.type, product);
  Value isSmall = bits.compare(arith::CmpIPredicate::ult, code,
                               uint64_t(1) << format.mantissa);
  Value result = bits.select(isSmall, small, normal);
  Value isNaN = bits.compare(
      arith::CmpIPredicate::uge, code,
      format.overflow == format.nan ? format.nan : format.overflow + 1);
  if (format.overflow != format.nan) {
    Value isInfinite =
        bits.compare(arith::CmpIPredicate::eq, code, format.overflow);
    result = bits.select(isInfinite, bits.constant(wide.overflow), result);
  }
  result = bits.select(isNaN, bits.constant(wide.nan), result);
  result = bits.make<arith::OrIOp>(result, sign);
  Value value = arith::BitcastOp::create(builder, loc, single, result);
  unsigned width = to.getIntOrFloatBitWidth();
  if (width > 32)
    return arith::ExtFOp::create(builder, loc, to, value);
  return width < 32
             ? arith::TruncFOp::create(builder, loc, to, value).getResult()
             : value;
}

namespace {

/// Replaces 8-bit floats in one module.
class Float8Expander {
public:
  explicit Float8Expander(ModuleOp module)
      : module(module), rewriter(module.getContext()) {}

  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult generalize();
  void widenInputs(linalg::GenericOp op);
  LogicalResult computeWidened();
  LogicalResult convert();
  void changeTypes();

  ModuleOp module;
  IRRewriter rewriter;
};

} // namespace

/// Whether the type of an operand, result or region argument of `op` satisfies
/// `predicate`.
template <typename Predicate>
static bool hasType(Operation *op, Predicate predicate) {
  auto hasArgument = [&](Region &region) {
    return llvm::any_of(region, [&](Block &block) {
      return llvm::any_of(block.getArgumentTypes(), predicate);
    });
  };
  return llvm::any_of(op->getOperandTypes(), predicate) ||
         llvm::any_of(op->getResultTypes(), predicate) ||
         llvm::any_of(op->getRegions(), hasArgument);
}

LogicalResult Float8Expander::check() {
  WalkResult known = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (hasType(op, isOtherNarrowFloat)) {
      op->emitOpError() << "cannot be compiled: expects floats of 8 bits to be "
                           "f8E4M3FN or f8E5M2";
      return WalkResult::interrupt();
    }
    bool isKnown =
        isa<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
            scf::SCFDialect, tensor::TensorDialect>(op->getDialect());
    if (hasType(op, isFloat8) && !isKnown) {
      op->emitOpError() << "cannot be compiled: does not support floats of 8 "
                           "bits";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(known.wasInterrupted());
}

/// Widens inputs that the body of `op` would widen first: `op` then matches as
/// a contraction or reduction.
void Float8Expander::widenInputs(linalg::GenericOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(input);
    auto tensor = dyn_cast<RankedTensorType>(input->get().getType());
    auto first = element.use_empty()
                     ? arith::ExtFOp()
                     : dyn_cast<arith::ExtFOp>(*element.user_begin());
    if (!tensor || !isFloat8(tensor) || !first ||
        llvm::any_of(element.getUsers(), [&](Operation *user) {
          return !isa<arith::ExtFOp>(user) ||
                 user->getResult(0).getType() != first.getType();
        }))
      continue;
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, input->get()),
        first.getType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(tensor.getRank());
    SmallVector<utils::IteratorType> parallel(tensor.getRank(),
                                              utils::IteratorType::parallel);
    auto widened = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), input->get(), empty,
        ArrayRef{identity, identity}, parallel,
        [&](OpBuilder &builder, Location, ValueRange elements) {
          Value wide = arith::ExtFOp::create(builder, loc, first.getType(),
                                             elements.front());
          linalg::YieldOp::create(builder, loc, wide);
        });
    input->set(widened.getResult(0));
    element.setType(first.getType());
    for (Operation *user : llvm::make_early_inc_range(element.getUsers()))
      rewriter.replaceOp(user, element);
  }
}

LogicalResult Float8Expander::generalize() {
  SmallVector<linalg::LinalgOp> found;
  module.walk([&](linalg::LinalgOp op) {
    if (hasType(op, isFloat8))
      found.push_back(op);
  });
  for (linalg::LinalgOp op : found) {
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic && !isa<linalg::FillOp, linalg::TransposeOp,
                         linalg::BroadcastOp, linalg::CopyOp>(op)) {
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(general))
        return op.emitOpError()
               << "cannot be compiled: does not support floats of 8 bits";
      generic = *general;
    }
    if (generic && generic.getNumReductionLoops() > 0)
      widenInputs(generic);
  }
  return success();
}

/// Performs arithmetic on 8-bit floats in f32.
LogicalResult Float8Expander::computeWidened() {
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(
      converter,
      {rewriter.getType<Float8E4M3FNType>(),
       rewriter.getType<Float8E5M2Type>()},
      rewriter.getF32Type());
  RewritePatternSet patterns(module.getContext());
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*module.getContext());
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  return applyPartialConversion(module, target, std::move(patterns));
}

LogicalResult Float8Expander::convert() {
  // With their source types: operands change as other conversions are replaced.
  SmallVector<std::pair<Operation *, Type>> conversions;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp>(op) &&
        hasType(op, isFloat8))
      conversions.push_back({op, op->getOperand(0).getType()});
  });
  for (auto [op, from] : conversions) {
    rewriter.setInsertionPoint(op);
    Location loc = op->getLoc();
    Value value = op->getOperand(0);
    Type to = op->getResult(0).getType();
    if (isa<ShapedType>(to))
      return op->emitOpError() << "cannot be compiled: expects a conversion of "
                                  "scalars, but got "
                               << to;
    if (isa<arith::BitcastOp>(op)) {
      // The bits stay the same.
      value.setType(rewriter.getI8Type());
      rewriter.replaceAllUsesWith(op->getResult(0), value);
      rewriter.eraseOp(op);
      continue;
    }
    auto narrowing = dyn_cast<arith::TruncFOp>(op);
    if (narrowing && narrowing.getRoundingmode().value_or(
                         arith::RoundingMode::to_nearest_even) !=
                         arith::RoundingMode::to_nearest_even)
      return op->emitOpError() << "cannot be compiled: expects rounding to the "
                                  "nearest, ties to even";
    Value result = narrowing ? narrow(rewriter, loc, value, to)
                             : widen(rewriter, loc, value, from, to);
    rewriter.replaceAllUsesWith(op->getResult(0), result);
    rewriter.eraseOp(op);
  }
  return success();
}

void Float8Expander::changeTypes() {
  auto change = [](Value value) {
    if (isFloat8(value.getType()))
      value.setType(getStorageType(value.getType()));
  };
  module.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && isFloat8(constant.getType())) {
      Type type = getStorageType(constant.getType());
      if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        constant.setValueAttr(
            rewriter.getIntegerAttr(type, number.getValue().bitcastToAPInt()));
      else if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
        constant.setValueAttr(dense.bitcast(rewriter.getI8Type()));
      else if (auto resource =
                   dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
        constant.setValueAttr(DenseResourceElementsAttr::get(
            cast<ShapedType>(type), resource.getRawHandle()));
    }
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      auto changed = [](TypeRange types) {
        return llvm::map_to_vector(types, [](Type type) {
          return isFloat8(type) ? getStorageType(type) : type;
        });
      };
      function.setFunctionType(
          rewriter.getFunctionType(changed(function.getArgumentTypes()),
                                   changed(function.getResultTypes())));
    }
    llvm::for_each(op->getResults(), change);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), change);
  });
}

LogicalResult Float8Expander::run() {
  WalkResult found = module.walk([](Operation *op) {
    auto isNarrow = [](Type type) {
      return isFloat8(type) || isOtherNarrowFloat(type);
    };
    return hasType(op, isNarrow) ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  if (failed(check()) || failed(generalize()) || failed(computeWidened()) ||
      failed(convert()))
    return failure();
  changeTypes();
  return success();
}

namespace {

struct ExpandFloat8Pass : stof::impl::ExpandFloat8PassBase<ExpandFloat8Pass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(Float8Expander(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
