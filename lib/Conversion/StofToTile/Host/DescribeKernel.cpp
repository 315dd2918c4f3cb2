//===----------------------------------------------------------------------===//
// Attributes that describe a kernel, for reports.
//===----------------------------------------------------------------------===//

#include "DescribeKernel.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/CostModel/AttentionWork.h"
#include "stof/CostModel/Counts.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Support/TargetInfo.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The spelling in reports.
static StringRef spell(LayoutStorage storage) {
  switch (storage) {
  case LayoutStorage::ClosedForm:
    return "closed-form";
  case LayoutStorage::Tables:
    return "tables";
  case LayoutStorage::RunTime:
    return "run-time";
  case LayoutStorage::PageTable:
    return "page-table";
  }
  llvm_unreachable("all storages are spelt");
}

static constexpr StringLiteral counts[] = {"full", "partial", "empty",
                                           "nonzeros"};

/// The reason for an incomplete census.
static StringRef whyUnknown(AttentionOp op) {
  if (!op.getLayout())
    return "the mask has no layout";
  LayoutStorage storage = op.getLayout()->getStorage();
  if (storage == LayoutStorage::RunTime || storage == LayoutStorage::PageTable)
    return "the mask is known at run time";
  return "its tiles are not counted in closed form";
}

/// Copies the expressions of `census` to `layout`, with kernel arguments in
/// place of layout operands.
static void describeExpressions(AttentionOp op, DictionaryAttr census,
                                NamedAttrList &layout,
                                llvm::function_ref<int64_t(Value)> argumentOf) {
  Builder builder(op.getContext());
  for (StringRef name : counts)
    if (Attribute count = census.get(name); count && !isa<IntegerAttr>(count))
      layout.append(name, count);
  auto symbols = census.getAs<DictionaryAttr>("symbols");
  if (!symbols)
    return;
  NamedAttrList arguments;
  for (NamedAttribute symbol : symbols) {
    int64_t operand = cast<IntegerAttr>(symbol.getValue()).getInt();
    arguments.append(symbol.getName(), builder.getI64IntegerAttr(argumentOf(
                                           op.getLayoutOperands()[operand])));
  }
  layout.append("symbols", arguments.getDictionary(op.getContext()));
}

namespace {
/// Collects the attribute `stof.layout` of an attention kernel.
class LayoutDescription {
public:
  LayoutDescription(KernelBuilder &kernel, AttentionOp op)
      : kernel(kernel), op(op), builder(op.getContext()) {}

  /// The tiles, the mask, and where the lengths of the operands are found.
  void addTiles(const AttentionTile &tile);
  /// The numbers of tiles and unmasked positions, or why they are unknown.
  void addCounts(const AttentionCensus &census);
  DictionaryAttr get() { return layout.getDictionary(op.getContext()); }

private:
  void append(StringRef name, int64_t number) {
    layout.append(name, builder.getI64IntegerAttr(number));
  }
  void appendKnown(StringRef name, int64_t number) {
    if (number >= 0)
      append(name, number);
  }
  /// A slice is passed as the whole buffer, so its length is a constant here.
  void appendLength(StringRef name, Value tensor);
  int64_t getArgument(Value value) {
    return cast<BlockArgument>(kernel.getArgument(value)).getArgNumber();
  }

  KernelBuilder &kernel;
  AttentionOp op;
  Builder builder;
  NamedAttrList layout;
};
} // namespace

void LayoutDescription::appendLength(StringRef name, Value tensor) {
  auto [whole, dim] = skipTranspositions(tensor, AttentionOp::Position);
  if (!isSlice(whole)) {
    append(name, getArgument(whole));
    if (dim != AttentionOp::Position)
      append((name + "_dim").str(), dim);
    return;
  }
  append((name + "_length").str(),
         cast<ShapedType>(tensor.getType()).getDimSize(AttentionOp::Position));
}

void LayoutDescription::addTiles(const AttentionTile &tile) {
  append("row_tile", tile.queries);
  append("col_tile", tile.keys);
  std::optional<LayoutAttr> planned = op.getLayout();
  if (planned && planned->getRowStride() > 1) {
    append("row_stride", planned->getRowStride());
    append("residue", planned->getResidue());
  }
  if (planned && planned->getLattices())
    append("lattices", planned->getLattices().size());
  layout.append("mask", builder.getStringAttr(op.getMaskOrigin()));
  if (op.getMask())
    layout.append("empty_rows",
                  builder.getStringAttr(stringifyEmptyRows(op.getEmptyRows())));
  appendLength("query", op.getQuery());
  appendLength("key", op.getKey());
  LayoutStorage storage =
      planned ? planned->getStorage() : LayoutStorage::ClosedForm;
  layout.append("storage", builder.getStringAttr(spell(storage)));
}

