//===----------------------------------------------------------------------===//
// The tiled attention kernel. A CTA computes a row tile of one head and
// iterates over key tiles (FlashAttention-2, section 3.1):
//
//   load q
//   for each key tile k, v:
//     s = q k^T                            on tensor cores
//     x = scale s log2 e, -inf where masked          LogitEmitter
//     rescale m, l, acc; p = 2^(x - m)               OnlineSoftmax
//     acc += p v                           on tensor cores
//   add the sink, serve fully masked rows            RowEpilogue
//   store acc / l and LSE, or the partial results of a split
//
// The result of a score region may overflow in base 2, as the lowest float
// does: x is score(scale s) then, and differences of logits are multiplied by
// log2 e. The same is done in f32.
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "AttentionContext.h"
#include "AttentionGrid.h"
#include "KeyTileIterator.h"
#include "KeyView.h"
#include "LogitEmitter.h"
#include "LogitScale.h"
#include "MapElements.h"
#include "MaskTests.h"
#include "OnlineSoftmax.h"
#include "PageTable.h"
#include "QueryTile.h"
#include "RowEpilogue.h"
#include "TileKinds.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace stof;

#define DEBUG_TYPE "stof-emit-kernels"

/// A key tile is a multiple of the K extent of an MMA tile.
static constexpr int64_t keyUnit = 16;

namespace {

/// Builds the body of either kernel. Members are declared in the order in which
/// the prologue emits their code.
class AttentionKernel {
public:
  AttentionKernel(const AttentionContext &context, const CtaTile &cta,
                  Value numQueries, const AttentionPartials &partials);

  /// Emits the mainloops and the epilogue.
  LogicalResult emit();
  /// Emits the combination of all splits and the epilogue.
  void emitCombine();

private:
  /// The state before the first key.
  SoftmaxState start();

  /// Iterates over the key tiles that the layout visits: first over plain
  /// tiles, then over the tiles of each lattice. With a row stride there is one
  /// mainloop, over the keys with unmasked positions for the queries of the row
  /// tile.
  FailureOr<SoftmaxState> iterateLayout(SoftmaxState state);
  SoftmaxState iterateTileList(const SoftmaxState &state, ValueRange operands);
  /// Iterates over the pages of the sequence of the row tile.
  SoftmaxState iteratePages(const SoftmaxState &state);
  FailureOr<SoftmaxState> iterateClosedForm(SoftmaxState state,
                                            ValueRange operands);
  SoftmaxState iterateView(const SoftmaxState &state, const KeyView &view,
                           KeyTileIterator &iterator);
  /// Iterates over the partial tiles of a view, then over the full ones.
  SoftmaxState iterateKinds(const SoftmaxState &state, KeyView view,
                            const TileKinds &kinds, ValueRange symbols);
  /// Iterates over the `visited` tiles of a view.
  KeyTileIterator makeIterator(const KeyView &view, ArrayAttr visited,
                               ArrayAttr partial, ValueRange symbols);
  /// Iterates over all keys: for the rows that `emptyRows` marks, under the
  /// mask of these if there is one, or, if it is null, over this split's keys
  /// for all rows under the mask.
  SoftmaxState iterateAllKeys(const SoftmaxState &state, Value emptyRows);
  /// Iterates over all keys of an attention without a mask: only the last tile
  /// is tested for out-of-bounds keys.
  SoftmaxState iterateUnmasked(const SoftmaxState &state);
  /// The test of a tile with keys beyond the first `count`.
  TileCase getEndCase(OpBuilder &builder, Value firstKey, Value count);
  using StepFunction = llvm::function_ref<SoftmaxState(
      OpBuilder &, Value firstKey, const SoftmaxState &)>;
  /// Iterates over `numKeys` keys tile by tile, or over this split's share of
  /// them if `isSplit` is set.
  SoftmaxState iterateRange(const SoftmaxState &state, Value numKeys,
                            bool isSplit, StepFunction takeStep);
  /// The keys whose distance from the queries has the residue of the layout.
  KeyView viewResidueClass(LayoutAttr layout);
  KeyTile getKeyTile(OpBuilder &builder, const KeyView &view,
                     KeyTileIterator &iterator, Value position);

