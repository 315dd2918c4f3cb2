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
static FileLineColLoc findPlace(Location loc) {
  FileLineColLoc place;
  loc->walk([&](Location part) {
    place = dyn_cast<FileLineColLoc>(part);
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

static std::string print(Location loc) {
  FileLineColLoc place = findPlace(loc);
  if (!place)
    return "unknown";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

namespace {

class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  Collector(Report &report, raw_ostream *stream)
      : report(report), stream(stream) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string line;
    llvm::raw_string_ostream text(line);
    text << print(remark.getLocation()) << ": ";
    remark.print(text);
    // Functions are compiled side by side.
    std::lock_guard<std::mutex> guard(mutex);
    if (!seen.insert(line).second)
      return;
    if (stream)
      *stream << line << "\n";
    if (remark.getRemarkType() != llvm::remarks::Type::Missed)
      return;
    FileLineColLoc place = findPlace(remark.getLocation());
    report.missed.push_back({print(remark.getLocation()),
                             place ? place.getLine() : 0,
                             remark.getRemarkName().str(), getReason(remark)});
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
  raw_ostream *stream;
  llvm::StringSet<> seen;
};

} // namespace

LogicalResult stof::collectRemarks(MLIRContext &context, Report &report,
                                   raw_ostream *stream) {
  remark::RemarkCategories all;
  all.passed = all.missed = all.analysis = all.failed = ".*";
  return remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(report, stream),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
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

/// The name of the last function that begins before `line`.
static StringRef findFunction(MutableArrayRef<func::FuncOp> functions,
                              unsigned line) {
  StringRef name = functions.front().getName();
  unsigned latest = 0;
  for (func::FuncOp function : functions) {
    FileLineColLoc place = findPlace(function.getLoc());
    if (!place || place.getLine() > line || place.getLine() < latest)
      continue;
    latest = place.getLine();
    name = function.getName();
  }
  return name;
}

llvm::json::Value Report::toJSON(ModuleOp module) const {
  SmallVector<func::FuncOp> functions = llvm::filter_to_vector(
      module.getOps<func::FuncOp>(),
      [](func::FuncOp function) { return function.isPublic(); });
  llvm::json::Array described;
  for (func::FuncOp function : functions) {
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
      if (findFunction(functions, item.line) == function.getName())
        omitted.push_back(llvm::json::Object{
            {"loc", item.loc}, {"op", item.op}, {"reason", item.reason}});
    described.push_back(llvm::json::Object{{"name", function.getName()},
                                           {"kernels", std::move(ran)},
                                           {"workspace", std::move(needed)},
                                           {"missed", std::move(omitted)}});
  }
  return llvm::json::Object{{"functions", std::move(described)}};
}
