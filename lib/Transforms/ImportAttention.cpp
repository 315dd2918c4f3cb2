//===----------------------------------------------------------------------===//
// The pass that decomposes attention operations of front ends into linalg, as
// input of raising: torch-mlir's tm_tensor.attention, FlexAttention with its
// scalar functions, linalg.softmax. The dialects of the first two are not
// linked in, so their operations are unregistered and in generic form.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "ImportAttention/Definition.h"
#include "ImportAttention/ScalarFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <cmath>

namespace stof {
#define GEN_PASS_DEF_IMPORTATTENTIONPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

#define DEBUG_TYPE "stof-import-attention"

using namespace mlir;
using namespace stof;

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category(DEBUG_TYPE);
}

//===----------------------------------------------------------------------===//
// tm_tensor.attention
//===----------------------------------------------------------------------===//

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType()) && type.getRank() >= 2 &&
         type.getElementType().getIntOrFloatBitWidth() <= 32;
}

/// Gets query, key and value, if they are float tensors of one rank and only
/// the first result is used.
static bool getOperands(Operation *op, Operands &operands) {
  if (op->getNumOperands() < 3 || op->getNumResults() == 0 ||
      !llvm::all_of(op->getOperands().take_front(3), isFloatTensor) ||
      !isFloatTensor(op->getResult(0)))
    return false;
  operands = {op->getOperand(0), op->getOperand(1), op->getOperand(2)};
  auto rank = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  return rank(operands.query) == rank(operands.key) &&
         rank(operands.query) == rank(operands.value) &&
         rank(operands.query) == rank(op->getResult(0)) &&
         llvm::all_of(op->getResults().drop_front(),
                      [](Value value) { return value.use_empty(); });
}

/// The reciprocal square root of the number of features, if that is static.
static std::optional<double> getDefaultScale(Value query) {
  int64_t features = cast<RankedTensorType>(query.getType()).getShape().back();
  if (ShapedType::isDynamic(features) || features == 0)
    return std::nullopt;
  return 1 / std::sqrt(double(features));
}

/// softmax(query * key^T / sqrt(features) + mask) * value; fully masked rows
/// are zero. The optional mask has float or i1 elements.
static LogicalResult importTMTensor(Operation *op, std::string &reason) {
  Operands operands;
  auto segments =
      dyn_cast_or_null<DenseI32ArrayAttr>(op->getAttr("operandSegmentSizes"));
  unsigned numInputs =
      segments && !segments.empty() ? segments[0] : op->getNumOperands() - 1;
  std::optional<double> scale;
  if (getOperands(op, operands))
    scale = getDefaultScale(operands.query);
  if (!scale || numInputs < 3 || numInputs > 4 ||
      numInputs >= op->getNumOperands() + 1) {
    reason =
        "its operands are not query, key, value and an optional mask, with "
        "a static number of features";
    return failure();
  }
  Value mask = numInputs == 4 ? op->getOperand(3) : Value();
  auto rank = cast<RankedTensorType>(operands.query.getType()).getRank();
  if (mask) {
    auto type = dyn_cast<RankedTensorType>(mask.getType());
    if (!type || type.getRank() != rank ||
        !(isa<FloatType>(type.getElementType()) ||
          type.getElementType().isInteger(1))) {
      reason = "its mask does not have the rank of the scores and float or i1 "
               "elements";
      return failure();
    }
  }
  OpBuilder builder(op);
  Type real = builder.getF32Type();
  auto change = [&](OpBuilder &b, Location l, Value score) -> Value {
    if (!mask)
      return score;
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < rank; ++dim)
      indices.push_back(linalg::IndexOp::create(b, l, dim));
    Value entry = tensor::ExtractOp::create(b, l, mask, indices);
    if (entry.getType().isInteger(1)) {
      Value lowest = arith::ConstantOp::create(
          b, l, b.getFloatAttr(real, -std::numeric_limits<double>::infinity()));
      return arith::SelectOp::create(b, l, entry, score, lowest);
    }
    return arith::AddFOp::create(b, l, score, widenElement(b, l, entry, real));
  };
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value result = defineAttention(builder, op->getLoc(), operands, *scale,
                                 change, type.getElementType());
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, op->getLoc(), type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// FlexAttention
//===----------------------------------------------------------------------===//

/// The body of a scalar function: a region of the operation with `numArguments`
/// arguments, or a function named by one of the attributes.
static Block *findBody(Operation *op, ArrayRef<StringRef> attributes,
                       unsigned numArguments) {
  for (Region &region : op->getRegions())
    if (region.hasOneBlock() && region.getNumArguments() == numArguments)
      return &region.front();
  for (StringRef name : attributes) {
    auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(op->getAttr(name));
    if (!symbol)
      continue;
    auto function =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
    if (function && function.getBody().hasOneBlock() &&
        function.getNumArguments() == numArguments)
      return &function.getBody().front();
  }
  return nullptr;
}

/// Whether the operation has such a region or attribute, even if findBody
/// cannot resolve it.
static bool mentions(Operation *op, ArrayRef<StringRef> attributes,
                     unsigned numArguments) {
  return llvm::any_of(attributes,
                      [&](StringRef name) {
                        Attribute value = op->getAttr(name);
                        return value && !isa<UnitAttr>(value);
                      }) ||
         llvm::any_of(op->getRegions(), [&](Region &region) {
           return !region.empty() && region.getNumArguments() == numArguments;
         });
}

