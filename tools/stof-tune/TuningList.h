//===----------------------------------------------------------------------===//
// What a tuning database has, a key at a time: how much was measured and what
// was best.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFTUNE_TUNINGLIST_H
#define STOF_TOOLS_STOFTUNE_TUNINGLIST_H

#include "stof/Search/TuningDatabase.h"

#include "llvm/Support/raw_ostream.h"

namespace stof {

struct ListedKey {
  TuningKey key;
  /// With and without a time.
  size_t measured = 0, failed = 0;
  /// The measurement with the least time, if there is one.
  std::optional<TunedSchedule> best;
  /// The number of measurements after which the search was over, if it was.
  std::optional<unsigned> finished;
};

llvm::Expected<std::vector<ListedKey>>
listKeys(TuningDatabase &database, TuningDatabase::OnIgnored onIgnored);

void printText(llvm::ArrayRef<ListedKey> keys, llvm::raw_ostream &os);
void printJson(llvm::ArrayRef<ListedKey> keys, llvm::raw_ostream &os);

} // namespace stof

#endif // STOF_TOOLS_STOFTUNE_TUNINGLIST_H
