//===----------------------------------------------------------------------===//
// Builds one kernel and its launch.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/KernelBuilder.h"
#include "stof/CostModel/CostModel.h"
#include "stof/IR/KernelAttributes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace stof;

/// The largest grid of any GPU: along x, and along y and z.
static constexpr int64_t mostBlocks = std::numeric_limits<int32_t>::max();
static constexpr int64_t mostBlocksAcross =
    std::numeric_limits<uint16_t>::max();

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, StringRef name,
                             Location loc, OpBuilder &host)
    : bodyBuilder(module.getContext()), hostBuilder(host) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  kernel = gpu::GPUFuncOp::create(builder, loc, name,
                                  builder.getFunctionType({}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  bodyBuilder.setInsertionPointToStart(&kernel.getBody().front());
}

void KernelBuilder::setNumWarps(int64_t count) {
  numWarps = count;
  int32_t threads = numWarps * lanesPerWarp;
  kernel.setKnownBlockSize(ArrayRef<int32_t>{threads, 1, 1});
}

void KernelBuilder::setOperations(ArrayRef<StringRef> names) {
  operationsAttr.set(kernel, bodyBuilder.getStrArrayAttr(names));
}

void KernelBuilder::setWork(const KernelWork &work) {
  workAttr.set(kernel, work.toAttribute(kernel.getContext()));
}

/// One configuration that spells those of all branches.
static DictionaryAttr listBranches(ArrayRef<DictionaryAttr> schedules) {
  Builder builder(schedules.front().getContext());
  NamedAttrList all;
  all.append("kernel", builder.getStringAttr("branches"));
  // Attributes of the whole kernel, for which the minimum holds: branches share
  // warps, their roles and shared memory.
  for (DictionaryAttr schedule : schedules)
    for (StringRef name : std::initializer_list<StringRef>{
             "warps", stagesEntry, producersEntry, residentEntry, groupsEntry})
      if (auto number = schedule.getAs<IntegerAttr>(name)) {
        auto known = dyn_cast_if_present<IntegerAttr>(all.get(name));
        if (!known || number.getInt() < known.getInt())
          all.set(name, number);
      }
  for (auto [branch, schedule] : llvm::enumerate(schedules)) {
    std::string text = schedule.getAs<StringAttr>("kernel").str();
    for (NamedAttribute entry : schedule)
      if (auto number = dyn_cast<IntegerAttr>(entry.getValue());
          number && !all.get(entry.getName()))
        text +=
            (", " + entry.getName().getValue() + " " + Twine(number.getInt()))
                .str();
    all.append(("branch" + Twine(branch)).str(), builder.getStringAttr(text));
  }
  return all.getDictionary(builder.getContext());
}

void KernelBuilder::setSchedule(StringRef algorithm,
                                ArrayRef<std::pair<StringRef, int64_t>> sizes) {
  NamedAttrList schedule;
  schedule.append("kernel", bodyBuilder.getStringAttr(algorithm));
  schedule.append("warps", bodyBuilder.getI64IntegerAttr(numWarps));
  for (auto [name, size] : sizes)
    schedule.append(name, bodyBuilder.getI64IntegerAttr(size));
  schedules.push_back(schedule.getDictionary(bodyBuilder.getContext()));
  scheduleAttr.set(kernel, schedules.size() == 1 ? schedules.front()
                                                 : listBranches(schedules));
}

int64_t KernelBuilder::getScheduled(StringRef name) const {
  return schedules.front().getAs<IntegerAttr>(name).getInt();
}

/// The views from a whole buffer to `buffer`, last one first; empty if it is
/// neither a slice nor transposed.
static SmallVector<Operation *> getViews(Value buffer) {
  SmallVector<Operation *> views;
  size_t count = 0;
  while (Operation *op = buffer.getDefiningOp()) {
    if (!isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::CastOp, memref::TransposeOp>(op))
      break;
    views.push_back(op);
    if (isa<memref::SubViewOp, memref::TransposeOp>(op))
      count = views.size();
    buffer = op->getOperand(0);
  }
  views.truncate(count);
  return views;
}

std::pair<Value, int64_t> stof::skipTranspositions(Value buffer, int64_t dim) {
  while (auto view = buffer.getDefiningOp<memref::TransposeOp>()) {
    buffer = view.getIn();
    dim = view.getPermutation().getDimPosition(dim);
  }
  return {buffer, dim};
}

OpFoldResult stof::sizeOf(OpBuilder &builder, Location loc, Value buffer,
                          int64_t dim) {
  std::tie(buffer, dim) = skipTranspositions(buffer, dim);
  return memref::getMixedSize(builder, loc, buffer, dim);
}

bool stof::isSlice(Value buffer) { return !getViews(buffer).empty(); }

Value KernelBuilder::getView(Value hostView) {
  OpBuilder builder(kernel.getContext());
  Block &entry = kernel.getBody().front();
  SmallVector<Operation *> chain = getViews(hostView);
  for (Operation *op : llvm::reverse(chain)) {
    if (views.contains(op->getResult(0)))
      continue;
    for (Value operand : op->getOperands())
      if (!views.contains(operand))
        views.map(operand, getArgument(operand));
    if (lastView)
      builder.setInsertionPointAfter(lastView);
    else
      builder.setInsertionPointToStart(&entry);
    lastView = builder.clone(*op, views);
  }
  return views.lookup(hostView);
}

Value KernelBuilder::getArgument(Value hostValue) {
  if (isSlice(hostValue))
    return getView(hostValue);
  auto [entry, isNew] = arguments.try_emplace(hostValue);
  if (isNew) {
    unsigned position = kernel.getNumArguments();
    (void)kernel.insertArgument(position, hostValue.getType(), {},
                                hostValue.getLoc());
    entry->second = kernel.getArgument(position);
  }
  return entry->second;
}

Value KernelBuilder::reshape(Value buffer, ArrayRef<OpFoldResult> sizes) {
  for (const Shown &known : shown)
    if (known.buffer == buffer && ArrayRef(known.sizes) == sizes)
      return known.reshaped;
  Value reshaped = reshapeBuffer(hostBuilder, loc(), buffer, sizes);
  shown.push_back({buffer, llvm::to_vector(sizes), reshaped});
  return reshaped;
}

OpFoldResult KernelBuilder::getHostSize(Value buffer, int64_t dim) {
  OpFoldResult &size = hostSizes[{buffer, dim}];
  if (!size)
    size = sizeOf(hostBuilder, loc(), buffer, dim);
  return size;
}

Value KernelBuilder::getSize(OpFoldResult hostSize) {
  if (std::optional<int64_t> known = getConstantIntValue(hostSize))
    return index(*known);
  return getArgument(cast<Value>(hostSize));
}

Value KernelBuilder::getBlockId(gpu::Dimension dim) {
  return gpu::BlockIdOp::create(bodyBuilder, loc(), dim);
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(bodyBuilder, loc(), value);
}

/// Linearizes `grid`; CTA ids are delinearized at the start of the kernel.
SmallVector<OpFoldResult> KernelBuilder::foldGrid(ArrayRef<OpFoldResult> grid) {
  SmallVector<gpu::BlockIdOp> positions;
  kernel.walk([&](gpu::BlockIdOp op) { positions.push_back(op); });
  OpBuilder::InsertionGuard guard(bodyBuilder);
  bodyBuilder.setInsertionPointToStart(&kernel.getBody().front());
  Value linear = getBlockId(gpu::Dimension::x);
  SmallVector<Value> sizes;
  for (OpFoldResult size : llvm::reverse(grid))
    sizes.push_back(getSize(size));
  SmallVector<Value> ids = delinearize(bodyBuilder, loc(), linear, sizes);
  for (gpu::BlockIdOp op : positions) {
    auto dim = static_cast<unsigned>(op.getDimension());
    op.replaceAllUsesWith(ids[grid.size() - 1 - dim]);
    op.erase();
  }
  return {productOf(hostBuilder, loc(), grid)};
}

LogicalResult KernelBuilder::launch(ArrayRef<OpFoldResult> grid) {
  assert(!grid.empty() && grid.size() <= 3 && "a grid has up to three sides");
  assert(numWarps > 0 && "setNumWarps comes first");
  gpu::ReturnOp::create(bodyBuilder, loc());
  auto hostIndex = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(hostBuilder, loc(), size);
  };
  Attribute one = hostBuilder.getIndexAttr(1);
  auto isLonger = [](OpFoldResult size, int64_t most) {
    std::optional<int64_t> known = getConstantIntValue(size);
    return known && *known > most;
  };
  SmallVector<OpFoldResult> sizes(grid);
  if (llvm::any_of(grid.drop_front(), [&](OpFoldResult size) {
        return isLonger(size, mostBlocksAcross);
      }))
    sizes = foldGrid(grid);
  if (isLonger(sizes.front(), mostBlocks))
    return emitError(loc())
           << "cannot be compiled: expects at most " << mostBlocks
           << " CTAs, but got " << *getConstantIntValue(sizes.front());
  sizes.resize(3, one);
  auto blocks = llvm::map_to_vector(sizes, hostIndex);
  SmallVector<int32_t> known;
  for (OpFoldResult size : sizes)
    if (std::optional<int64_t> number = getConstantIntValue(size);
        number && *number > 0 && llvm::isInt<32>(*number))
      known.push_back(*number);
  if (known.size() == sizes.size())
    kernel.setKnownGridSize(known);
  Value threads = hostIndex(hostBuilder.getIndexAttr(numWarps * lanesPerWarp));
  Value single = hostIndex(one);
  SmallVector<Value> operands;
  for (const auto &[hostValue, argument] : arguments)
    operands.push_back(hostValue);
  auto launched = gpu::LaunchFuncOp::create(
      hostBuilder, loc(), kernel,
      gpu::KernelDim3{blocks[0], blocks[1], blocks[2]},
      gpu::KernelDim3{threads, single, single},
      /*dynamicSharedMemorySize=*/Value(), operands);
  if (!inPlace.empty())
    inPlaceAttr.set(launched, hostBuilder.getDenseI64ArrayAttr(inPlace));
  return success();
}

