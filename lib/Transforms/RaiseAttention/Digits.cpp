//===----------------------------------------------------------------------===//
// Dimensions as digits.
//===----------------------------------------------------------------------===//

#include "Digits.h"

#include "stof/Scalar/EmitScalar.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace stof;

OpFoldResult SizeEmitter::get(const Expr *size) {
  if (std::optional<int64_t> known = size->getInt())
    return builder.getIndexAttr(*known);
  return ScalarEmitter(builder, loc).emit(size);
}

const Expr *stof::sizeOf(ExprContext &context, ArrayRef<const Expr *> digits) {
  const Expr *size = context.integer(1);
  for (const Expr *digit : digits)
    size = context.mul(size, digit->operands[0]);
  return size;
}

const Expr *stof::numberOf(ExprContext &context,
                           ArrayRef<const Expr *> digits) {
  const Expr *number = context.integer(0);
  for (const Expr *digit : digits)
    number = context.add(context.mul(number, digit->operands[0]), digit);
  return number;
}

//===----------------------------------------------------------------------===//
// Reading digits
//===----------------------------------------------------------------------===//

static bool agree(const Expr *size, const Expr *extent) {
  return size == extent || !size->getInt() || !extent->getInt();
}

/// The order of the variables of `index` in which they spell it.
static std::optional<Digits>
digitsOfIndex(ExprContext &context, const Expr *index, const Expr *size) {
  Digits digits;
  bool plain = true;
  walkExpr(index, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Variable)
      digits.push_back(expr);
    else if (!expr->isIndex())
      plain = false;
  });
  constexpr unsigned maxDigits = 5;
  if (!plain || digits.size() > maxDigits)
    return std::nullopt;
  if (digits.empty())
    return index->getInt() == 0 && size->getInt() == 1 ? std::optional(digits)
                                                       : std::nullopt;
  llvm::sort(digits,
             [](const Expr *a, const Expr *b) { return a->id < b->id; });
  do {
    if (numberOf(context, digits) == index &&
        agree(size, sizeOf(context, digits)))
      return digits;
  } while (std::next_permutation(
      digits.begin(), digits.end(),
      [](const Expr *a, const Expr *b) { return a->id < b->id; }));
  return std::nullopt;
}

