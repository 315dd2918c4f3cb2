//===----------------------------------------------------------------------===//
// Verification of layouts, schedules and stof.list_tiles.
//===----------------------------------------------------------------------===//

#include "stof/IR/BitmapOrder.h"
#include "stof/IR/Stof.h"

using namespace mlir;
using namespace stof;

AffineMap LayoutAttr::getRowTiles() {
  AffineExpr queries = getAffineDimExpr(0, getContext());
  int64_t stride = getRowStride(), span = stride * getRowTile();
  AffineExpr all = queries.ceilDiv(span) * stride;
  if (stride == 1)
    return AffineMap::get(1, 0, all);
  // Each remaining query starts at most one row tile.
  AffineExpr started = queries.floorDiv(span) * stride + queries % span;
  return AffineMap::get(1, 0, {all, started}, getContext());
}

unsigned LayoutAttr::getNumOperands() {
  switch (getStorage()) {
  case LayoutStorage::ClosedForm:
    return getSymbols() ? getSymbols().size() : 0;
  case LayoutStorage::Tables:
    return 3;
  case LayoutStorage::RunTime:
    return 2;
  case LayoutStorage::PageTable:
    return 0;
  }
  llvm_unreachable("all storages have operands, or none");
}

namespace {
using EmitError = function_ref<InFlightDiagnostic()>;

/// Verifies the maps of a layout with `numSymbols` operands.
class MapVerifier {
public:
  MapVerifier(EmitError emitError, unsigned numSymbols)
      : emitError(emitError), numSymbols(numSymbols) {}

  LogicalResult verifyIntervals(ArrayAttr list) const;
  LogicalResult verifyLattices(ArrayAttr list) const;
  LogicalResult verifySymbols(ArrayAttr list) const;

private:
  LogicalResult verifyMap(AffineMapAttr map, unsigned dims,
                          unsigned symbols) const {
    if (!map || (map.getValue().getNumDims() == dims &&
                 map.getValue().getNumSymbols() == symbols))
      return success();
    return emitError() << "expects a map of " << dims << " dimensions and "
                       << symbols << " symbols, but got " << map;
  }

  EmitError emitError;
  unsigned numSymbols;
};
} // namespace

LogicalResult MapVerifier::verifyIntervals(ArrayAttr list) const {
  if (!list)
    return success();
  for (Attribute element : list) {
    auto interval = dyn_cast<IntervalAttr>(element);
    if (!interval)
      return emitError() << "expects a list of intervals, but got " << element;
    for (AffineMapAttr map :
         {interval.getFrom(), interval.getTo(), interval.getWhere()})
      if (failed(verifyMap(map, LayoutAttr::numDims, numSymbols)))
        return failure();
  }
  return success();
}

LogicalResult MapVerifier::verifyLattices(ArrayAttr list) const {
  if (!list)
    return success();
  for (Attribute element : list) {
    auto lattice = dyn_cast<LatticeAttr>(element);
    if (!lattice)
      return emitError() << "expects a list of lattices, but got " << element;
    if (lattice.getStride() < 2 || lattice.getOffset() < 0 ||
        lattice.getOffset() >= lattice.getStride())
      return emitError() << "expects a lattice of a stride of at least 2 and a "
                            "smaller offset, but got "
                         << element;
    if (failed(verifyIntervals(lattice.getVisited())) ||
        failed(verifyIntervals(lattice.getPartial())))
      return failure();
  }
  return success();
}

LogicalResult MapVerifier::verifySymbols(ArrayAttr list) const {
  if (!list)
    return success();
  for (Attribute element : list) {
    auto map = dyn_cast<AffineMapAttr>(element);
    if (!map)
      return emitError() << "expects a list of maps, but got " << element;
    if (failed(verifyMap(map, /*dims=*/2, /*symbols=*/0)))
      return failure();
  }
  return success();
}