  /// One mainloop iteration: the update by a key tile.
  SoftmaxState step(OpBuilder &builder, const KeyView &view,
                    const KeyTile &keys, const SoftmaxState &state,
                    Value emptyRows);
  /// The products of the queries and of a key tile, slice by slice of the head
  /// dim.
  Value multiplyKeys(OpBuilder &builder, const KeyView &view,
                     const KeyTile &keys);
  /// Loads `features` features of a key tile of K or V.
  Value loadKeys(OpBuilder &builder, const KeyView &view, const KeyTile &keys,
                 Value buffer, int64_t features, Value firstFeature);

  /// Applies `empty_rows` to fully masked rows, and adds sinks that come last.
  SoftmaxState finishRows(SoftmaxState state);
  SoftmaxState iterateEmptyRows(const SoftmaxState &state, Value empty);
  /// Stores the results.
  void store(const SoftmaxState &state);
  /// Stores the partial results of a split, or the results of unsplit rows.
  void storeSplit(const SoftmaxState &state);

  const AttentionContext &context;
  AttentionOp op;
  const AttentionTile &tile;
  OpBuilder &body;
  Location loc;
  const CtaTile &cta;
  QueryTile queries;
  KeyView allKeys;
  LogitScale scale;
  LogitEmitter logits;
  MaskTests masks;
  OnlineSoftmax softmax;
  RowEpilogue epilogue;
  SplitKV splitKV;
  /// All rows of Q that a row tile may take, and those of this one, unless they
  /// are loaded in slices of the head dim.
  Value queryRows, queryTile;
};

} // namespace

AttentionKernel::AttentionKernel(const AttentionContext &context,
                                 const CtaTile &cta, Value numQueries,
                                 const AttentionPartials &partials)
    : context(context), op(context.getOp()), tile(context.tile),
      body(context.kernel.body()), loc(context.loc), cta(cta),
      queries(context, cta, numQueries),
      allKeys(KeyView::getAll(context, cta.row)),
      scale(LogitScale::get(context)), logits(context, cta, queries, scale),
      masks(context), softmax(context, scale),
      epilogue(context, cta, queries, scale, softmax, allKeys.positions.count),
      splitKV(context, cta, partials),
      queryRows(queries.viewRows(queries.getBuffer())) {
  if (tile.headDimSlices == 1)
    queryTile = queries.load(body, queryRows, context.kernel.index(0));
}

LogicalResult AttentionKernel::emit() {
  if (!op.getLayout()) {
    storeSplit(iterateAllKeys(start(), /*emptyRows=*/{}));
    return success();
  }
  FailureOr<SoftmaxState> state = iterateLayout(start());
  if (failed(state))
    return failure();
  storeSplit(*state);
  return success();
}

void AttentionKernel::emitCombine() {
  store(finishRows(splitKV.combine(softmax, start())));
}

//===----------------------------------------------------------------------===//
// Mainloop
//===----------------------------------------------------------------------===//

SoftmaxState AttentionKernel::start() {
  Value max = createNegativeInfinity(body, loc), sum = createF32(body, loc, 0);
  if (op.getSinks() && !epilogue.addsSinksLast()) {
    // With split-KV the sinks join in the combine kernel.
    if (!cta.split) {
      max = epilogue.getSinks();
      sum = createF32(body, loc, 1);
    } else if (Value isSplit = cta.split->applies) {
      max = mapElements(body, loc, context.getRowType(), epilogue.getSinks(),
                        [&, none = max](OpBuilder &inner, ValueRange,
                                        ValueRange in) -> Value {
                          return arith::SelectOp::create(inner, loc, isSplit,
                                                         none, in[0]);
                        });
      sum = arith::SelectOp::create(body, loc, isSplit, sum,
                                    createF32(body, loc, 1));
    }
  }
  return softmax.start(body, max, sum);
}