void KernelBuilder::allowInPlace(Value read, Value written) {
  for (Value argument : {read, written})
    inPlace.push_back(cast<BlockArgument>(argument).getArgNumber());
}

SmallVector<Value> stof::delinearize(OpBuilder &builder, Location loc,
                                     Value linear, ValueRange sizes) {
  SmallVector<Value> coordinates(sizes.size());
  for (unsigned dim = sizes.size(); dim-- > 0;) {
    if (dim == 0) {
      coordinates[0] = linear;
      break;
    }
    coordinates[dim] = arith::RemUIOp::create(builder, loc, linear, sizes[dim]);
    linear = arith::DivUIOp::create(builder, loc, linear, sizes[dim]);
  }
  return coordinates;
}

Value stof::productOf(OpBuilder &builder, Location loc, ValueRange sizes) {
  Value product = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Value size : sizes)
    product = builder.createOrFold<arith::MulIOp>(loc, product, size);
  return product;
}

OpFoldResult stof::productOf(OpBuilder &builder, Location loc,
                             ArrayRef<OpFoldResult> sizes) {
  OpFoldResult product = builder.getIndexAttr(1);
  AffineExpr s0, s1;
  bindSymbols(builder.getContext(), s0, s1);
  for (OpFoldResult size : sizes)
    product = affine::makeComposedFoldedAffineApply(builder, loc, s0 * s1,
                                                    {product, size});
  return product;
}

