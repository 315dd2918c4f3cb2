//===----------------------------------------------------------------------===//
// Replaces indices of scatters by the coordinates they hold.
//
//   1. A collapsed dimension of the updates is expanded to the shapes of index
//      tensors: their elements then are coordinates rather than quotients and
//      remainders.
//   2. Each index is replaced by its element (Scalar/TensorElement.h):
//      coordinates, constants and elements of other tensors at coordinates
//      become part of the position.
//   3. Unit dimensions are removed.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Scalar/TensorElement.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace stof {
#define GEN_PASS_DEF_SIMPLIFYSCATTERPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

/// The dimensions that a dimension of the updates is split into.
struct Split {
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
};

class ScatterSimplifier {
public:
  explicit ScatterSimplifier(ScatterOp op)
      : op(op), builder(op), loc(op.getLoc()), context(op.getContext()),
        elements(context), updates(op.getUpdates()), indices(op.getIndices()),
        position(op.getPosition()) {
    for (unsigned number = 0; number < indices.size(); ++number)
      maps.push_back(op.getIndexingMap(number));
  }

  void run();

private:
  RankedTensorType getUpdatesType() {
    return cast<RankedTensorType>(updates.getType());
  }

  /// The position of dimension `dim` of the updates among those of an index.
  std::optional<unsigned> findDim(unsigned index, unsigned dim);
  std::optional<Split> findReshape(unsigned dim);
  std::optional<Split> findDimFactors(unsigned dim);
  bool splitDim();
  void split(unsigned dim, const Split &split);
  Value splitTensor(Value tensor, unsigned dim, const Split &split);

  /// The coordinates of the updates as variables.
  SmallVector<const Expr *> makeVariables();
  const Expr *elementOf(unsigned index, ArrayRef<const Expr *> variables);
  bool resolveIndices();
  std::optional<AffineExpr> resolve(const Expr *expr,
                                    ArrayRef<const Expr *> variables);
  std::optional<AffineExpr> resolveElement(const Expr *element,
                                           ArrayRef<const Expr *> variables);
  AffineExpr addIndex(Value index, AffineMap map);
  bool takeUpdates();
  bool dropUnitDims();

  ScatterOp op;
  OpBuilder builder;
  Location loc;
  ExprContext context;
  TensorElement elements;
  Value updates;
  SmallVector<Value> indices;
  SmallVector<AffineMap> maps;
  AffineMap position;
  /// The simplified indices.
  SmallVector<Value> resolved;
  SmallVector<AffineMap> resolvedMaps;
};

} // namespace

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

std::optional<unsigned> ScatterSimplifier::findDim(unsigned index,
                                                   unsigned dim) {
  return maps[index].getResultPosition(builder.getAffineDimExpr(dim));
}

/// The dimensions that a collapse of an index merged into `dim`.
std::optional<Split> ScatterSimplifier::findReshape(unsigned dim) {
  for (auto [number, index] : llvm::enumerate(indices)) {
    auto collapse = index.getDefiningOp<tensor::CollapseShapeOp>();
    std::optional<unsigned> at = findDim(number, dim);
    if (!collapse || !at)
      continue;
    ReassociationIndices dims = collapse.getReassociationIndices()[*at];
    if (dims.size() < 2)
      continue;
    Split found;
    for (int64_t from : dims) {
      found.shape.push_back(collapse.getSrcType().getDimSize(from));
      found.sizes.push_back(
          tensor::getMixedSize(builder, loc, collapse.getSrc(), from));
    }
    return found;
  }
  return std::nullopt;
}