SoftmaxState AttentionKernel::step(OpBuilder &builder, const KeyView &view,
                                   const KeyTile &keys,
                                   const SoftmaxState &state, Value emptyRows) {
  Value products = multiplyKeys(builder, view, keys);
  Value x = logits.emit(builder, view, keys, products, emptyRows);
  auto [next, weights] = softmax.addTile(builder, state, x);
  Value values = loadKeys(builder, view, keys, view.value, tile.valueFeatures,
                          cta.firstFeature);
  next.accumulator = tile::ContractOp::create(
      builder, loc, next.accumulator.getType(), weights, values,
      next.accumulator, /*transpose_lhs=*/false, /*transpose_rhs=*/false);
  return next;
}

Value AttentionKernel::multiplyKeys(OpBuilder &builder, const KeyView &view,
                                    const KeyTile &keys) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value none = tile::SplatOp::create(
      builder, loc, context.getFragmentType(tile.keys, builder.getF32Type()),
      createF32(builder, loc, 0));
  auto multiply = [&](OpBuilder &at, Value rows, Value firstFeature,
                      Value accumulator) -> Value {
    Value columns =
        loadKeys(at, view, keys, view.key, tile.features, firstFeature);
    return tile::ContractOp::create(at, loc, accumulator.getType(), rows,
                                    columns, accumulator,
                                    /*transpose_lhs=*/false,
                                    /*transpose_rhs=*/true);
  };
  if (tile.headDimSlices == 1)
    return multiply(builder, queryTile, zero, none);
  Value end = arith::ConstantIndexOp::create(
      builder, loc, tile.headDimSlices * tile.features);
  Value slice = arith::ConstantIndexOp::create(builder, loc, tile.features);
  return scf::ForOp::create(
             builder, loc, zero, end, slice, none,
             [&](OpBuilder &inner, Location, Value first, ValueRange carried) {
               Value rows = queries.load(inner, queryRows, first);
               scf::YieldOp::create(inner, loc,
                                    multiply(inner, rows, first, carried[0]));
             })
      .getResult(0);
}

Value AttentionKernel::loadKeys(OpBuilder &builder, const KeyView &view,
                                const KeyTile &keys, Value buffer,
                                int64_t features, Value firstFeature) {
  auto type = tile::SharedType::get(builder.getContext(), {tile.keys, features},
                                    context.element);
  SmallVector<Value> indices{view.batch, view.head};
  llvm::append_range(indices, keys.pages.empty() ? ArrayRef(keys.firstKey)
                                                 : ArrayRef(keys.pages));
  indices.push_back(firstFeature);
  return tile::LoadOp::create(
      builder, loc, type, buffer, indices, /*condition=*/Value(),
      /*buffer=*/Value(),
      builder.getDenseI64ArrayAttr(
          {AttentionOp::Position, AttentionOp::Feature}),
      builder.getI64IntegerAttr(std::max<int64_t>(keys.pages.size(), 1)));
}

SoftmaxState AttentionKernel::iterateAllKeys(const SoftmaxState &state,
                                             Value emptyRows) {
  bool isDense = !emptyRows && !op.getMask();
  if (isDense && !allKeys.isFilled && !tile.overlaps)
    return iterateUnmasked(state);
  PositionTest test = emptyRows ? masks.getEmptyRows() : masks.getWhole();
  return iterateRange(
      state, allKeys.positions.getCount(body, loc), /*isSplit=*/!emptyRows,
      [&](OpBuilder &builder, Value firstKey, const SoftmaxState &before) {
        KeyTile keys{firstKey, /*pages=*/{}, /*cases=*/{}, test};
        return step(builder, allKeys, keys, before, emptyRows);
      });
}

