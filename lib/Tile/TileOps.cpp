//===----------------------------------------------------------------------===//
// Verifiers and builders of the tile operations.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Roles.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stof::tile;

#define GET_OP_CLASSES
#include "stof/Tile/TileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The common constraints of loads and stores; `name` is the memory operand.
static LogicalResult verifyAccess(Operation *op, StringRef name,
                                  MemRefType memory, ShapedType tile,
                                  OperandRange indices, ArrayRef<int64_t> along,
                                  int64_t blocks = 1) {
  // (L5), (D5)
  if (blocks < 1 || tile.getDimSize(0) % blocks != 0 ||
      (blocks > 1 && !isa<SharedType>(tile)))
    return op->emitOpError() << "expects a shared tile whose rows are blocks "
                                "of equal size, but got "
                             << blocks << " of " << tile;
  // (L1), (S1), (D1)
  int64_t expected = memory.getRank() + blocks - 1;
  if (static_cast<int64_t>(indices.size()) != expected)
    return op->emitOpError() << "expects " << expected << " indices for "
                             << memory << ", but got " << indices.size();
  // (L2), (S2), (D2)
  if (along.size() != tile.getShape().size())
    return op->emitOpError()
           << "expects along to name " << tile.getShape().size()
           << " dimensions for " << tile << ", but got " << along.size();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : along)
    if (dim < 0 || dim >= memory.getRank() || !seen.insert(dim).second)
      return op->emitOpError() << "expects along to name distinct dimensions "
                                  "of "
                               << name << ", but got [" << along << "]";
  // (L3), (S3), (D3)
  if (tile.getElementType() != memory.getElementType())
    return op->emitOpError() << "expects the tile and " << name
                             << " to have one element type, but got " << tile
                             << " and " << memory;
  return success();
}

/// Accesses transposed memory in the order that it has.
static LogicalResult accessUntransposed(PatternRewriter &rewriter,
                                        Operation *op, OpOperand &memory,
                                        MutableOperandRange indices,
                                        DenseI64ArrayAttr along,
                                        int64_t blocks = 1) {
  auto view = memory.get().getDefiningOp<memref::TransposeOp>();
  if (!view)
    return failure();
  AffineMap order = view.getPermutation();
  // The dimension of blocks has an index of each.
  SmallVector<ValueRange> ofDims(order.getNumDims());
  ValueRange left = static_cast<OperandRange>(indices);
  for (unsigned dim = 0; dim < order.getNumDims(); ++dim) {
    size_t count = dim == along[0] ? blocks : 1;
    ofDims[order.getDimPosition(dim)] = left.take_front(count);
    left = left.drop_front(count);
  }
  SmallVector<Value> untransposed;
  for (ValueRange ofDim : ofDims)
    llvm::append_range(untransposed, ofDim);
  auto moved =
      llvm::map_to_vector(along.asArrayRef(), [&](int64_t dim) -> int64_t {
        return order.getDimPosition(dim);
      });
  rewriter.modifyOpInPlace(op, [&] {
    memory.set(view.getIn());
    indices.assign(untransposed);
    op->setAttr("along", rewriter.getDenseI64ArrayAttr(moved));
  });
  return success();
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Type type,
                   Value source, ValueRange indices, DenseI64ArrayAttr along) {
  build(builder, state, type, source, indices, /*condition=*/Value(),
        /*buffer=*/Value(), along);
}

LogicalResult LoadOp::verify() {
  // (L4)
  if ((getCondition() || getBuffer()) &&
      !isa<SharedType>(getResult().getType()))
    return emitOpError()
           << "expects a shared tile with a condition or a buffer, "
              "but got "
           << getResult().getType();
  return verifyAccess(*this, "source", cast<MemRefType>(getSource().getType()),
                      cast<ShapedType>(getResult().getType()), getIndices(),
                      getAlong(), getBlocks());
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  return accessUntransposed(rewriter, op, op.getSourceMutable(),
                            op.getIndicesMutable(), op.getAlongAttr(),
                            op.getBlocks());
}

