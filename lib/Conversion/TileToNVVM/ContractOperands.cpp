//===----------------------------------------------------------------------===//
// Operand registers of mma.sync.
//===----------------------------------------------------------------------===//

#include "ContractOperands.h"
#include "MemoryInstructions.h"
#include "stof/Support/WarpShape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stof;
using namespace stof::tile;

static constexpr int64_t matrixRows = 8, matrixBytes = 16;
/// Lanes per row of an accumulator.
static constexpr int64_t members = 4;

int64_t stof::tile::getStepOfK(Type element) {
  return element.isF32() ? 8 : 16;
}

SmallVector<std::pair<ValueRange, ValueRange>>
stof::tile::getProducts(const OperandRegisters &lhs,
                        const OperandRegisters &rhs) {
  SmallVector<std::pair<ValueRange, ValueRange>> products;
  if (!lhs.low.empty()) {
    products.push_back({lhs.low, rhs.high});
    products.push_back({lhs.high, rhs.low});
  }
  products.push_back({lhs.high, rhs.high});
  return products;
}

/// The start of the calling thread's warp tile along `dim`.
static Coordinate getFirst(OpBuilder &builder, Location loc, FragmentType type,
                           unsigned dim, const ThreadPosition &position) {
  int64_t size = type.getShape()[dim];
  LayoutInterface layout = type.getLayout();
  AffineExpr expr =
      fixLane(fixRegister(layout.getCoordinateAlong(dim, size), 0), /*lane=*/0);
  Coordinate first;
  first.divisor = size;
  if (layout.getWarpsAlong(dim) > 1) {
    first.thread = expandThreadExpr(builder, loc, expr, position);
    first.divisor = expr.getLargestKnownDivisor();
  }
  return first;
}

/// The rows from one MMA tile of a warp to the next one below.
static int64_t getRowStride(FragmentType type) {
  LayoutInterface layout = type.getLayout();
  AffineExpr expr = layout.getCoordinateAlong(0, type.getShape()[0]);
  AffineExpr stride = fixLane(fixRegister(expr, 2) - fixRegister(expr, 0), 0);
  return cast<AffineConstantExpr>(stride).getValue();
}

ContractOperands::ContractOperands(OpBuilder &builder, Location loc,
                                   FragmentType result, bool adjacentK)
    : builder(builder), loc(loc), adjacentK(adjacentK),
      position(ThreadPosition::get(builder, loc)),
      group(divI32(builder, loc, position.lane, members)),
      member(remI32(builder, loc, position.lane, members)),
      firstRow(getFirst(builder, loc, result, 0, position)),
      firstColumn(getFirst(builder, loc, result, 1, position)),
      rowStride(getRowStride(result)) {}

static Coordinate moved(Coordinate coordinate, int64_t distance) {
  coordinate.constant += distance;
  return coordinate;
}

SmallVector<Value> ContractOperands::loadMatrices(SharedType type, Value tile,
                                                  const Coordinate &row,
                                                  const Coordinate &column,
                                                  Matrices matrices) {
  SharedLayout layout(type);
  int64_t bytes = layout.getElementBytes();
  // Lane l gives the address of row l % 8 of matrix l / 8.
  auto bitOfMatrix = [&](int bit, int64_t distance) -> Value {
    if (bit < 0)
      return {};
    Value matrix =
        divI32(builder, loc, position.lane, matrixRows * (int64_t{1} << bit));
    return mulI32(builder, loc, remI32(builder, loc, matrix, 2), distance);
  };
  Coordinate at = row;
  Value inMatrix =
      addI32(builder, loc, remI32(builder, loc, position.lane, matrixRows),
             bitOfMatrix(matrices.rowBit, matrixRows));
  at.thread = addI32(builder, loc, row.thread, inMatrix);

  Coordinate byte;
  byte.constant = column.constant * bytes;
  byte.thread = bitOfMatrix(matrices.columnBit, matrixBytes);
  byte.bound = 2 * matrixBytes;
  Value start = tile;
  if (column.thread) {
    Value warpColumn = mulI32(builder, loc, column.thread, bytes);
    if (column.divisor * bytes % (layout.getExchangedChunks() * matrixBytes) ==
        0) {
      // Whole swizzle windows are equivalent to an offset of the tile.
      start = layout.skipColumns(builder, loc, tile, warpColumn);
    } else {
      byte.thread = addI32(builder, loc, warpColumn, byte.thread);
      byte.bound = 0;
    }
  }
  Value address = layout.getAddress(builder, loc, start, at, byte);

  Type word = builder.getI32Type();
  Type result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(matrices.count, word));
  MLIRContext *context = builder.getContext();
  auto load = NVVM::LdMatrixOp::create(
      builder, loc, result, address, builder.getI32IntegerAttr(matrices.count),
      NVVM::MMALayoutAttr::get(context, matrices.transpose
                                            ? NVVM::MMALayout::col
                                            : NVVM::MMALayout::row),
      NVVM::LdStMatrixShapeAttr::get(context, matrixRows, matrixRows),
      NVVM::LdStMatrixEltTypeAttr::get(context, NVVM::LdStMatrixEltType::B16));
  SmallVector<Value> words;
  for (int64_t i = 0; i < matrices.count; ++i)
    words.push_back(
        LLVM::ExtractValueOp::create(builder, loc, load.getRes(), i));
  return words;
}