SoftmaxState AttentionKernel::iterateUnmasked(const SoftmaxState &state) {
  Value count = allKeys.positions.getCount(body, loc);
  return iterateRange(
      state, count, /*isSplit=*/true,
      [&](OpBuilder &builder, Value firstKey, const SoftmaxState &before) {
        KeyTile keys{firstKey};
        keys.cases.push_back(getEndCase(builder, firstKey, count));
        return step(builder, allKeys, keys, before, /*emptyRows=*/{});
      });
}

TileCase AttentionKernel::getEndCase(OpBuilder &builder, Value firstKey,
                                     Value count) {
  Value end = arith::AddIOp::create(
      builder, loc, firstKey,
      arith::ConstantIndexOp::create(builder, loc, tile.keys));
  Value isCut = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                      end, count);
  return {isCut, {/*isMasked=*/true, /*checksEnd=*/true, /*code=*/nullptr}};
}

SoftmaxState AttentionKernel::iterateRange(const SoftmaxState &state,
                                           Value numKeys, bool isSplit,
                                           StepFunction takeStep) {
  Value begin = context.kernel.index(0), end = numKeys;
  if (cta.split && isSplit) {
    Value unit = context.kernel.index(tile.keys);
    Value endTile = body.createOrFold<arith::CeilDivUIOp>(loc, numKeys, unit);
    cta.split->cut(body, loc, begin, endTile);
    begin = arith::MulIOp::create(body, loc, begin, unit);
    end = body.createOrFold<arith::MinSIOp>(
        loc, arith::MulIOp::create(body, loc, endTile, unit), numKeys);
  }
  auto loop = scf::ForOp::create(
      body, loc, begin, end, context.kernel.index(tile.keys), state.getValues(),
      [&](OpBuilder &builder, Location, Value firstKey, ValueRange carried) {
        SoftmaxState next =
            takeStep(builder, firstKey, SoftmaxState::get(carried));
        scf::YieldOp::create(builder, loc, next.getValues());
      });
  return SoftmaxState::get(loop.getResults());
}

FailureOr<SoftmaxState> AttentionKernel::iterateLayout(SoftmaxState state) {
  auto operands =
      llvm::map_to_vector(op.getLayoutOperands(), [&](Value operand) {
        return context.getArgument(operand);
      });
  if (op.getLayout()->getStorage() == LayoutStorage::ClosedForm)
    return iterateClosedForm(state, operands);
  if (op.getLayout()->getStorage() == LayoutStorage::PageTable)
    return iteratePages(state);
  return iterateTileList(state, operands);
}

SoftmaxState AttentionKernel::iteratePages(const SoftmaxState &state) {
  PageTable table(context, cta.row);
  KeyView view = allKeys;
  view.positions.count = table.getLength();
  view.isFilled = false;
  return iterateRange(
      state, table.getLength(), /*isSplit=*/true,
      [&](OpBuilder &builder, Value firstKey, const SoftmaxState &before) {
        KeyTile keys{firstKey, table.getPages(builder, firstKey)};
        keys.cases.push_back(getEndCase(builder, firstKey, table.getLength()));
        return step(builder, view, keys, before, /*emptyRows=*/{});
      });
}

SoftmaxState AttentionKernel::iterateTileList(const SoftmaxState &state,
                                              ValueRange operands) {
  KeyView view = allKeys;
  view.partial = {{/*intervals=*/{}, masks.getWhole()}};
  if (op.getLayout()->getStorage() == LayoutStorage::Tables)
    view.bitmaps = operands[2];
  auto iterate = [&](const SoftmaxState &before, LayoutAttr::Range first,
                     LayoutAttr::Range last) {
    KeyTileIterator iterator(body, loc, cta.row, operands[0], operands[1],
                             first, last);
    if (cta.split)
      iterator.cut(body, *cta.split);
    return iterateView(before, view, iterator);
  };
  if (!TileKinds::areApartInLists(op, tile))
    return iterate(state, LayoutAttr::FirstPartial, LayoutAttr::EndOfRow);
  view.kind = KeyView::Kind::Partial;
  SoftmaxState next =
      iterate(state, LayoutAttr::FirstPartial, LayoutAttr::FirstFull);
  view.kind = KeyView::Kind::Full;
  return iterate(next, LayoutAttr::FirstFull, LayoutAttr::EndOfRow);
}

