//===----------------------------------------------------------------------===//
// Collection of remarks, and reports as JSON.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Report.h"

#include "stof/Target/LaunchPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <mutex>

using namespace mlir;
using namespace stof;

void stof::nameLocations(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    function->walk([&](Operation *op) {
      op->setLoc(NameLoc::get(function.getSymNameAttr(), op->getLoc()));
    });
}

/// The function name in a location; empty if there is none.
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
    RemarkReport said;
    said.loc = printPlace(remark.getLocation());
    said.function = findFunction(remark.getLocation());
    said.kind = spell(remark.getRemarkType());
    said.name = remark.getRemarkName().str();
    said.text = getText(remark);
    llvm::raw_string_ostream text(said.line);
    text << said.loc << ": ";
    remark.print(text);
    // Functions are compiled in parallel.
    std::lock_guard<std::mutex> guard(mutex);
    if (!seen[said.function].insert(said.line).second)
      return;
    if (remark.getRemarkType() == llvm::remarks::Type::Passed)
      addAttention(said, remark);
    report.remarks.push_back(std::move(said));
  }

private:
  static StringRef spell(llvm::remarks::Type type) {
    switch (type) {
    case llvm::remarks::Type::Passed:
      return "passed";
    case llvm::remarks::Type::Missed:
      return "missed";
    case llvm::remarks::Type::Failure:
      return "failure";
    default:
      return "analysis";
    }
  }

  static std::string find(const remark::detail::Remark &remark, StringRef key) {
    for (const remark::detail::Remark::Arg &argument : remark.getArgs())
      if (argument.key == key)
        return argument.val;
    return "";
  }

  static std::string getText(const remark::detail::Remark &remark) {
    for (StringRef key : {"Reason", "Remark"})
      if (std::string text = find(remark, key); !text.empty())
        return text;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(remark.getArgs(), os, [&](const auto &argument) {
      os << argument.key << "=" << argument.val;
    });
    return text;
  }

  /// Adds the attention that a remark is about.
  void addAttention(const RemarkReport &said,
                    const remark::detail::Remark &remark) {
    if (said.name != "RaisedAttention" && said.name != "ImportedAttention")
      return;
    AttentionReport &attention = report.attentionAt(said.function, said.loc);
    bool isImported =
        said.name == "ImportedAttention" || attention.source == "imported";
    attention.source = isImported ? "imported" : "raised";
    if (said.name == "RaisedAttention") {
      attention.mask = find(remark, "Mask");
      std::string rows = find(remark, "EmptyRows");
      attention.emptyRows = rows == "none" ? "" : rows;
    }
  }

  std::mutex mutex;
  Report &report;
  /// The lines of the remarks of each function.
  llvm::StringMap<llvm::StringSet<>> seen;
};

} // namespace

AttentionReport &Report::attentionAt(StringRef function, StringRef loc) {
  for (AttentionReport &attention : attentions)
    if (attention.function == function && attention.loc == loc)
      return attention;
  attentions.push_back({function.str(), loc.str(), "written", "", "", {}});
  return attentions.back();
}

LogicalResult stof::collectRemarks(MLIRContext &context, Report &report) {
  remark::RemarkCategories all;
  all.passed = all.missed = all.analysis = all.failed = ".*";
  return remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(report),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
}

void Report::readSource(ModuleOp module) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    operations.try_emplace(printPlace(op->getLoc()),
                           op->getName().getStringRef().str());
  });
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
    // More decimals would exceed the accuracy of the prediction.
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

llvm::json::Value Report::describe(const AttentionReport &attention) const {
  llvm::json::Array computing, notes;
  for (const AttentionReport::Kernel &kernel : attention.kernels)
    computing.push_back(
        llvm::json::Object{{"target", kernel.target}, {"name", kernel.name}});
  for (const RemarkReport &remark : remarks)
    if (remark.function == attention.function && remark.loc == attention.loc &&
        remark.name != "RaisedAttention" && remark.name != "ImportedAttention")
      notes.push_back(llvm::json::Object{{"kind", remark.kind},
                                         {"remark", remark.name},
                                         {"text", remark.text}});
  llvm::json::Object object{{"loc", attention.loc},
                            {"source", attention.source},
                            {"mask", attention.mask},
                            {"kernels", std::move(computing)},
                            {"notes", std::move(notes)}};
  if (!attention.emptyRows.empty())
    object["empty_rows"] = attention.emptyRows;
  return object;
}

llvm::json::Value Report::describe(func::FuncOp function) const {
  StringRef name = function.getName();
  llvm::json::Array ran, needed, found, dense, omitted;
  for (const KernelReport &kernel : kernels)
    if (kernel.function == name)
      ran.push_back(::describe(kernel));
  for (const WorkspaceReport &workspace : workspaces)
    if (workspace.function == name)
      needed.push_back(
          llvm::json::Object{{"target", workspace.target},
                             {"bytes", workspace.bytes},
                             {"lower_bound", workspace.lowerBound}});
  for (const AttentionReport &attention : attentions)
    if (attention.function == name)
      found.push_back(describe(attention));
  for (const RemarkReport &item : remarks) {
    if (item.function != name || item.kind != "missed")
      continue;
    auto op = operations.find(item.loc);
    llvm::json::Object entry{
        {"loc", item.loc},
        {"op", op == operations.end() ? "unknown" : op->second},
        {"remark", item.name},
        {"reason", item.text}};
    if (item.name == "RaisedAttention" || item.name == "ImportedAttention")
      dense.push_back(llvm::json::Object(entry));
    omitted.push_back(std::move(entry));
  }
  return llvm::json::Object{{"name", name},
                            {"attentions", std::move(found)},
                            {"softmaxes", std::move(dense)},
                            {"kernels", std::move(ran)},
                            {"workspace", std::move(needed)},
                            {"missed", std::move(omitted)}};
}

llvm::json::Value Report::toJSON(ModuleOp module) const {
  llvm::json::Array described;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      described.push_back(describe(function));
  return llvm::json::Object{{"functions", std::move(described)}};
}
