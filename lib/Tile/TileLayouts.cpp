//===----------------------------------------------------------------------===//
// How the layouts lay tiles over threads. Expressions are over the lane, the
// warp and the register index along one dimension.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Tile.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof::tile;

static constexpr int64_t lanesPerWarp = 32;

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

/// The digit of `linear` that belongs to `dim` if the digits have the given
/// `counts`, the last one fastest.
static AffineExpr digit(AffineExpr linear, ArrayRef<int64_t> counts,
                        unsigned dim) {
  return linear.floorDiv(product(counts.drop_front(dim + 1))) % counts[dim];
}

/// The lane bits that make up that digit of the lane.
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
  return size / getUnitAlong(dim) * getElements()[dim];
}

AffineExpr BlockedAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  MLIRContext *context = getContext();
  int64_t elements = getElements()[dim];
  AffineExpr index = registerIndex(context);
  AffineExpr box = digit(warp(context), getWarps(), dim) * getLanes()[dim] +
                   digit(lane(context), getLanes(), dim);
  return index.floorDiv(elements) * getUnitAlong(dim) + box * elements +
         index % elements;
}

int64_t BlockedAttr::getRegister(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> indices) const {
  // Repetitions first, the last dimension fastest, then elements alike.
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

/// The square that one product accumulates into, and how lanes divide it.
static constexpr int64_t squareSize[] = {16, 8};
static constexpr int64_t squareLanes[] = {8, 4};

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t rows, int64_t columns) {
  for (int64_t warps : {rows, columns})
    if (warps <= 0 || !llvm::isPowerOf2_64(warps))
      return emitError() << "expects a power of two of warps a side, but got "
                         << warps;
  return success();
}

unsigned MmaAttr::getLayoutRank() const { return 2; }

int64_t MmaAttr::getNumWarps() const { return getRows() * getColumns(); }

int64_t MmaAttr::getWarpsAlong(unsigned dim) const {
  return dim == 0 ? getRows() : getColumns();
}

int64_t MmaAttr::getUnitAlong(unsigned dim) const {
  return squareSize[dim] * getWarpsAlong(dim);
}

int64_t MmaAttr::getRegistersAlong(unsigned dim, int64_t size) const {
  return size / getUnitAlong(dim) * 2;
}

AffineExpr MmaAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  MLIRContext *context = getContext();
  AffineExpr index = registerIndex(context);
  AffineExpr block = digit(warp(context), {getRows(), getColumns()}, dim) *
                     (size / getWarpsAlong(dim));
  AffineExpr square = index.floorDiv(2) * squareSize[dim];
  AffineExpr threads = digit(lane(context), squareLanes, dim);
  // Along the rows the two registers are 8 apart, along the columns adjacent.
  if (dim == 0)
    return block + square + index % 2 * squareLanes[0] + threads;
  return block + square + threads * 2 + index % 2;
}

int64_t MmaAttr::getRegister(ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> indices) const {
  int64_t squares = shape[1] / getUnitAlong(1);
  int64_t square = indices[0] / 2 * squares + indices[1] / 2;
  return square * 4 + indices[0] % 2 * 2 + indices[1] % 2;
}

SmallVector<int64_t> MmaAttr::getLaneBitsAlong(unsigned dim) const {
  return laneBits(squareLanes, dim);
}

//===----------------------------------------------------------------------===//
// MmaRuns
//===----------------------------------------------------------------------===//

/// Adjacent elements of a lane, and columns of the squares that share them.
static constexpr int64_t runLength = 8, runColumns = 32;

LogicalResult MmaRunsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t rows, int64_t columns) {
  return MmaAttr::verify(emitError, rows, columns);
}

static MmaAttr squaresOf(MmaRunsAttr layout) {
  return MmaAttr::get(layout.getContext(), layout.getRows(),
                      layout.getColumns());
}

unsigned MmaRunsAttr::getLayoutRank() const { return 2; }

int64_t MmaRunsAttr::getNumWarps() const {
  return squaresOf(*this).getNumWarps();
}

int64_t MmaRunsAttr::getWarpsAlong(unsigned dim) const {
  return squaresOf(*this).getWarpsAlong(dim);
}

int64_t MmaRunsAttr::getUnitAlong(unsigned dim) const {
  return dim == 0 ? squaresOf(*this).getUnitAlong(dim)
                  : runColumns * getColumns();
}

int64_t MmaRunsAttr::getRegistersAlong(unsigned dim, int64_t size) const {
  return dim == 0 ? squaresOf(*this).getRegistersAlong(dim, size)
                  : size / getUnitAlong(dim) * runLength;
}

AffineExpr MmaRunsAttr::getCoordinateAlong(unsigned dim, int64_t size) const {
  if (dim == 0)
    return squaresOf(*this).getCoordinateAlong(dim, size);
  MLIRContext *context = getContext();
  AffineExpr index = registerIndex(context);
  return digit(warp(context), {getRows(), getColumns()}, dim) *
             (size / getColumns()) +
         index.floorDiv(runLength) * runColumns +
         digit(lane(context), squareLanes, dim) * runLength + index % runLength;
}

int64_t MmaRunsAttr::getRegister(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> indices) const {
  int64_t runs = shape[1] / getUnitAlong(1);
  int64_t run = indices[0] / 2 * runs + indices[1] / runLength;
  return (run * 2 + indices[0] % 2) * runLength + indices[1] % runLength;
}

SmallVector<int64_t> MmaRunsAttr::getLaneBitsAlong(unsigned dim) const {
  return squaresOf(*this).getLaneBitsAlong(dim);
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

/// The dimension of the parent that is left.
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
