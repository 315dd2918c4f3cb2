//===----------------------------------------------------------------------===//
// The tables of a tuning database and what is read from them. Columns have no
// constraints on values: what a row says is judged when it is read, so that a
// bad one costs no other.
//===----------------------------------------------------------------------===//

#include "stof/Search/TuningDatabase.h"

#include "InspectFile.h"
#include "Sqlite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

using namespace llvm;
using namespace stof;

#define KEY "signature, device, driver, target, compiler"
#define IS_KEY                                                                 \
  "signature = ?1 AND device = ?2 AND driver = ?3 AND target = ?4 AND "        \
  "compiler = ?5"
#define ENTRY "schedule, microseconds, clock_mhz, failure, added"
#define KEY_COLUMNS                                                            \
  "signature TEXT NOT NULL, device TEXT NOT NULL, driver TEXT NOT NULL, "      \
  "target TEXT NOT NULL, compiler TEXT NOT NULL, "

static constexpr char createTables[] =
    "CREATE TABLE measurements (" KEY_COLUMNS
    "schedule TEXT NOT NULL, microseconds REAL NOT NULL, "
    "clock_mhz INTEGER NOT NULL, failure TEXT NOT NULL, "
    "added INTEGER NOT NULL, PRIMARY KEY (" KEY ", schedule));"
    "CREATE TABLE finished (" KEY_COLUMNS
    "count INTEGER NOT NULL, PRIMARY KEY (" KEY "))";
// A replaced row is a new one: the rows of a table are in the order in which
// they were added.
static constexpr char selectEntries[] =
    "SELECT " ENTRY ", rowid FROM measurements WHERE " IS_KEY " ORDER BY rowid";
static constexpr char insertEntry[] =
    "INSERT OR REPLACE INTO measurements (" KEY ", " ENTRY
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, unixepoch())";
static constexpr char insertNewerEntry[] =
    "INSERT OR REPLACE INTO measurements (" KEY ", " ENTRY
    ") SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT EXISTS "
    "(SELECT 1 FROM measurements WHERE " IS_KEY
    " AND schedule = ?6 AND added >= ?10)";
static constexpr char selectAllEntries[] =
    "SELECT " ENTRY ", rowid, " KEY " FROM measurements ORDER BY rowid";
static constexpr char selectFinished[] =
    "SELECT count FROM finished WHERE " IS_KEY;
static constexpr char insertFinished[] =
    "INSERT OR REPLACE INTO finished (" KEY
    ", count) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
static constexpr char insertLongerFinished[] =
    "INSERT OR REPLACE INTO finished (" KEY
    ", count) SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS "
    "(SELECT 1 FROM finished WHERE " IS_KEY " AND count >= ?6)";
static constexpr char selectAllFinished[] =
    "SELECT count, rowid, " KEY " FROM finished ORDER BY rowid";
static constexpr char selectKeys[] =
    "SELECT " KEY " FROM measurements UNION SELECT " KEY
    " FROM finished ORDER BY 1, 2, 3, 4, 5";

#undef KEY
#undef IS_KEY
#undef ENTRY
#undef KEY_COLUMNS

namespace {

struct Entry {
  TunedSchedule measured;
  /// Seconds since 1970.
  int64_t added = 0;
};

class SqliteTuningDatabase : public TuningDatabase {
public:
  explicit SqliteTuningDatabase(std::unique_ptr<Sqlite> sqlite)
      : sqlite(std::move(sqlite)) {}

  Expected<std::vector<TunedSchedule>> find(const TuningKey &key,
                                            OnIgnored onIgnored) override;
  Error add(const TuningKey &key, const TunedSchedule &measured) override;
  Error finish(const TuningKey &key, unsigned count) override;
  Expected<std::optional<unsigned>> findFinished(const TuningKey &key) override;
  Expected<std::vector<TuningKey>> findKeys(OnIgnored onIgnored) override;
  Error merge(StringRef path, OnIgnored onIgnored) override;

private:
  Error mergeEntries(const Sqlite &other, OnIgnored onIgnored);
  Error mergeFinished(const Sqlite &other, OnIgnored onIgnored);

  std::unique_ptr<Sqlite> sqlite;
};

} // namespace