/// The shape of a tensor that an index reads at dim factors of the coordinate
/// `dim`.
std::optional<Split> ScatterSimplifier::findDimFactors(unsigned dim) {
  int64_t size = getUpdatesType().getDimSize(dim);
  if (ShapedType::isDynamic(size))
    return std::nullopt;
  SmallVector<const Expr *> variables = makeVariables();
  auto areDimFactors = [&](unsigned index, ArrayRef<int64_t> shape) {
    SmallVector<const Expr *> dimFactors, all = variables;
    const Expr *line = context.integer(0);
    for (int64_t extent : shape) {
      dimFactors.push_back(context.variable(context.integer(extent)));
      line = context.linear({line, dimFactors.back()}, {extent, 1}, 0);
    }
    all[dim] = line;
    llvm::append_range(variables, dimFactors);
    size_t known = resolved.size();
    bool found = resolve(elementOf(index, all), variables).has_value();
    variables.truncate(all.size());
    resolved.truncate(known);
    resolvedMaps.truncate(known);
    return found;
  };
  for (unsigned number = 0; number < indices.size(); ++number) {
    if (!findDim(number, dim))
      continue;
    SmallVector<ArrayRef<int64_t>> shapes;
    walkExpr(elementOf(number, variables), [&](const Expr *part) {
      if (part->op != ScalarOp::Element)
        return;
      auto type = cast<RankedTensorType>(part->value.getType());
      if (type.getRank() > 1 && type.hasStaticShape() &&
          type.getNumElements() == size)
        shapes.push_back(type.getShape());
    });
    for (ArrayRef<int64_t> shape : shapes)
      if (areDimFactors(number, shape))
        return Split{llvm::to_vector(shape),
                     getAsIndexOpFoldResult(builder.getContext(), shape)};
  }
  return std::nullopt;
}

Value ScatterSimplifier::splitTensor(Value tensor, unsigned dim,
                                     const Split &split) {
  auto type = cast<RankedTensorType>(tensor.getType());
  // The source of an equal collapse needs no expansion. With two dynamic sizes
  // only their product is known to be equal.
  if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>()) {
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    ArrayRef<int64_t> before = collapse.getSrcType().getShape();
    bool isOnlyThis = llvm::all_of(llvm::enumerate(groups), [&](auto group) {
      return group.index() == dim || group.value().size() == 1;
    });
    if (isOnlyThis &&
        before.slice(dim, groups[dim].size()) == ArrayRef(split.shape) &&
        llvm::count_if(split.shape, ShapedType::isDynamic) <= 1)
      return collapse.getSrc();
  }
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  int64_t size = 1;
  for (int64_t part : split.shape)
    size = ShapedType::isDynamic(part) || ShapedType::isDynamic(size)
               ? ShapedType::kDynamic
               : size * part;
  if (size != shape[dim]) {
    shape[dim] = size;
    tensor = tensor::CastOp::create(builder, loc, type.clone(shape), tensor);
  }
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t from = 0; from < type.getRank(); ++from) {
    groups.emplace_back();
    int64_t count = from == dim ? split.shape.size() : 1;
    for (int64_t part = 0; part < count; ++part)
      groups.back().push_back(next++);
  }
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, split.shape.begin(), split.shape.end());
  sizes.erase(sizes.begin() + dim);
  sizes.insert(sizes.begin() + dim, split.sizes.begin(), split.sizes.end());
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor,
                                       groups, sizes);
}

void ScatterSimplifier::split(unsigned dim, const Split &split) {
  unsigned rank = getUpdatesType().getRank(), more = split.shape.size() - 1;
  SmallVector<AffineExpr> shifted;
  for (unsigned from = 0; from < rank; ++from)
    shifted.push_back(
        builder.getAffineDimExpr(from < dim ? from : from + more));
  for (auto [number, index] : llvm::enumerate(indices)) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : maps[number].getResults()) {
      if (expr != builder.getAffineDimExpr(dim)) {
        results.push_back(expr.replaceDims(shifted));
        continue;
      }
      for (unsigned part = 0; part <= more; ++part)
        results.push_back(builder.getAffineDimExpr(dim + part));
    }
    if (std::optional<unsigned> at = findDim(number, dim))
      index = splitTensor(index, *at, split);
    maps[number] =
        AffineMap::get(rank + more, 0, results, builder.getContext());
  }
  updates = splitTensor(updates, dim, split);
  position =
      AffineMap::get(rank + more, position.getNumSymbols(),
                     llvm::map_to_vector(position.getResults(),
                                         [&](AffineExpr expr) {
                                           return expr.replaceDims(shifted);
                                         }),
                     builder.getContext());
}

