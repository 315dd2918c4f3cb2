//===----------------------------------------------------------------------===//
// Builds the body of an attention kernel: its tile of the grid, the mainloop
// over keys, the logit of a score, the end of a row, and split-KV with its
// combine kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONEMITTER_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONEMITTER_H

#include "../Host/KernelBuilder.h"
#include "AttentionKernel.h"
#include "KeyTileIterator.h"
#include "MaskCode.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/IR/Stof.h"
#include "stof/Mask/ImpliedPredicates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <deque>

namespace stof {

inline constexpr float log2e = 1.44269504088896340736f;

/// The tile of the kernel for `target`: that of the layout, if there is one. On
/// CPUs (no target) a tile has all features.
AttentionTile tileOf(AttentionOp op, const TargetInfo *target);

/// The number of row tiles of a head, and of those ahead of the rest
/// (`#stof.schedule`).
mlir::OpFoldResult countRowTiles(mlir::OpBuilder &host, AttentionOp op,
                                 const mlir::IRMapping &values);
mlir::OpFoldResult countTilesAhead(mlir::OpBuilder &host, AttentionOp op,
                                   const mlir::IRMapping &values);

/// Builds the body of one kernel.
class AttentionEmitter {
public:
  AttentionEmitter(KernelBuilder &kernel, AttentionOp op,
                   const mlir::IRMapping &hostValues, mlir::ValueRange results,
                   const AttentionPartials &partials, const TargetInfo *target)
      : kernel(kernel), op(op), hostValues(hostValues), results(results),
        partials(partials), tile(tileOf(op, target)), body(kernel.body()),
        loc(kernel.loc()) {}

  mlir::LogicalResult emit();
  /// Emits the kernel that combines the splits in `partials`.
  mlir::LogicalResult emitMerge();

private:
  /// The loop-carried values of the mainloop, those of the online softmax.
  struct State {
    mlir::Value max, sum, accumulator;
    llvm::SmallVector<mlir::Value> all() const {
      return {max, sum, accumulator};
    }
  };

  /// The tests of a position in a tile; none by default.
  struct PairTest {
    bool isMasked = false;
    /// Whether out-of-bounds keys have to be tested for.
    bool checksEnd = false;
    /// Null if every position is unmasked.
    const MaskCode *code = nullptr;
  };

  /// The test of tiles for which a value is true.
  using Condition = std::pair<mlir::Value, PairTest>;

  /// The test of the partial tiles in some intervals of a view.
  struct PartialCase {
    llvm::SmallVector<unsigned> intervals;
    PairTest test;
  };

  /// The keys of a mainloop: all, or those of a lattice.
  struct KeyView {
    mlir::Value key, value, count;
    int64_t stride = 1;
    mlir::OpFoldResult offset = {};
    /// Whether the number of keys is a multiple of the key tile.
    bool isFilled = false;
    const KeyTileIterator *iterator = nullptr;
    /// For a closed form; the first case that contains a tile applies.
    llvm::SmallVector<PartialCase> partial = {};
    /// The bitmaps of partial tiles, or null.
    mlir::Value bitmaps;
    /// The preceding views, whose visited keys must not count twice.
    llvm::ArrayRef<KeyView> earlier = {};
  };

  /// One tile of a view.
  struct KeyTile {
    mlir::Value firstKey;
    /// The first condition that holds selects the test, and without one nothing
    /// is tested. Without a list every position is tested.
    std::optional<llvm::SmallVector<Condition>> tests = std::nullopt;
    /// The number of its bitmap, or null.
    mlir::Value bitmap = {};
  };

  /// The number of row tiles that are ahead, computed for all heads first.
  int64_t aheadOfOthers() {
    return op.getSchedule() ? op.getSchedule()->getAhead() : 0;
  }
  /// The number of split-KV CTAs for each of them.
  int64_t numSplits() {
    return op.getSchedule() ? op.getSchedule()->getParts() : 1;
  }
  /// The stride of the queries of a row tile.
  int64_t rowStride() {
    return op.getLayout() ? op.getLayout()->getRowStride() : 1;
  }
  void bindPosition();
  mlir::Value countRowTiles();
  /// Reverses the order of row tiles if the schedule says so.
  void reverseRowTile();
  /// Binds the first query of the row tile, and its residue class.
  void bindQueries();
  mlir::LogicalResult launch();

