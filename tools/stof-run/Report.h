//===----------------------------------------------------------------------===//
// What stof-run says on its standard output.
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
  std::vector<double> microseconds; ///< Of each timed run.
  std::vector<Comparison> comparisons;
};

/// A line for the times and one for each comparison.
void printText(const Report &report, llvm::raw_ostream &os);

/// Everything, as one JSON object.
void printJson(const Report &report, llvm::raw_ostream &os);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_REPORT_H