void LayoutDescription::addCounts(const AttentionCensus &census) {
  appendKnown("full", census.full);
  appendKnown("partial", census.partial);
  appendKnown("empty", census.empty);
  appendKnown("nonzeros", census.nonzeros);
  DictionaryAttr counted =
      op.getLayout() ? op.getLayout()->getCensus() : DictionaryAttr();
  if (counted)
    describeExpressions(op, counted, layout,
                        [&](Value value) { return getArgument(value); });
  if (int64_t masks = countMasks(op); masks > 1)
    append("masks", masks);
  if (StringAttr digest = digestAttr.get(op))
    layout.append("digest", digest);
  if (!op.getMask())
    return;
  bool isCountless = !llvm::all_of(
      counts, [&](StringRef name) { return layout.get(name) != Attribute(); });
  auto why = counted ? counted.getAs<StringAttr>("unknown") : StringAttr();
  if (why)
    layout.append("unknown", why);
  else if (isCountless)
    layout.append("unknown", builder.getStringAttr(whyUnknown(op)));
}

static bool hasStaticSizes(AttentionOp op) {
  return op.getQueryType().hasStaticShape() && op.getKeyType().hasStaticShape();
}

void stof::describeAttention(KernelBuilder &kernel, AttentionOp op,
                             const TargetInfo *target) {
  AttentionTile tile = getKernelTile(op, target);
  LayoutDescription layout(kernel, op);
  layout.addTiles(tile);
  layout.addCounts(takeCensus(op, tile));
  layoutAttr.set(kernel.getKernel(), layout.get());
  // The estimate for dynamic sizes would be stated as if it were of the run.
  std::optional<KernelWork> work = countWork(op, target);
  if (work && hasStaticSizes(op))
    kernel.setWork(*work);
}

void stof::describeReset(KernelBuilder &kernel, AttentionOp op) {
  if (std::optional<KernelWork> work = countResetWork(op))
    kernel.setWork(*work);
}

void stof::describeCombine(KernelBuilder &kernel, AttentionOp op,
                           const TargetInfo *target) {
  std::optional<KernelWork> work = countCombineWork(op, target);
  if (work && hasStaticSizes(op))
    kernel.setWork(*work);
}

/// The number of row tiles of all masks that `op` lists, and that of key tiles,
/// if both are static.
static std::optional<std::pair<int64_t, int64_t>> countTiles(ListTilesOp op) {
  ShapedType ranges = op.getRangesType();
  std::optional<int64_t> keys = getConstantIntValue(op.getSizes().back());
  if (!ranges.hasStaticShape() || !keys)
    return std::nullopt;
  return std::pair(
      ranges.getNumElements() / LayoutAttr::rangeSize,
      int64_t(llvm::divideCeil(*keys, op.getWithin().getColTile())));
}

void stof::describeFlags(KernelBuilder &kernel, ListTilesOp op) {
  std::optional<std::pair<int64_t, int64_t>> tiles = countTiles(op);
  if (!tiles)
    return;
  auto [rows, keyTiles] = *tiles;
  int64_t pairs = op.getWithin().getRowTile() * op.getWithin().getColTile();
  int64_t blocks =
      rows * llvm::divideCeil(keyTiles, kernel.getScheduled("tiles"));
  kernel.setWork(workOfMask(rows * keyTiles * pairs, blocks, /*steps=*/1));
}