TuningDatabase::~TuningDatabase() = default;

static Error checkMeasured(const TunedSchedule &measured) {
  if (measured.schedule.empty())
    return createStringError("expects a schedule, but got an empty text");
  double time = measured.measurement.microseconds;
  if (measured.measurement.failure.empty() &&
      !(std::isfinite(time) && time > 0))
    return createStringError(
        "expects a positive time or a failure, but got a time of " +
        Twine(std::to_string(time)) + " us and no failure");
  return Error::success();
}

static void bindKey(SqliteStatement &statement, const TuningKey &key) {
  for (const std::string *member :
       {&key.signature, &key.device, &key.driver, &key.target, &key.compiler})
    statement.bind(*member);
}

static void bindMeasured(SqliteStatement &statement,
                         const TunedSchedule &measured) {
  const Measurement &measurement = measured.measurement;
  statement.bind(measured.schedule);
  // SQLite takes NaN for NULL, and without a time any number will do.
  statement.bind(measurement.failure.empty() ? measurement.microseconds : 0.0);
  statement.bind(static_cast<int64_t>(measurement.clockMHz));
  statement.bind(measurement.failure);
}

/// Reads an unsigned number; `what` is for errors.
static Expected<unsigned> readUnsigned(const SqliteStatement &row, int column,
                                       StringRef what) {
  Expected<int64_t> number = row.readInteger(column);
  if (!number)
    return number.takeError();
  if (*number < 0 || *number > std::numeric_limits<unsigned>::max())
    return createStringError("expects " + what + ", but got " + Twine(*number));
  return static_cast<unsigned>(*number);
}

/// Reads a key from `column` on.
static Expected<TuningKey> readKey(const SqliteStatement &row, int column) {
  TuningKey key;
  for (std::string *member :
       {&key.signature, &key.device, &key.driver, &key.target, &key.compiler})
    if (Error error = row.readText(column++).moveInto(*member))
      return std::move(error);
  return key;
}

/// Reads the first columns of a row.
static Expected<Entry> readEntry(const SqliteStatement &row) {
  Entry entry;
  Measurement &measurement = entry.measured.measurement;
  if (Error error = row.readText(0).moveInto(entry.measured.schedule))
    return std::move(error);
  if (Error error = row.readReal(1).moveInto(measurement.microseconds))
    return std::move(error);
  if (Error error =
          readUnsigned(row, 2, "a clock in MHz").moveInto(measurement.clockMHz))
    return std::move(error);
  if (Error error = row.readText(3).moveInto(measurement.failure))
    return std::move(error);
  if (Error error = row.readInteger(4).moveInto(entry.added))
    return std::move(error);
  if (Error error = checkMeasured(entry.measured))
    return std::move(error);
  return entry;
}

/// Calls `onRow` for each row of `statement`. Its errors are about the row,
/// whose number is in column `rowid`, and are passed to `onIgnored`.
static Error forEachRow(const Sqlite &sqlite, SqliteStatement &statement,
                        StringRef what, int rowid,
                        TuningDatabase::OnIgnored onIgnored,
                        function_ref<Error()> onRow) {
  for (;;) {
    Expected<bool> hasRow = statement.step();
    if (!hasRow)
      return hasRow.takeError();
    if (!*hasRow)
      return Error::success();
    Error ignored = onRow();
    if (!ignored)
      continue;
    Expected<int64_t> number = statement.readInteger(rowid);
    if (!number)
      return joinErrors(std::move(ignored), number.takeError());
    onIgnored("'" + sqlite.getPath() + "': " + what.str() + " " +
              std::to_string(*number) + ": " + toString(std::move(ignored)));
  }
}

Expected<std::vector<TunedSchedule>>
SqliteTuningDatabase::find(const TuningKey &key, OnIgnored onIgnored) {
  Expected<SqliteStatement> statement = sqlite->prepare(selectEntries);
  if (!statement)
    return statement.takeError();
  bindKey(*statement, key);
  std::vector<TunedSchedule> found;
  auto addRow = [&]() -> Error {
    Expected<Entry> entry = readEntry(*statement);
    if (entry)
      found.push_back(std::move(entry->measured));
    return entry.takeError();
  };
  if (Error error = forEachRow(*sqlite, *statement, "measurement", /*rowid=*/5,
                               onIgnored, addRow))
    return std::move(error);
  return found;
}

