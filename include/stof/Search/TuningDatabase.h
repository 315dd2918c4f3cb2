//===----------------------------------------------------------------------===//
// A file of measured schedules, which searches share.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_TUNINGDATABASE_H
#define STOF_SEARCH_TUNINGDATABASE_H

#include "stof/Search/Measurer.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stof {

/// What a measurement holds for.
struct TuningKey {
  /// The hash of the canonical kernel operation: types, shapes, digest of the
  /// mask, operations of the group.
  std::string signature;
  /// The device and its driver (MeasuredDevice).
  std::string device;
  std::string driver;
  /// The target in ptxas spelling, or `cpu`.
  std::string target;
  /// The version of the compiler.
  std::string compiler;
};

struct TunedSchedule {
  /// The attribute, as MLIR prints it.
  std::string schedule;
  Measurement measurement;
};

/// Entries that cannot be read or make no sense, as another program may have
/// written them, are reported to `onIgnored` and left out.
class TuningDatabase {
public:
  using OnIgnored = llvm::function_ref<void(const std::string &reason)>;

  virtual ~TuningDatabase();

  /// All measurements of `key`, in the order in which they were added.
  virtual llvm::Expected<std::vector<TunedSchedule>>
  find(const TuningKey &key, OnIgnored onIgnored) = 0;

  /// Adds a measurement; it is durable when this returns. A newer measurement
  /// of the same schedule replaces an older one. Fails, without a change, if it
  /// has no schedule, or neither a positive time nor a failure.
  virtual llvm::Error add(const TuningKey &key,
                          const TunedSchedule &measured) = 0;

  /// Notes that the search of `key` is over after `count` measurements.
  virtual llvm::Error finish(const TuningKey &key, unsigned count) = 0;

  /// The number of measurements after which the search of `key` was over, if
  /// it was.
  virtual llvm::Expected<std::optional<unsigned>>
  findFinished(const TuningKey &key) = 0;

  /// The keys of all measurements and finished searches, in the order of their
  /// members.
  virtual llvm::Expected<std::vector<TuningKey>>
  findKeys(OnIgnored onIgnored) = 0;

  /// Adds what the database in file `path` has, or nothing if this fails. Of
  /// two measurements of one schedule the newer one is kept, of the same second
  /// that of this database.
  virtual llvm::Error merge(llvm::StringRef path, OnIgnored onIgnored) = 0;
};

/// Opens the database in file `path`, which is created if it does not exist or
/// is empty. Several processes of one machine may have it open; while they do,
/// SQLite keeps two more files next to it. Fails if the file is no database or
/// is corrupt, and leaves it as it is.
llvm::Expected<std::unique_ptr<TuningDatabase>>
openTuningDatabase(llvm::StringRef path);

} // namespace stof

#endif // STOF_SEARCH_TUNINGDATABASE_H
