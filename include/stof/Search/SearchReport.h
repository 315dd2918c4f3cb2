//===----------------------------------------------------------------------===//
// What a search tried and chose, for people and for machines.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_SEARCHREPORT_H
#define STOF_SEARCH_SEARCHREPORT_H

#include "stof/Search/Measurer.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace stof {

/// A schedule of a kernel, with predicted and measured time in microseconds.
struct TriedSchedule {
  /// The attribute, as MLIR prints it.
  std::string schedule;
  std::optional<double> predicted;
  /// What limits the predicted kernel: `HBM`, `tensor`, ... (CostModel.h).
  std::string bound;
  std::optional<double> measured;
  unsigned clockMHz = 0;
  /// Why it was not measured, if that was tried.
  std::string failure;
  /// Whether the measurement is of an earlier search.
  bool isKnown = false;
};

/// Times in microseconds without and with a search, both measured or both
/// predicted.
struct SearchGain {
  double untuned = 0, chosen = 0;
  bool isMeasured = false;

  double getFactor() const { return untuned / chosen; }
  double getSaved() const { return untuned - chosen; }
};

/// How well predicted times rank the schedules that have a measured time too.
struct PredictionQuality {
  size_t count = 0;
  /// Spearman's; nothing if fewer than three were measured.
  std::optional<double> rankCorrelation;
  /// The geometric mean of measured over predicted times.
  double bias = 1;
  /// Of the schedule with the least predicted time: its place among measured
  /// times, from 1, and its measured time over the least.
  size_t place = 1;
  double regret = 1;
};

/// The schedules of one kernel. Operations with the same signature share it.
struct SearchedKernel {
  std::string signature;
  /// The operation and its types, for people.
  std::string name;
  /// Functions and places of the source.
  std::vector<std::string> places;
  /// All schedules, by predicted time.
  std::vector<TriedSchedule> schedules;
  /// Indices of `schedules`: the compiler's choice without a search, and that
  /// of the search.
  size_t untuned = 0, chosen = 0;
  /// Why the chosen one, or why nothing was measured.
  std::string reason;

  /// By measured times, else by predicted times; nothing if one of the two
  /// schedules has neither.
  std::optional<SearchGain> getGain() const;

  /// Microseconds that the chosen schedule saves in all places; 0 if unknown.
  double getSaved() const;

  size_t countMeasured() const;
  size_t countFailed() const;

  /// Nothing if no schedule has both times.
  std::optional<PredictionQuality> judgePredictions() const;
};

/// The fusion scheme of one function, with predicted times of its kernels.
struct SearchedScheme {
  std::string function;
  /// A bit an operation, `0` or `1`, as SchemeAttr::getBits.
  std::string untuned, chosen;
  double untunedMicroseconds = 0, chosenMicroseconds = 0;
  /// How many schemes were compared.
  unsigned tried = 0;
};

/// The kernels of a report taken together.
struct SearchTotal {
  /// Kernels with a gain, and whether those are measured; measured and
  /// predicted times are not added up.
  size_t kernels = 0;
  bool isMeasured = false;
  /// Microseconds of all places.
  double untuned = 0, chosen = 0;
  /// The geometric mean of the gains of kernels.
  double meanGain = 1;
};

struct SearchReport {
  std::string target;
  /// Empty if nothing was measured.
  MeasuredDevice device;
  /// Why nothing could be measured, if that is so.
  std::string notMeasured;
  std::string compiler;
  unsigned seed = 0;
  /// The number of measurements that were allowed, and of those that were made.
  unsigned budget = 0, measured = 0;
  double seconds = 0;
  /// Also if its time was over.
  bool isInterrupted = false;
  std::vector<SearchedScheme> schemes;
  std::vector<SearchedKernel> kernels;

  /// The kernels in the order in which they are reported: first that which
  /// saves most in all its places, then that which takes longest.
  std::vector<const SearchedKernel *> rankKernels() const;

  /// Of the kernels with measured gains, or of all if there are none. Nothing
  /// if no kernel has a gain.
  std::optional<SearchTotal> getTotal() const;

  /// The report as JSON (search.schema.json).
  llvm::json::Object toJSON() const;

  /// Prints a page of HTML that needs no other file and is well-formed XML.
  void printPage(llvm::raw_ostream &os) const;
};

} // namespace stof

#endif // STOF_SEARCH_SEARCHREPORT_H