Error SqliteTuningDatabase::add(const TuningKey &key,
                                const TunedSchedule &measured) {
  if (Error error = checkMeasured(measured))
    return error;
  Expected<SqliteStatement> statement = sqlite->prepare(insertEntry);
  if (!statement)
    return statement.takeError();
  bindKey(*statement, key);
  bindMeasured(*statement, measured);
  return statement->run();
}

Error SqliteTuningDatabase::finish(const TuningKey &key, unsigned count) {
  Expected<SqliteStatement> statement = sqlite->prepare(insertFinished);
  if (!statement)
    return statement.takeError();
  bindKey(*statement, key);
  statement->bind(static_cast<int64_t>(count));
  return statement->run();
}

Expected<std::optional<unsigned>>
SqliteTuningDatabase::findFinished(const TuningKey &key) {
  Expected<SqliteStatement> statement = sqlite->prepare(selectFinished);
  if (!statement)
    return statement.takeError();
  bindKey(*statement, key);
  Expected<bool> hasRow = statement->step();
  if (!hasRow)
    return hasRow.takeError();
  if (!*hasRow)
    return std::nullopt;
  Expected<unsigned> count = readUnsigned(*statement, 0, "a count");
  if (!count)
    return createStringError("'" + sqlite->getPath() +
                             "': " + toString(count.takeError()));
  return *count;
}

Expected<std::vector<TuningKey>>
SqliteTuningDatabase::findKeys(OnIgnored onIgnored) {
  Expected<SqliteStatement> statement = sqlite->prepare(selectKeys);
  if (!statement)
    return statement.takeError();
  std::vector<TuningKey> keys;
  for (;;) {
    Expected<bool> hasRow = statement->step();
    if (!hasRow)
      return hasRow.takeError();
    if (!*hasRow)
      return keys;
    Expected<TuningKey> key = readKey(*statement, 0);
    if (key)
      keys.push_back(std::move(*key));
    else
      onIgnored("'" + sqlite->getPath() +
                "': key: " + toString(key.takeError()));
  }
}

static Error createIn(const Sqlite &sqlite) {
  return sqlite.transact([&]() -> Error {
    // Another process may have been faster.
    Expected<int64_t> application = sqlite.readInteger("PRAGMA application_id");
    if (!application || *application)
      return application.takeError();
    if (Error error = sqlite.run(createTables))
      return error;
    return sqlite.run(("PRAGMA application_id = " + Twine(tuningApplication) +
                       "; PRAGMA user_version = " + Twine(tuningFormat))
                          .str()
                          .c_str());
  });
}

/// Fails if the file is damaged or tables or columns are missing. The whole
/// file is read, which takes a tenth of a second for 100000 measurements:
/// a write to a damaged file would damage it further.
static Error checkTables(const Sqlite &sqlite) {
  Expected<SqliteStatement> check = sqlite.prepare("PRAGMA quick_check(1)");
  if (!check)
    return check.takeError();
  Expected<bool> hasRow = check->step();
  if (!hasRow)
    return hasRow.takeError();
  Expected<std::string> verdict = check->readText(0);
  if (!verdict)
    return verdict.takeError();
  if (*verdict != "ok") {
    llvm::replace(*verdict, '\n', ' ');
    return createStringError("'" + sqlite.getPath() +
                             "': expects an intact database, but got one with "
                             "damage: " +
                             *verdict);
  }
  for (StringRef statement : {selectAllEntries, selectAllFinished})
    if (Error error = sqlite.prepare(statement).takeError())
      return error;
  return Error::success();
}

