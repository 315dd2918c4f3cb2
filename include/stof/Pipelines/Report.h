//===----------------------------------------------------------------------===//
// What a compilation did: the kernels of each function, and what it decided not
// to do.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_REPORT_H
#define STOF_PIPELINES_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace stof {

struct KernelReport {
  std::string function;
  std::string target;
  std::string name;
  /// The operations that the kernel computes, in order.
  std::vector<std::string> ops;
  /// The algorithm (`kernel`) and the sizes of its tiles by name.
  llvm::json::Object schedule;
  /// Of attention, as ReportLayout.cpp says.
  std::optional<llvm::json::Object> layout;
  std::optional<int64_t> sharedBytes;
  /// Of a thread; known where ptxas was found. Spills are bytes stored.
  std::optional<int64_t> registers, spills;
  /// The time of one launch and the device that it is predicted for, where the
  /// sizes are known.
  std::optional<double> predictedMicroseconds;
  std::string predictedFor;
  /// Whether it may take less, as its mask is known at run time.
  bool isUpperBound = false;
};

/// The intermediate buffers of a function on one target.
struct WorkspaceReport {
  std::string function;
  std::string target;
  /// An expression of the manifest.
  llvm::json::Value bytes;
  /// The most bytes that are alive at once, where sizes are static.
  std::optional<int64_t> lowerBound;
};

/// What a pass said, in one line.
struct RemarkReport {
  /// Empty before functions stand alone.
  std::string function;
  std::string line;
};

/// A decision that a missed remark tells.
struct MissedReport {
  std::string function;
  std::string loc;
  std::string op;
  std::string reason;
};

struct Report {
  std::vector<KernelReport> kernels;
  std::vector<WorkspaceReport> workspaces;
  /// As emitted; functions that are compiled side by side take turns.
  std::vector<RemarkReport> remarks;
  std::vector<MissedReport> missed;

  /// One entry for each public function of `module`.
  llvm::json::Value toJSON(mlir::ModuleOp module) const;
  /// A line for each remark: those of no function, then those of each function
  /// of `module` as emitted.
  void printRemarks(mlir::ModuleOp module, llvm::raw_ostream &os) const;
};

/// Makes remarks of `context`, which `report` has to outlive, go into it. What
/// several targets say of a function is kept once.
mlir::LogicalResult collectRemarks(mlir::MLIRContext &context, Report &report);

/// Names the location of each operation after its function, which remarks then
/// belong to wherever they lie.
void nameLocations(mlir::ModuleOp module);

} // namespace stof

#endif // STOF_PIPELINES_REPORT_H