FailureOr<SoftmaxState>
AttentionKernel::iterateClosedForm(SoftmaxState state, ValueRange operands) {
  LayoutAttr layout = *op.getLayout();
  SmallVector<Value> symbols =
      readSymbols(body, loc, layout, cta.row, operands);
  // Reserved: views keep pointers to iterators and to preceding views.
  unsigned count = 1 + (layout.getLattices() ? layout.getLattices().size() : 0);
  std::vector<KeyTileIterator> iterators;
  std::vector<KeyView> views;
  iterators.reserve(count);
  views.reserve(count);
  auto iterate = [&](KeyView view, ArrayAttr visited, ArrayAttr partial,
                     int64_t offset) -> LogicalResult {
    assert(iterators.size() < count && "views keep pointers to iterators");
    iterators.push_back(makeIterator(view, visited, partial, symbols));
    FailureOr<SmallVector<PartialCase>> cases = masks.reduce(
        visited, partial, view.positions.stride, offset, view.isFilled);
    if (failed(cases))
      return failure();
    view.iterator = &iterators.back();
    view.earlier = views;
    view.partial = *cases;
    std::optional<TileKinds> kinds;
    if (!cases->empty())
      kinds = TileKinds::get(op, tile, visited, partial);
    state = kinds ? iterateKinds(state, view, *kinds, symbols)
                  : iterateView(state, view, iterators.back());
    views.push_back(view);
    return success();
  };
  if (layout.getVisited() &&
      failed(iterate(viewResidueClass(layout), layout.getVisited(),
                     layout.getPartial(), /*offset=*/0)))
    return failure();
  if (!layout.getLattices())
    return state;
  for (auto lattice : layout.getLattices().getAsRange<LatticeAttr>()) {
    KeyView view = allKeys.getLattice(context, lattice.getStride(),
                                      body.getIndexAttr(lattice.getOffset()));
    if (failed(iterate(view, lattice.getVisited(), lattice.getPartial(),
                       lattice.getOffset())))
      return failure();
  }
  return state;
}

KeyTileIterator AttentionKernel::makeIterator(const KeyView &view,
                                              ArrayAttr visited,
                                              ArrayAttr partial,
                                              ValueRange symbols) {
  Value keyTiles = body.createOrFold<arith::CeilDivUIOp>(
      loc, view.positions.getCount(body, loc), context.kernel.index(tile.keys));
  KeyTileIterator iterator(body, loc, visited, partial, cta.row, keyTiles,
                           symbols);
  if (cta.split)
    iterator.cut(body, *cta.split);
  return iterator;
}

SoftmaxState AttentionKernel::iterateKinds(const SoftmaxState &state,
                                           KeyView view, const TileKinds &kinds,
                                           ValueRange symbols) {
  KeyTileIterator partial =
      makeIterator(view, kinds.partial, kinds.cases, symbols);
  view.kind = KeyView::Kind::Partial;
  SoftmaxState next = iterateView(state, view, partial);
  KeyTileIterator full =
      makeIterator(view, kinds.full, /*partial=*/{}, symbols);
  view.kind = KeyView::Kind::Full;
  return iterateView(next, view, full);
}

KeyView AttentionKernel::viewResidueClass(LayoutAttr layout) {
  const std::optional<StridedPositions> &rows = queries.getResidueClass();
  if (!rows)
    return allKeys;
  Value stride = context.kernel.index(rows->stride);
  Value shifted = body.createOrFold<arith::AddIOp>(
      loc, getValueOrCreateConstantIndexOp(body, loc, rows->offset),
      context.kernel.index(rows->stride - layout.getResidue()));
  return allKeys.getLattice(
      context, rows->stride,
      body.createOrFold<arith::RemUIOp>(loc, shifted, stride));
}

