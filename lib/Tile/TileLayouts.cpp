//===----------------------------------------------------------------------===//
// Distribution of tiles over threads. Expressions are over the lane, the warp
// and the register index along one dimension.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Tile.h"

#include "stof/Support/WarpShape.h"
#include "stof/Tile/Warpgroup.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof;
using namespace stof::tile;

static AffineExpr lane(MLIRContext *context) {
  return getAffineDimExpr(0, context);
}
static AffineExpr warp(MLIRContext *context) {
  return getAffineDimExpr(1, context);
}
static AffineExpr registerIndex(MLIRContext *context) {
  return getAffineDimExpr(2, context);
}

static int64_t product(ArrayRef<int64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), int64_t{1},
                         std::multiplies<>());
}

/// The coordinate along `dim` of the linear index `linear` in a row-major grid
/// of `counts`.
static AffineExpr delinearize(AffineExpr linear, ArrayRef<int64_t> counts,
                              unsigned dim) {
  return linear.floorDiv(product(counts.drop_front(dim + 1))) % counts[dim];
}

/// The lane bits of that coordinate of the lane.
static SmallVector<int64_t> laneBits(ArrayRef<int64_t> counts, unsigned dim) {
  SmallVector<int64_t> bits;
  int64_t stride = product(counts.drop_front(dim + 1));
  for (int64_t step = 1; step < counts[dim]; step *= 2)
    bits.push_back(step * stride);
  return bits;
}

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

LogicalResult BlockedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> elements,
                                  ArrayRef<int64_t> lanes,
                                  ArrayRef<int64_t> warps) {
  if (elements.empty() || elements.size() > 2 ||
      lanes.size() != elements.size() || warps.size() != elements.size())
    return emitError() << "expects elements, lanes and warps of one rank, 1 or "
                          "2, but got "
                       << elements.size() << ", " << lanes.size() << " and "
                       << warps.size();
  for (ArrayRef<int64_t> counts : {elements, lanes, warps})
    for (int64_t count : counts)
      if (count <= 0 || !llvm::isPowerOf2_64(count))
        return emitError() << "expects powers of two, but got " << count;
  if (product(lanes) != lanesPerWarp)
    return emitError() << "expects " << lanesPerWarp
                       << " lanes in all, but got " << product(lanes);
  return success();
}

unsigned BlockedAttr::getLayoutRank() const { return getElements().size(); }

int64_t BlockedAttr::getNumWarps() const { return product(getWarps()); }

int64_t BlockedAttr::getUnitAlong(unsigned dim) const {
  return getElements()[dim] * getLanes()[dim] * getWarps()[dim];
}

int64_t BlockedAttr::getRegistersAlong(unsigned dim, int64_t size) const {
  assert(size % getUnitAlong(dim) == 0 && "expects whole units");
  return size / getUnitAlong(dim) * getElements()[dim];
}

AffineExpr BlockedAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  MLIRContext *context = getContext();
  int64_t elements = getElements()[dim];
  AffineExpr index = registerIndex(context);
  AffineExpr box =
      delinearize(warp(context), getWarps(), dim) * getLanes()[dim] +
      delinearize(lane(context), getLanes(), dim);
  return index.floorDiv(elements) * getUnitAlong(dim) + box * elements +
         index % elements;
}

int64_t BlockedAttr::getRegister(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> indices) const {
  // Repetitions in row-major order, then the elements of a box likewise.
  int64_t repetition = 0, element = 0;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    int64_t elements = getElements()[dim];
    repetition =
        repetition * (shape[dim] / getUnitAlong(dim)) + indices[dim] / elements;
    element = element * elements + indices[dim] % elements;
  }
  return repetition * product(getElements()) + element;
}

SmallVector<int64_t> BlockedAttr::getLaneBitsAlong(unsigned dim) const {
  return laneBits(getLanes(), dim);
}

int64_t BlockedAttr::getWarpsAlong(unsigned dim) const {
  return getWarps()[dim];
}

//===----------------------------------------------------------------------===//
// Mma
//===----------------------------------------------------------------------===//

/// The accumulators of one MMA instruction, and the grid of lanes over them.
static constexpr int64_t mmaTileSize[] = {mmaRows, mmaColumns};
static constexpr int64_t lanesPerMmaRow[] = {8, 4};

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t rows, int64_t columns) {
  for (int64_t warps : {rows, columns})
    if (warps <= 0)
      return emitError()
             << "expects a positive number of warps a side, but got " << warps;
  return success();
}

unsigned MmaAttr::getLayoutRank() const { return 2; }

int64_t MmaAttr::getNumWarps() const { return getRows() * getColumns(); }

int64_t MmaAttr::getWarpsAlong(unsigned dim) const {
  return dim == 0 ? getRows() : getColumns();
}

int64_t MmaAttr::getUnitAlong(unsigned dim) const {
  return mmaTileSize[dim] * getWarpsAlong(dim);
}

int64_t MmaAttr::getRegistersAlong(unsigned dim, int64_t size) const {
  assert(size % getUnitAlong(dim) == 0 && "expects whole units");
  return size / getUnitAlong(dim) * 2;
}

/// The warps along the rows that have MMA tiles in turn: four, as in wgmma.
/// With one MMA tile each, there is no order to choose.
static int64_t getWarpsInTurn(MmaAttr layout, unsigned dim, int64_t size) {
  bool takesTurns = dim == 0 && layout.getRows() % warpsPerGroup == 0 &&
                    size > layout.getUnitAlong(0);
  return takesTurns ? warpsPerGroup : 1;
}

