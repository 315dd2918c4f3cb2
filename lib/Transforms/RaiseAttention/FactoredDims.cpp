//===----------------------------------------------------------------------===//
// Dimensions as dim factors: reading, rearranging and finding them.
//===----------------------------------------------------------------------===//

#include "FactoredDims.h"

#include "stof/Scalar/EmitScalar.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace stof;

OpFoldResult SizeEmitter::get(const Expr *size) {
  if (std::optional<int64_t> known = size->getInt())
    return builder.getIndexAttr(*known);
  return ScalarEmitter(builder, loc).emit(size);
}

const Expr *stof::sizeOf(ExprContext &context,
                         ArrayRef<const Expr *> dimFactors) {
  const Expr *size = context.integer(1);
  for (const Expr *dimFactor : dimFactors)
    size = context.mul(size, dimFactor->operands[0]);
  return size;
}

const Expr *stof::numberOf(ExprContext &context,
                           ArrayRef<const Expr *> dimFactors) {
  const Expr *number = context.integer(0);
  for (const Expr *dimFactor : dimFactors)
    number =
        context.add(context.mul(number, dimFactor->operands[0]), dimFactor);
  return number;
}

//===----------------------------------------------------------------------===//
// Reading dim factors
//===----------------------------------------------------------------------===//

static bool agree(const Expr *size, const Expr *extent) {
  return size == extent || !size->getInt() || !extent->getInt();
}

/// The variables of `index` in the order in which it is their row-major linear
/// index.
static std::optional<DimFactors>
dimFactorsOfIndex(ExprContext &context, const Expr *index, const Expr *size) {
  DimFactors dimFactors;
  bool plain = true;
  walkExpr(index, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Variable)
      dimFactors.push_back(expr);
    else if (!expr->isIndex())
      plain = false;
  });
  constexpr unsigned maxDimFactors = 5;
  if (!plain || dimFactors.size() > maxDimFactors)
    return std::nullopt;
  if (dimFactors.empty())
    return index->getInt() == 0 && size->getInt() == 1
               ? std::optional(dimFactors)
               : std::nullopt;
  llvm::sort(dimFactors,
             [](const Expr *a, const Expr *b) { return a->id < b->id; });
  do {
    if (numberOf(context, dimFactors) == index &&
        agree(size, sizeOf(context, dimFactors)))
      return dimFactors;
  } while (std::next_permutation(
      dimFactors.begin(), dimFactors.end(),
      [](const Expr *a, const Expr *b) { return a->id < b->id; }));
  return std::nullopt;
}

