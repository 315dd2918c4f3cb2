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

/// A decision that a missed remark tells.
struct MissedReport {
  std::string loc;
  /// The line of `loc`; 0 if it is not known.
  unsigned line;
  std::string op;
  std::string reason;
};

struct Report {
  std::vector<KernelReport> kernels;
  std::vector<WorkspaceReport> workspaces;
  std::vector<MissedReport> missed;

  /// One entry for each public function of `module`. What was missed belongs to
  /// the last function that begins before it.
  llvm::json::Value toJSON(mlir::ModuleOp module) const;
};

/// Makes remarks of `context` go into `report`, and all of them, a line each,
/// to `stream` where one is given. What several targets say is kept once. The
/// report and the stream have to outlive the context's remarks.
mlir::LogicalResult collectRemarks(mlir::MLIRContext &context, Report &report,
                                   llvm::raw_ostream *stream);

} // namespace stof

#endif // STOF_PIPELINES_REPORT_H
