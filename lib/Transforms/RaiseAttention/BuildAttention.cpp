//===----------------------------------------------------------------------===//
// Builds stof.mask and stof.attention for a matched attention.
//===----------------------------------------------------------------------===//

#include "BuildAttention.h"

#include "stof/Scalar/EmitScalar.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace stof;

static Type widest(Type lhs, Type rhs) {
  if (lhs == rhs)
    return lhs;
  // Neither f16 nor bf16 can represent the other.
  if (lhs.getIntOrFloatBitWidth() == rhs.getIntOrFloatBitWidth())
    return Float32Type::get(lhs.getContext());
  return lhs.getIntOrFloatBitWidth() > rhs.getIntOrFloatBitWidth() ? lhs : rhs;
}

Type stof::getSourceType(const AttentionMatch &match) {
  Type type = match.query.back().element->type;
  type = widest(type, match.key.back().element->type);
  return widest(type, match.value.back().element->type);
}

namespace {
/// The captured values of a region, in the order of its arguments.
class Captures {
public:
  Captures(OpBuilder &builder, Location loc, const Expr *root) {
    inputs.collect(root);
    llvm::append_range(values, inputs.tensors);
    llvm::append_range(values, inputs.scalars);
    for (const Expr *extent : inputs.extents)
      values.push_back(ScalarEmitter(builder, loc).emit(extent));
  }

  /// Emits `root` in the region, whose captured arguments are `arguments`.
  Value emit(OpBuilder &builder, Location loc, const Expr *root,
             const AttentionMatch &match, ValueRange coordinates,
             ValueRange arguments, Value product) {
    ScalarEmitter emitter(builder, loc);
    for (auto [expr, value] : llvm::zip(match.coordinates, coordinates))
      if (expr->op == ScalarOp::Variable)
        emitter.bind(expr, value);
    if (product)
      emitter.bind(match.product, product);
    unsigned next = 0;
    for (Value tensor : inputs.tensors)
      emitter.bind(tensor, arguments[next++]);
    for (Value scalar : inputs.scalars)
      emitter.bind(context->scalar(scalar), arguments[next++]);
    for (const Expr *extent : inputs.extents)
      emitter.bind(extent, arguments[next++]);
    return emitter.emit(root);
  }

  ScalarInputs inputs;
  SmallVector<Value> values;
  ExprContext *context = nullptr;
};
} // namespace

bool stof::keepsEveryRow(ExprContext &context, const AttentionMatch &match,
                         const Expr *keep) {
  const Expr *query = match.coordinates[2], *key = match.coordinates[3];
  const Expr *keys = key->operands[0];
  SmallVector<const Expr *> choices{context.integer(0),
                                    context.linear({keys}, {1}, -1)};
  if (query->op == ScalarOp::Variable &&
      (query->operands[0] == keys || query->hi <= keys->lo - 1))
    choices.push_back(query);
  return llvm::any_of(choices, [&](const Expr *choice) {
    return context.substitute(keep, ExprMap{{key, choice}})->getBool() == true;
  });
}

static int64_t staticSize(ExprContext &context,
                          ArrayRef<const Expr *> dimFactors) {
  return sizeOf(context, dimFactors)->getInt().value_or(ShapedType::kDynamic);
}

static Value buildMask(OpBuilder &builder, Location loc, ExprContext &context,
                       const AttentionMatch &match, const Expr *keep) {
  if (!keep || keep->getBool() == true)
    return nullptr;
  Captures captures(builder, loc, keep);
  captures.context = &context;
  auto type =
      MaskType::get(builder.getContext(), staticSize(context, match.queries),
                    staticSize(context, match.keys));
  return MaskOp::create(
      builder, loc, type, captures.values,
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        return captures.emit(
            b, l, keep, match, arguments.take_front(MaskOp::numCoordinates),
            arguments.drop_front(MaskOp::numCoordinates), Value());
      });
}

/// The sinks as a tensor of f32, one per query head.
static Value buildSinks(OpBuilder &builder, Location loc, ExprContext &context,
                        const AttentionMatch &match) {
  if (!match.sink)
    return nullptr;
  DimFactors heads(match.getResultDims()[1]);
  Value init = tensor::EmptyOp::create(
      builder, loc, SizeEmitter(builder, loc).get(sizeOf(context, heads)),
      builder.getF32Type());
  AffineMap map = builder.getMultiDimIdentityMap(1);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), ValueRange{}, init, map,
             utils::IteratorType::parallel,
             [&](OpBuilder &b, Location l, ValueRange) {
               ScalarEmitter emitter(b, l);
               emitter.bind(match.coordinates[1],
                            linalg::IndexOp::create(b, l, 0));
               linalg::YieldOp::create(b, l, emitter.emit(match.sink));
             })
      .getResult(0);
}