  /// Binds the head and the features of V from the number of a CTA among the
  /// heads; countHeads counts these on the host.
  void takeHead(mlir::Value number);
  mlir::OpFoldResult countHeads();
  mlir::LogicalResult check();
  void bindArguments();
  /// Binds the queries of the row tile, and loads them unless features are
  /// taken in steps.
  void bindQueryTile();
  /// Loads `tile.features` features of the queries of the row tile.
  mlir::Value loadQueries(mlir::OpBuilder &builder, mlir::Value firstFeature);
  /// Reports heads whose features are split, as a remark.
  void reportSteps();
  State initialState();
  /// Iterates over all keys: unmasked for the rows that `emptyRows` marks, or,
  /// if it is null, over this split's keys for all rows under the mask.
  State iterateAllKeys(State state, mlir::Value emptyRows);
  /// Iterates over the key tiles that the layout visits.
  State iterateLayout(State state);
  State iterateView(State state, const KeyView &view,
                    KeyTileIterator &iterator);
  /// The tests of the partial tiles of a view in closed form.
  llvm::SmallVector<PartialCase> findPartialCases(const KeyView &view,
                                                  mlir::ArrayAttr visited,
                                                  mlir::ArrayAttr partial);
  llvm::SmallVector<Condition> findTests(mlir::OpBuilder &builder,
                                         const KeyView &view,
                                         KeyTileIterator &iterator,
                                         mlir::Value position);
  /// The test that assumes nothing of a position.
  PairTest testAll() {
    return {/*isMasked=*/true, /*checksEnd=*/true,
            maskCode ? &*maskCode : nullptr};
  }
  /// Every `stride`-th key and value from `offset` on.
  KeyView viewLattice(int64_t stride, mlir::OpFoldResult offset);
  /// The number of positions at `offset` and every `stride` after it, of
  /// `count`.
  mlir::OpFoldResult countEvery(mlir::Value count, int64_t stride,
                                mlir::OpFoldResult offset);
  mlir::Value viewEvery(mlir::Value buffer, int64_t stride,
                        mlir::OpFoldResult offset, mlir::OpFoldResult count);
  /// A view of the queries of the row tile in a buffer of all queries.
  mlir::Value viewRows(mlir::Value buffer);
  /// Whether a preceding view has computed a key.
  mlir::Value isComputed(mlir::OpBuilder &builder, const KeyView &view,
                         mlir::Value key);
  /// One mainloop iteration: the update by a key tile.
  State step(mlir::OpBuilder &builder, const KeyView &view, const KeyTile &keys,
             State state, mlir::Value emptyRows);
  /// Scores in base 2, or products of queries and keys that `factor` converts
  /// to that; results of a score region are not scaled.
  mlir::Value logits(mlir::OpBuilder &builder, const KeyView &view,
                     const KeyTile &keys, mlir::Value scores,
                     mlir::Value emptyRows);
  /// The same, -inf where a position fails `test`.
  mlir::Value logits(mlir::OpBuilder &builder, const KeyView &view,
                     const KeyTile &keys, mlir::Value scores,
                     mlir::Value emptyRows, PairTest test);
  /// The rows of a bitmap, 32 keys each.
  llvm::SmallVector<mlir::Value>
  loadBitmap(mlir::OpBuilder &builder, const KeyView &view, mlir::Value number);
  mlir::Value testBitmap(mlir::OpBuilder &builder, mlir::ValueRange words,
                         mlir::Value column);
  mlir::Value scoreElement(mlir::OpBuilder &builder, mlir::Value product,
                           llvm::ArrayRef<PairCoordinate> coordinates);
  /// Exclusive bounds of the queries and of the keys of a view, tile padding
  /// included, if both are within narrowLimit.
  std::optional<std::pair<int64_t, int64_t>> getNarrowEnds(const KeyView &view);
  /// Whether logits are natural rather than in base 2: where scores could
  /// overflow in base 2, and in f32, where exponentials are not the bottleneck.
  bool hasNaturalLogits() {
    return op.hasScore() || isTooSteep || element.isF32();
  }
  /// The exponential of the difference of two logits.
  mlir::Value exponential(mlir::OpBuilder &builder, mlir::Value difference);
  /// The exponential of `logit - max`, where max = -inf if the row has no logit
  /// yet.
  mlir::Value power(mlir::OpBuilder &builder, mlir::Value logit,
                    mlir::Value max);
  /// The sink of the head, as a logit.
  mlir::Value sink();
  /// Whether a row may be fully masked although there are keys: by the mask, or
  /// by scores of -inf.
  bool mayDropAllKeys() { return op.getMask() || op.hasScore(); }
  /// Whether sinks join the row sum after the last key.
  bool sinksComeLast() {
    return mayDropAllKeys() && op.getEmptyRows() != EmptyRows::Zero;
  }
  /// The reciprocal of the row sum, by which the accumulator is multiplied.
  mlir::Value reciprocal(mlir::OpBuilder &builder, mlir::Value sum);
  /// Applies `empty_rows` to fully masked rows, and adds sinks that come last.
  State finishRows(State state);
  State serveEmptyRows(State state, mlir::Value empty);
  State joinSink(State state, mlir::Value empty);
  void store(State state);
  /// Stores the state of one split; combines those of all splits.
  void storeSplit(State state);
  State combineSplits(State state);