std::optional<SmallVector<Digits>>
stof::digitsOf(ExprContext &context, ElementAt &elements, const Expr *element) {
  SmallVector<Digits> result;
  SmallVector<const Expr *> seen;
  for (auto [dim, index] : llvm::enumerate(element->operands)) {
    std::optional<Digits> digits =
        digitsOfIndex(context, index, elements.size(element->value, dim));
    if (!digits)
      return std::nullopt;
    for (const Expr *digit : *digits) {
      if (llvm::is_contained(seen, digit))
        return std::nullopt;
      seen.push_back(digit);
    }
    result.push_back(*digits);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Moving digits
//===----------------------------------------------------------------------===//

static Digits flatten(ArrayRef<Digits> groups) {
  Digits all;
  for (const Digits &group : groups)
    llvm::append_range(all, group);
  return all;
}

std::optional<unsigned> stof::costOf(ArrayRef<Digits> from,
                                     ArrayRef<Digits> to) {
  Digits source = flatten(from), target = flatten(to);
  if (source.size() != target.size() ||
      !llvm::all_of(source, [&](const Expr *digit) {
        return llvm::is_contained(target, digit);
      }))
    return std::nullopt;
  if (from == to)
    return 0;
  unsigned reshape = 1, transpose = source == target ? 0 : 2;
  return reshape + transpose;
}

/// A reshape from groups of dimensions to single ones or back.
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

Value stof::rearrange(OpBuilder &builder, Location loc, ExprContext &context,
                      Value tensor, ArrayRef<Digits> from,
                      ArrayRef<Digits> to) {
  if (from == to)
    return tensor;
  SizeEmitter sizes(builder, loc);
  Digits source = flatten(from), target = flatten(to);
  auto shapeOf = [&](ArrayRef<const Expr *> digits) {
    SmallVector<OpFoldResult> shape;
    for (const Expr *digit : digits)
      shape.push_back(sizes.get(digit->operands[0]));
    return shape;
  };
  // 1. One dimension for each digit, none of size one.
  if (llvm::any_of(from,
                   [](const Digits &group) { return group.size() > 1; })) {
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> shape;
    for (const Digits &group : from) {
      ReassociationIndices &members = groups.emplace_back();
      for (unsigned i = 0, e = std::max<size_t>(group.size(), 1); i < e; ++i)
        members.push_back(shape.size() + i);
      if (group.empty())
        shape.push_back(builder.getIndexAttr(1));
      llvm::append_range(shape, shapeOf(group));
    }
    tensor = reshape(builder, loc, tensor, groups, shape, /*expand=*/true);
  }
  if (llvm::any_of(from, [](const Digits &group) { return group.empty(); })) {
    SmallVector<ReassociationIndices> groups;
    int64_t dim = 0;
    ReassociationIndices leading;
    for (const Digits &group : from) {
      if (group.empty()) {
        (groups.empty() ? leading : groups.back()).push_back(dim++);
        continue;
      }
      for (unsigned i = 0; i < group.size(); ++i) {
        groups.emplace_back(leading).push_back(dim++);
        leading.clear();
      }
    }
    tensor = reshape(builder, loc, tensor, groups, shapeOf(source),
                     /*expand=*/false);
  }
  // 2. Their order.
  if (source != target) {
    SmallVector<int64_t> permutation;
    for (const Expr *digit : target)
      permutation.push_back(llvm::find(source, digit) - source.begin());
    Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
    Value init =
        tensor::EmptyOp::create(builder, loc, shapeOf(target), element);
    tensor =
        linalg::TransposeOp::create(builder, loc, tensor, init, permutation)
            ->getResult(0);
  }
  // 3. The groups that are asked for.
  SmallVector<OpFoldResult> shape;
  for (const Digits &group : to)
    shape.push_back(sizes.get(sizeOf(context, group)));
  if (llvm::any_of(to, [](const Digits &group) { return group.size() > 1; })) {
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> joined;
    int64_t dim = 0;
    for (auto [group, size] : llvm::zip(to, shape)) {
      if (group.empty())
        continue;
      ReassociationIndices &members = groups.emplace_back();
      for (unsigned i = 0; i < group.size(); ++i)
        members.push_back(dim++);
      joined.push_back(size);
    }
    tensor = reshape(builder, loc, tensor, groups, joined, /*expand=*/false);
  }
  if (llvm::any_of(to, [](const Digits &group) { return group.empty(); })) {
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices leading;
    for (auto [dim, group] : llvm::enumerate(to)) {
      if (group.empty()) {
        (groups.empty() ? leading : groups.back()).push_back(dim);
        continue;
      }
      groups.emplace_back(leading).push_back(dim);
      leading.clear();
    }
    tensor = reshape(builder, loc, tensor, groups, shape, /*expand=*/true);
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Finding digits
//===----------------------------------------------------------------------===//

SmallVector<Digits> stof::splitVariables(ExprContext &context,
                                         ArrayRef<const Expr *> variables,
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
  SmallVector<Digits> result;
  for (const Expr *variable : variables) {
    SmallVector<int64_t> places = radices.lookup(variable);
    llvm::sort(places);
    places.erase(llvm::unique(places), places.end());
    const Expr *extent = variable->operands[0];
    // Places must divide one another, and the last the size.
    SmallVector<int64_t> widths;
    int64_t below = 1;
    bool divides = true;
    for (int64_t place : places) {
      divides &= place % below == 0;
      widths.push_back(place / below);
      below = place;
    }
    const Expr *last = context.floorDiv(extent, context.integer(below));
    divides &= context.mul(last, context.integer(below)) == extent;
    if (places.empty() || !divides) {
      result.push_back({variable});
      continue;
    }
    Digits digits;
    if (last->getInt() != 1)
      digits.push_back(context.variable(last));
    for (int64_t width : llvm::reverse(widths))
      if (width != 1)
        digits.push_back(context.variable(context.integer(width)));
    result.push_back(digits);
  }
  return result;
}
