//===----------------------------------------------------------------------===//
// The pass that lets the CTAs that run at once share the tiles of a kernel
// (persistent CTAs): CTA i of n computes tiles i, i + n, i + 2n, ..., or runs
// of so many adjacent tiles, or tile i and then always the next one that no CTA
// has claimed. What begins a CTA is done once, and loads of a tile can overlap
// with the end of the one before.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_PERSISTCTASPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-persist-ctas");
}

/// Whether `launch` numbers CTAs by their x index only.
static bool isOneDimensional(gpu::LaunchFuncOp launch) {
  return isConstantIntValue(launch.getGridSizeY(), 1) &&
         isConstantIntValue(launch.getGridSizeZ(), 1);
}

/// The number of tiles that all `launches` have, if it is static.
static std::optional<int64_t>
getNumTiles(ArrayRef<gpu::LaunchFuncOp> launches) {
  std::optional<int64_t> tiles =
      getConstantIntValue(gpu::LaunchFuncOp(launches.front()).getGridSizeX());
  for (gpu::LaunchFuncOp launch : launches)
    if (getConstantIntValue(launch.getGridSizeX()) != tiles)
      return std::nullopt;
  return tiles;
}

/// What keeps CTAs from sharing tiles, of which a static number is known; empty
/// if nothing does.
static StringRef explainNoSharing(ArrayRef<gpu::LaunchFuncOp> launches,
                                  std::optional<int64_t> tiles, int64_t ctas) {
  if (!llvm::all_of(launches, isOneDimensional))
    return "its CTAs are numbered along several dimensions";
  if (tiles && *tiles <= ctas)
    return "all of its CTAs run at once";
  return {};
}

static bool hasTileLoop(gpu::GPUFuncOp kernel) {
  return llvm::any_of(kernel.getBody().front(), [](Operation &op) {
    return stof::tileLoopAttr.isOn(&op);
  });
}

/// Takes the mark from the argument of `kernel` that counts claimed tiles, and
/// returns the argument; null if CTAs claim none.
static Value takeCounter(gpu::GPUFuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.removeArgAttr(argument.getArgNumber(), stof::counterAttrName))
      return argument;
  return {};
}

namespace {
/// The runs of adjacent tiles of a CTA: run i of n CTAs is that of CTA i mod n.
struct Runs {
  Runs(OpBuilder &builder, Location loc, int64_t length, Value ctas)
      : loc(loc), unit(arith::ConstantIndexOp::create(builder, loc, length)),
        cta(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x)),
        ctas(ctas) {}

  /// Tile `number` of the CTA.
  Value getTile(OpBuilder &builder, Value number) const {
    Value run = arith::DivUIOp::create(builder, loc, number, unit);
    Value inRun = arith::RemUIOp::create(builder, loc, number, unit);
    Value before = arith::MulIOp::create(builder, loc, run, ctas);
    Value all = arith::AddIOp::create(builder, loc, before, cta);
    Value first = arith::MulIOp::create(builder, loc, all, unit);
    return arith::AddIOp::create(builder, loc, first, inRun);
  }
  /// How many of `tiles` the CTA has.
  Value getNumber(OpBuilder &builder, Value tiles) const {
    // All CTAs together take this many tiles at a time.
    Value round = arith::MulIOp::create(builder, loc, ctas, unit);
    Value rounds = arith::DivUIOp::create(builder, loc, tiles, round);
    Value rest = arith::RemUIOp::create(builder, loc, tiles, round);
    Value whole = arith::MulIOp::create(builder, loc, rounds, unit);
    Value before = arith::MulIOp::create(builder, loc, cta, unit);
    Value left = arith::SubIOp::create(builder, loc, rest, before);
    Value none = arith::ConstantIndexOp::create(builder, loc, 0);
    Value some = arith::MaxSIOp::create(builder, loc, left, none);
    Value last = arith::MinSIOp::create(builder, loc, some, unit);
    return arith::AddIOp::create(builder, loc, whole, last);
  }

  Location loc;
  Value unit, cta, ctas;
};
} // namespace

/// The CTAs that share `tiles` in runs of length `run`: as few as take no more
/// runs each than `most` would. The others would only draw power.
static int64_t countCtas(int64_t tiles, int64_t run, int64_t most) {
  int64_t runs = llvm::divideCeil(tiles, run);
  return llvm::divideCeil(runs, llvm::divideCeil(runs, most));
}

/// A loop over the tiles of a CTA, and the tile of an iteration.
struct TileLoop {
  Operation *loop;
  Value tile;
};

/// A loop over those of `count` tiles that one of `ctas` has, in runs of length
/// `run`.
static TileLoop createStatic(OpBuilder &builder, Location loc, Value count,
                             int64_t run, Value ctas) {
  if (run == 1) {
    Value first = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    auto loop = scf::ForOp::create(builder, loc, first, count, ctas);
    return {loop, loop.getInductionVar()};
  }
  Runs runs(builder, loc, run, ctas);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero,
                                 runs.getNumber(builder, count), one);
  builder.setInsertionPointToStart(loop.getBody());
  return {loop, runs.getTile(builder, loop.getInductionVar())};
}