  mlir::Value host(mlir::Value value) {
    return kernel.getArgument(hostValues.lookup(value));
  }
  mlir::Value size(mlir::Value value, unsigned dim) {
    return kernel.getSize(mlir::memref::getMixedSize(
        kernel.host(), loc, hostValues.lookup(value), dim));
  }
  mlir::Value constant(mlir::OpBuilder &builder, float value) {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getF32FloatAttr(value));
  }
  mlir::Value infinity(mlir::OpBuilder &builder) {
    return constant(builder, -std::numeric_limits<float>::infinity());
  }
  tile::FragmentType fragment(int64_t columns, mlir::Type element) {
    return tile::FragmentType::get(body.getContext(), {tile.queries, columns},
                                   element, layout);
  }
  /// A tile.map with one result.
  mlir::Value
  map(mlir::OpBuilder &builder, mlir::Type type, mlir::ValueRange inputs,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange,
                                     mlir::ValueRange)>
          element) {
    return tile::MapOp::create(builder, loc, mlir::TypeRange(type), inputs,
                               [&](mlir::OpBuilder &inner, mlir::Location,
                                   mlir::ValueRange at,
                                   mlir::ValueRange elements) {
                                 return llvm::SmallVector<mlir::Value>{
                                     element(inner, at, elements)};
                               })
        .getResult(0);
  }

  KernelBuilder &kernel;
  AttentionOp op;
  const mlir::IRMapping &hostValues;
  mlir::ValueRange results;
  const AttentionPartials &partials;
  AttentionTile tile;
  mlir::OpBuilder &body;
  mlir::Location loc;

  tile::MmaAttr layout;
  tile::FragmentType rowType;
  mlir::Type element;
  mlir::Value query, batch, head, keyHead, firstQuery;
  /// The first feature of V that the CTA computes.
  mlir::Value firstFeature;
  mlir::Value rowTile, numQueries, numKeys, queryRows, queryTile, scale;
  /// The number of the row tile among those ahead, and the split of its keys.
  mlir::Value numberAhead;
  std::optional<SplitRange> split;
  /// With a row stride, the residue of the queries of the row tile, and the
  /// number of queries in that class.
  mlir::Value rowClass;
  mlir::OpFoldResult classSize;
  /// The factor from a product of query and key to a score in base 2, if it is
  /// positive and the only step.
  mlir::Value factor;
  /// Whether the scale is so large that scores overflow once log2(e) is folded
  /// in.
  bool isTooSteep = false;
  KeyView allKeys;
  std::optional<MaskCode> maskCode;
  /// Reduced masks of partial tiles, and their code.
  std::vector<mlir::OwningOpRef<MaskOp>> reducedMasks;
  std::deque<MaskCode> reducedCodes;
  /// Whether one of them has too many operations; an error has been emitted.
  bool isTooLong = false;
  std::optional<ImpliedPredicates> implied;
  mlir::IRMapping scoreValues;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONEMITTER_H
