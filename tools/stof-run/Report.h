//===----------------------------------------------------------------------===//
// The report of stof-run on standard output.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_REPORT_H
#define STOF_TOOLS_STOF_RUN_REPORT_H

#include "Compare.h"
#include "stof/Runtime/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace stof::runtime {

struct Report {
  const Program &program;
  const Call &call;
  std::vector<double> microseconds; ///< The time of each timed run.
  std::vector<Comparison> comparisons;
};

/// Prints a line for the times and one for each comparison.
void printText(const Report &report, llvm::raw_ostream &os);

/// Prints one JSON object.
void printJson(const Report &report, llvm::raw_ostream &os);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_REPORT_H