/// A loop that begins with the tile of the number of the CTA, and goes on with
/// those that it claims: the numbers of the `ctas` are taken, so `counter` is
/// as many behind.
static TileLoop createClaiming(OpBuilder &builder, Location loc, Value count,
                               Value counter, Value ctas) {
  Value first = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  auto loop = scf::WhileOp::create(
      builder, loc, first.getType(), first,
      [&](OpBuilder &inner, Location, ValueRange tile) {
        Value isLeft = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::ult, tile.front(), count);
        scf::ConditionOp::create(inner, loc, isLeft, tile);
      },
      [&](OpBuilder &inner, Location, ValueRange) {
        Value claimed = stof::tile::ClaimOp::create(inner, loc, counter);
        Value next = arith::AddIOp::create(inner, loc, claimed, ctas);
        scf::YieldOp::create(inner, loc, next);
      });
  return {loop, loop.getAfterArguments().front()};
}

/// Lets each of `ctas` of `kernel` loop over its tiles, of which there are
/// `tiles`, or as many as a new argument says, and then no more CTAs than that;
/// by claims if there is a `counter`.
static void loopOverTiles(gpu::GPUFuncOp kernel, std::optional<int64_t> tiles,
                          int64_t run, Value counter, int64_t ctas) {
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value count, all;
  if (tiles) {
    count = arith::ConstantIndexOp::create(builder, loc, *tiles);
    all = arith::ConstantIndexOp::create(builder, loc, ctas);
  } else {
    all = gpu::GridDimOp::create(builder, loc, gpu::Dimension::x);
    unsigned position = kernel.getNumArguments();
    (void)kernel.insertArgument(position, builder.getIndexType(), {}, loc);
    count = kernel.getArgument(position);
  }
  auto [loop, tile] = counter
                          ? createClaiming(builder, loc, count, counter, all)
                          : createStatic(builder, loc, count, run, all);
  stof::tileLoopAttr.set(loop, builder.getUnitAttr());
  // What comes last in an iteration claims the next tile, or is the end of it.
  Block &inner = loop->getRegions().back().front();
  auto claims = inner.getOps<stof::tile::ClaimOp>();
  Operation *last =
      claims.empty() ? inner.getTerminator() : (*claims.begin()).getOperation();
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(
           std::next(loop->getIterator()), std::prev(body.end()))))
    op.moveBefore(op.hasTrait<OpTrait::ConstantLike>() ? loop : last);
  loop->walk([&, tile = tile](gpu::BlockIdOp id) {
    if (id.getDimension() != gpu::Dimension::x)
      return;
    id.replaceAllUsesWith(tile);
    id.erase();
  });
}

/// Launches at most `ctas`, and passes the number of tiles if it is dynamic.
static void launchFewer(gpu::LaunchFuncOp launch, int64_t ctas, bool isStatic) {
  OpBuilder builder(launch);
  Value tiles = launch.getGridSizeX();
  Value most = arith::ConstantIndexOp::create(builder, launch.getLoc(), ctas);
  if (!isStatic) {
    launch.getKernelOperandsMutable().append(tiles);
    most = arith::MinUIOp::create(builder, launch.getLoc(), tiles, most);
  }
  launch.getGridSizeXMutable().assign(most);
}

namespace {
struct PersistCtasPass : stof::impl::PersistCtasPassBase<PersistCtasPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::MapVector<gpu::GPUFuncOp, SmallVector<gpu::LaunchFuncOp>> kernels;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
              launch, launch.getKernel()))
        kernels[kernel].push_back(launch);
    });
    for (auto &[kernel, launches] : kernels)
      share(kernel, launches);
  }

private:
  void share(gpu::GPUFuncOp kernel, ArrayRef<gpu::LaunchFuncOp> launches) {
    DictionaryAttr schedule = stof::scheduleAttr.get(kernel);
    auto getEntry = [&](StringRef name, int64_t otherwise) {
      auto entry = schedule ? schedule.getAs<IntegerAttr>(name) : IntegerAttr();
      return entry ? entry.getInt() : otherwise;
    };
    int64_t perSM = getEntry(stof::residentEntry, resident);
    Value counter = takeCounter(kernel);
    if (perSM == 0 || hasTileLoop(kernel))
      return;
    int64_t ctas = perSM * sms;
    std::optional<int64_t> tiles = getNumTiles(launches);
    StringRef reason = explainNoSharing(launches, tiles, ctas);
    if (!reason.empty()) {
      remark::missed(kernel.getLoc(), named("PersistentCtas"))
          << remark::reason("{0}", reason);
      return;
    }
    int64_t run = counter ? 1 : getEntry(stof::runEntry, 1);
    // Those that claim tiles take as many as they have time for.
    if (tiles && !counter)
      ctas = countCtas(*tiles, run, ctas);
    loopOverTiles(kernel, tiles, run, counter, ctas);
    for (gpu::LaunchFuncOp launch : launches)
      launchFewer(launch, ctas, tiles.has_value());
    kernel.setKnownGridSize(std::nullopt);
    if (tiles)
      kernel.setKnownGridSize(
          ArrayRef<int32_t>{static_cast<int32_t>(ctas), 1, 1});
    // All of them run at once only if their registers fit.
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    Builder(kernel).getI32IntegerAttr(perSM));
    remark::passed(kernel.getLoc(), named("PersistentCtas"))
        << remark::metric("Ctas", ctas);
  }
};
} // namespace
