//===----------------------------------------------------------------------===//
// The report of a compilation: the kernels of each function, and remarks on
// decisions.
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
  /// The operations of the kernel, in order.
  std::vector<std::string> ops;
  /// The kernel configuration: the algorithm (`kernel`) and its tile sizes by
  /// name.
  llvm::json::Object schedule;
  /// For attention, documented in ReportLayout.cpp.
  std::optional<llvm::json::Object> layout;
  std::optional<int64_t> sharedBytes;
  /// Per thread, if ptxas is available. Spills are the bytes stored.
  std::optional<int64_t> registers, spills;
  /// The predicted time of a launch and its device, if the sizes are known.
  std::optional<double> predictedMicroseconds;
  std::string predictedFor;
  /// Whether the prediction is an upper bound, as for masks known at run time.
  bool isUpperBound = false;
};

/// The intermediate buffers of a function on one target.
struct WorkspaceReport {
  std::string function;
  std::string target;
  /// An expression of the manifest.
  llvm::json::Value bytes;
  /// The maximum of live bytes, if sizes are static.
  std::optional<int64_t> lowerBound;
};

/// A remark of a pass.
struct RemarkReport {
  /// Empty before calls are inlined.
  std::string function;
  /// FILE:LINE:COLUMN of the source, or `unknown`.
  std::string loc;
  /// `passed`, `missed`, `failure` or `analysis`.
  std::string kind;
  /// A name in lib/REMARKS.md.
  std::string name;
  /// The reason, the message or the arguments, the first that is present.
  std::string text;
  /// The complete remark in one line.
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
  /// AttentionOp::getMaskOrigin(); empty if unknown.
  std::string mask;
  /// The result of fully masked rows; empty if there are none.
  std::string emptyRows;
  /// Its kernels, in the order of their launches.
  std::vector<Kernel> kernels;
};

struct Report {
  std::vector<KernelReport> kernels;
  std::vector<WorkspaceReport> workspaces;
  /// In the order of emission, interleaved for functions compiled in parallel.
  std::vector<RemarkReport> remarks;
  std::vector<AttentionReport> attentions;

  /// The attention of `function` at `loc`, created if there is none.
  AttentionReport &attentionAt(llvm::StringRef function, llvm::StringRef loc);

  /// Records the operations of `module` by location, before passes replace
  /// them.
  void readSource(mlir::ModuleOp module);

  /// One entry for each public function of `module`, the source.
  llvm::json::Value toJSON(mlir::ModuleOp module) const;
  /// Prints a line for each remark: those without a function, then those of
  /// each function of `module`, in the order of emission.
  void printRemarks(mlir::ModuleOp module, llvm::raw_ostream &os) const;

private:
  /// The name of the first operation of the source at each location.
  llvm::StringMap<std::string> operations;

  llvm::json::Value describe(const AttentionReport &attention) const;
  llvm::json::Value describe(mlir::func::FuncOp function) const;
};

/// Adds remarks of `context` to `report`, which must outlive it. Equal remarks
/// of several targets on a function are added once.
mlir::LogicalResult collectRemarks(mlir::MLIRContext &context, Report &report);

/// Names the location of each operation after its function, in order to assign
/// remarks to functions.
void nameLocations(mlir::ModuleOp module);

} // namespace stof

#endif // STOF_PIPELINES_REPORT_H