LogicalResult AwaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                        ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange,
                                        SmallVectorImpl<Type> &types) {
  // (A1)
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult StoreOp::verify() {
  return verifyAccess(
      *this, "destination", cast<MemRefType>(getDestination().getType()),
      cast<ShapedType>(getTile().getType()), getIndices(), getAlong());
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  return accessUntransposed(rewriter, op, op.getDestinationMutable(),
                            op.getIndicesMutable(), op.getAlongAttr());
}

LogicalResult ConvertOp::verify() {
  // (V1)
  auto source = cast<ShapedType>(getSource().getType());
  auto result = cast<ShapedType>(getResult().getType());
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError() << "expects one shape and element type, but got "
                         << source << " and " << result;
  return success();
}

LogicalResult SliceOp::verify() {
  auto source = cast<FragmentType>(getSource().getType());
  auto result = cast<FragmentType>(getResult().getType());
  // (C1)
  bool isAlike = source.getShape().size() == 2 &&
                 result.getShape().size() == 2 &&
                 source.getShape()[0] == result.getShape()[0] &&
                 source.getElementType() == result.getElementType() &&
                 source.getLayout() == result.getLayout();
  if (!isAlike || source.getLayout().getWarpsAlong(1) != 1)
    return emitOpError() << "expects columns of a fragment whose warps divide "
                            "its rows only, but got "
                         << source << " and " << result;
  // (C2)
  int64_t column = getColumn(), unit = source.getLayout().getUnitAlong(1);
  if (column < 0 || column % unit != 0 ||
      column + result.getShape()[1] > source.getShape()[1])
    return emitOpError() << "expects " << result.getShape()[1]
                         << " columns from a multiple of " << unit
                         << " on, within " << source.getShape()[1]
                         << ", but got column " << column;
  return success();
}

SharedType ConvertOp::getSharedType() {
  if (auto result = dyn_cast<SharedType>(getResult().getType()))
    return result;
  FragmentType source = getSource().getType();
  auto to = dyn_cast<MmaRunsAttr>(
      cast<FragmentType>(getResult().getType()).getLayout());
  if (auto from = dyn_cast<MmaAttr>(source.getLayout());
      from && to && from.getRows() == to.getRows() &&
      from.getColumns() == to.getColumns())
    return {};
  SmallVector<int64_t> shape(source.getShape());
  if (shape.size() == 1)
    shape.insert(shape.begin(), 1);
  unsigned bits = 8 * getElementBytes(source.getElementType());
  return SharedType::get(getContext(), shape,
                         IntegerType::get(getContext(), bits));
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getSource().getType() == getResult().getType() ? getSource() : Value();
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

void MapOp::build(OpBuilder &builder, OperationState &state, TypeRange types,
                  ValueRange inputs,
                  function_ref<SmallVector<Value>(OpBuilder &, Location,
                                                  ValueRange, ValueRange)>
                      body) {
  state.addOperands(inputs);
  state.addTypes(types);
  unsigned rank = cast<ShapedType>(types.front()).getShape().size();
  SmallVector<Type> arguments(rank, builder.getIndexType());
  for (Value input : inputs)
    arguments.push_back(getElementTypeOrSelf(input.getType()));
  SmallVector<Location> locations(arguments.size(), state.location);
  OpBuilder::InsertionGuard guard(builder);
  Block *block =
      builder.createBlock(state.addRegion(), {}, arguments, locations);
  ValueRange all = block->getArguments();
  SmallVector<Value> yielded =
      body(builder, state.location, all.take_front(rank), all.drop_front(rank));
  YieldOp::create(builder, state.location, yielded);
}

LogicalResult MapOp::verify() {
  if (getNumResults() == 0)
    return emitOpError() << "expects at least one result, but got none";
  auto result = cast<FragmentType>(getResult(0).getType());
  // (P1)
  for (Type type : getResultTypes())
    if (auto other = cast<FragmentType>(type);
        other.getShape() != result.getShape() ||
        other.getLayout() != result.getLayout())
      return emitOpError()
             << "expects results of one shape and layout, but got " << result
             << " and " << other;
  // (P2)
  for (Type type : getInputs().getTypes()) {
    auto input = cast<FragmentType>(type);
    bool same = input.getShape() == result.getShape() &&
                input.getLayout() == result.getLayout();
    if (same)
      continue;
    auto slice = dyn_cast<SliceAttr>(input.getLayout());
    if (!slice || slice.getParent() != result.getLayout() ||
        input.getShape()[0] != result.getShape()[1 - slice.getDim()])
      return emitOpError() << "expects inputs of the results' shape and layout "
                              "or slices of them, but got "
                           << input << " for " << result;
  }
  return success();
}

LogicalResult MapOp::verifyRegions() {
  Block &body = getBody().front();
  // (P3)
  unsigned rank = cast<ShapedType>(getResult(0).getType()).getShape().size();
  SmallVector<Type> expected(rank, IndexType::get(getContext()));
  for (Value input : getInputs())
    expected.push_back(getElementTypeOrSelf(input.getType()));
  if (body.getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "expects a region of (" << TypeRange(expected)
                         << "), but got (" << body.getArgumentTypes() << ")";
  // (P4)
  SmallVector<Type> yielded;
  for (Type type : getResultTypes())
    yielded.push_back(getElementTypeOrSelf(type));
  TypeRange actual = body.getTerminator()->getOperandTypes();
  if (actual != TypeRange(yielded))
    return emitOpError() << "expects the region to yield ("
                         << TypeRange(yielded) << "), but got (" << actual
                         << ")";
  return success();
}

void VisitOp::build(
    OpBuilder &builder, OperationState &state, ArrayRef<int64_t> shape,
    BlockedAttr layout,
    function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  state.addAttribute(getShapeAttrName(state.name),
                     builder.getDenseI64ArrayAttr(shape));
  state.addAttribute(getLayoutAttrName(state.name), layout);
  SmallVector<Type> arguments(shape.size(), builder.getIndexType());
  SmallVector<Location> locations(shape.size(), state.location);
  OpBuilder::InsertionGuard guard(builder);
  Block *block =
      builder.createBlock(state.addRegion(), {}, arguments, locations);
  body(builder, state.location, block->getArguments());
  YieldOp::create(builder, state.location, ValueRange());
}

LogicalResult VisitOp::verify() {
  // (I1)
  return FragmentType::verify([&] { return emitOpError(); }, getShape(),
                              IntegerType::get(getContext(), 1), getLayout());
}

LogicalResult VisitOp::verifyRegions() {
  // (I2)
  Block &body = getBody().front();
  SmallVector<Type> expected(getShape().size(), IndexType::get(getContext()));
  if (body.getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "expects a region of (" << TypeRange(expected)
                         << "), but got (" << body.getArgumentTypes() << ")";
  if (body.getTerminator()->getNumOperands() != 0)
    return emitOpError() << "expects the region to yield nothing, but got ("
                         << body.getTerminator()->getOperandTypes() << ")";
  return success();
}

void ReduceOp::build(
    OpBuilder &builder, OperationState &state, Value source, int64_t dim,
    function_ref<Value(OpBuilder &, Location, Value, Value)> combine) {
  auto type = cast<FragmentType>(source.getType());
  auto layout = SliceAttr::get(builder.getContext(), dim, type.getLayout());
  state.addOperands(source);
  state.addTypes(FragmentType::get(builder.getContext(),
                                   type.getShape()[1 - dim],
                                   type.getElementType(), layout));
  state.getOrAddProperties<Properties>().dim = builder.getI64IntegerAttr(dim);
  OpBuilder::InsertionGuard guard(builder);
  Type element = type.getElementType();
  Block *block = builder.createBlock(state.addRegion(), {}, {element, element},
                                     {state.location, state.location});
  Value combined = combine(builder, state.location, block->getArgument(0),
                           block->getArgument(1));
  YieldOp::create(builder, state.location, combined);
}

LogicalResult ReduceOp::verify() {
  auto source = cast<FragmentType>(getSource().getType());
  auto result = cast<FragmentType>(getResult().getType());
  // (R1)
  int64_t dim = getDim();
  if (source.getShape().size() != 2 || dim < 0 || dim > 1)
    return emitOpError() << "expects to reduce along 0 or 1 of two dimensions, "
                            "but got "
                         << dim << " of " << source;
  // (R2)
  auto whole = FragmentType::get(
      getContext(), source.getShape()[1 - dim], source.getElementType(),
      SliceAttr::get(getContext(), dim, source.getLayout()));
  SmallVector<int64_t> unit(source.getShape());
  unit[dim] = source.getLayout().getUnitAlong(dim);
  auto partial = FragmentType::get(getContext(), unit, source.getElementType(),
                                   source.getLayout());
  if (result != whole && result != partial)
    return emitOpError() << "expects a result of " << whole << " or " << partial
                         << ", but got " << result;
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  // (R3)
  Block &body = getCombiner().front();
  Type element = getElementTypeOrSelf(getSource().getType());
  SmallVector<Type> expected(2, element);
  if (body.getArgumentTypes() != TypeRange(expected) ||
      body.getTerminator()->getOperandTypes() != TypeRange(element))
    return emitOpError() << "expects a region that combines two " << element
                         << " into one, but got (" << body.getArgumentTypes()
                         << ") -> (" << body.getTerminator()->getOperandTypes()
                         << ")";
  return success();
}

LogicalResult ContractOp::verify() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  auto rhs = cast<ShapedType>(getRhs().getType());
  auto acc = cast<FragmentType>(getAccumulator().getType());
  for (ShapedType operand : {lhs, rhs, cast<ShapedType>(acc)})
    if (operand.getShape().size() != 2)
      return emitOpError() << "expects tiles of rank 2, but got " << operand;
  // (T1)
  int64_t m = lhs.getDimSize(getTransposeLhs() ? 1 : 0);
  int64_t lhsK = lhs.getDimSize(getTransposeLhs() ? 0 : 1);
  int64_t rhsK = rhs.getDimSize(getTransposeRhs() ? 1 : 0);
  int64_t n = rhs.getDimSize(getTransposeRhs() ? 0 : 1);
  if (lhsK != rhsK || acc.getShape()[0] != m || acc.getShape()[1] != n)
    return emitOpError() << "expects M x K times K x N to give M x N, but got "
                         << m << " x " << lhsK << " times " << rhsK << " x "
                         << n << " for " << acc;
  // (T2)
  Type element = lhs.getElementType();
  if (element != rhs.getElementType() ||
      !(element.isF16() || element.isBF16() || element.isF32()))
    return emitOpError() << "expects operands of one type, f16, bf16 or f32, "
                            "but got "
                         << lhs << " and " << rhs;
  if (!acc.getElementType().isF32())
    return emitOpError() << "expects an accumulator of f32, but got " << acc;
  // (T3)
  auto mma = dyn_cast<MmaAttr>(acc.getLayout());
  if (!mma)
    return emitOpError() << "expects an accumulator with an mma layout, but "
                            "got "
                         << acc;
  auto fragment = dyn_cast<FragmentType>(getLhs().getType());
  if (fragment && (fragment.getLayout() != acc.getLayout() ||
                   mma.getColumns() != 1 || getTransposeLhs()))
    return emitOpError()
           << "expects lhs in registers to have the layout of the "
              "accumulator, with warps that divide the rows only, "
              "but got "
           << fragment << " and " << acc;
  return success();
}

LogicalResult AnyOp::verify() {
  // (N1)
  if (!getElementTypeOrSelf(getSource().getType()).isInteger(1))
    return emitOpError() << "expects elements of i1, but got "
                         << getSource().getType();
  return success();
}

/// Checks that `counter` is one number.
static LogicalResult verifyCounter(Operation *op, Value counter) {
  auto type = cast<MemRefType>(counter.getType());
  // (A1)
  if (!type.getElementType().isInteger(32) || !type.hasStaticShape() ||
      type.getNumElements() != 1 || !type.getLayout().isIdentity())
    return op->emitOpError()
           << "expects a counter of one i32, but got " << type;
  return success();
}

LogicalResult ClaimOp::verify() { return verifyCounter(*this, getCounter()); }

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

LogicalResult WgmmaOp::verify() {
  std::string reason =
      explainNoWgmma(cast<ShapedType>(getLhs().getType()), getRhs().getType(),
                     getAccumulator().getType().getFragment(),
                     getTransposeLhs(), getTransposeRhs());
  return reason.empty() ? success() : emitOpError() << reason;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Checks that `registers` can be the registers of each thread of `warps`
/// warps.
static LogicalResult verifyRegisters(WarpSpecializeOp op, int64_t registers,
                                     int64_t warps) {
  constexpr int64_t most = 256;
  if (registers < leastRegisters || registers > most ||
      registers % registerUnit != 0)
    return op.emitOpError() << "expects a multiple of " << registerUnit
                            << " from " << leastRegisters << " to " << most
                            << " registers, but got " << registers;
  if (warps % warpsPerGroup != 0)
    return op.emitOpError() << "expects registers for roles of whole "
                               "warpgroups, but got "
                            << warps << " warps";
  return success();
}

LogicalResult WarpSpecializeOp::verify() {
  // (Z1)
  int64_t consumers = getConsumerWarps(), producers = getProducerWarps();
  if (consumers < 1 || producers < 1)
    return emitOpError() << "expects warps in both roles, but got " << consumers
                         << " and " << producers;
  // (Z4)
  constexpr int64_t mostGroups = 6;
  int64_t groups = getConsumerGroups();
  if (groups < 1 || groups > mostGroups)
    return emitOpError() << "expects 1 to " << mostGroups
                         << " groups of consumers, but got " << groups;
  // (Z2)
  std::optional<int64_t> consumed = getConsumerRegisters();
  std::optional<int64_t> produced = getProducerRegisters();
  if (consumed.has_value() != produced.has_value())
    return emitOpError() << "expects registers for both roles or for none, but "
                            "got them for "
                         << (consumed ? "consumers" : "producers") << " only";
  if (consumed && (failed(verifyRegisters(*this, *consumed, consumers)) ||
                   failed(verifyRegisters(*this, *produced, producers))))
    return failure();
  // (Z3)
  Operation *next = (*this)->getNextNode();
  if (next && !next->hasTrait<OpTrait::IsTerminator>())
    return emitOpError() << "expects to end the kernel, but is followed by '"
                         << next->getName() << "'";
  return success();
}

int64_t WarpSpecializeOp::getNumGroups(Region &region) {
  return &region == &getConsumers() ? getConsumerGroups() : 1;
}

int64_t WarpSpecializeOp::getNumWarps(Region &region) {
  return &region == &getConsumers() ? getConsumerWarps() : getProducerWarps();
}

int64_t WarpSpecializeOp::getFirstWarp(Region &region) {
  return &region == &getConsumers() ? 0
                                    : getConsumerWarps() * getConsumerGroups();
}

/// (N1) Whether consumer warps run `op`.
static LogicalResult verifyConsumer(Operation *op) {
  Region *role = getRole(op->getBlock());
  if (role && role->getRegionNumber() == 0)
    return success();
  return op->emitOpError() << "expects consumer warps to run it";
}

LogicalResult ConsumerGroupOp::verify() { return verifyConsumer(*this); }

template <typename OpTy>
static LogicalResult verifyTurn(OpTy op) {
  if (failed(verifyConsumer(op)))
    return failure();
  // (N2)
  auto roles = cast<WarpSpecializeOp>(getRole(op->getBlock())->getParentOp());
  int64_t warps = roles.getConsumerWarps();
  if (!op.getWarpgroups() ||
      (roles.getConsumerGroups() == 1 && warps > warpsPerGroup &&
       warps % warpsPerGroup == 0))
    return success();
  return op.emitOpError() << "expects two or more whole warpgroups in one "
                             "group, but got "
                          << warps << " warps in each of "
                          << roles.getConsumerGroups();
}

LogicalResult BeginTurnOp::verify() { return verifyTurn(*this); }
LogicalResult EndTurnOp::verify() { return verifyTurn(*this); }

LogicalResult ReleaseOp::verify() {
  // (L1)
  if (Value after = getAfter())
    if (Type element = getElementTypeOrSelf(after.getType()); !element.isF32())
      return emitOpError() << "expects to be after f32, but got " << element;
  return success();
}

LogicalResult SendOp::verify() {
  // (D4)
  auto channel = getChannel().getDefiningOp<ChannelOp>();
  if (channel && channel.getBulk() != static_cast<bool>(getMap()))
    return emitOpError()
           << "expects a tensor map for bulk channels only, but got "
           << (getMap() ? "one for another" : "none for a bulk one");
  // (D1), (D2), (D3)
  return verifyAccess(*this, "source", cast<MemRefType>(getSource().getType()),
                      getChannel().getType().getTile(), getIndices(),
                      getAlong(), getBlocks());
}

/// Whether the tiles of `channel` are one number each.
static bool carriesNumbers(ChannelType channel) {
  SharedType tile = channel.getTile();
  return tile.getElementType().isInteger(32) &&
         llvm::all_of(tile.getShape(), [](int64_t size) { return size == 1; });
}

LogicalResult SendClaimOp::verify() {
  // (A2)
  ChannelType type = getChannel().getType();
  auto channel = getChannel().getDefiningOp<ChannelOp>();
  if (!carriesNumbers(type) ||
      (channel && (channel.getSenders() != 1 || channel.getBulk())))
    return emitOpError() << "expects a channel of one i32 from one warp, but "
                            "got "
                         << type;
  return verifyCounter(*this, getCounter());
}

LogicalResult ReceiveClaimOp::verify() {
  // (A1)
  if (!carriesNumbers(getChannel().getType()))
    return emitOpError() << "expects a channel of one i32, but got "
                         << getChannel().getType();
  return success();
}
