//===----------------------------------------------------------------------===//
// The stage of a channel through which a tile passes, and its barriers.
//===----------------------------------------------------------------------===//

#include "ChannelStage.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof::tile;

ChannelStage::ChannelStage(OpBuilder &builder, Location loc, ChannelType type,
                           Value offset, Value number)
    : builder(builder), loc(loc), type(type), channel(offset) {
  Value tile =
      arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), number);
  stage = remI32(builder, loc, tile, type.getStages());
  phase = remI32(builder, loc, divI32(builder, loc, tile, type.getStages()),
                 /*rhs=*/2);
}

ChannelStage::ChannelStage(OpBuilder &builder, Location loc, ChannelType type,
                           Value offset, int64_t stage)
    : builder(builder), loc(loc), type(type), channel(offset),
      stage(constantI32(builder, loc, stage)) {}

Value ChannelStage::getTile() const {
  Value tile = mulI32(builder, loc, stage, type.getTile().getSizeInBytes());
  return addI32(builder, loc, channel, tile);
}

void ChannelStage::wait(OpBuilder &at, Value barrier, bool before) const {
  // A bound of the time that the hardware suspends a thread before it tests the
  // barrier again, in nanoseconds.
  constexpr int64_t suspension = 10'000'000;
  Value parity = phase;
  if (before)
    parity = arith::XOrIOp::create(at, loc, phase, constantI32(at, loc, 1));
  NVVM::MBarrierTryWaitParityOp::create(at, loc, barrier, parity,
                                        constantI32(at, loc, suspension));
}

Value ChannelStage::getBarrierAt(int64_t first) const {
  Value byte = mulI32(builder, loc, stage, ChannelType::barrierBytes);
  return getSharedPointer(builder, loc, addI32(builder, loc, channel, byte),
                          type.getTileBytes() +
                              first * ChannelType::barrierBytes);
}

OpBuilder stof::tile::enterFirst(OpBuilder &builder, Location loc,
                                 Value number) {
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        number, constantI32(builder, loc, 0));
  return scf::IfOp::create(builder, loc, isFirst).getThenBodyBuilder();
}

void stof::tile::arrive(OpBuilder &builder, Location loc, Value barrier) {
  NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), barrier,
                                 /*count=*/Value());
}
