//===----------------------------------------------------------------------===//
// Addresses in swizzled shared tiles.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/TileToNVVM/SharedLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include <numeric>

using namespace mlir;
using namespace stof::tile;

static constexpr int64_t chunkBytes = 16;
/// Chunks that cover all banks once.
static constexpr int64_t chunksOfBanks = 8;

SharedLayout::SharedLayout(SharedType type)
    : rows(type.getShape()[0]),
      elementBytes(stof::getElementBytes(type.getElementType())) {
  pitch = type.getRowBytes();
  constexpr int64_t panelPitch = chunkBytes * chunksOfBanks;
  if (pitch % panelPitch == 0) {
    panels = pitch / panelPitch;
    pitch = panelPitch;
  }
  exchanged = std::gcd(pitch / chunkBytes, chunksOfBanks);
}

Value SharedLayout::getExchange(OpBuilder &builder, Location loc,
                                const Coordinate &row) const {
  Value number =
      row.constant % chunksOfBanks == 0 ? row.thread : asI32(builder, loc, row);
  if (!number || exchanged == 1)
    return {};
  // Rows of a group of this size start at different banks anyway.
  number = divI32(builder, loc, number, chunksOfBanks / exchanged);
  number = remI32(builder, loc, number, exchanged);
  return mulI32(builder, loc, number, chunkBytes);
}

Value SharedLayout::getAddress(OpBuilder &builder, Location loc, Value offset,
                               const Coordinate &row,
                               const Coordinate &inRow) const {
  int64_t window = exchanged * chunkBytes;
  int64_t constant = row.constant * pitch, inWindow = 0;
  Coordinate column = inRow;
  if (panels > 1) {
    column.constant = inRow.constant % pitch;
    bool inOne = !inRow.thread ||
                 (inRow.bound > 0 && column.constant + inRow.bound <= pitch);
    if (inOne || column.constant == 0)
      constant += inRow.constant / pitch * getPanelBytes();
    if (!inOne) {
      Value whole =
          column.constant == 0 ? inRow.thread : asI32(builder, loc, inRow);
      Value panel = mulI32(builder, loc, divI32(builder, loc, whole, pitch),
                           getPanelBytes());
      offset = addI32(builder, loc, panel, offset);
      column = Coordinate();
      column.thread = remI32(builder, loc, whole, pitch);
      column.bound = pitch;
    }
  }
  Value exchange = getExchange(builder, loc, row);
  Value byte = column.thread;
  if (!exchange) {
    constant += column.constant;
  } else {
    inWindow = column.constant % window;
    // If the bits of the constant are above those of the thread part, adding
    // the constant is the same as exclusive or.
    bool disjoint = inWindow == 0 || !byte ||
                    (column.bound > 0 && column.bound <= window &&
                     inWindow % llvm::PowerOf2Ceil(column.bound) == 0);
    if (disjoint) {
      constant += column.constant - inWindow;
    } else {
      byte = asI32(builder, loc, column);
      inWindow = 0;
    }
    byte = byte
               ? arith::XOrIOp::create(builder, loc, byte, exchange).getResult()
               : exchange;
  }
  if (row.thread)
    byte = addI32(builder, loc, mulI32(builder, loc, row.thread, pitch), byte);
  byte = addI32(builder, loc, byte, offset);
  // Rows and tiles start at multiples of the window, so this part can be
  // applied last; the address before it is common to a whole row.
  if (inWindow != 0)
    byte = arith::XOrIOp::create(builder, loc, byte,
                                 constantI32(builder, loc, inWindow));
  return getSharedPointer(builder, loc, byte, constant);
}

Value SharedLayout::skipColumns(OpBuilder &builder, Location loc, Value offset,
                                Value bytes) const {
  if (panels > 1)
    bytes = mulI32(builder, loc, bytes, getPanelBytes() / pitch);
  return addI32(builder, loc, offset, bytes);
}

Value stof::tile::getSharedOffset(OpBuilder &builder, Operation *op) {
  return constantI32(builder, op->getLoc(),
                     op->getAttrOfType<IntegerAttr>(offsetAttr).getInt());
}

Value stof::tile::getSharedPointer(OpBuilder &builder, Location loc,
                                   Value offset, int64_t constant) {
  auto type = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  Type byte = builder.getI8Type();
  Value base =
      LLVM::AddressOfOp::create(builder, loc, type, sharedMemorySymbol);
  Value pointer = LLVM::GEPOp::create(builder, loc, type, byte, base,
                                      ArrayRef<LLVM::GEPArg>{offset});
  if (constant == 0)
    return pointer;
  return LLVM::GEPOp::create(
      builder, loc, type, byte, pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(constant)});
}
