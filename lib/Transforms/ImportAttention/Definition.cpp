//===----------------------------------------------------------------------===//
// Definition of attention in linalg on whole tensors.
//===----------------------------------------------------------------------===//

#include "Definition.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

static SmallVector<unsigned> firstDims(unsigned count) {
  return llvm::to_vector(llvm::seq<unsigned>(0, count));
}

namespace {
/// Builds attention in f32.
class Definition {
public:
  Definition(OpBuilder &builder, Location loc, Operands operands)
      : builder(builder), loc(loc), operands(operands),
        real(builder.getF32Type()),
        rank(cast<RankedTensorType>(operands.query.getType()).getRank()) {}

  Value build(double scale, ScoreBuilder change, Type elementType);

private:
  AffineMap mapOf(unsigned numDims, ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : dims)
      exprs.push_back(builder.getAffineDimExpr(dim));
    return AffineMap::get(numDims, 0, exprs, builder.getContext());
  }
  SmallVector<unsigned> leading(std::initializer_list<unsigned> rest) {
    SmallVector<unsigned> dims = firstDims(rank - 2);
    llvm::append_range(dims, rest);
    return dims;
  }
  Value filled(ArrayRef<OpFoldResult> shape, double value) {
    Value empty = tensor::EmptyOp::create(builder, loc, shape, real);
    Value constant = arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(real, value));
    return linalg::FillOp::create(builder, loc, constant, empty).getResult(0);
  }
  Value contract(Value lhs, ArrayRef<unsigned> lhsDims, Value rhs,
                 ArrayRef<unsigned> rhsDims, ArrayRef<OpFoldResult> shape);
  Value
  reduce(Value scores, double init,
         function_ref<Value(OpBuilder &, Location, Value, Value)> combine);
  Value combine(Value of, Value with, Type type,
                function_ref<Value(OpBuilder &, Location, ValueRange)> body);

  OpBuilder &builder;
  Location loc;
  Operands operands;
  Type real;
  unsigned rank;
};
} // namespace

Value stof::widenElement(OpBuilder &b, Location l, Value value, Type type) {
  return value.getType() == type ? value
                                 : arith::ExtFOp::create(b, l, type, value);
}

Value Definition::contract(Value lhs, ArrayRef<unsigned> lhsDims, Value rhs,
                           ArrayRef<unsigned> rhsDims,
                           ArrayRef<OpFoldResult> shape) {
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  SmallVector<unsigned> outDims = firstDims(rank);
  Value init = filled(shape, 0);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), ValueRange{lhs, rhs}, init,
             ArrayRef<AffineMap>{mapOf(rank + 1, lhsDims),
                                 mapOf(rank + 1, rhsDims),
                                 mapOf(rank + 1, outDims)},
             loops,
             [&](OpBuilder &b, Location l, ValueRange args) {
               Value product = arith::MulFOp::create(
                   b, l, widenElement(b, l, args[0], real),
                   widenElement(b, l, args[1], real));
               linalg::YieldOp::create(
                   b, l,
                   arith::AddFOp::create(b, l, args[2], product).getResult());
             })
      .getResult(0);
}

Value Definition::reduce(
    Value scores, double init,
    function_ref<Value(OpBuilder &, Location, Value, Value)> combine) {
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(builder, loc, scores);
  shape.pop_back();
  SmallVector<utils::IteratorType> loops(rank - 1,
                                         utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  SmallVector<unsigned> all = firstDims(rank);
  Value start = filled(shape, init);
  return linalg::GenericOp::create(
             builder, loc, start.getType(), scores, start,
             ArrayRef<AffineMap>{mapOf(rank, all),
                                 mapOf(rank, ArrayRef(all).drop_back())},
             loops,
             [&](OpBuilder &b, Location l, ValueRange args) {
               linalg::YieldOp::create(b, l, combine(b, l, args[0], args[1]));
             })
      .getResult(0);
}

/// An elementwise operation on `of` and, if given, `with`, which is broadcast
/// along the last dimension.
Value Definition::combine(
    Value of, Value with, Type type,
    function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, of), type);
  SmallVector<unsigned> all = firstDims(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  SmallVector<Value> inputs{of};
  SmallVector<AffineMap> maps{mapOf(rank, all)};
  if (with) {
    inputs.push_back(with);
    maps.push_back(mapOf(rank, ArrayRef(all).drop_back()));
  }
  maps.push_back(mapOf(rank, all));
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, maps, loops,
             [&](OpBuilder &b, Location l, ValueRange args) {
               linalg::YieldOp::create(b, l, body(b, l, args));
             })
      .getResult(0);
}

Value Definition::build(double scale, ScoreBuilder change, Type elementType) {
  unsigned position = rank - 2, other = rank - 1, reduced = rank;
  auto sizeOf = [&](Value tensor, unsigned dim) {
    return tensor::getMixedSize(builder, loc, tensor, dim);
  };
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(builder, loc, operands.query);
  shape.back() = sizeOf(operands.key, position);
  Value scores = contract(operands.query, leading({position, reduced}),
                          operands.key, leading({other, reduced}), shape);
  scores = combine(
      scores, nullptr, real,
      [&](OpBuilder &b, Location l, ValueRange args) -> Value {
        Value factor =
            arith::ConstantOp::create(b, l, b.getFloatAttr(real, scale));
        return change(b, l, arith::MulFOp::create(b, l, args[0], factor));
      });
  Value max = reduce(scores, -std::numeric_limits<double>::infinity(),
                     [](OpBuilder &b, Location l, Value x, Value y) -> Value {
                       return arith::MaximumFOp::create(b, l, x, y);
                     });
  Value weights =
      combine(scores, max, real,
              [](OpBuilder &b, Location l, ValueRange args) -> Value {
                Value shifted = arith::SubFOp::create(b, l, args[0], args[1]);
                return math::ExpOp::create(b, l, shifted);
              });
  Value sum = reduce(weights, 0,
                     [](OpBuilder &b, Location l, Value x, Value y) -> Value {
                       return arith::AddFOp::create(b, l, x, y);
                     });
  // Fully masked rows give NaN here and are replaced by zero.
  weights = combine(
      weights, sum, real,
      [&](OpBuilder &b, Location l, ValueRange args) -> Value {
        Value quotient = arith::DivFOp::create(b, l, args[0], args[1]);
        Value isEmpty = arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNO,
                                              quotient, quotient);
        Value zero = arith::ConstantOp::create(b, l, b.getFloatAttr(real, 0.0));
        return arith::SelectOp::create(b, l, isEmpty, zero, quotient);
      });
  shape.back() = sizeOf(operands.value, other);
  Value result = contract(weights, leading({position, reduced}), operands.value,
                          leading({reduced, other}), shape);
  if (elementType == real)
    return result;
  return combine(result, nullptr, elementType,
                 [&](OpBuilder &b, Location l, ValueRange args) -> Value {
                   return arith::TruncFOp::create(b, l, elementType, args[0]);
                 });
}

Value stof::defineAttention(OpBuilder &builder, Location loc, Operands operands,
                            double scale, ScoreBuilder change,
                            Type elementType) {
  return Definition(builder, loc, operands).build(scale, change, elementType);
}
