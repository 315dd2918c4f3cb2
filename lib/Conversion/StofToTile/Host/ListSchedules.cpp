//===----------------------------------------------------------------------===//
// Prints the schedules that kernels can have, with predicted times.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/Conversion/Passes.h"
#include "stof/CostModel/GroupCost.h"
#include "stof/Support/PrintLocation.h"
#include "stof/Support/ResolveTarget.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace stof {
#define GEN_PASS_DEF_LISTSCHEDULESPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

/// A line of the table.
struct Row {
  /// 0 for the schedule in use.
  size_t number;
  Attribute schedule;
  std::optional<Prediction> prediction;

  /// Unknown times come last.
  std::tuple<bool, double, size_t> getRank() const {
    return {!prediction, prediction ? prediction->microseconds : 0, number};
  }
};

struct ListSchedulesPass
    : stof::impl::ListSchedulesPassBase<ListSchedulesPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerKernelModels(registry);
  }

  void runOnOperation() override {
    FailureOr<const TargetInfo *> target = resolveTarget(getOperation(), chip);
    if (failed(target))
      return signalPassFailure();
    WalkResult walked = getOperation()->walk([&](KernelOpInterface op) {
      FailureOr<SmallVector<KernelSchedule>> schedules =
          op.listSchedules(*target);
      if (failed(schedules))
        return WalkResult::interrupt();
      if (!schedules->empty())
        print(op, *target, *schedules);
      return WalkResult::advance();
    });
    markAllAnalysesPreserved();
    if (walked.wasInterrupted())
      signalPassFailure();
  }

private:
  void print(Operation *op, const TargetInfo *target,
             ArrayRef<KernelSchedule> schedules) {
    CostModel model = getCostModel(target);
    SmallVector<Row> rows;
    for (auto [number, schedule] : llvm::enumerate(schedules))
      rows.push_back({number, schedule.attribute, schedule.predict(model)});
    llvm::sort(rows, [](const Row &lhs, const Row &rhs) {
      return lhs.getRank() < rhs.getRank();
    });
    llvm::outs() << printLocation(op->getLoc()) << ": schedules of '"
                 << op->getName() << '\'';
    if (auto function = op->getParentOfType<FunctionOpInterface>())
      llvm::outs() << " in @" << function.getName();
    llvm::outs() << " for " << (target ? target->name : "the CPU") << ": "
                 << rows.size() << '\n';
    llvm::outs() << "      us bound         schedule\n";
    int64_t printed = 0;
    for (const Row &row : rows) {
      if (most > 0 && printed++ >= most && row.number > 0)
        continue;
      llvm::outs() << (row.number == 0 ? "* " : "  ");
      if (row.prediction)
        llvm::outs() << llvm::formatv("{0,6:f2} {1,-13} ",
                                      row.prediction->microseconds,
                                      row.prediction->bound);
      else
        llvm::outs() << "     ? sizes unknown ";
      llvm::outs() << row.schedule << '\n';
    }
  }
};

} // namespace
