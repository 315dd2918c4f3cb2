//===----------------------------------------------------------------------===//
// What builds the body of an attention kernel: AttentionKernel.cpp has the walk
// over the keys, AttentionLogits.cpp what becomes of one score,
// AttentionParts.cpp rows that several blocks compute.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONEMITTER_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONEMITTER_H

#include "../Host/KernelBuilder.h"
#include "AttentionKernel.h"
#include "LayoutWalk.h"
#include "MaskCode.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/IR/Stof.h"
#include "stof/Mask/ImpliedTruths.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <deque>

namespace stof {

inline constexpr float log2e = 1.44269504088896340736f;

/// The tile of the kernel for `chip`: that of the layout, if there is one. Of
/// processors (no chip) it has all features.
AttentionTile tileOf(AttentionOp op, llvm::StringRef chip);

/// How many row tiles a head has, and how many of them are ahead of the rest.
mlir::OpFoldResult countRowTiles(mlir::OpBuilder &host, AttentionOp op,
                                 const mlir::IRMapping &values);
mlir::OpFoldResult countTilesAhead(mlir::OpBuilder &host, AttentionOp op,
                                   const mlir::IRMapping &values);

/// Builds the body of one kernel.
class AttentionEmitter {
public:
  AttentionEmitter(KernelBuilder &kernel, AttentionOp op,
                   const mlir::IRMapping &hostValues, mlir::ValueRange results,
                   const AttentionPartials &partials, llvm::StringRef chip)
      : kernel(kernel), op(op), hostValues(hostValues), results(results),
        partials(partials), tile(tileOf(op, chip)), body(kernel.body()),
        loc(kernel.loc()) {}

  mlir::LogicalResult emit();
  /// The kernel that merges what parts of rows have left in `partials`.
  mlir::LogicalResult emitMerge();

private:
  /// What is carried from one tile of keys to the next.
  struct State {
    mlir::Value max, sum, accumulator;
    llvm::SmallVector<mlir::Value> all() const {
      return {max, sum, accumulator};
    }
  };

  /// What a pair of a tile has to pass to count; nothing at first.
  struct PairTest {
    bool isMasked = false;
    /// Whether keys beyond the last have to be told from those that exist.
    bool checksEnd = false;
    /// Null if the mask keeps every pair.
    const MaskCode *code = nullptr;
  };

  /// What is tested where a value is true.
  using Condition = std::pair<mlir::Value, PairTest>;

  /// What partial tiles in some intervals of a view test.
  struct PartialCase {
    llvm::SmallVector<unsigned> intervals;
    PairTest test;
  };

  /// The keys that a walk goes over: all, or those of a lattice.
  struct KeyView {
    mlir::Value key, value, count;
    int64_t stride = 1;
    mlir::OpFoldResult offset = {};
    /// Whether whole tiles of keys fill the view.
    bool isFilled = false;
    const LayoutWalk *walk = nullptr;
    /// Of a layout in closed form; the first that holds for a tile counts.
    llvm::SmallVector<PartialCase> partial = {};
    /// The bitmaps of partial tiles, if there are any.
    mlir::Value bitmaps;
    /// Those before this one, which have computed what they visit.
    llvm::ArrayRef<KeyView> earlier = {};
  };

  /// One tile of a view.
  struct KeyTile {
    mlir::Value firstKey;
    /// The first condition that holds says what is tested, none nothing; if
    /// there is no list everything is.
    std::optional<llvm::SmallVector<Condition>> tests = std::nullopt;
    /// The number of the bitmap that has its answers, or null.
    mlir::Value bitmap = {};
  };

  /// The number of row tiles that all heads begin with.
  int64_t aheadOfOthers() {
    return op.getSchedule() ? op.getSchedule()->getAhead() : 0;
  }
  /// The number of parts of each of them.
  int64_t numParts() {
    return op.getSchedule() ? op.getSchedule()->getParts() : 1;
  }
  /// How far apart the queries of a row tile lie.
  int64_t rowStride() {
    return op.getLayout() ? op.getLayout()->getRowStride() : 1;
  }
  void bindPosition();
  mlir::Value countRowTiles();
  /// Turns the order of row tiles round if the schedule says so.
  void reverseRowTile();
  /// Binds the queries of the row tile and their number.
  void bindQueries();
  mlir::LogicalResult launch();

