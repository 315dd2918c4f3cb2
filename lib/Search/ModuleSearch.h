//===----------------------------------------------------------------------===//
// One run of the search, on one module.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_MODULESEARCH_H
#define STOF_LIB_SEARCH_MODULESEARCH_H

#include "stof/Search/KernelModule.h"
#include "stof/Search/ScheduleSearch.h"
#include "stof/Search/SearchSchemes.h"
#include "stof/Search/ShippedSchedules.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace stof {

/// Forms the groups of a function by the scheme on it.
using FormGroups = llvm::function_ref<mlir::LogicalResult(mlir::func::FuncOp)>;

/// Kernels are known by their signatures, so a function is a number of kernels
/// of each, and its time is the sum of theirs. Other schemes are tried at one
/// place: what they change is the difference of these numbers.
class ModuleSearch {
public:
  ModuleSearch(mlir::ModuleOp module, SearchSession &session,
               const TargetInfo *target, FormGroups formGroups)
      : module(module), session(session), options(session.getOptions()),
        target(target), formGroups(formGroups) {}

  /// Forms groups, writes schedules into the module, and adds a report and a
  /// script to the session.
  mlir::LogicalResult run();

private:
  /// A kernel, and its schedules in the order of the report.
  struct Kernel {
    SearchKernel search;
    llvm::SmallVector<mlir::Attribute> schedules;
    /// Whether its schedule is one that ships.
    bool isShipped = false;
  };
  using KernelCounts = std::map<std::string, unsigned>;

  /// Another scheme of a function, of which the first place was tried.
  struct TriedAlternative {
    Alternative moves;
    KernelCounts counts;
  };

  struct Function {
    mlir::func::FuncOp op;
    /// Of the operations before they are in groups; empty if that has no use.
    std::string signature;
    SchemeSearch schemes;
    KernelCounts counts;
    std::vector<TriedAlternative> alternatives;
  };

  // Time, devices and databases.
  void limitTime();
  void explainNoMeasuring(const llvm::Twine &why);
  void explainModelChoices();
  std::unique_ptr<Measurer> openDevice();
  std::unique_ptr<TuningDatabase> openDatabase();
  TuningKey keyOf(llvm::StringRef signature) const;
  void ignore(const std::string &reason);
  mlir::LogicalResult readShipped();
  std::string findShippedDevice() const;

  // Schemes.
  mlir::LogicalResult searchSchemes(mlir::func::FuncOp op);
  bool recallScheme(Function &function);
  bool takeKnownScheme(Function &function, const std::string &known);
  void countLaunches(const Function &function);
  mlir::LogicalResult tryAlternatives(Function &function);
  mlir::LogicalResult tryScheme(mlir::func::FuncOp op,
                                const FusionScheme &scheme,
                                KernelCounts &counts);
  std::optional<double> timeOf(const std::string &signature) const;
  std::optional<double> gainOf(const Function &function,
                               const TriedAlternative &tried) const;
  void chooseScheme(Function &function);
  void keepScheme(const Function &function, double measured);

  // Schedules.
  mlir::LogicalResult listSchedules(KernelOpInterface op, Kernel &kernel);
  mlir::FailureOr<llvm::StringRef> find(KernelOpInterface op);
  bool isFinished(const Kernel &kernel);
  bool recallShipped(Kernel &kernel);
  void searchSchedules();
  mlir::LogicalResult chooseSchedules();
  void chooseSchedule(KernelOpInterface op, Kernel &kernel);

  mlir::ModuleOp module;
  SearchSession &session;
  SearchOptions options;
  const TargetInfo *target;
  FormGroups formGroups;
  SearchReport report;
  /// Null if nothing is measured, or kept.
  std::unique_ptr<Measurer> measurer;
  std::unique_ptr<TuningDatabase> database;
  ShippedSchedules shipped;
  /// The device whose shipped schedules are taken; empty if there are none.
  std::string shippedDevice;
  std::vector<Function> functions;
  KernelSigner signer;
  llvm::MapVector<std::string, Kernel, std::map<std::string, unsigned>> kernels;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_MODULESEARCH_H
