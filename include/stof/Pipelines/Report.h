//===----------------------------------------------------------------------===//
// What a compilation did: the kernels of each function, and what it decided not
// to do.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_REPORT_H
#define STOF_PIPELINES_REPORT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/StringMap.h"
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

/// What a pass said.
struct RemarkReport {
  /// Empty before functions stand alone.
  std::string function;
  /// FILE:LINE:COLUMN of the source, or `unknown`.
  std::string loc;
  /// `passed`, `missed`, `failure` or `analysis`.
  std::string kind;
  /// As lib/REMARKS.md lists it.
  std::string name;
  /// The reason, the message or the arguments, whichever there is.
  std::string text;
  /// All of it in one line.
  std::string line;
};

/// An attention of a function: found in the source, or written there.
struct AttentionReport {
  struct Kernel {
    std::string target, name;
  };

  std::string function;
  std::string loc;
  /// `raised` from linalg, `imported` from an operation of an exporter, or
  /// `written` as stof.attention.
  std::string source;
  /// As AttentionOp::getMaskOrigin() says; empty where no pass said it.
  std::string mask;
  /// What rows without a key give; empty where the mask leaves none.
  std::string emptyRows;
  /// Those that compute it, in the order of their launches.
  std::vector<Kernel> kernels;
};

struct Report {
  std::vector<KernelReport> kernels;
  std::vector<WorkspaceReport> workspaces;
  /// As emitted; functions that are compiled side by side take turns.
  std::vector<RemarkReport> remarks;
  std::vector<AttentionReport> attentions;

  /// The attention of `function` at `loc`; a new one if there is none.
  AttentionReport &attentionAt(llvm::StringRef function, llvm::StringRef loc);

  /// Remembers which operations `module` has where, before passes replace them.
  void readSource(mlir::ModuleOp module);

  /// One entry for each public function of `module`, the source.
  llvm::json::Value toJSON(mlir::ModuleOp module) const;
  /// A line for each remark: those of no function, then those of each function
  /// of `module` as emitted.
  void printRemarks(mlir::ModuleOp module, llvm::raw_ostream &os) const;

private:
  /// The name of the first operation of the source at each place.
  llvm::StringMap<std::string> operations;

  llvm::json::Value describe(const AttentionReport &attention) const;
  llvm::json::Value describe(mlir::func::FuncOp function) const;
};

/// Makes remarks of `context`, which `report` has to outlive, go into it. What
/// several targets say of a function is kept once.
mlir::LogicalResult collectRemarks(mlir::MLIRContext &context, Report &report);

/// Names the location of each operation after its function, which remarks then
/// belong to wherever they lie.
void nameLocations(mlir::ModuleOp module);

} // namespace stof

#endif // STOF_PIPELINES_REPORT_H
