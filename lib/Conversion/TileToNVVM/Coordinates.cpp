//===----------------------------------------------------------------------===//
// Coordinates of a thread's elements, from the affine expressions of layouts.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/TileToNVVM/Coordinates.h"

#include "stof/Support/WarpShape.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;
using namespace stof;
using namespace stof::tile;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Value stof::tile::constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value stof::tile::addI32(OpBuilder &builder, Location loc, Value lhs,
                         Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value stof::tile::addI32(OpBuilder &builder, Location loc, Value lhs,
                         int64_t rhs) {
  if (!lhs)
    return constantI32(builder, loc, rhs);
  return rhs == 0 ? lhs
                  : addI32(builder, loc, lhs, constantI32(builder, loc, rhs));
}

Value stof::tile::mulI32(OpBuilder &builder, Location loc, Value lhs,
                         int64_t rhs) {
  if (rhs == 1)
    return lhs;
  return arith::MulIOp::create(builder, loc, lhs,
                               constantI32(builder, loc, rhs));
}

Value stof::tile::divI32(OpBuilder &builder, Location loc, Value lhs,
                         int64_t rhs) {
  assert(lhs && rhs > 0 && "expects a number and a positive divisor");
  if (rhs == 1)
    return lhs;
  if (llvm::isPowerOf2_64(rhs))
    return arith::ShRUIOp::create(
        builder, loc, lhs, constantI32(builder, loc, llvm::Log2_64(rhs)));
  return arith::DivUIOp::create(builder, loc, lhs,
                                constantI32(builder, loc, rhs));
}

Value stof::tile::remI32(OpBuilder &builder, Location loc, Value lhs,
                         int64_t rhs) {
  assert(lhs && rhs > 0 && "expects a number and a positive divisor");
  if (llvm::isPowerOf2_64(rhs))
    return arith::AndIOp::create(builder, loc, lhs,
                                 constantI32(builder, loc, rhs - 1));
  return arith::RemUIOp::create(builder, loc, lhs,
                                constantI32(builder, loc, rhs));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

ThreadPosition ThreadPosition::get(OpBuilder &builder, Location loc) {
  Value id = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  ThreadPosition position;
  position.thread =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), id);
  Block *block = builder.getInsertionBlock();
  if (int64_t first = getFirstWarp(block))
    position.thread =
        arith::SubIOp::create(builder, loc, position.thread,
                              constantI32(builder, loc, first * lanesPerWarp));
  if (getNumGroups(block) > 1)
    position.thread =
        remI32(builder, loc, position.thread, getNumThreads(block));
  position.lane = remI32(builder, loc, position.thread, lanesPerWarp);
  position.warp = divI32(builder, loc, position.thread, lanesPerWarp);
  return position;
}

namespace {
/// Expands non-negative expressions, hence by unsigned division and remainder.
struct ThreadExprExpander : AffineExprVisitor<ThreadExprExpander, Value> {
  ThreadExprExpander(OpBuilder &builder, Location loc,
                     const ThreadPosition &position)
      : builder(builder), loc(loc), position(position) {}

  Value visitConstantExpr(AffineConstantExpr expr) {
    return constantI32(builder, loc, expr.getValue());
  }
  Value visitDimExpr(AffineDimExpr expr) {
    return expr.getPosition() == 0 ? position.lane : position.warp;
  }
  Value visitSymbolExpr(AffineSymbolExpr expr) {
    llvm_unreachable("layouts have no symbols");
  }
  Value visitAddExpr(AffineBinaryOpExpr expr) {
    return addI32(builder, loc, visit(expr.getLHS()), visit(expr.getRHS()));
  }
  Value visitMulExpr(AffineBinaryOpExpr expr) {
    return mulI32(builder, loc, visit(expr.getLHS()), rhs(expr));
  }
  Value visitModExpr(AffineBinaryOpExpr expr) {
    return remI32(builder, loc, visit(expr.getLHS()), rhs(expr));
  }
  Value visitFloorDivExpr(AffineBinaryOpExpr expr) {
    return divI32(builder, loc, visit(expr.getLHS()), rhs(expr));
  }
  Value visitCeilDivExpr(AffineBinaryOpExpr expr) {
    Value above = addI32(builder, loc, visit(expr.getLHS()), rhs(expr) - 1);
    return divI32(builder, loc, above, rhs(expr));
  }

private:
  static int64_t rhs(AffineBinaryOpExpr expr) {
    return cast<AffineConstantExpr>(expr.getRHS()).getValue();
  }

  OpBuilder &builder;
  Location loc;
  const ThreadPosition &position;
};
} // namespace

Value stof::tile::expandThreadExpr(OpBuilder &builder, Location loc,
                                   AffineExpr expr,
                                   const ThreadPosition &position) {
  return ThreadExprExpander(builder, loc, position).visit(expr);
}

// Not simplified: simplifyAffineExpr turns remainders into differences, for
// which LLVM derives fewer known bits.
AffineExpr stof::tile::fixRegister(AffineExpr expr, int64_t registerIndex) {
  MLIRContext *context = expr.getContext();
  return expr.replace(getAffineDimExpr(2, context),
                      getAffineConstantExpr(registerIndex, context));
}

AffineExpr stof::tile::fixLane(AffineExpr expr, int64_t lane) {
  MLIRContext *context = expr.getContext();
  return simplifyAffineExpr(expr.replace(getAffineDimExpr(0, context),
                                         getAffineConstantExpr(lane, context)),
                            3, 0);
}

Value stof::tile::asI32(OpBuilder &builder, Location loc,
                        const Coordinate &coordinate) {
  return addI32(builder, loc, coordinate.thread, coordinate.constant);
}

Value stof::tile::asIndex(OpBuilder &builder, Location loc,
                          const Coordinate &coordinate) {
  if (!coordinate.thread)
    return arith::ConstantIndexOp::create(builder, loc, coordinate.constant);
  Value thread = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(), coordinate.thread);
  if (coordinate.constant == 0)
    return thread;
  return arith::AddIOp::create(
      builder, loc, thread,
      arith::ConstantIndexOp::create(builder, loc, coordinate.constant));
}

TileCoordinates::TileCoordinates(OpBuilder &builder, Location loc,
                                 LayoutInterface layout,
                                 ArrayRef<int64_t> shape)
    : builder(builder), loc(loc), position(ThreadPosition::get(builder, loc)) {
  for (auto [dim, size] : llvm::enumerate(shape)) {
    expressions.push_back(layout.getCoordinateAlong(dim, size));
    first.push_back(expandThreadExpr(
        builder, loc, fixRegister(expressions.back(), 0), position));
  }
}

Coordinate TileCoordinates::get(unsigned dim, int64_t registerIndex) const {
  AffineExpr atFirst = fixRegister(expressions[dim], 0);
  AffineExpr here = fixRegister(expressions[dim], registerIndex);
  Coordinate coordinate;
  // The usual case: a constant distance from register index 0.
  if (auto distance = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(here - atFirst, 3, 0))) {
    coordinate.thread = first[dim];
    coordinate.constant = distance.getValue();
    coordinate.divisor = atFirst.getLargestKnownDivisor();
    return coordinate;
  }
  coordinate.thread = expandThreadExpr(builder, loc, here, position);
  coordinate.divisor = here.getLargestKnownDivisor();
  return coordinate;
}
