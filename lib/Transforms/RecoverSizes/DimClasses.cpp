//===----------------------------------------------------------------------===//
// Equivalence classes of dimensions.
//===----------------------------------------------------------------------===//

#include "DimClasses.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;

unsigned DimClasses::find(unsigned id) {
  while (parents[id] != id)
    id = parents[id] = parents[parents[id]];
  return id;
}

void DimClasses::add(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return;
  first.try_emplace(tensor, dims.size());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    parents.push_back(dims.size());
    dims.push_back({tensor, dim});
  }
}

void DimClasses::join(Value lhs, int64_t lhsDim, Value rhs, int64_t rhsDim) {
  unsigned left = find(first.at(lhs) + lhsDim);
  unsigned right = find(first.at(rhs) + rhsDim);
  parents[std::max(left, right)] = std::min(left, right);
}

static int64_t rankOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

void DimClasses::join(Operation *op) {
  auto joinAll = [&](Value lhs, Value rhs, auto &&isSame) {
    for (int64_t dim = 0; dim < rankOf(lhs); ++dim)
      if (isSame(dim))
        join(lhs, dim, rhs, dim);
  };
  auto always = [](int64_t) { return true; };
  auto joinViews = [&](Value many, Value few,
                       ArrayRef<ReassociationIndices> groups) {
    for (auto [dim, group] : llvm::enumerate(groups))
      if (group.size() == 1)
        join(many, group.front(), few, dim);
  };
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op)) {
    SmallVector<std::optional<DimClasses::Dim>> loops(linalg.getNumLoops());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = linalg.getMatchingIndexingMap(&operand);
      for (auto [dim, index] : llvm::enumerate(map.getResults())) {
        auto loop = dyn_cast<AffineDimExpr>(index);
        if (!loop)
          continue;
        auto &known = loops[loop.getPosition()];
        if (known)
          join(operand.get(), dim, known->tensor, known->dim);
        else
          known = {operand.get(), static_cast<int64_t>(dim)};
      }
    }
  }
  if (auto target = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      joinAll(result, target.getTiedOpOperand(result)->get(), always);
  llvm::TypeSwitch<Operation *>(op)
      .Case<tensor::CastOp>([&](tensor::CastOp cast) {
        if (isa<RankedTensorType>(cast.getSource().getType()) &&
            isa<RankedTensorType>(cast.getType()))
          joinAll(cast, cast.getSource(), always);
      })
      .Case<tensor::CollapseShapeOp>([&](tensor::CollapseShapeOp view) {
        joinViews(view.getSrc(), view, view.getReassociationIndices());
      })
      .Case<tensor::ExpandShapeOp>([&](tensor::ExpandShapeOp view) {
        joinViews(view, view.getSrc(), view.getReassociationIndices());
      })
      .Case<tensor::ConcatOp>([&](tensor::ConcatOp all) {
        for (Value input : all.getInputs())
          joinAll(all, input, [&](int64_t dim) {
            return static_cast<uint64_t>(dim) != all.getDim();
          });
      })
      .Case<tensor::PadOp>([&](tensor::PadOp pad) {
        joinAll(pad.getResult(), pad.getSource(), [&](int64_t dim) {
          return isZeroInteger(pad.getMixedLowPad()[dim]) &&
                 isZeroInteger(pad.getMixedHighPad()[dim]);
        });
      })
      .Default([&](Operation *other) {
        if (other->hasTrait<OpTrait::Elementwise>())
          for (Value operand : other->getOperands())
            if (isa<RankedTensorType>(operand.getType()) &&
                isa<RankedTensorType>(other->getResult(0).getType()))
              joinAll(other->getResult(0), operand, always);
      });
}

DimClasses::DimClasses(func::FuncOp function) {
  Block &body = function.getBody().front();
  llvm::for_each(body.getArguments(), [&](Value value) { add(value); });
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), [&](Value value) { add(value); });
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), [&](Value value) { add(value); });
  });
  function.getBody().walk([&](Operation *op) { join(op); });
}

std::vector<SmallVector<DimClasses::Dim>> DimClasses::list() {
  llvm::MapVector<unsigned, SmallVector<Dim>> members;
  for (unsigned id = 0; id < dims.size(); ++id)
    members[find(id)].push_back(dims[id]);
  std::vector<SmallVector<Dim>> classes;
  for (auto &[leader, all] : members)
    classes.push_back(std::move(all));
  return classes;
}
