//===----------------------------------------------------------------------===//
// The state that the parts of an attention kernel share.
//===----------------------------------------------------------------------===//

#include "AttentionContext.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;

AttentionContext::AttentionContext(KernelBuilder &kernel, AttentionOp op,
                                   const AttentionTile &tile)
    : kernel(kernel), tile(tile), loc(kernel.loc()),
      element(op.getQueryType().getElementType()), op(op),
      fragmentLayout(
          tile::MmaAttr::get(op.getContext(), kernel.getNumWarps(), 1)) {}

Value AttentionContext::getArgument(Value operand) const {
  return kernel.getArgument(operand);
}

OpFoldResult AttentionContext::getHostSize(Value operand, unsigned dim) const {
  return sizeOf(kernel.host(), loc, operand, dim);
}

Value AttentionContext::getSize(Value operand, unsigned dim) const {
  return kernel.getSize(getHostSize(operand, dim));
}

tile::FragmentType AttentionContext::getFragmentType(int64_t columns,
                                                     Type element) const {
  return tile::FragmentType::get(element.getContext(), {tile.queries, columns},
                                 element, fragmentLayout);
}

tile::FragmentType AttentionContext::getRowType(Type element) const {
  auto rows = tile::SliceAttr::get(element.getContext(), 1, fragmentLayout);
  return tile::FragmentType::get(element.getContext(), {tile.queries}, element,
                                 rows);
}

tile::FragmentType AttentionContext::getRowType() const {
  return getRowType(Float32Type::get(element.getContext()));
}

int64_t AttentionContext::getNumAhead() const {
  std::optional<ScheduleAttr> schedule = getOp().getSchedule();
  return schedule ? schedule->getAhead() : 0;
}

int64_t AttentionContext::getNumSplits() const {
  std::optional<ScheduleAttr> schedule = getOp().getSchedule();
  return schedule ? schedule->getSplits() : 1;
}

int64_t AttentionContext::getRowStride() const {
  std::optional<LayoutAttr> layout = getOp().getLayout();
  return layout ? layout->getRowStride() : 1;
}
