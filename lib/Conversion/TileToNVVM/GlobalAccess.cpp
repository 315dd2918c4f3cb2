//===----------------------------------------------------------------------===//
// Addresses and bounds in global memory.
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"

#include "stof/Tile/Blocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof::tile;

Value stof::tile::andConditions(OpBuilder &builder, Location loc, Value lhs,
                                Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

static Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The number of coordinates in bounds among `size` from `index` on, as an i32;
/// null if all are.
static Value makeLimit(OpBuilder &builder, Location loc, Value memory,
                       int64_t dim, Value index, int64_t size) {
  auto type = cast<MemRefType>(memory.getType());
  std::optional<int64_t> known = getConstantIntValue(index);
  if (known && !type.isDynamicDim(dim) && *known >= 0 &&
      *known + size <= type.getDimSize(dim))
    return {};
  Value end = type.isDynamicDim(dim)
                  ? memref::DimOp::create(builder, loc, memory, dim).getResult()
                  : constantIndex(builder, loc, type.getDimSize(dim));
  Value left = arith::SubIOp::create(builder, loc, end, index);
  // The bound makes it fit in 32 bits.
  left = arith::MinSIOp::create(builder, loc, left,
                                constantIndex(builder, loc, size));
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), left);
}

/// Whether the tile is in bounds (i1), if its `size` divides both `index`,
/// which `divisor` divides, and the size of the memory; else null.
static Value makeWhole(OpBuilder &builder, Location loc, MemRefType type,
                       int64_t dim, Value index, int64_t divisor,
                       int64_t size) {
  if (type.isDynamicDim(dim) || type.getDimSize(dim) % size != 0 ||
      divisor % size != 0)
    return {};
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, index,
      constantIndex(builder, loc, type.getDimSize(dim)));
}

GlobalTile::GlobalTile(OpBuilder &builder, Location loc, Value memory,
                       ValueRange indices, ArrayRef<int64_t> along,
                       ArrayRef<int64_t> shape,
                       const AccessDivisors::Access &divisors)
    : loc(loc), type(cast<MemRefType>(memory.getType())), divisors(divisors),
      along(along), shape(shape) {
  SmallVector<int64_t> knownStrides;
  int64_t knownOffset;
  if (failed(type.getStridesAndOffset(knownStrides, knownOffset)))
    knownStrides.assign(type.getRank(), ShapedType::kDynamic);

  memref::ExtractStridedMetadataOp metadata;
  auto stride = [&](int64_t dim) -> Value {
    if (!ShapedType::isDynamic(knownStrides[dim]))
      return constantIndex(builder, loc, knownStrides[dim]);
    if (!metadata)
      metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
    return metadata.getStrides()[dim];
  };

  Value offset;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (getConstantIntValue(indices[dim]) == 0)
      continue;
    Value term = arith::MulIOp::create(builder, loc, indices[dim], stride(dim));
    offset = offset ? arith::AddIOp::create(builder, loc, offset, term) : term;
  }
  if (knownOffset != 0) {
    if (!metadata)
      metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
    Value start = metadata.getOffset();
    offset =
        offset ? arith::AddIOp::create(builder, loc, offset, start) : start;
  }

  Type i64 = builder.getI64Type();
  auto pointer = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory);
  address = arith::IndexCastOp::create(builder, loc, i64, address);
  base = LLVM::IntToPtrOp::create(builder, loc, pointer, address);
  Type storage = getElementType();
  if (storage.isIndex())
    storage = i64;
  if (offset) {
    offset = arith::IndexCastOp::create(builder, loc, i64, offset);
    base = LLVM::GEPOp::create(builder, loc, pointer, storage, base,
                               ArrayRef<LLVM::GEPArg>{offset});
  }

  for (auto [tileDim, dim] : llvm::enumerate(along)) {
    strides.push_back(knownStrides[dim]);
    strideValues.push_back({});
    if (ShapedType::isDynamic(knownStrides[dim]))
      strideValues.back() =
          arith::IndexCastOp::create(builder, loc, i64, stride(dim));
    else if (knownStrides[dim] == 1)
      contiguous = tileDim;
    limits.push_back(
        makeLimit(builder, loc, memory, dim, indices[dim], shape[tileDim]));
    wholes.push_back(makeWhole(builder, loc, type, dim, indices[dim],
                               divisors.indices[dim], shape[tileDim]));
  }
}