AttentionOp stof::buildAttention(OpBuilder &builder, ExprContext &context,
                                 TensorElement &elements,
                                 const AttentionMatch &match,
                                 Value &replacement) {
  Location loc = match.root.getLoc();
  auto rootType = cast<RankedTensorType>(match.root.getType());
  Type type = widest(getSourceType(match), rootType.getElementType());

  double scale = match.scale;
  auto build = [&](ArrayRef<OperandStage> stages, ArrayRef<DimFactors> groups) {
    OperandPlan plan = planOperand(context, elements, stages, groups, type);
    scale *= plan.stage.factor;
    return buildOperand(builder, loc, context, plan, groups, type);
  };
  Value query = build(match.query, match.getQueryDims());
  Value key = build(match.key, match.getKeyDims());
  Value value = build(match.value, match.getValueDims());
  Value mask = buildMask(builder, loc, context, match, match.keep);
  Value emptyRowsMask =
      buildMask(builder, loc, context, match, match.emptyRows.keep);
  Value sinks = buildSinks(builder, loc, context, match);

  SmallVector<DimFactors> groups = match.getResultDims();
  SmallVector<OpFoldResult> shape;
  SizeEmitter sizes(builder, loc);
  for (const DimFactors &group : groups)
    shape.push_back(sizes.get(sizeOf(context, group)));
  Value init = tensor::EmptyOp::create(builder, loc, shape, type);

  Captures captures(builder, loc, match.score);
  captures.context = &context;
  FloatAttr factor;
  if (scale != 1)
    factor = builder.getF32FloatAttr(float(scale));
  Value times;
  if (match.times)
    times = ScalarEmitter(builder, loc).emit(match.times);
  function_ref<Value(OpBuilder &, Location, ValueRange)> score;
  auto buildScore = [&](OpBuilder &builder, Location loc,
                        ValueRange arguments) {
    constexpr unsigned numScore = AttentionOp::numScoreArguments;
    return captures.emit(builder, loc, match.score, match,
                         arguments.slice(1, numScore - 1),
                         arguments.drop_front(numScore), arguments.front());
  };
  ValueRange captured;
  if (match.score != match.product) {
    score = buildScore;
    captured = captures.values;
  }
  auto attention =
      AttentionOp::create(builder, loc, init.getType(), query, key, value, mask,
                          sinks, times, captured, init, Value(), factor,
                          match.emptyRows.kind, emptyRowsMask, score);

  replacement = rearrange(builder, loc, context, attention->getResult(0),
                          groups, match.rootDimFactors);
  replacement =
      castElements(builder, loc, replacement, rootType.getElementType());
  if (replacement.getType() != rootType)
    replacement = tensor::CastOp::create(builder, loc, rootType, replacement);
  return attention;
}

Value stof::buildSum(OpBuilder &builder, ArrayRef<AttentionMatch> matches,
                     ArrayRef<Value> values) {
  const AttentionMatch &first = matches.front();
  Location loc = first.root.getLoc();
  auto type = cast<RankedTensorType>(first.root.getType());
  Type f32 = builder.getF32Type();
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, values.front()),
      type.getElementType());
  SmallVector<AffineMap> maps(values.size() + 1,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  Value sum =
      linalg::GenericOp::create(
          builder, loc, init.getType(), values, init, maps, parallel,
          [&](OpBuilder &body, Location, ValueRange elements) {
            ScalarEmitter emitter(body, loc);
            for (auto [dim, index] : llvm::enumerate(first.rootIndices))
              if (index->op == ScalarOp::Variable)
                emitter.bind(index, linalg::IndexOp::create(body, loc, dim));
            Value sum;
            for (auto [match, element] : llvm::zip(matches, elements)) {
              Value term = convertScalarToDtype(body, loc, element, f32,
                                                /*isUnsignedCast=*/false);
              if (match.factor)
                term = arith::MulFOp::create(body, loc, term,
                                             emitter.emit(match.factor));
              sum =
                  sum ? arith::AddFOp::create(body, loc, sum, term).getResult()
                      : term;
            }
            linalg::YieldOp::create(
                body, loc,
                convertScalarToDtype(body, loc, sum, type.getElementType(),
                                     /*isUnsignedCast=*/false));
          })
          .getResult(0);
  if (sum.getType() != type)
    sum = tensor::CastOp::create(builder, loc, type, sum);
  return sum;
}
