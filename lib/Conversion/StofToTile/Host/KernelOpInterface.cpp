//===----------------------------------------------------------------------===//
// The kernels of groups, attention, tile lists, scatters and copies.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/KernelOpInterface.h"
#include "../Attention/AttentionKernel.h"
#include "../Attention/TableKernel.h"
#include "../Group/CopyKernel.h"
#include "../Group/GroupKernels.h"
#include "../Scatter/ScatterKernel.h"
#include "DescribeKernel.h"
#include "TableSizes.h"
#include "stof/CostModel/Counts.h"
#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/GroupCost.h"
#include "stof/IR/Stof.h"
#include "stof/Transforms/PlanLayout.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace stof;

#include "stof/Conversion/KernelOpInterface.cpp.inc"

std::optional<Prediction>
KernelSchedule::predict(const CostModel &model) const {
  if (works.empty())
    return std::nullopt;
  Prediction prediction = model.explain(works.front());
  for (const KernelWork &work : ArrayRef(works).drop_front())
    prediction.microseconds += model.predict(work);
  return prediction;
}

using KernelNames = SmallVector<std::string>;

static LogicalResult checkTemporaries(Operation *op, ValueRange temporaries,
                                      size_t expected) {
  if (temporaries.size() == expected)
    return success();
  return op->emitOpError() << "expects a launch with " << expected
                           << " temporary buffers, but got "
                           << temporaries.size();
}

/// `tiles`, each with a CTA of its own.
static BranchTiles dropPersistence(BranchTiles tiles) {
  for (BranchTile &tile : tiles)
    if (auto *shape = std::get_if<MatmulTile>(&tile)) {
      shape->resident = 0;
      shape->groups = 1;
    }
  return tiles;
}

namespace {

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The plan of `group`; an error if no kernel can compute it.
FailureOr<GroupBranches> planKernel(GroupOp group, const TargetInfo *target) {
  SmallVector<Operation *> members;
  for (Operation &op : group.getBody().front().without_terminator()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && !linalgOp.hasPureTensorSemantics())
      return op.emitOpError() << "cannot be compiled: expects tensors";
    members.push_back(&op);
  }
  PlanResult<GroupBranches> planned = planGroup(members, target);
  if (!planned) {
    const Refusal &refusal = planned.getRefusal();
    Operation *culprit = refusal.op ? refusal.op : group;
    return culprit->emitOpError() << "cannot be compiled: " << refusal.reason;
  }
  if (planned->isAttention())
    return group.emitOpError()
           << "cannot be compiled: expects attention outside of groups";
  return *planned;
}

/// The buffers of the results that `group` yields.
FailureOr<IRMapping> mapResults(GroupOp group, const GroupBranches &branches) {
  Operation *yield = group.getBody().front().getTerminator();
  SmallVector<OpResult> computed = branches.getResults();
  IRMapping buffers;
  for (auto [position, value] : llvm::enumerate(yield->getOperands())) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !llvm::is_contained(computed, result) ||
        buffers.contains(result))
      return group.emitOpError()
             << "cannot be compiled: expects result " << position
             << " to be a distinct result of one of its operations";
    buffers.map(result, group.getOuts()[position]);
  }
  return buffers;
}

struct GroupModel : KernelOpInterface::ExternalModel<GroupModel, GroupOp> {
  FailureOr<KernelNames> nameKernels(Operation *op,
                                     const TargetInfo *target) const {
    FailureOr<GroupBranches> branches = planKernel(cast<GroupOp>(op), target);
    if (failed(branches))
      return failure();
    linalg::LinalgOp main = branches->getBranches().front().getMainOperation();
    return KernelNames{main->getName().stripDialect().str()};
  }

  LogicalResult emitKernel(Operation *op, unsigned, KernelBuilder &kernel,
                           ValueRange, const TargetInfo *target) const {
    auto group = cast<GroupOp>(op);
    FailureOr<GroupBranches> branches = planKernel(group, target);
    if (failed(branches))
      return failure();
    FailureOr<IRMapping> results = mapResults(group, *branches);
    if (failed(results))
      return failure();
    FailureOr<BranchTiles> tiles = getTiles(group, *branches, target);
    if (failed(tiles))
      return failure();
    SmallVector<GroupShape> shapes = shapesOf(*branches, *tiles);
    kernel.setNumWarps(shapes.front().warps);
    kernel.setOperations(llvm::map_to_vector(
        branches->getOperations(), [](linalg::LinalgOp member) {
          return member->getName().getStringRef();
        }));
    if (failed(emitGroupKernel(kernel, group, *branches, shapes, *results)))
      return failure();
    describeGroup(kernel, *branches, shapes);
    return success();
  }