std::vector<GlobalTile>
stof::tile::getBlocks(OpBuilder &builder, Location loc, Value memory,
                      ValueRange indices, ArrayRef<int64_t> along,
                      ArrayRef<int64_t> shape, int64_t blocks,
                      const AccessDivisors::Access &divisors) {
  SmallVector<int64_t> ofBlock(shape);
  ofBlock.front() /= blocks;
  std::vector<GlobalTile> parts;
  for (int64_t number = 0; number < blocks; ++number) {
    AccessDivisors::Access known{getBlockIndices(ArrayRef(divisors.indices),
                                                 along.front(), blocks, number),
                                 divisors.strides, divisors.offset};
    parts.emplace_back(builder, loc, memory,
                       getBlockIndices(indices, along.front(), blocks, number),
                       along, ofBlock, known);
  }
  return parts;
}

int64_t GlobalTile::getAlignedElements(int64_t limit) const {
  if (contiguous < 0)
    return 1;
  auto divides = [](int64_t count, int64_t factor, int64_t other) {
    return factor % count == 0 || other % count == 0;
  };
  SmallVector<int64_t> known;
  int64_t offset;
  if (failed(type.getStridesAndOffset(known, offset)))
    return 1;
  if (ShapedType::isDynamic(offset))
    offset = divisors.offset;
  int64_t count = llvm::bit_floor(static_cast<uint64_t>(limit));
  for (; count > 1; count /= 2) {
    bool aligned = offset % count == 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      aligned &= divides(count, divisors.strides[dim], divisors.indices[dim]);
    for (auto [tileDim, dim] : llvm::enumerate(along))
      if (static_cast<int64_t>(tileDim) != contiguous)
        aligned &= divisors.strides[dim] % count == 0;
    if (aligned)
      break;
  }
  return count;
}

int64_t GlobalTile::getWholeElements(int64_t limit) const {
  int64_t count = getAlignedElements(limit);
  if (count == 1 || isAlwaysInside(contiguous))
    return count;
  int64_t dim = along[contiguous];
  if (type.isDynamicDim(dim))
    return 1;
  int64_t index = divisors.indices[dim];
  while (type.getDimSize(dim) % count != 0 || index % count != 0)
    count /= 2;
  return count;
}

Value GlobalTile::isWholeInside(OpBuilder &builder, unsigned dim) const {
  if (wholes[dim])
    return wholes[dim];
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                               limits[dim],
                               constantI32(builder, loc, shape[dim]));
}

Value GlobalTile::isInside(OpBuilder &builder, unsigned dim,
                           const Coordinate &coordinate) const {
  if (isAlwaysInside(dim))
    return {};
  if (wholes[dim])
    return wholes[dim];
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                               asI32(builder, loc, coordinate), limits[dim]);
}

Value GlobalTile::getAddress(OpBuilder &builder,
                             ArrayRef<Coordinate> coordinates) const {
  Type i64 = builder.getI64Type();
  Type storage = getElementType();
  if (storage.isIndex())
    storage = i64;
  Value distance;
  int64_t constant = 0;
  auto add = [&](Value term) {
    distance =
        distance ? arith::AddIOp::create(builder, loc, distance, term) : term;
  };
  for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
    if (strideValues[dim]) {
      Value whole = arith::ExtUIOp::create(builder, loc, i64,
                                           asI32(builder, loc, coordinate));
      add(arith::MulIOp::create(builder, loc, whole, strideValues[dim]));
      continue;
    }
    constant += coordinate.constant * strides[dim];
    if (!coordinate.thread)
      continue;
    // Offsets within a tile usually fit in 32 bits.
    bool fits = llvm::isInt<31>(shape[dim] * strides[dim]);
    if (fits) {
      Value part = mulI32(builder, loc, coordinate.thread, strides[dim]);
      add(arith::ExtUIOp::create(builder, loc, i64, part));
    } else {
      Value part = arith::ExtUIOp::create(builder, loc, i64, coordinate.thread);
      Value factor =
          arith::ConstantIntOp::create(builder, loc, strides[dim], 64);
      add(arith::MulIOp::create(builder, loc, part, factor));
    }
  }
  Type pointer = base.getType();
  Value address = base;
  if (distance)
    address = LLVM::GEPOp::create(builder, loc, pointer, storage, address,
                                  ArrayRef<LLVM::GEPArg>{distance});
  if (constant == 0)
    return address;
  Value rest = arith::ConstantIntOp::create(builder, loc, constant, 64);
  return LLVM::GEPOp::create(builder, loc, pointer, storage, address,
                             ArrayRef<LLVM::GEPArg>{rest});
}