Value ContractOperands::loadWord(SharedType type, Value tile,
                                 const Coordinate &row,
                                 const Coordinate &column) {
  SharedLayout layout(type);
  Coordinate byte = column;
  byte.thread = mulI32(builder, loc, column.thread, layout.getElementBytes());
  byte.constant *= layout.getElementBytes();
  byte.bound = 0;
  Value address = layout.getAddress(builder, loc, tile, row, byte);
  return loadElements(builder, loc, builder.getI32Type(), address, 1).front();
}

Coordinate ContractOperands::getK(int64_t k, int64_t half) const {
  Coordinate slot;
  slot.thread = adjacentK ? mulI32(builder, loc, member, 2) : member;
  slot.constant = k + (adjacentK ? half : half * members);
  return slot;
}

OperandRegisters ContractOperands::finish(Type element, ValueRange words) {
  OperandRegisters registers;
  if (!element.isF32()) {
    for (Value word : words)
      registers.high.push_back(
          element.isF16() ? LLVM::BitcastOp::create(
                                builder, loc, VectorType::get(2, element), word)
                                .getResult()
                          : word);
    return registers;
  }
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  auto round = [&](Value value) -> Value {
    return NVVM::ConvertFloatToTF32Op::create(
        builder, loc, i32, value, NVVM::FPRoundingMode::RNA,
        NVVM::SaturationMode::NONE, /*relu=*/false);
  };
  for (Value word : words) {
    Value value = arith::BitcastOp::create(builder, loc, f32, word);
    Value high = round(value);
    Value rest = arith::SubFOp::create(
        builder, loc, value, arith::BitcastOp::create(builder, loc, f32, high));
    registers.high.push_back(high);
    registers.low.push_back(round(rest));
  }
  return registers;
}

OperandRegisters ContractOperands::loadLhs(SharedType type, Value tile,
                                           bool transposed, int64_t row,
                                           int64_t k) {
  Type element = type.getElementType();
  Coordinate rows = moved(firstRow, row * rowStride);
  Coordinate ks;
  ks.constant = k;
  if (!transposed)
    return finish(element, loadMatrices(type, tile, rows, ks,
                                        {4, /*transpose=*/false,
                                         /*rowBit=*/0, /*columnBit=*/1}));
  if (!element.isF32())
    return finish(element, loadMatrices(type, tile, ks, rows,
                                        {4, /*transpose=*/true,
                                         /*rowBit=*/1, /*columnBit=*/0}));
  SmallVector<Value> words;
  rows.thread = addI32(builder, loc, rows.thread, group);
  for (int64_t half : {0, 1})
    for (int64_t below : {0, 8})
      words.push_back(loadWord(type, tile, getK(k, half), moved(rows, below)));
  return finish(element, words);
}

OperandRegisters ContractOperands::takeLhs(ArrayRef<Value> elements,
                                           Type element, int64_t depth,
                                           int64_t row, int64_t k) {
  constexpr int64_t perMmaTile = 4;
  int64_t mmaTile = (row * (depth / mmaColumns) + k / mmaColumns);
  ArrayRef<Value> from = elements.drop_front(mmaTile * perMmaTile);
  Type i32 = builder.getI32Type();
  SmallVector<Value> words;
  if (element.isF32()) {
    for (int64_t number : {0, 2, 1, 3})
      words.push_back(
          arith::BitcastOp::create(builder, loc, i32, from[number]));
    return finish(element, words);
  }
  OperandRegisters registers;
  auto type = VectorType::get(2, element);
  for (int64_t first = 0; first < 2 * perMmaTile; first += 2) {
    Value both = vector::FromElementsOp::create(builder, loc, type,
                                                from.slice(first, 2));
    registers.high.push_back(
        element.isF16()
            ? both
            : LLVM::BitcastOp::create(builder, loc, i32, both).getResult());
  }
  return registers;
}

SmallVector<OperandRegisters>
ContractOperands::loadRhs(SharedType type, Value tile, bool transposed,
                          int64_t column, int64_t count, int64_t k) {
  Type element = type.getElementType();
  Coordinate columns = moved(firstColumn, column * mmaColumns);
  Coordinate ks;
  ks.constant = k;
  constexpr int64_t perMmaTile = 2;
  SmallVector<Value> words;
  if (element.isF32() && (adjacentK || !transposed)) {
    columns.thread = addI32(builder, loc, columns.thread, group);
    for (int64_t mmaTile = 0; mmaTile < count; ++mmaTile)
      for (int64_t half : {0, 1}) {
        Coordinate at = moved(columns, mmaTile * mmaColumns);
        Coordinate slot = getK(k, half);
        words.push_back(transposed ? loadWord(type, tile, at, slot)
                                   : loadWord(type, tile, slot, at));
      }
  } else if (transposed) {
    words = loadMatrices(type, tile, columns, ks,
                         {perMmaTile * count, /*transpose=*/false,
                          /*rowBit=*/count > 1 ? 1 : -1, /*columnBit=*/0});
  } else {
    words = loadMatrices(type, tile, ks, columns,
                         {perMmaTile * count, /*transpose=*/true,
                          /*rowBit=*/0, /*columnBit=*/count > 1 ? 1 : -1});
  }
  SmallVector<OperandRegisters> mmaTiles;
  for (int64_t mmaTile = 0; mmaTile < count; ++mmaTile)
    mmaTiles.push_back(finish(
        element, ArrayRef(words).slice(mmaTile * perMmaTile, perMmaTile)));
  return mmaTiles;
}