SoftmaxState AttentionKernel::iterateView(const SoftmaxState &state,
                                          const KeyView &view,
                                          KeyTileIterator &iterator) {
  SmallVector<Value> inits{iterator.getFirst(body)};
  llvm::append_range(inits, state.getValues());
  auto loop = scf::WhileOp::create(
      body, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value more =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                  carried[0], iterator.getEnd());
        scf::ConditionOp::create(builder, loc, more, carried);
      },
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value position = carried[0];
        SoftmaxState next =
            step(builder, view, getKeyTile(builder, view, iterator, position),
                 SoftmaxState::get(carried.drop_front()), /*emptyRows=*/{});
        SmallVector<Value> yielded{iterator.getNext(builder, position)};
        llvm::append_range(yielded, next.getValues());
        scf::YieldOp::create(builder, loc, yielded);
      });
  return SoftmaxState::get(loop.getResults().drop_front());
}

KeyTile AttentionKernel::getKeyTile(OpBuilder &builder, const KeyView &view,
                                    KeyTileIterator &iterator, Value position) {
  KeyTile keys;
  keys.firstKey = arith::MulIOp::create(
      builder, loc, iterator.getKeyTile(builder, position),
      arith::ConstantIndexOp::create(builder, loc, tile.keys));
  if (view.kind == KeyView::Kind::Full)
    return keys;
  ArrayRef<PartialCase> cases = view.partial;
  if (view.kind == KeyView::Kind::Partial) {
    keys.otherwise = cases.back().test;
    cases = cases.drop_back();
  }
  for (const PartialCase &partial : cases)
    keys.cases.push_back(
        {iterator.isPartial(builder, position, partial.intervals),
         partial.test});
  if (view.bitmaps)
    keys.bitmap = iterator.getBitmap(builder, position);
  return keys;
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

SoftmaxState AttentionKernel::finishRows(SoftmaxState state) {
  if (!epilogue.findsEmptyRows())
    return state;
  Value empty = epilogue.findEmptyRows(state);
  if (op.getEmptyRows() != EmptyRows::NaN)
    state = iterateEmptyRows(state, empty);
  return op.getSinks() ? epilogue.addSinks(state, empty) : state;
}

SoftmaxState AttentionKernel::iterateEmptyRows(const SoftmaxState &state,
                                               Value empty) {
  Value any = tile::AnyOp::create(body, loc, empty);
  SmallVector<Value> values = state.getValues();
  auto branch = scf::IfOp::create(body, loc, TypeRange(ValueRange(values)), any,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(body);
  body.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(body, loc, iterateAllKeys(state, empty).getValues());
  body.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(body, loc, values);
  return SoftmaxState::get(branch.getResults());
}

void AttentionKernel::storeSplit(const SoftmaxState &state) {
  if (!cta.split)
    return store(finishRows(state));
  if (!cta.split->applies)
    return splitKV.store(state);
  auto branch = scf::IfOp::create(body, loc, cta.split->applies,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(body);
  body.setInsertionPointToStart(branch.thenBlock());
  splitKV.store(state);
  body.setInsertionPointToStart(branch.elseBlock());
  store(finishRows(state));
}

/// The `tile` with contiguous elements in each lane, if they are narrow: a lane
/// would store two of them at once, and four lanes half a sector of 32 bytes.
static Value makeContiguous(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<tile::FragmentType>(tile.getType());
  auto layout = dyn_cast<tile::MmaAttr>(type.getLayout());
  if (!layout || type.getElementTypeBitWidth() != 16)
    return tile;
  auto runs = tile::MmaRunsAttr::get(builder.getContext(), layout.getRows(),
                                     layout.getColumns());
  if (type.getShape()[1] % runs.getUnitAlong(1) != 0)
    return tile;
  auto contiguous = tile::FragmentType::get(
      builder.getContext(), type.getShape(), type.getElementType(), runs);
  return tile::ConvertOp::create(builder, loc, contiguous, tile);
}

void AttentionKernel::store(const SoftmaxState &state) {
  Value out = makeContiguous(body, loc, epilogue.normalize(state));
  tile::StoreOp::create(
      body, loc, out, queries.viewRows(context.getArgument(op.getOut())),
      ValueRange{cta.row.batch, cta.row.head, queries.getFirst(),
                 cta.firstFeature},
      body.getDenseI64ArrayAttr({AttentionOp::Position, AttentionOp::Feature}));
  if (!op.getLse())
    return;
  Value lse = epilogue.getLogSumExp(state);
  tile::StoreOp::create(
      body, loc, lse, queries.viewRows(context.getArgument(op.getLse())),
      ValueRange{cta.row.batch, cta.row.head, queries.getFirst()},
      body.getDenseI64ArrayAttr({AttentionOp::Position}));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult stof::verifyTile(AttentionOp op, const TargetInfo *target) {
  std::optional<AttentionTileAttr> tile = op.getTile();
  if (!tile || llvm::is_contained(listAttentionTiles(op, target), *tile))
    return success();
  return op.emitOpError() << "cannot be compiled: expects a tile that "
                             "`stof-list-schedules` prints, but got "
                          << *tile;
}

static LogicalResult verify(AttentionOp op, const AttentionTile &tile,
                            const TargetInfo *target) {
  if (failed(verifyTile(op, target)))
    return failure();
  // Only run-time layouts evaluate the whole mask: constant tables have
  // bitmaps, and a closed form has reduced masks, which are checked on their
  // own.
  std::optional<LayoutAttr> layout = op.getLayout();
  bool isEvaluated = layout && layout->getStorage() == LayoutStorage::RunTime;
  if (op.getMask() && failed(MaskCode::verify(op, op.getMask(), isEvaluated)))
    return failure();
  if (layout && layout->getStorage() == LayoutStorage::PageTable &&
      !op.getPageTable())
    return op.emitOpError()
           << "cannot be compiled: expects a block list with lengths for a "
              "layout of storage page_table, but got a mask by "
           << op.getMaskDefinition()->getName();
  if (Value mask = op.getEmptyRowsMask();
      mask && failed(MaskCode::verify(op, mask, /*isEvaluated=*/true)))
    return failure();
  for (ShapedType type : {op.getQueryType(), op.getValueType()})
    if (type.isDynamicDim(AttentionOp::Feature))
      return op.emitOpError() << "cannot be compiled: expects a static number "
                                 "of features, but got "
                              << type;
  if (tile.queries % attentionRowUnit != 0 || tile.keys % keyUnit != 0)
    return op.emitOpError()
           << "cannot be compiled: expects a layout in tiles of multiples of "
           << attentionRowUnit << ", but got " << tile.queries << " x "
           << tile.keys;
  return success();
}

/// Reports heads whose features are sliced, as a remark.
static void reportSlices(const AttentionContext &context) {
  const AttentionTile &tile = context.tile;
  if (tile.headDimSlices == 1 && tile.valueSlices == 1)
    return;
  remark::analysis(context.loc,
                   remark::RemarkOpts::name("WideHeads").category(DEBUG_TYPE))
      << remark::metric("HeadDimSlices", tile.headDimSlices)
      << remark::metric("ValueSlices", tile.valueSlices)
      << remark::reason(
             "the shared memory of a CTA does not fit all features of queries "
             "and keys, or its registers do not fit all features of values");
}

static void setSchedule(const AttentionContext &context,
                        const TargetInfo *target) {
  const AttentionTile &tile = context.tile;
  SmallVector<std::pair<StringRef, int64_t>> sizes{
      {"queries", tile.queries},
      {"keys", tile.keys},
      {"features", tile.features},
      {"value_features", tile.valueFeatures}};
  if (context.getNumSplits() > 1)
    sizes.push_back({"splits", context.getNumSplits()});
  if (tile.headDimSlices > 1)
    sizes.push_back({"head_dim_slices", tile.headDimSlices});
  if (tile.valueSlices > 1)
    sizes.push_back({"value_slices", tile.valueSlices});
  if (tile.producers > 0)
    sizes.push_back({producersEntry, tile.producers});
  if (tile.overlaps)
    sizes.push_back({overlapsEntry, 1});
  if (tile.resident > 0)
    sizes.push_back({residentEntry, tile.resident});
  if (tile.dynamic)
    sizes.push_back({dynamicEntry, 1});
  if (takesPairs(context.getOp(), tile))
    sizes.push_back({runEntry, 2});
  // Several small CTAs on an SM hide each other's latencies. Persistent ones
  // have a number of their own, and warpgroups of producers exchange registers.
  if (tile.resident == 0 && tile.warps == tile::warpsPerGroup &&
      usesWarpgroups(context.getOp(), tile, target))
    sizes.push_back(
        {ctasPerSMEntry, countResident(context.getOp(), tile, *target,
                                       countMaskRegisters(context.getOp()))});
  context.kernel.setSchedule("block-wise", sizes);
}

/// Marks the argument of `kernel` by which CTAs claim row tiles.
static void markCounter(KernelBuilder &kernel, Value counter) {
  auto argument = cast<BlockArgument>(kernel.getArgument(counter));
  kernel.getKernel().setArgAttr(argument.getArgNumber(), counterAttrName,
                                kernel.body().getUnitAttr());
}

int64_t stof::attentionWarps(AttentionOp op) {
  return getKernelTile(op, /*target=*/nullptr).warps;
}

LogicalResult stof::emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const AttentionPartials &partials,
                                        Value counter,
                                        const TargetInfo *target) {
  AttentionTile tile = getKernelTile(op, target);
  if (failed(verify(op, tile, target)))
    return failure();
  AttentionContext context(kernel, op, tile);
  reportSlices(context);
  setSchedule(context, target);
  AttentionGrid grid(context);
  CtaTile cta = grid.bind();
  AttentionKernel body(context, cta, grid.getNumQueries(), partials);
  if (failed(body.emit()))
    return failure();
  if (counter)
    markCounter(kernel, counter);
  return kernel.launch(grid.getSizes());
}

Value stof::allocateCounter(OpBuilder &host, AttentionOp op) {
  if (!usesCounter(op))
    return {};
  return memref::AllocOp::create(host, op.getLoc(),
                                 MemRefType::get({1}, host.getI32Type()));
}

LogicalResult stof::emitResetKernel(KernelBuilder &kernel, Value counter) {
  kernel.setNumWarps(1);
  kernel.setSchedule("reset", {{"elements", 1}});
  OpBuilder &body = kernel.body();
  Value none = arith::ConstantIntOp::create(body, kernel.loc(), 0, 32);
  memref::StoreOp::create(body, kernel.loc(), none, kernel.getArgument(counter),
                          kernel.index(0));
  return kernel.launch(OpFoldResult(kernel.host().getIndexAttr(1)));
}

LogicalResult stof::emitCombineKernel(KernelBuilder &kernel, AttentionOp op,
                                      const AttentionPartials &partials,
                                      const TargetInfo *target) {
  AttentionContext context(kernel, op, getCombineTile(op, target));
  kernel.setSchedule("combine", {{"queries", context.tile.queries},
                                 {"value_features", context.tile.valueFeatures},
                                 {"splits", context.getNumSplits()}});
  AttentionGrid grid(context);
  CtaTile cta = grid.bindCombine();
  AttentionKernel body(context, cta, grid.getNumQueries(), partials);
  body.emitCombine();
  return kernel.launch(grid.getCombineSizes());
}