std::optional<SmallVector<DimFactors>>
stof::dimFactorsOf(ExprContext &context, TensorElement &elements,
                   const Expr *element) {
  SmallVector<DimFactors> result;
  SmallVector<const Expr *> seen;
  for (auto [dim, index] : llvm::enumerate(element->operands)) {
    std::optional<DimFactors> dimFactors =
        dimFactorsOfIndex(context, index, elements.size(element->value, dim));
    if (!dimFactors)
      return std::nullopt;
    for (const Expr *dimFactor : *dimFactors) {
      if (llvm::is_contained(seen, dimFactor))
        return std::nullopt;
      seen.push_back(dimFactor);
    }
    result.push_back(*dimFactors);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Rearranging dim factors
//===----------------------------------------------------------------------===//

static DimFactors flatten(ArrayRef<DimFactors> groups) {
  DimFactors all;
  for (const DimFactors &group : groups)
    llvm::append_range(all, group);
  return all;
}

std::optional<unsigned> stof::costOf(ArrayRef<DimFactors> from,
                                     ArrayRef<DimFactors> to) {
  DimFactors source = flatten(from), target = flatten(to);
  if (source.size() != target.size() ||
      !llvm::all_of(source, [&](const Expr *dimFactor) {
        return llvm::is_contained(target, dimFactor);
      }))
    return std::nullopt;
  if (from == to)
    return 0;
  unsigned reshape = 1, transpose = source == target ? 0 : 2;
  return reshape + transpose;
}

/// Expands or collapses `tensor` with the reassociation `groups`.
static Value reshape(OpBuilder &builder, Location loc, Value tensor,
                     ArrayRef<ReassociationIndices> groups,
                     ArrayRef<OpFoldResult> shape, bool expand) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> sizes;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(shape, dynamic, sizes);
  auto result = RankedTensorType::get(sizes, type.getElementType());
  if (expand)
    return tensor::ExpandShapeOp::create(builder, loc, result, tensor, groups,
                                         shape);
  return tensor::CollapseShapeOp::create(builder, loc, result, tensor, groups);
}

static bool isUnit(const DimFactors &group) { return group.empty(); }
static bool isCollapsed(const DimFactors &group) { return group.size() > 1; }

/// The reassociation that joins the unit dimensions among `groups` to the
/// dimension before them, or to the first.
static SmallVector<ReassociationIndices>
joinUnitDims(ArrayRef<DimFactors> groups) {
  SmallVector<ReassociationIndices> result;
  ReassociationIndices leading;
  for (auto [dim, group] : llvm::enumerate(groups)) {
    if (isUnit(group)) {
      (result.empty() ? leading : result.back()).push_back(dim);
      continue;
    }
    result.emplace_back(leading).push_back(dim);
    leading.clear();
  }
  return result;
}

namespace {
/// The steps of a rearrangement.
class Rearranger {
public:
  Rearranger(OpBuilder &builder, Location loc, ExprContext &context)
      : builder(builder), loc(loc), context(context), sizes(builder, loc) {}

  /// Reshapes to one dimension per dim factor, without unit dimensions.
  Value expandDims(Value tensor, ArrayRef<DimFactors> from);
  Value transpose(Value tensor, ArrayRef<const Expr *> source,
                  ArrayRef<const Expr *> target);
  /// Reshapes from one dimension per dim factor.
  Value collapseDims(Value tensor, ArrayRef<DimFactors> to);

private:
  SmallVector<OpFoldResult> shapeOf(ArrayRef<const Expr *> dimFactors) {
    return llvm::map_to_vector(dimFactors, [&](const Expr *dimFactor) {
      return sizes.get(dimFactor->operands[0]);
    });
  }

  OpBuilder &builder;
  Location loc;
  ExprContext &context;
  SizeEmitter sizes;
};
} // namespace

Value Rearranger::expandDims(Value tensor, ArrayRef<DimFactors> from) {
  // One group per dim factor and per unit dimension.
  SmallVector<DimFactors> expanded;
  SmallVector<ReassociationIndices> groups;
  for (const DimFactors &group : from) {
    ReassociationIndices &members = groups.emplace_back();
    if (isUnit(group)) {
      members.push_back(expanded.size());
      expanded.emplace_back();
    }
    for (const Expr *dimFactor : group) {
      members.push_back(expanded.size());
      expanded.push_back({dimFactor});
    }
  }
  if (llvm::any_of(from, isCollapsed)) {
    auto shape = llvm::map_to_vector(expanded, [&](const DimFactors &group) {
      return isUnit(group) ? OpFoldResult(builder.getIndexAttr(1))
                           : sizes.get(group.front()->operands[0]);
    });
    tensor = reshape(builder, loc, tensor, groups, shape, /*expand=*/true);
  }
  if (llvm::any_of(from, isUnit))
    tensor = reshape(builder, loc, tensor, joinUnitDims(expanded),
                     shapeOf(flatten(from)), /*expand=*/false);
  return tensor;
}

Value Rearranger::transpose(Value tensor, ArrayRef<const Expr *> source,
                            ArrayRef<const Expr *> target) {
  SmallVector<int64_t> permutation;
  for (const Expr *dimFactor : target)
    permutation.push_back(llvm::find(source, dimFactor) - source.begin());
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value init = tensor::EmptyOp::create(builder, loc, shapeOf(target), element);
  return linalg::TransposeOp::create(builder, loc, tensor, init, permutation)
      ->getResult(0);
}

Value Rearranger::collapseDims(Value tensor, ArrayRef<DimFactors> to) {
  SmallVector<OpFoldResult> shape;
  for (const DimFactors &group : to)
    shape.push_back(sizes.get(sizeOf(context, group)));
  if (llvm::any_of(to, isCollapsed)) {
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> joined;
    int64_t dim = 0;
    for (auto [group, size] : llvm::zip(to, shape)) {
      if (isUnit(group))
        continue;
      ReassociationIndices &members = groups.emplace_back();
      for (unsigned i = 0; i < group.size(); ++i)
        members.push_back(dim++);
      joined.push_back(size);
    }
    tensor = reshape(builder, loc, tensor, groups, joined, /*expand=*/false);
  }
  if (llvm::any_of(to, isUnit))
    tensor = reshape(builder, loc, tensor, joinUnitDims(to), shape,
                     /*expand=*/true);
  return tensor;
}

Value stof::rearrange(OpBuilder &builder, Location loc, ExprContext &context,
                      Value tensor, ArrayRef<DimFactors> from,
                      ArrayRef<DimFactors> to) {
  if (from == to)
    return tensor;
  DimFactors source = flatten(from), target = flatten(to);
  Rearranger rearranger(builder, loc, context);
  tensor = rearranger.expandDims(tensor, from);
  if (source != target)
    tensor = rearranger.transpose(tensor, source, target);
  return rearranger.collapseDims(tensor, to);
}

//===----------------------------------------------------------------------===//
// Finding dim factors
//===----------------------------------------------------------------------===//

SmallVector<DimFactors>
stof::splitVariables(ExprContext &context, ArrayRef<const Expr *> variables,
                     ArrayRef<const Expr *> expressions) {
  DenseMap<const Expr *, SmallVector<int64_t>> radices;
  for (const Expr *root : expressions)
    walkExpr(root, [&](const Expr *expr) {
      if (expr->op != ScalarOp::FloorDiv && expr->op != ScalarOp::Mod)
        return;
      std::optional<int64_t> divisor = expr->operands[1]->getInt();
      if (!divisor || *divisor <= 1 ||
          !llvm::is_contained(variables, expr->operands[0]))
        return;
      radices[expr->operands[0]].push_back(*divisor);
    });
  SmallVector<DimFactors> result;
  for (const Expr *variable : variables) {
    SmallVector<int64_t> divisors = radices.lookup(variable);
    llvm::sort(divisors);
    divisors.erase(llvm::unique(divisors), divisors.end());
    const Expr *extent = variable->operands[0];
    // Each divisor must divide the next, and the last the size.
    SmallVector<int64_t> widths;
    int64_t below = 1;
    bool divides = true;
    for (int64_t divisor : divisors) {
      divides &= divisor % below == 0;
      widths.push_back(divisor / below);
      below = divisor;
    }
    const Expr *last = context.floorDiv(extent, context.integer(below));
    divides &= context.mul(last, context.integer(below)) == extent;
    if (divisors.empty() || !divides) {
      result.push_back({variable});
      continue;
    }
    DimFactors dimFactors;
    if (last->getInt() != 1)
      dimFactors.push_back(context.variable(last));
    for (int64_t width : llvm::reverse(widths))
      if (width != 1)
        dimFactors.push_back(context.variable(context.integer(width)));
    result.push_back(dimFactors);
  }
  return result;
}