void stof::describeLists(KernelBuilder &kernel, ListTilesOp op) {
  std::optional<std::pair<int64_t, int64_t>> tiles = countTiles(op);
  if (!tiles)
    return;
  auto [rows, keyTiles] = *tiles;
  if (keyTiles == 0)
    return;
  int64_t bytes = rows * keyTiles * (sizeof(int8_t) + sizeof(int64_t));
  // The flags of a row tile are taken one by one.
  constexpr int64_t opsPerFlag = 12;
  kernel.setWork(workOfElements(rows * keyTiles * lanesPerWarp, opsPerFlag,
                                keyTiles * lanesPerWarp, bytes));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The input tensors of a branch, without duplicates, and its results.
static SmallVector<Value> getTensors(const GroupPlan &plan) {
  llvm::SetVector<Value> tensors;
  for (linalg::LinalgOp op : plan.getOperations()) {
    llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    for (Value value : read)
      if (isa<BlockArgument>(value))
        tensors.insert(value);
  }
  tensors.insert_range(plan.getResults());
  return tensors.takeVector();
}

static int64_t countAllBytes(ArrayRef<Value> values) {
  double bytes = 0;
  for (Value value : values)
    bytes += countBytes(value);
  return static_cast<int64_t>(bytes);
}

/// Whether the sizes of `plan`, and the bytes of its tensors, are known.
static bool isStatic(const GroupPlan &plan) {
  return areStatic(plan, plan.getBatch()) && areStatic(plan, plan.getRows()) &&
         areStatic(plan, plan.getColumns()) &&
         llvm::all_of(plan.getOperations(),
                      [&](linalg::LinalgOp op) {
                        return areStatic(plan, plan.getIterationDimFactors(op));
                      }) &&
         llvm::all_of(getTensors(plan), [](Value value) {
           auto type = dyn_cast<ShapedType>(value.getType());
           return !type || (type.hasStaticShape() &&
                            type.getElementType().isIntOrIndexOrFloat());
         });
}

/// The work of one branch, with dynamic sizes estimated.
static KernelWork countBranchWork(const GroupPlan &plan,
                                  const GroupShape &shape) {
  int64_t bytes = countAllBytes(getTensors(plan));
  if (shape.contraction)
    return countMatmulWork(plan, *shape.contraction, bytes);
  auto count = [&](ArrayRef<unsigned> dimFactors) {
    return static_cast<int64_t>(countOf(plan, dimFactors));
  };
  // Each point of an iteration space is computed once.
  int64_t points = 0;
  for (linalg::LinalgOp op : plan.getOperations())
    points += count(plan.getIterationDimFactors(op)) *
              op.getBlock()->getOperations().size();
  DimFactors outer(plan.getBatch());
  llvm::append_range(outer, plan.getRows());
  int64_t block = shape.rows;
  if (plan.getTemplate() == GroupTemplate::Elementwise) {
    llvm::append_range(outer, plan.getColumns());
    block *= shape.columns;
  }
  int64_t elements = count(outer);
  return workOfElements(elements, elements ? points / elements : 0, block,
                        bytes);
}

KernelWork stof::countWork(const GroupBranches &branches,
                           ArrayRef<GroupShape> shapes) {
  KernelWork all;
  llvm::SetVector<Value> tensors;
  for (auto [plan, shape] : llvm::zip(branches.getBranches(), shapes)) {
    all += countBranchWork(plan, shape);
    tensors.insert_range(getTensors(plan));
  }
  // Tensors that branches share are read from HBM once.
  all.hbmBytes = countAllBytes(tensors.getArrayRef());
  return all;
}

void stof::describeGroup(KernelBuilder &kernel, const GroupBranches &branches,
                         ArrayRef<GroupShape> shapes) {
  if (llvm::all_of(branches.getBranches(), isStatic))
    kernel.setWork(countWork(branches, shapes));
}

void stof::describeScatter(KernelBuilder &kernel, ScatterOp op) {
  ShapedType updates = op.getUpdatesType();
  if (!updates.hasStaticShape())
    return;
  SmallVector<unsigned> separating = op.getSeparatingDims();
  int64_t threads = kernel.getScheduled("owners"), loops = 1;
  for (auto [dim, size] : llvm::enumerate(updates.getShape()))
    (op.getUnique() || llvm::is_contained(separating, dim) ? threads : loops) *=
        size;
  int64_t bytes = 2 * updates.getNumElements() * getElementBytes(updates);
  for (Value index : op.getIndices()) {
    auto type = cast<ShapedType>(index.getType());
    if (!type.hasStaticShape())
      return;
    bytes += type.getNumElements() * static_cast<int64_t>(sizeof(int64_t));
  }
  // Division of coordinates, and a comparison per dimension.
  constexpr int64_t opsPerUpdate = 16;
  KernelWork work = workOfElements(threads, opsPerUpdate * loops,
                                   kernel.getScheduled("elements"), bytes);
  // The updates of a thread are sequential.
  work.steps = loops;
  kernel.setWork(work);
}

void stof::describeCopy(KernelBuilder &kernel, Value from) {
  auto type = cast<MemRefType>(from.getType());
  if (!type.hasStaticShape())
    return;
  int64_t elements = type.getNumElements();
  kernel.setWork(workOfElements(elements, 1, kernel.getScheduled("elements"),
                                2 * elements * getElementBytes(type)));
}