bool ScatterSimplifier::splitDim() {
  for (unsigned dim = 0; dim < getUpdatesType().getRank(); ++dim) {
    if (position.isFunctionOfDim(dim))
      continue;
    std::optional<Split> found = findReshape(dim);
    if (!found)
      found = findDimFactors(dim);
    if (!found)
      continue;
    split(dim, *found);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

SmallVector<const Expr *> ScatterSimplifier::makeVariables() {
  SmallVector<const Expr *> variables;
  for (unsigned dim = 0; dim < getUpdatesType().getRank(); ++dim)
    variables.push_back(elements.indexOf(updates, dim));
  return variables;
}

const Expr *ScatterSimplifier::elementOf(unsigned index,
                                         ArrayRef<const Expr *> variables) {
  auto at = llvm::map_to_vector(
      maps[index].getResults(), [&](AffineExpr expr) -> const Expr * {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        return dim ? variables[dim.getPosition()] : context.integer(0);
      });
  return elements.at(indices[index], at);
}

AffineExpr ScatterSimplifier::addIndex(Value index, AffineMap map) {
  for (auto [number, known] : llvm::enumerate(resolved))
    if (known == index && resolvedMaps[number] == map)
      return builder.getAffineSymbolExpr(number);
  resolved.push_back(index);
  resolvedMaps.push_back(map);
  return builder.getAffineSymbolExpr(resolved.size() - 1);
}

/// Resolves an element of a tensor at coordinates.
std::optional<AffineExpr>
ScatterSimplifier::resolveElement(const Expr *element,
                                  ArrayRef<const Expr *> variables) {
  auto type = dyn_cast<RankedTensorType>(element->value.getType());
  if (!type || (!type.getElementType().isIndex() &&
                !type.getElementType().isSignlessInteger()))
    return std::nullopt;
  SmallVector<AffineExpr> results;
  for (auto [dim, at] : llvm::enumerate(element->operands)) {
    const auto *variable = llvm::find(variables, at);
    if (variable == variables.end()) {
      if (at->getInt() != 0)
        return std::nullopt;
      results.push_back(builder.getAffineConstantExpr(0));
      continue;
    }
    // The coordinate may range over a part of the dimension only.
    std::optional<int64_t> extent = at->operands.front()->getInt();
    if (extent && !type.isDynamicDim(dim) && *extent != type.getDimSize(dim))
      return std::nullopt;
    results.push_back(builder.getAffineDimExpr(variable - variables.begin()));
  }
  return addIndex(element->value, AffineMap::get(variables.size(), 0, results,
                                                 builder.getContext()));
}

/// Resolves an integer to a sum of coordinates, constants and elements at
/// coordinates.
std::optional<AffineExpr>
ScatterSimplifier::resolve(const Expr *expr, ArrayRef<const Expr *> variables) {
  if (std::optional<int64_t> constant = expr->getInt())
    return builder.getAffineConstantExpr(*constant);
  if (const auto *variable = llvm::find(variables, expr);
      variable != variables.end())
    return builder.getAffineDimExpr(variable - variables.begin());
  if (expr->op == ScalarOp::FromInt)
    return resolve(expr->operands.front(), variables);
  if (expr->op == ScalarOp::Element)
    return resolveElement(expr, variables);
  // The kernel's sums wrap around in the same way.
  bool isSum = expr->op == ScalarOp::Other && expr->type.isInteger(64) &&
               expr->getName() ==
                   builder.getStringAttr(arith::AddIOp::getOperationName());
  if (expr->op != ScalarOp::Linear && !isSum)
    return std::nullopt;
  AffineExpr sum = builder.getAffineConstantExpr(isSum ? 0 : expr->ints.back());
  for (auto [number, operand] : llvm::enumerate(expr->operands)) {
    std::optional<AffineExpr> term = resolve(operand, variables);
    if (!term)
      return std::nullopt;
    sum = sum + *term * (isSum ? 1 : expr->ints[number]);
  }
  return sum;
}

/// Returns whether an index changed.
bool ScatterSimplifier::resolveIndices() {
  SmallVector<const Expr *> variables = makeVariables();
  SmallVector<AffineExpr> symbols;
  resolved.clear();
  resolvedMaps.clear();
  for (unsigned number = 0; number < indices.size(); ++number) {
    size_t known = resolved.size();
    std::optional<AffineExpr> found =
        resolve(elementOf(number, variables), variables);
    if (!found) {
      resolved.truncate(known);
      resolvedMaps.truncate(known);
      found = addIndex(indices[number], maps[number]);
    }
    symbols.push_back(*found);
  }
  bool changed = resolved != indices || resolvedMaps != maps;
  position = position.replaceDimsAndSymbols(
      llvm::map_to_vector(
          llvm::seq<unsigned>(0, position.getNumDims()),
          [&](unsigned dim) { return builder.getAffineDimExpr(dim); }),
      symbols, position.getNumDims(), resolved.size());
  indices = resolved;
  maps = resolvedMaps;
  return changed;
}

/// Replaces the updates by an equal tensor that they are copied from.
bool ScatterSimplifier::takeUpdates() {
  SmallVector<const Expr *> variables = makeVariables();
  const Expr *element = elements.at(updates, variables);
  if (element->op != ScalarOp::Element || element->value == updates ||
      element->value.getType() != updates.getType() ||
      element->operands != ArrayRef(variables))
    return false;
  updates = element->value;
  return true;
}

//===----------------------------------------------------------------------===//
// Unit dimensions
//===----------------------------------------------------------------------===//

bool ScatterSimplifier::dropUnitDims() {
  RankedTensorType type = getUpdatesType();
  if (!llvm::is_contained(type.getShape(), 1))
    return false;
  SmallVector<AffineExpr> renamed;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  ReassociationIndices leading;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (size != 1) {
      renamed.push_back(builder.getAffineDimExpr(shape.size()));
      shape.push_back(size);
      groups.push_back(std::exchange(leading, {}));
    } else {
      renamed.push_back(builder.getAffineConstantExpr(0));
    }
    (groups.empty() ? leading : groups.back()).push_back(dim);
  }
  unsigned rank = shape.size();
  auto rename = [&](AffineMap map) {
    auto results = llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
      return expr.replaceDims(renamed);
    });
    return AffineMap::get(rank, map.getNumSymbols(), results,
                          builder.getContext());
  };
  llvm::for_each(maps, [&](AffineMap &map) { map = rename(map); });
  position = rename(position);
  updates = builder.createOrFold<tensor::CollapseShapeOp>(
      loc, type.clone(shape), updates, groups);
  return true;
}