  /// Takes the head, and which features of V, from a block's number among the
  /// heads, as countHeads counts them for the host.
  void takeHead(mlir::Value number);
  mlir::OpFoldResult countHeads();
  mlir::LogicalResult check();
  void bindArguments();
  /// Binds the queries of the row tile, and loads them unless each step loads
  /// those features that it takes.
  void bindQueryTile();
  /// Features of the queries of the row tile.
  mlir::Value loadQueries(mlir::OpBuilder &builder, mlir::Value firstFeature);
  /// Says in a remark that features are taken apart.
  void reportSteps();
  State initialState();
  /// Walks over all keys; only the rows that `emptyRows` marks take part, with
  /// every key, or all rows, this block's part, under their mask if it is null.
  State walkAll(State state, mlir::Value emptyRows);
  /// Walks over the key tiles that the layout visits.
  State walkLayout(State state);
  State walkView(State state, const KeyView &view, LayoutWalk &walk);
  /// What the partial tiles of a view in closed form test.
  llvm::SmallVector<PartialCase> findPartialCases(const KeyView &view,
                                                  mlir::ArrayAttr visited,
                                                  mlir::ArrayAttr partial);
  llvm::SmallVector<Condition> findTests(mlir::OpBuilder &builder,
                                         const KeyView &view, LayoutWalk &walk,
                                         mlir::Value position);
  /// The test of pairs of which nothing is known.
  PairTest testAll() {
    return {/*isMasked=*/true, /*checksEnd=*/true,
            maskCode ? &*maskCode : nullptr};
  }
  /// Every `stride`-th key and value from `offset` on.
  KeyView viewLattice(int64_t stride, mlir::OpFoldResult offset);
  /// The number of every `stride`-th of `count` positions from `offset` on.
  mlir::OpFoldResult countEvery(mlir::Value count, int64_t stride,
                                mlir::OpFoldResult offset);
  mlir::Value viewEvery(mlir::Value buffer, int64_t stride,
                        mlir::OpFoldResult offset, mlir::OpFoldResult count);
  /// The queries of the row tile in a buffer of all of them.
  mlir::Value viewRows(mlir::Value buffer);
  /// Whether one of the views before this has computed a key.
  mlir::Value isComputed(mlir::OpBuilder &builder, const KeyView &view,
                         mlir::Value key);
  /// What the keys of one tile add.
  State step(mlir::OpBuilder &builder, const KeyView &view, const KeyTile &keys,
             State state, mlir::Value emptyRows);
  /// Scores in base 2, or products that `factor` makes such; what a score
  /// region yields stays as it is.
  mlir::Value logits(mlir::OpBuilder &builder, const KeyView &view,
                     const KeyTile &keys, mlir::Value scores,
                     mlir::Value emptyRows);
  /// The same, -inf where a pair does not pass `test`.
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
  /// The number of the last key of a view's tiles plus one, and of the last
  /// query, if 32 bits are enough for both.
  std::optional<std::pair<int64_t, int64_t>> getNarrowEnds(const KeyView &view);
  /// Whether logits are scores as they are, not in base 2: where they may be
  /// infinite in base 2, and in f32, where a kernel has other things to do than
  /// exponentials.
  bool hasNaturalLogits() {
    return op.hasScore() || isTooSteep || element.isF32();
  }
  /// The exponential of how far a logit lies above another.
  mlir::Value exponential(mlir::OpBuilder &builder, mlir::Value difference);
  /// That of `logit - max`, where a row that has seen no logit has max = -inf.
  mlir::Value power(mlir::OpBuilder &builder, mlir::Value logit,
                    mlir::Value max);
  /// The sink of the head, as a logit.
  mlir::Value sink();
  /// Whether a query may be without a key although there are keys: the mask
  /// drops them, or they have a score of -inf.
  bool mayDropAllKeys() { return op.getMask() || op.hasScore(); }
  /// Whether sinks join after the last key.
  bool sinksComeLast() {
    return mayDropAllKeys() && op.getEmptyRows() != EmptyRows::Zero;
  }
  /// The reciprocal of the sum of a row, which is multiplied at the end.
  mlir::Value reciprocal(mlir::OpBuilder &builder, mlir::Value sum);
  /// Gives rows without a key what `empty_rows` says, and all rows their sink
  /// if it comes last.
  State finishRows(State state);
  State serveEmptyRows(State state, mlir::Value empty);
  State joinSink(State state, mlir::Value empty);
  void store(State state);
  /// Stores the state of one part of the keys; and merges those of all.
  void storePart(State state);
  State mergeParts(State state);

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
  /// A tile of one result computed from others, element by element.
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
  /// The first of the features of V that the block computes.
  mlir::Value firstFeature;
  mlir::Value rowTile, numQueries, numKeys, queryRows, queryTile, scale;
  /// Which of the row tiles ahead this is, and the part of its keys.
  mlir::Value numberAhead;
  std::optional<WalkPart> part;
  /// With a row stride, the residue of the queries of the row tile, and the
  /// number of queries that have it.
  mlir::Value rowClass;
  mlir::OpFoldResult classSize;
  /// What a product is multiplied by to be a score in base 2, if it is positive
  /// and no more happens to it.
  mlir::Value factor;
  /// Whether the scale is so large that log2(e) in it makes scores infinite.
  bool isTooSteep = false;
  KeyView allKeys;
  std::optional<MaskCode> maskCode;
  /// What is left of the mask on some partial tiles, and its code.
  std::vector<mlir::OwningOpRef<MaskOp>> reducedMasks;
  std::deque<MaskCode> reducedCodes;
  /// Whether one of them takes too many operations, which an error has said.
  bool isTooLong = false;
  std::optional<ImpliedTruths> truths;
  mlir::IRMapping scoreValues;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONEMITTER_H