/// Opens a file that `inspectFile` has seen as a tuning database or as one that
/// is to be created.
static Expected<std::unique_ptr<Sqlite>> openSqlite(StringRef path) {
  Expected<std::unique_ptr<Sqlite>> sqlite = Sqlite::open(path);
  if (!sqlite)
    return sqlite.takeError();
  // A file that turns out to be damaged is left alone, and so is its log.
  (*sqlite)->setCheckpointOnClose(false);
  // A measurement costs far more than to wait for the disk, and a kernel that
  // takes the machine down must not take the measurements before it. Without
  // FULL, the log is written to the disk later.
  if (Error error = (*sqlite)->run("PRAGMA synchronous = FULL"))
    return std::move(error);
  Expected<int64_t> pages = (*sqlite)->readInteger("PRAGMA page_count");
  if (!pages)
    return pages.takeError();
  if (*pages == 0)
    if (Error error = createIn(**sqlite))
      return std::move(error);
  if (Error error = checkTables(**sqlite))
    return std::move(error);
  if (Error error = (*sqlite)->enterWriteAheadLog())
    return std::move(error);
  (*sqlite)->setCheckpointOnClose(true);
  return sqlite;
}

Error SqliteTuningDatabase::mergeEntries(const Sqlite &other,
                                         OnIgnored onIgnored) {
  Expected<SqliteStatement> from = other.prepare(selectAllEntries);
  if (!from)
    return from.takeError();
  std::vector<std::pair<TuningKey, Entry>> entries;
  auto addRow = [&]() -> Error {
    Expected<TuningKey> key = readKey(*from, 6);
    if (!key)
      return key.takeError();
    Expected<Entry> entry = readEntry(*from);
    if (entry)
      entries.emplace_back(std::move(*key), std::move(*entry));
    return entry.takeError();
  };
  if (Error error = forEachRow(other, *from, "measurement", /*rowid=*/5,
                               onIgnored, addRow))
    return error;
  Expected<SqliteStatement> to = sqlite->prepare(insertNewerEntry);
  if (!to)
    return to.takeError();
  for (const auto &[key, entry] : entries) {
    bindKey(*to, key);
    bindMeasured(*to, entry.measured);
    to->bind(entry.added);
    if (Error error = to->run())
      return error;
  }
  return Error::success();
}

Error SqliteTuningDatabase::mergeFinished(const Sqlite &other,
                                          OnIgnored onIgnored) {
  Expected<SqliteStatement> from = other.prepare(selectAllFinished);
  if (!from)
    return from.takeError();
  std::vector<std::pair<TuningKey, unsigned>> counts;
  auto addRow = [&]() -> Error {
    Expected<TuningKey> key = readKey(*from, 2);
    if (!key)
      return key.takeError();
    Expected<unsigned> count = readUnsigned(*from, 0, "a count");
    if (count)
      counts.emplace_back(std::move(*key), *count);
    return count.takeError();
  };
  if (Error error = forEachRow(other, *from, "finished search", /*rowid=*/1,
                               onIgnored, addRow))
    return error;
  Expected<SqliteStatement> to = sqlite->prepare(insertLongerFinished);
  if (!to)
    return to.takeError();
  for (const auto &[key, count] : counts) {
    bindKey(*to, key);
    to->bind(static_cast<int64_t>(count));
    if (Error error = to->run())
      return error;
  }
  return Error::success();
}

Error SqliteTuningDatabase::merge(StringRef path, OnIgnored onIgnored) {
  Expected<FileState> state = inspectFile(path);
  if (!state)
    return state.takeError();
  if (*state == FileState::Missing)
    return createStringError("'" + path +
                             "': expects a tuning database, but got no file");
  if (*state == FileState::Empty)
    return Error::success();
  // A connection of its own, rather than ATTACH, reads no rows that it has not
  // judged, and verifies the file first.
  Expected<std::unique_ptr<Sqlite>> other = openSqlite(path);
  if (!other)
    return other.takeError();
  return sqlite->transact([&]() -> Error {
    if (Error error = mergeEntries(**other, onIgnored))
      return error;
    return mergeFinished(**other, onIgnored);
  });
}

Expected<std::unique_ptr<TuningDatabase>>
stof::openTuningDatabase(StringRef path) {
  if (Error error = inspectFile(path).takeError())
    return std::move(error);
  Expected<std::unique_ptr<Sqlite>> sqlite = openSqlite(path);
  if (!sqlite)
    return sqlite.takeError();
  return std::make_unique<SqliteTuningDatabase>(std::move(*sqlite));
}