void ScatterSimplifier::run() {
  if (op.getUpdatesType().getRank() == 0)
    return;
  bool changed = false;
  while (splitDim())
    changed = true;
  changed |= resolveIndices();
  changed |= takeUpdates();
  changed |= dropUnitDims();
  if (!changed)
    return;
  auto simpler = ScatterOp::create(
      builder, loc, op.getResult().getType(), updates, indices,
      op.getOriginal(), builder.getAffineMapArrayAttr(maps), position,
      op.getUnique(), op.getWrapped(), op.getChecked());
  simpler.getCombine().takeBody(op.getCombine());
  remark::analysis(loc, remark::RemarkOpts::name("SimplifiedScatter")
                            .category("stof-simplify-scatter"))
      << llvm::formatv("{0} indices for {1} dimensions, {2} before",
                       indices.size(), position.getNumResults(),
                       op.getIndices().size())
             .str();
  op.replaceAllUsesWith(simpler.getOperation());
  op.erase();
}

namespace {

struct SimplifyScatterPass
    : stof::impl::SimplifyScatterPassBase<SimplifyScatterPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ScatterOp> scatters;
    getOperation().walk([&](ScatterOp op) {
      if (op.hasPureTensorSemantics())
        scatters.push_back(op);
    });
    for (ScatterOp op : scatters)
      ScatterSimplifier(op).run();
  }
};

} // namespace
