//===----------------------------------------------------------------------===//
// Lowers `tile.reduce` and `tile.any`.
//
// A reduction has up to three steps:
// 1. each thread reduces its own elements along the dimension,
// 2. lanes along the dimension combine partial results by shuffles,
// 3. warps along the dimension combine them in shared memory.
// Afterwards each thread has the complete elements of its part of the result. A
// partial reduction has the first step only.
//===----------------------------------------------------------------------===//

#include "MemoryInstructions.h"
#include "Patterns.h"
#include "Shuffle.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace stof::tile;

static Value combine(OpBuilder &builder, ReduceOp op, Value lhs, Value rhs) {
  Block &body = op.getCombiner().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), ValueRange{lhs, rhs});
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

/// Reduces `values` in a few independent chains: these hide latency, and values
/// need not stay in registers until the last is available.
static Value combineAll(OpBuilder &builder, ReduceOp op,
                        SmallVector<Value> values) {
  constexpr size_t most = 4;
  size_t chains = std::min(most, values.size());
  for (size_t i = chains; i < values.size(); ++i)
    values[i % chains] = combine(builder, op, values[i % chains], values[i]);
  for (size_t step = 1; step < chains; step *= 2)
    for (size_t i = 0; i + step < chains; i += 2 * step)
      values[i] = combine(builder, op, values[i], values[i + step]);
  return values.front();
}

namespace {
/// Shared memory for partial results: a row per warp along the dimension, with
/// an element per element of the result.
struct WarpExchange {
  WarpExchange(OpBuilder &builder, ReduceOp op)
      : builder(builder), loc(op.getLoc()), result(op.getResult().getType()),
        source(op.getSource().getType()), dim(op.getDim()),
        offset(getSharedOffset(builder, op)),
        coordinates(builder, loc, result.getLayout(), result.getShape()),
        bytes(getElementBytes(result.getElementType())) {}

  /// Step 3 of a reduction, for all elements of a thread at once.
  void run(ReduceOp op, MutableArrayRef<Value> partials) {
    LayoutInterface layout = source.getLayout();
    int64_t warps = layout.getWarpsAlong(dim);
    int64_t unit = layout.getUnitAlong(dim);
    ThreadPosition position = ThreadPosition::get(builder, loc);
    AffineExpr place = fixRegister(layout.getCoordinateAlong(dim, unit), 0);
    // The index of the warp along the dimension, and whether this lane is the
    // first with these partial results.
    Value warp =
        divI32(builder, loc,
               expandThreadExpr(builder, loc, fixLane(place, 0), position),
               unit / warps);
    Value inWarp =
        remI32(builder, loc, expandThreadExpr(builder, loc, place, position),
               unit / warps);
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        inWarp, constantI32(builder, loc, 0));
    auto branch = scf::IfOp::create(builder, loc, first);
    OpBuilder inner = branch.getThenBodyBuilder();
    Value row = mulI32(inner, loc, warp, result.getShape()[0] * bytes);
    forEachElement(result, [&](ArrayRef<int64_t> indices, int64_t element) {
      storeElements(inner, loc, partials[element],
                    getPlace(inner, indices[0], row, 0));
    });
    createBarrier(builder, loc);
    forEachElement(result, [&](ArrayRef<int64_t> indices, int64_t element) {
      SmallVector<Value> all;
      for (int64_t other = 0; other < warps; ++other) {
        int64_t constant = other * result.getShape()[0] * bytes;
        all.push_back(loadElements(builder, loc, result.getElementType(),
                                   getPlace(builder, indices[0], {}, constant),
                                   1)
                          .front());
      }
      partials[element] = combineAll(builder, op, all);
    });
  }

private:
  Value getPlace(OpBuilder &builder, int64_t index, Value row,
                 int64_t constant) {
    Coordinate at = coordinates.get(0, index);
    Value byte = addI32(builder, loc, offset, row);
    byte = addI32(builder, loc, byte, mulI32(builder, loc, at.thread, bytes));
    return getSharedPointer(builder, loc, byte, constant + at.constant * bytes);
  }

  OpBuilder &builder;
  Location loc;
  FragmentType result, source;
  unsigned dim;
  Value offset;
  TileCoordinates coordinates;
  int64_t bytes;
};

struct LowerReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragmentType source = op.getSource().getType();
    FragmentType result = op.getResult().getType();
    LayoutInterface layout = source.getLayout();
    unsigned dim = op.getDim();
    SmallVector<Value> elements =
        unpackElements(rewriter, loc, source, adaptor.getSource());

    SmallVector<SmallVector<Value>> own(getNumElements(result));
    forEachElement(source, [&](ArrayRef<int64_t> indices, int64_t element) {
      SmallVector<int64_t> kept(indices);
      if (op.isPartial())
        kept[dim] %= layout.getRegistersAlong(dim, result.getShape()[dim]);
      else
        kept.erase(kept.begin() + dim);
      own[result.getLayout().getRegister(result.getShape(), kept)].push_back(
          elements[element]);
    });
    SmallVector<Value> partials;
    for (SmallVector<Value> &values : own)
      partials.push_back(combineAll(rewriter, op, values));
    if (!op.isPartial()) {
      for (int64_t bit : layout.getLaneBitsAlong(dim))
        for (Value &partial : partials)
          partial = combine(rewriter, op, partial,
                            shuffle(rewriter, loc, partial, bit));
      if (layout.getWarpsAlong(dim) > 1)
        WarpExchange(rewriter, op).run(op, partials);
    }
    rewriter.replaceOpWithMultiple(
        op, {packElements(rewriter, loc, result, partials)});
    return success();
  }
};

struct LowerAny : OpConversionPattern<AnyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AnyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value any = adaptor.getSource().front();
    for (Value element : adaptor.getSource().drop_front())
      any = arith::OrIOp::create(rewriter, loc, any, element);
    // The barrier itself reduces the predicates of all threads; upstream's
    // operation does so for barrier 0 only.
    BarrierOperands threads = getBarrier(rewriter, loc);
    SmallVector<Value> operands;
    if (threads.id)
      operands = {threads.id, threads.threads};
    else
      operands = {constantI32(rewriter, loc, 0)};
    operands.push_back(any);
    StringRef name = threads.id ? "llvm.nvvm.barrier.cta.red.or.aligned.count"
                                : "llvm.nvvm.barrier.cta.red.or.aligned.all";
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, rewriter.getI1Type(), rewriter.getStringAttr(name), operands);
    return success();
  }
};
} // namespace

void stof::tile::populateReducePatterns(const DeviceTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerReduce, LowerAny>(converter, patterns.getContext());
}
