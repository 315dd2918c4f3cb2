//===----------------------------------------------------------------------===//
// The text of a tuning database, as `stof-tune export` prints it: a JSON object
// a line, for a measurement or for a search that is over. The reader takes
// lines in any order, and nothing else.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_TUNINGLINES_H
#define STOF_SEARCH_TUNINGLINES_H

#include "stof/Search/TuningDatabase.h"

namespace stof {

struct TuningLine {
  TuningKey key;
  /// The measurement, unless the line is about a search that is over.
  TunedSchedule measured;
  /// The number of measurements after which a search was over.
  std::optional<unsigned> finished;
};

/// Calls `onLine` with each line of `text`, which comes from file `name`, and
/// with what it says. Fails at the first line that is wrong, or for which
/// `onLine` fails.
llvm::Error readTuningLines(
    llvm::StringRef name, llvm::StringRef text,
    llvm::function_ref<llvm::Error(llvm::StringRef line, const TuningLine &)>
        onLine);

} // namespace stof

#endif // STOF_SEARCH_TUNINGLINES_H
