//===----------------------------------------------------------------------===//
// Reports as JSON, filled from remarks.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Report.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <mutex>

using namespace mlir;
using namespace stof;

/// The place in a file that `loc` is about, if it is about one.
static std::string print(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "unknown";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

void stof::nameLocations(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    function->walk([&](Operation *op) {
      op->setLoc(NameLoc::get(function.getSymNameAttr(), op->getLoc()));
    });
}

/// The function that a location is named after; empty where it is not.
static std::string findFunction(Location loc) {
  auto named = loc->findInstanceOf<NameLoc>();
  return named ? named.getName().str() : "";
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

namespace {

class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(Report &report) : report(report) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string place = print(remark.getLocation());
    std::string function = findFunction(remark.getLocation());
    std::string line;
    llvm::raw_string_ostream text(line);
    text << place << ": ";
    remark.print(text);
    // Functions are compiled side by side.
    std::lock_guard<std::mutex> guard(mutex);
    if (!seen[function].insert(line).second)
      return;
    report.remarks.push_back({function, line});
    if (remark.getRemarkType() == llvm::remarks::Type::Missed)
      report.missed.push_back(
          {function, place, remark.getRemarkName().str(), getReason(remark)});
  }

private:
  static std::string getReason(const remark::detail::Remark &remark) {
    for (const remark::detail::Remark::Arg &argument : remark.getArgs())
      if (argument.key == "Reason")
        return argument.val;
    return remark.getMsg();
  }

  std::mutex mutex;
  Report &report;
  /// What was said of each function.
  llvm::StringMap<llvm::StringSet<>> seen;
};

} // namespace

LogicalResult stof::collectRemarks(MLIRContext &context, Report &report) {
  remark::RemarkCategories all;
  all.passed = all.missed = all.analysis = all.failed = ".*";
  return remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(report),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
}

void Report::printRemarks(ModuleOp module, raw_ostream &os) const {
  llvm::StringMap<size_t> positions;
  for (auto [index, function] : llvm::enumerate(module.getOps<func::FuncOp>()))
    positions[function.getName()] = index + 1;
  SmallVector<std::pair<size_t, size_t>> order;
  for (auto [index, remark] : llvm::enumerate(remarks))
    order.emplace_back(positions.lookup(remark.function), index);
  llvm::sort(order);
  for (auto [position, index] : order)
    os << remarks[index].line << "\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value describe(const KernelReport &kernel) {
  bool isAttention = llvm::is_contained(kernel.ops, "stof.attention");
  llvm::json::Object object{{"name", kernel.name},
                            {"target", kernel.target},
                            {"kind", isAttention ? "attention" : "group"},
                            {"ops", llvm::json::Array(kernel.ops)},
                            {"schedule", llvm::json::Object(kernel.schedule)}};
  if (kernel.layout)
    object["layout"] = llvm::json::Object(*kernel.layout);
  object["predicted_us"] = nullptr;
  if (kernel.predictedMicroseconds) {
    // A hundredth is more than is known.
    object["predicted_us"] =
        std::round(*kernel.predictedMicroseconds * 100) / 100;
    object["predicted_for"] = kernel.predictedFor;
    if (kernel.isUpperBound)
      object["predicted_at_most"] = true;
  }
  if (kernel.sharedBytes)
    object["shared_bytes"] = *kernel.sharedBytes;
  if (kernel.registers)
    object["registers"] = *kernel.registers;
  if (kernel.spills)
    object["spills"] = *kernel.spills;
  return object;
}

llvm::json::Value Report::toJSON(ModuleOp module) const {
  llvm::json::Array described;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    llvm::json::Array ran, needed, omitted;
    for (const KernelReport &kernel : kernels)
      if (kernel.function == function.getName())
        ran.push_back(describe(kernel));
    for (const WorkspaceReport &workspace : workspaces)
      if (workspace.function == function.getName())
        needed.push_back(
            llvm::json::Object{{"target", workspace.target},
                               {"bytes", workspace.bytes},
                               {"lower_bound", workspace.lowerBound}});
    for (const MissedReport &item : missed)
      if (item.function == function.getName())
        omitted.push_back(llvm::json::Object{
            {"loc", item.loc}, {"op", item.op}, {"reason", item.reason}});
    described.push_back(llvm::json::Object{{"name", function.getName()},
                                           {"kernels", std::move(ran)},
                                           {"workspace", std::move(needed)},
                                           {"missed", std::move(omitted)}});
  }
  return llvm::json::Object{{"functions", std::move(described)}};
}