LogicalResult LayoutAttr::verify(EmitError emitError, int64_t rowTile,
                                 int64_t colTile, LayoutStorage storage,
                                 ArrayAttr visited, ArrayAttr partial,
                                 ArrayAttr lattices, int64_t rowStride,
                                 int64_t residue, ArrayAttr symbols,
                                 DictionaryAttr) {
  if (rowTile <= 0 || colTile <= 0)
    return emitError() << "expects tiles of positive sides, but got " << rowTile
                       << " x " << colTile;
  bool isClosedForm = storage == LayoutStorage::ClosedForm;
  if (!isClosedForm && (visited || partial || lattices || symbols))
    return emitError() << "expects intervals only in a layout of storage "
                          "closed_form, but got storage "
                       << stringifyLayoutStorage(storage);
  if (rowStride < 1 || residue < 0 || residue >= rowStride)
    return emitError() << "expects a row stride of at least 1 and a smaller "
                          "residue, but got "
                       << rowStride << " and " << residue;
  if (rowStride > 1 && (!isClosedForm || lattices))
    return emitError() << "expects a row stride only in a closed form without "
                          "lattices, but got "
                       << rowStride;
  MapVerifier maps(emitError, symbols ? symbols.size() : 0);
  return success(succeeded(maps.verifyIntervals(visited)) &&
                 succeeded(maps.verifyIntervals(partial)) &&
                 succeeded(maps.verifyLattices(lattices)) &&
                 succeeded(maps.verifySymbols(symbols)));
}

LogicalResult LayoutAttr::verifyOperands(Operation *op, ValueRange operands) {
  if (operands.size() != getNumOperands())
    return op->emitOpError()
           << "expects " << getNumOperands()
           << " operands of its layout, but got " << operands.size();
  if (operands.empty())
    return success();
  if (getStorage() == LayoutStorage::ClosedForm) {
    for (auto [operand, symbol] :
         llvm::zip(operands, getSymbols().getValue())) {
      AffineMap map = cast<AffineMapAttr>(symbol).getValue();
      auto type = dyn_cast<ShapedType>(operand.getType());
      int64_t rank = type ? type.getRank() : 0;
      if (map.getNumResults() != rank)
        return op->emitOpError() << "expects a map with " << rank
                                 << " results for the layout operand of type "
                                 << operand.getType() << ", but got " << symbol;
    }
    return success();
  }
  // The ranges, the entries, the bitmaps.
  constexpr std::pair<int64_t, unsigned> tables[] = {{4, 64}, {1, 64}, {3, 32}};
  for (auto [operand, table] : llvm::zip(operands, tables)) {
    auto [rank, width] = table;
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type || type.getRank() != rank ||
        !type.getElementType().isInteger(width))
      return op->emitOpError()
             << "expects a table of i" << width << " of rank " << rank
             << " for its layout, but got " << operand.getType();
  }
  auto ranges = cast<ShapedType>(operands.front().getType());
  if (ranges.getShape().back() != rangeSize)
    return op->emitOpError()
           << "expects ranges with a last dimension of " << rangeSize
           << " for its layout, but got " << ranges;
  if (getStorage() != LayoutStorage::Tables)
    return success();
  auto bitmaps = cast<ShapedType>(operands.back().getType());
  int64_t words = BitmapOrder(getColTile()).getWordsOfRow();
  if (bitmaps.getDimSize(1) != getRowTile() || bitmaps.getDimSize(2) != words)
    return op->emitOpError()
           << "expects bitmaps of " << getRowTile() << " rows of " << words
           << " words for its layout, but got " << bitmaps;
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   bool, int64_t ahead, int64_t splits) {
  // (S1)
  if (ahead < 0)
    return emitError() << "expects 'ahead' of at least 0, but got " << ahead;
  // (S2)
  if (splits < 1)
    return emitError() << "expects 'splits' of at least 1, but got " << splits;
  if (splits > 1 && ahead == 0)
    return emitError()
           << "expects 'splits' of 1 without row tiles ahead, but got "
           << splits;
  return success();
}