  FailureOr<SmallVector<KernelSchedule>>
  listSchedules(Operation *op, const TargetInfo *target) const {
    auto group = cast<GroupOp>(op);
    FailureOr<GroupBranches> branches = planKernel(group, target);
    if (failed(branches))
      return failure();
    FailureOr<BranchTiles> used = getTiles(group, *branches, target);
    if (failed(used))
      return failure();
    CostModel model = getCostModel(target);
    bool isStatic = llvm::all_of(branches->getBranches(), areAllStatic);
    std::vector<BranchTiles> all = listTiles(*branches, target), listed = all;
    SmallVector<KernelSchedule> schedules;
    auto add = [&](const BranchTiles &tiles, bool isUsed) {
      KernelWork work = countWork(*branches, shapesOf(*branches, tiles));
      if (isStatic && work.resident > 0 && !model.sharesTiles(work)) {
        // All tiles run at once, in the kernel without persistent CTAs.
        BranchTiles alone = dropPersistence(tiles);
        if (llvm::is_contained(listed, alone) && !isUsed)
          return;
        listed.push_back(alone);
      }
      schedules.push_back({toAttribute(op->getContext(), tiles), {work}});
    };
    add(*used, /*isUsed=*/true);
    for (const BranchTiles &tiles : all)
      if (tiles != *used)
        add(tiles, /*isUsed=*/false);
    return schedules;
  }

  StringRef getScheduleName(Operation *op) const {
    return cast<GroupOp>(op).getTilesAttrName();
  }

  bool hasSchedule(Operation *op) const {
    return cast<GroupOp>(op).getTilesAttr() != nullptr;
  }

  void setSchedule(Operation *op, Attribute schedule) const {
    cast<GroupOp>(op).setTilesAttr(cast_or_null<ArrayAttr>(schedule));
  }
};

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

struct AttentionModel
    : KernelOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  unsigned getNumKernels(Operation *op) const {
    return 1 + usesCounter(cast<AttentionOp>(op)) + isSplit(op);
  }

  FailureOr<KernelNames> nameKernels(Operation *op, const TargetInfo *) const {
    KernelNames names;
    if (usesCounter(cast<AttentionOp>(op)))
      names.push_back("reset");
    names.push_back("attention");
    if (isSplit(op))
      names.push_back("combine");
    return names;
  }

  SmallVector<Value> allocateTemporaries(Operation *op, OpBuilder &host) const {
    auto attention = cast<AttentionOp>(op);
    SmallVector<Value> temporaries;
    if (AttentionPartials partials = allocatePartials(host, attention))
      temporaries = {partials.accumulators, partials.rows};
    if (Value counter = allocateCounter(host, attention))
      temporaries.push_back(counter);
    return temporaries;
  }

  LogicalResult emitKernel(Operation *op, unsigned number,
                           KernelBuilder &kernel, ValueRange temporaries,
                           const TargetInfo *target) const {
    auto attention = cast<AttentionOp>(op);
    AttentionPartials partials;
    bool hasCounter = usesCounter(attention);
    if (failed(checkTemporaries(op, temporaries,
                                (isSplit(op) ? 2 : 0) + hasCounter)))
      return failure();
    if (isSplit(op))
      partials = {temporaries[0], temporaries[1]};
    Value counter = hasCounter ? temporaries.back() : Value();
    // The reset is ahead of the others.
    if (hasCounter && number-- == 0) {
      if (failed(emitResetKernel(kernel, counter)))
        return failure();
      describeReset(kernel, attention);
      return success();
    }
    kernel.setNumWarps(attentionWarps(attention));
    if (number == 1) {
      if (failed(emitCombineKernel(kernel, attention, partials, target)))
        return failure();
      describeCombine(kernel, attention, target);
      return success();
    }
    if (failed(
            emitAttentionKernel(kernel, attention, partials, counter, target)))
      return failure();
    describeAttention(kernel, attention, target);
    return success();
  }

  FailureOr<SmallVector<KernelSchedule>>
  listSchedules(Operation *op, const TargetInfo *target) const {
    auto attention = cast<AttentionOp>(op);
    if (failed(verifyTile(attention, target)))
      return failure();
    return llvm::map_to_vector(tryTiles(attention, target),
                               [](const TriedTile &tried) {
                                 return KernelSchedule{tried.tile, tried.works};
                               });
  }

  StringRef getScheduleName(Operation *op) const {
    return cast<AttentionOp>(op).getTileAttrName();
  }

  bool hasSchedule(Operation *op) const {
    auto attention = cast<AttentionOp>(op);
    return attention.getTile() || attention.getLayout();
  }

  void setSchedule(Operation *op, Attribute schedule) const {
    auto attention = cast<AttentionOp>(op);
    attention.dropLayout();
    attention.setTileAttr(cast_or_null<AttentionTileAttr>(schedule));
  }