/// Repeats the heads of keys or values for the query heads of a GQA group.
static Value repeatHeads(OpBuilder &builder, Location loc, Value tensor,
                         int64_t times) {
  if (times == 1)
    return tensor;
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(builder, loc, tensor);
  auto type = cast<RankedTensorType>(tensor.getType());
  shape.insert(shape.begin() + 2, builder.getIndexAttr(times));
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  Value repeated = linalg::BroadcastOp::create(builder, loc, tensor, init,
                                               ArrayRef<int64_t>{2})
                       ->getResult(0);
  SmallVector<ReassociationIndices> groups{{0}, {1, 2}, {3}, {4}};
  return tensor::CollapseShapeOp::create(builder, loc, repeated, groups);
}

/// The scale, from an attribute, a constant operand or by default.
static std::optional<double> getScale(Operation *op, Value query) {
  if (auto scale = dyn_cast_or_null<FloatAttr>(op->getAttr("scale")))
    return scale.getValueAsDouble();
  FloatAttr constant;
  if (op->getNumOperands() > 3 && isa<FloatType>(op->getOperand(3).getType()))
    return matchPattern(op->getOperand(3), m_Constant(&constant))
               ? std::optional(constant.getValueAsDouble())
               : std::nullopt;
  return getDefaultScale(query);
}

/// softmax(score_mod(scale * query * key^T) where mask_mod) * value, with
/// grouped heads; fully masked rows are zero.
static LogicalResult importFlex(Operation *op, std::string &reason) {
  constexpr unsigned plainRank = 4, numMask = 4, numScore = 5;
  static constexpr StringRef maskNames[] = {"mask_mod_fn", "mask_mod"};
  static constexpr StringRef scoreNames[] = {"score_mod_fn", "score_mod"};
  Operands operands;
  if (!getOperands(op, operands) ||
      cast<RankedTensorType>(operands.query.getType()).getRank() != plainRank) {
    reason =
        "its operands are not query, key and value of rank 4 with one result "
        "in use";
    return failure();
  }
  std::optional<double> scale = getScale(op, operands.query);
  if (!scale) {
    reason = "its scale is not constant";
    return failure();
  }
  int64_t heads =
      cast<RankedTensorType>(operands.query.getType()).getDimSize(1);
  int64_t keyHeads =
      cast<RankedTensorType>(operands.key.getType()).getDimSize(1);
  bool isKnown =
      !ShapedType::isDynamic(heads) && !ShapedType::isDynamic(keyHeads);
  if (!(isKnown && keyHeads > 0 && heads % keyHeads == 0) &&
      heads != keyHeads) {
    reason = "its number of query heads is not a multiple of that of key heads";
    return failure();
  }
  ExprContext context(op->getContext());
  TensorElement elements(context);
  ScalarFunction mask(context, elements), score(context, elements);
  Block *maskBody = findBody(op, maskNames, numMask);
  Block *scoreBody = findBody(op, scoreNames, numScore);
  if ((mentions(op, maskNames, numMask) && !maskBody) ||
      (mentions(op, scoreNames, numScore) && !scoreBody) ||
      (maskBody && !mask.read(*maskBody, /*hasScore=*/false)) ||
      (scoreBody && !score.read(*scoreBody, /*hasScore=*/true))) {
    reason =
        "its score_mod or mask_mod is more than an expression of the score "
        "and the coordinates";
    return failure();
  }
  OpBuilder builder(op);
  Location loc = op->getLoc();
  int64_t group = isKnown ? heads / keyHeads : 1;
  operands.key = repeatHeads(builder, loc, operands.key, group);
  operands.value = repeatHeads(builder, loc, operands.value, group);
  auto change = [&](OpBuilder &b, Location l, Value value) -> Value {
    SmallVector<Value> coordinates;
    for (unsigned dim = 0; dim < plainRank; ++dim)
      coordinates.push_back(linalg::IndexOp::create(b, l, dim));
    if (scoreBody)
      value = score.emit(b, l, value, coordinates);
    if (!maskBody)
      return value;
    Value keep = mask.emit(b, l, Value(), coordinates);
    Value lowest = arith::ConstantOp::create(
        b, l,
        b.getFloatAttr(b.getF32Type(),
                       -std::numeric_limits<double>::infinity()));
    return arith::SelectOp::create(b, l, keep, value, lowest);
  };
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value result = defineAttention(builder, loc, operands, *scale, change,
                                 type.getElementType());
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Decomposes linalg.softmax into maximum, exponential, sum and quotient.
static void importSoftmax(linalg::SoftmaxOp op) {
  IRRewriter rewriter(op);
  FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
  if (succeeded(parts))
    rewriter.replaceOp(op, *parts);
}

namespace {
struct ImportAttentionPass
    : stof::impl::ImportAttentionPassBase<ImportAttentionPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
        if (isa<RankedTensorType>(softmax.getInput().getType()))
          found.push_back(op);
      } else if (!op->isRegistered() && (name == "tm_tensor.attention" ||
                                         name.ends_with("flex_attention"))) {
        found.push_back(op);
      }
    });
    for (Operation *op : found) {
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
        importSoftmax(softmax);
        continue;
      }
      std::string reason, name = op->getName().getStringRef().str();
      Location loc = op->getLoc();
      LogicalResult imported = name == "tm_tensor.attention"
                                   ? importTMTensor(op, reason)
                                   : importFlex(op, reason);
      if (failed(imported))
        remark::missed(loc, remarkNamed("ImportedAttention"))
            << remark::add("{0}", name) << remark::reason("{0}", reason);
      else
        remark::passed(loc, remarkNamed("ImportedAttention"))
            << remark::add("{0}", name);
    }
  }
};
} // namespace
