//===----------------------------------------------------------------------===//
// The progress of a search, on a terminal.
//===----------------------------------------------------------------------===//

#include "stof/Search/ProgressLine.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace stof;

/// How often the time of all kernels was divided.
static std::string formatGain(double before, double after) {
  return llvm::formatv("{0:f2}x", after > 0 ? before / after : 1);
}

void stof::printProgressLine(const SearchProgress &progress) {
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return;
  llvm::errs() << llvm::formatv(
      "\rsearch: {0} of at most {1} measurements, {2} faster, {3:f0} s left   ",
      progress.measured, progress.budget,
      formatGain(progress.untunedMicroseconds, progress.bestMicroseconds),
      progress.secondsLeft);
}

void stof::printSummary(const SearchReport &report) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << '\n';
  llvm::errs() << llvm::formatv(
      "search for {0}: {1} kernels, {2} measurements in {3:f1} s{4}",
      report.target, report.kernels.size(), report.measured, report.seconds,
      report.isInterrupted ? ", interrupted" : "");
  if (std::optional<SearchTotal> total = report.getTotal())
    llvm::errs() << llvm::formatv("; {0} {1:f1} us, untuned {2:f1} us ({3})",
                                  total->isMeasured ? "measured" : "predicted",
                                  total->chosen, total->untuned,
                                  formatGain(total->untuned, total->chosen));
  if (!report.notMeasured.empty())
    llvm::errs() << "; the cost model chose: " << report.notMeasured;
  llvm::errs() << '\n';
}