OpFoldResult stof::ceilDiv(OpBuilder &builder, Location loc, OpFoldResult size,
                           int64_t tile) {
  AffineExpr s0;
  bindSymbols(builder.getContext(), s0);
  return affine::makeComposedFoldedAffineApply(builder, loc, s0.ceilDiv(tile),
                                               {size});
}

SmallVector<OpFoldResult> stof::sizesOf(OpBuilder &builder, Location loc,
                                        Value buffer) {
  return memref::getMixedSizes(builder, loc, buffer);
}

Value stof::reshapeBuffer(OpBuilder &builder, Location loc, Value buffer,
                          ArrayRef<OpFoldResult> sizes) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() > 1) {
    SmallVector<ReassociationIndices> all(1);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      all.front().push_back(dim);
    buffer = memref::CollapseShapeOp::create(builder, loc, buffer, all);
  }
  auto [shape, dynamic] =
      decomposeMixedValues(SmallVector<OpFoldResult>(sizes));
  auto flat = cast<MemRefType>(buffer.getType());
  SmallVector<ReassociationIndices> groups;
  if (flat.getRank() == 1) {
    groups.emplace_back();
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      groups.front().push_back(dim);
  }
  auto result = MemRefType::get(shape, type.getElementType());
  if (result.getRank() == 0)
    return memref::CollapseShapeOp::create(builder, loc, result, buffer,
                                           ArrayRef<ReassociationIndices>());
  if (result.getRank() == 1 && flat.getRank() == 1)
    return result == flat
               ? buffer
               : memref::CastOp::create(builder, loc, result, buffer);
  // A static shape is one of a static number of elements and the reverse.
  if (flat.getRank() == 1 && flat.hasStaticShape() != result.hasStaticShape()) {
    int64_t count = result.hasStaticShape() ? result.getNumElements()
                                            : ShapedType::kDynamic;
    buffer = memref::CastOp::create(
        builder, loc, MemRefType::get(count, flat.getElementType()), buffer);
  }
  return memref::ExpandShapeOp::create(builder, loc, result, buffer, groups,
                                       sizes);
}