private:
  static bool isSplit(Operation *op) {
    std::optional<ScheduleAttr> schedule = cast<AttentionOp>(op).getSchedule();
    return schedule && schedule->getSplits() > 1;
  }
};

//===----------------------------------------------------------------------===//
// Tile lists
//===----------------------------------------------------------------------===//

struct ListTilesModel
    : KernelOpInterface::ExternalModel<ListTilesModel, ListTilesOp> {
  unsigned getNumKernels(Operation *) const { return 2; }

  FailureOr<KernelNames> nameKernels(Operation *, const TargetInfo *) const {
    return KernelNames{"flags", "tiles"};
  }

  SmallVector<Value> allocateTemporaries(Operation *op, OpBuilder &host) const {
    auto list = cast<ListTilesOp>(op);
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(
        sizesOfTiles(host, list, getAsOpFoldResult(list.getSizes())), dynamic,
        shape);
    return {memref::AllocOp::create(
        host, op->getLoc(), MemRefType::get(shape, host.getI8Type()), dynamic)};
  }

  LogicalResult emitKernel(Operation *op, unsigned number,
                           KernelBuilder &kernel, ValueRange temporaries,
                           const TargetInfo *) const {
    auto list = cast<ListTilesOp>(op);
    if (failed(checkTemporaries(op, temporaries, 1)))
      return failure();
    TableBuffers buffers{temporaries.front(), list.getRanges(),
                         list.getEntries()};
    if (number == 1) {
      kernel.setNumWarps(1);
      if (failed(emitListKernel(kernel, list, buffers)))
        return failure();
      describeLists(kernel, list);
      return success();
    }
    kernel.setNumWarps(flagWarps());
    if (failed(emitFlagKernel(kernel, list, buffers)))
      return failure();
    describeFlags(kernel, list);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Scatters and copies
//===----------------------------------------------------------------------===//

struct ScatterModel
    : KernelOpInterface::ExternalModel<ScatterModel, ScatterOp> {
  FailureOr<KernelNames> nameKernels(Operation *, const TargetInfo *) const {
    return KernelNames{"scatter"};
  }

  LogicalResult emitKernel(Operation *op, unsigned, KernelBuilder &kernel,
                           ValueRange, const TargetInfo *target) const {
    auto scatter = cast<ScatterOp>(op);
    ScatterBuffers buffers{scatter.getUpdates(),
                           llvm::to_vector(scatter.getIndices()),
                           scatter.getOriginal()};
    kernel.setNumWarps(scatterWarps());
    if (failed(emitScatterKernel(kernel, scatter, buffers, target)))
      return failure();
    describeScatter(kernel, scatter);
    return success();
  }
};

struct CopyModel : KernelOpInterface::ExternalModel<CopyModel, linalg::CopyOp> {
  FailureOr<KernelNames> nameKernels(Operation *, const TargetInfo *) const {
    return KernelNames{"copy"};
  }

  LogicalResult emitKernel(Operation *op, unsigned, KernelBuilder &kernel,
                           ValueRange, const TargetInfo *) const {
    auto copy = cast<linalg::CopyOp>(op);
    Value from = copy.getInputs().front(), to = copy.getOutputs().front();
    if (failed(emitCopyKernel(kernel, from, to)))
      return failure();
    describeCopy(kernel, from);
    return success();
  }
};

} // namespace

void stof::registerKernelModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, StofDialect *) {
    GroupOp::attachInterface<GroupModel>(*context);
    AttentionOp::attachInterface<AttentionModel>(*context);
    ListTilesOp::attachInterface<ListTilesModel>(*context);
    ScatterOp::attachInterface<ScatterModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::CopyOp::attachInterface<CopyModel>(*context);
  });
}