AffineExpr MmaAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  MLIRContext *context = getContext();
  AffineExpr index = registerIndex(context);
  int64_t inTurn = getWarpsInTurn(*this, dim, size);
  AffineExpr along = delinearize(warp(context), {getRows(), getColumns()}, dim);
  AffineExpr warpTile = along * (size / getWarpsAlong(dim));
  if (inTurn > 1)
    warpTile = along.floorDiv(inTurn) * (size / getWarpsAlong(dim) * inTurn) +
               along % inTurn * mmaTileSize[dim];
  AffineExpr mmaTile = index.floorDiv(2) * (mmaTileSize[dim] * inTurn);
  AffineExpr threads = delinearize(lane(context), lanesPerMmaRow, dim);
  // The two registers of a lane have a stride of 8 rows and of 1 column.
  if (dim == 0)
    return warpTile + mmaTile + index % 2 * lanesPerMmaRow[0] + threads;
  return warpTile + mmaTile + threads * 2 + index % 2;
}

int64_t MmaAttr::getRegister(ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> indices) const {
  int64_t mmaTiles = shape[1] / getUnitAlong(1);
  int64_t mmaTile = indices[0] / 2 * mmaTiles + indices[1] / 2;
  return mmaTile * 4 + indices[0] % 2 * 2 + indices[1] % 2;
}

SmallVector<int64_t> MmaAttr::getLaneBitsAlong(unsigned dim) const {
  return laneBits(lanesPerMmaRow, dim);
}

//===----------------------------------------------------------------------===//
// MmaRuns
//===----------------------------------------------------------------------===//

/// Contiguous elements of a lane, and columns of the MMA tiles that are
/// exchanged.
static constexpr int64_t runLength = 8, runColumns = 32;

LogicalResult MmaRunsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t rows, int64_t columns) {
  return MmaAttr::verify(emitError, rows, columns);
}

static MmaAttr getMmaTiles(MmaRunsAttr layout) {
  return MmaAttr::get(layout.getContext(), layout.getRows(),
                      layout.getColumns());
}

unsigned MmaRunsAttr::getLayoutRank() const { return 2; }

int64_t MmaRunsAttr::getNumWarps() const {
  return getMmaTiles(*this).getNumWarps();
}

int64_t MmaRunsAttr::getWarpsAlong(unsigned dim) const {
  return getMmaTiles(*this).getWarpsAlong(dim);
}

int64_t MmaRunsAttr::getUnitAlong(unsigned dim) const {
  return dim == 0 ? getMmaTiles(*this).getUnitAlong(dim)
                  : runColumns * getColumns();
}

int64_t MmaRunsAttr::getRegistersAlong(unsigned dim, int64_t size) const {
  assert(size % getUnitAlong(dim) == 0 && "expects whole units");
  return dim == 0 ? getMmaTiles(*this).getRegistersAlong(dim, size)
                  : size / getUnitAlong(dim) * runLength;
}

AffineExpr MmaRunsAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  if (dim == 0)
    return getMmaTiles(*this).getCoordinateAlong(dim, size);
  MLIRContext *context = getContext();
  AffineExpr index = registerIndex(context);
  return delinearize(warp(context), {getRows(), getColumns()}, dim) *
             (size / getColumns()) +
         index.floorDiv(runLength) * runColumns +
         delinearize(lane(context), lanesPerMmaRow, dim) * runLength +
         index % runLength;
}

int64_t MmaRunsAttr::getRegister(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> indices) const {
  int64_t runs = shape[1] / getUnitAlong(1);
  int64_t run = indices[0] / 2 * runs + indices[1] / runLength;
  return (run * 2 + indices[0] % 2) * runLength + indices[1] % runLength;
}

SmallVector<int64_t> MmaRunsAttr::getLaneBitsAlong(unsigned dim) const {
  return getMmaTiles(*this).getLaneBitsAlong(dim);
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

LogicalResult SliceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                unsigned dim, Attribute parent) {
  auto layout = dyn_cast<LayoutInterface>(parent);
  if (!layout || layout.getLayoutRank() != 2)
    return emitError() << "expects the parent of a slice to be a layout of "
                          "rank 2, but got "
                       << parent;
  if (dim > 1)
    return emitError() << "expects a slice along dimension 0 or 1, but got "
                       << dim;
  return success();
}

static LayoutInterface parentOf(SliceAttr slice) {
  return cast<LayoutInterface>(slice.getParent());
}

/// The remaining dimension of the parent.
static unsigned keptDim(SliceAttr slice) { return 1 - slice.getDim(); }

unsigned SliceAttr::getLayoutRank() const { return 1; }

int64_t SliceAttr::getNumWarps() const { return parentOf(*this).getNumWarps(); }

int64_t SliceAttr::getUnitAlong(unsigned dim) const {
  return parentOf(*this).getUnitAlong(keptDim(*this));
}

int64_t SliceAttr::getRegistersAlong(unsigned dim, int64_t size) const {
  return parentOf(*this).getRegistersAlong(keptDim(*this), size);
}

AffineExpr SliceAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  return parentOf(*this).getCoordinateAlong(keptDim(*this), size);
}

int64_t SliceAttr::getRegister(ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> indices) const {
  return indices[0];
}

SmallVector<int64_t> SliceAttr::getLaneBitsAlong(unsigned dim) const {
  return parentOf(*this).getLaneBitsAlong(keptDim(*this));
}

int64_t SliceAttr::getWarpsAlong(unsigned dim) const {
  return parentOf(*this).getWarpsAlong(keptDim(*this));
}
