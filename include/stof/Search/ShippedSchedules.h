//===----------------------------------------------------------------------===//
// Schedules of finished searches that ship with the compiler or with a user's
// product: texts of tuning databases (TuningLines.h), read and never written.
// Unlike those of a database, they hold for any driver and compiler.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_SHIPPEDSCHEDULES_H
#define STOF_SEARCH_SHIPPEDSCHEDULES_H

#include "stof/Search/TuningDatabase.h"

#include <map>
#include <tuple>

namespace stof {

/// What ships of one search.
struct ShippedSearch {
  std::vector<TunedSchedule> schedules;
  /// The number of measurements after which it was over; 0 if it was not.
  unsigned finished = 0;

  /// The schedule with the least time; null if none has a time.
  const TunedSchedule *findBest() const;
};

class ShippedSchedules {
public:
  /// Adds the searches of `text`, which comes from file `name`, but those that
  /// are there already. Fails if a line is wrong, without a change.
  llvm::Error addText(llvm::StringRef name, llvm::StringRef text);

  /// Adds the searches of the file `path`.
  llvm::Error addFile(llvm::StringRef path);

  /// Adds the searches that ship with the compiler.
  llvm::Error addBuiltIn();

  /// The device with searches for `target` that is called `name`, or of whose
  /// name that is some words, as `H100` is of `NVIDIA H100 80GB HBM3`: the
  /// first in alphabetical order. Empty if there is none.
  std::string findDevice(llvm::StringRef target, llvm::StringRef name) const;

  /// The search of a kernel or a function; null if there is none.
  const ShippedSearch *find(llvm::StringRef signature, llvm::StringRef target,
                            llvm::StringRef device) const;

private:
  /// Target, device and signature.
  using Key = std::tuple<std::string, std::string, std::string>;

  std::map<Key, ShippedSearch> searches;
};

} // namespace stof

#endif // STOF_SEARCH_SHIPPEDSCHEDULES_H
