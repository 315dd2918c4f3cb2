//===----------------------------------------------------------------------===//
// What a tuning database keeps, and which files it refuses.
//===----------------------------------------------------------------------===//

#include "stof/Search/TuningDatabase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sqlite3.h>
#include <tuple>
#include <unistd.h>

using namespace stof;
using llvm::toString;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static TunedSchedule timed(std::string schedule, double microseconds) {
  return {std::move(schedule), {microseconds, 1755, ""}};
}

namespace {

const TuningKey key{"k1", "GPU", "13.0", "sm_90a", "1"};
const TuningKey otherKey{"k1", "GPU", "13.1", "sm_90a", "1"};

class TuningDatabaseTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stof-tuning", folder));
    path = at("tuning.db");
  }
  void TearDown() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  }

  std::string at(llvm::StringRef name) {
    llvm::SmallString<128> file(folder);
    llvm::sys::path::append(file, name);
    return std::string(file);
  }

  static std::unique_ptr<TuningDatabase> open(llvm::StringRef path) {
    auto database = openTuningDatabase(path);
    if (database)
      return std::move(*database);
    ADD_FAILURE() << toString(database.takeError());
    return nullptr;
  }

  static std::string getOpenError(llvm::StringRef path) {
    auto database = openTuningDatabase(path);
    return database ? "" : toString(database.takeError());
  }

  static void add(TuningDatabase &database, const TuningKey &key,
                  const TunedSchedule &measured) {
    llvm::Error error = database.add(key, measured);
    EXPECT_FALSE(static_cast<bool>(error)) << toString(std::move(error));
  }

  /// Schedules and times or failures, as in `a 1.500000`.
  std::vector<std::string> list(TuningDatabase &database,
                                const TuningKey &key) {
    std::vector<std::string> lines;
    auto found = database.find(key, ignore());
    if (!found) {
      lines.push_back(toString(found.takeError()));
      return lines;
    }
    for (const auto &[schedule, measurement] : *found)
      lines.push_back(schedule + " " +
                      (measurement.failure.empty()
                           ? std::to_string(measurement.microseconds)
                           : measurement.failure));
    return lines;
  }

  /// Records the reasons, without the path.
  std::function<void(const std::string &)> ignore() {
    ignored.clear();
    return [this](const std::string &reason) {
      llvm::StringRef rest = reason;
      EXPECT_TRUE(rest.consume_front("'" + path + "': ")) << reason;
      ignored.push_back(rest.str());
    };
  }

  /// What another program does to the file.
  static void execute(const std::string &path, const std::string &statements) {
    sqlite3 *connection = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(
        sqlite3_exec(connection, statements.c_str(), nullptr, nullptr, nullptr),
        SQLITE_OK)
        << sqlite3_errmsg(connection);
    sqlite3_close(connection);
  }

  static std::string readFile(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "(no file)";
  }

  static void writeFile(const std::string &path, llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
    ASSERT_FALSE(error);
  }

  /// A file of many pages without a log.
  std::string fill() {
    add(*open(path), key, timed("schedule 0", 1));
    execute(path, "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + "
                  "1 FROM numbers WHERE n < 200) INSERT INTO measurements "
                  "SELECT signature, device, driver, target, compiler, "
                  "'schedule ' || n, n, 0, '', added FROM measurements, "
                  "numbers");
    return readFile(path);
  }

  llvm::SmallString<128> folder;
  std::string path;
  std::vector<std::string> ignored;
};

TEST_F(TuningDatabaseTest, MeasurementsOutliveTheProcessInTheirOrder) {
  auto database = open(path);
  add(*database, key, timed("b", 1.5));
  add(*database, key, {"c", {0, 0, "misaligned address"}});
  add(*database, key, timed("a", 0.1 + 0.2));
  add(*database, otherKey, timed("a", 9));
  database.reset();

  database = open(path);
  auto found = database->find(key, ignore());
  ASSERT_TRUE(static_cast<bool>(found));
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ((*found)[0].schedule, "b");
  EXPECT_EQ((*found)[0].measurement.clockMHz, 1755u);
  EXPECT_EQ((*found)[1].measurement.failure, "misaligned address");
  EXPECT_EQ((*found)[2].measurement.microseconds, 0.1 + 0.2);
  EXPECT_THAT(ignored, IsEmpty());
  EXPECT_THAT(list(*database, otherKey), ElementsAre("a 9.000000"));
  EXPECT_THAT(list(*database, {"k2", "GPU", "13.0", "sm_90a", "1"}), IsEmpty());
}

TEST_F(TuningDatabaseTest, ANewerMeasurementReplacesAnOlderOne) {
  auto database = open(path);
  add(*database, key, timed("a", 1));
  add(*database, key, timed("b", 2));
  add(*database, key, {"a", {3, 0, "hangs"}});
  EXPECT_THAT(list(*database, key), ElementsAre("b 2.000000", "a hangs"));
}

TEST_F(TuningDatabaseTest, TextsMayHaveAnyBytes) {
  std::string odd("'\"\0%\n\xff", 6);
  auto database = open(path);
  add(*database, {odd, odd, "", odd, odd}, {odd, {0, 0, odd}});
  EXPECT_THAT(list(*database, {odd, odd, "", odd, odd}),
              ElementsAre(odd + " " + odd));
}

TEST_F(TuningDatabaseTest, ASearchIsOverAfterItsLastCount) {
  auto database = open(path);
  auto count = database->findFinished(key);
  ASSERT_TRUE(static_cast<bool>(count));
  EXPECT_EQ(*count, std::nullopt);
  ASSERT_FALSE(static_cast<bool>(database->finish(key, 4000000000u)));
  ASSERT_FALSE(static_cast<bool>(database->finish(key, 7)));
  count = open(path)->findFinished(key);
  ASSERT_TRUE(static_cast<bool>(count));
  EXPECT_EQ(*count, 7u);

  execute(path, "UPDATE finished SET count = -1");
  count = database->findFinished(key);
  ASSERT_FALSE(static_cast<bool>(count));
  EXPECT_EQ(toString(count.takeError()),
            "'" + path + "': expects a count, but got -1");
}

TEST_F(TuningDatabaseTest, KeysAreThoseOfMeasurementsAndOfSearches) {
  auto database = open(path);
  add(*database, otherKey, timed("a", 1));
  add(*database, otherKey, timed("b", 1));
  ASSERT_FALSE(static_cast<bool>(database->finish(key, 0)));
  execute(path, "INSERT INTO finished VALUES (x'00', '', '', '', '', 1)");
  auto keys = database->findKeys(ignore());
  ASSERT_TRUE(static_cast<bool>(keys));
  ASSERT_EQ(keys->size(), 2u);
  EXPECT_EQ((*keys)[0].driver, "13.0");
  EXPECT_EQ((*keys)[1].driver, "13.1");
  EXPECT_THAT(ignored,
              ElementsAre("key: expects a text in column 'signature', but got "
                          "a blob"));
}

TEST_F(TuningDatabaseTest, NonsenseIsNotAdded) {
  auto database = open(path);
  auto getError = [&](const TunedSchedule &measured) {
    return toString(database->add(key, measured));
  };
  EXPECT_EQ(getError(timed("", 1)),
            "expects a schedule, but got an empty text");
  EXPECT_EQ(getError(timed("a", 0)),
            "expects a positive time or a failure, but got a time of 0.000000 "
            "us and no failure");
  EXPECT_THAT(getError(timed("a", -1)), HasSubstr("a time of -1"));
  EXPECT_THAT(getError(timed("a", std::nan(""))), HasSubstr("a time of nan"));
  EXPECT_THAT(getError(timed("a", std::numeric_limits<double>::infinity())),
              HasSubstr("a time of inf"));
  EXPECT_THAT(list(*database, key), IsEmpty());
  // With a failure, the time does not matter.
  EXPECT_EQ(getError({"a", {std::nan(""), 0, "hangs"}}), "");
  EXPECT_THAT(list(*database, key), ElementsAre("a hangs"));
}

TEST_F(TuningDatabaseTest, NonsenseOfAnotherProgramIsIgnored) {
  auto database = open(path);
  add(*database, key, timed("good", 1));
  for (const char *values :
       {"'', 1.0, 0, '', 0", "'a', 'fast', 0, '', 0", "'b', -2.5, 0, '', 0",
        "'c', 1.0, -1, '', 0", "'d', 1.0, 4294967296, '', 0",
        "'e', 1.0, 0, x'00', 0", "x'00', 1.0, 0, '', 0",
        "'f', 1.0, 0, '', 'today'"})
    execute(path, "INSERT INTO measurements SELECT signature, device, driver, "
                  "target, compiler, " +
                      std::string(values) +
                      " FROM measurements WHERE schedule = 'good'");
  std::vector<std::string> reasons = {
      "measurement 2: expects a schedule, but got an empty text",
      ("measurement 3: expects a real number in column 'microseconds', but got "
       "a text"),
      ("measurement 4: expects a positive time or a failure, but got a time of "
       "-2.500000 us and no failure"),
      "measurement 5: expects a clock in MHz, but got -1",
      "measurement 6: expects a clock in MHz, but got 4294967296",
      "measurement 7: expects a text in column 'failure', but got a blob",
      "measurement 8: expects a text in column 'schedule', but got a blob",
      "measurement 9: expects an integer in column 'added', but got a text"};
  EXPECT_THAT(list(*database, key), ElementsAre("good 1.000000"));
  EXPECT_EQ(ignored, reasons);
  // Neither does a merge take it.
  execute(path, "INSERT INTO finished SELECT signature, device, driver, "
                "target, compiler, 'many' FROM measurements LIMIT 1");
  reasons.push_back("finished search 1: expects an integer in column 'count', "
                    "but got a text");
  auto merged = open(at("merged.db"));
  EXPECT_EQ(toString(merged->merge(path, ignore())), "");
  EXPECT_EQ(ignored, reasons);
  EXPECT_THAT(list(*merged, key), ElementsAre("good 1.000000"));
}

TEST_F(TuningDatabaseTest, TwoHandlesWriteAlternately) {
  auto first = open(path), second = open(path);
  for (int i = 0; i < 10; ++i)
    add(i % 2 ? *first : *second, key, timed(std::to_string(i), 1 + i));
  EXPECT_EQ(list(*first, key).size(), 10u);
  EXPECT_EQ(list(*first, key), list(*second, key));
  first.reset();
  add(*second, key, timed("last", 1));
  EXPECT_EQ(list(*open(path), key).size(), 11u);
}

TEST_F(TuningDatabaseTest, AMergeKeepsWhatIsNewer) {
  std::string other = at("other.db");
  auto from = open(other), to = open(path);
  for (const char *schedule : {"newer", "older", "same"}) {
    add(*from, key, timed(schedule, 1));
    add(*to, key, timed(schedule, 2));
  }
  add(*from, key, timed("alone", 1));
  add(*to, otherKey, timed("untouched", 2));
  ASSERT_FALSE(static_cast<bool>(from->finish(key, 9)));
  ASSERT_FALSE(static_cast<bool>(to->finish(key, 5)));
  execute(path, "UPDATE measurements SET added = 1000");
  execute(other, "UPDATE measurements SET added = CASE schedule WHEN 'older' "
                 "THEN 999 WHEN 'same' THEN 1000 ELSE 1001 END");
  // A second time changes nothing.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(toString(to->merge(other, ignore())), "");
    EXPECT_THAT(list(*to, key),
                ElementsAre("older 2.000000", "same 2.000000", "newer 1.000000",
                            "alone 1.000000"));
  }
  EXPECT_THAT(list(*to, otherKey), ElementsAre("untouched 2.000000"));
  auto count = to->findFinished(key);
  ASSERT_TRUE(static_cast<bool>(count));
  EXPECT_EQ(*count, 9u);
  EXPECT_EQ(toString(to->merge(path, ignore())), "");
  EXPECT_EQ(list(*to, key).size(), 4u);
}

TEST_F(TuningDatabaseTest, OnlyTuningDatabasesAreMerged) {
  auto database = open(path);
  auto getError = [&](llvm::StringRef name) {
    return toString(database->merge(at(name), ignore()));
  };
  EXPECT_EQ(getError("none.db"), "'" + at("none.db") +
                                     "': expects a tuning database, but got no "
                                     "file");
  EXPECT_FALSE(llvm::sys::fs::exists(at("none.db")));
  writeFile(at("text.db"), "text");
  EXPECT_THAT(getError("text.db"), HasSubstr("begins with \"text\""));
  writeFile(at("empty.db"), "");
  EXPECT_EQ(getError("empty.db"), "");
  EXPECT_EQ(readFile(at("empty.db")), "");
}

TEST_F(TuningDatabaseTest, FilesOfSomethingElseAreRefusedAsTheyAre) {
  auto expectRefused = [&](const std::string &file, const std::string &found) {
    std::string before = readFile(file);
    EXPECT_EQ(getOpenError(file),
              "'" + file + "': expects a tuning database, but got " + found);
    EXPECT_TRUE(readFile(file) == before);
  };
  expectRefused(folder.c_str(), "a directory");
  expectRefused("/dev/null", "what is no regular file");
  writeFile(path, "results: \x01 of a longer file\n");
  expectRefused(path, "a file that begins with \"results: \\01 of a \"");
  std::string other = at("other.db");
  execute(other, "CREATE TABLE t (x)");
  expectRefused(other, "an SQLite database of application 0x00000000");
  execute(other, "PRAGMA application_id = 0x0f055112");
  expectRefused(other, "an SQLite database of application 0x0f055112");
  EXPECT_EQ(getOpenError(""),
            "expects a tuning database, but got an empty name");
  EXPECT_EQ(getOpenError(at("none/tuning.db")),
            "'" + at("none/tuning.db") + "': unable to open database file");
  EXPECT_THAT(getOpenError(path + "/below"),
              HasSubstr("cannot read '" + path + "/below': "));
}

TEST_F(TuningDatabaseTest, ANewerFormatIsRefusedAsItIs) {
  open(path).reset();
  execute(path, "PRAGMA user_version = 2");
  std::string before = readFile(path);
  EXPECT_EQ(getOpenError(path), "'" + path +
                                    "': expects format 1 of tuning databases, "
                                    "but got format 2");
  EXPECT_TRUE(readFile(path) == before);
}

TEST_F(TuningDatabaseTest, AnEmptyFileIsNew) {
  writeFile(path, "");
  add(*open(path), key, timed("a", 1));
  EXPECT_THAT(list(*open(path), key), ElementsAre("a 1.000000"));
}

TEST_F(TuningDatabaseTest, ACreationThatWasInterruptedIsCompleted) {
  open(path).reset();
  execute(path, "PRAGMA journal_mode = DELETE");
  auto first = open(path), second = open(path);
  add(*first, key, timed("a", 1));
  EXPECT_EQ(llvm::StringRef(readFile(path)).substr(18, 2), "\2\2");
  EXPECT_THAT(list(*second, key), ElementsAre("a 1.000000"));
}

TEST_F(TuningDatabaseTest, AFileThatCannotBeWrittenIsAnError) {
  std::string before = fill();
  EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_read));
  EXPECT_FALSE(llvm::sys::fs::setPermissions(
      folder, llvm::sys::fs::all_read | llvm::sys::fs::all_exe));
  // A folder of temporary files may be closed to others.
  llvm::StringRef parent = llvm::sys::path::parent_path(folder);
  llvm::ErrorOr<llvm::sys::fs::perms> permissions =
      llvm::sys::fs::getPermissions(parent);
  ASSERT_TRUE(permissions);
  // Fails for a folder of another user, which is open.
  std::ignore = llvm::sys::fs::setPermissions(
      parent, *permissions | llvm::sys::fs::all_exe);
  // The superuser writes whatever there is.
  uid_t user = geteuid();
  constexpr uid_t stranger = 65534;
  if (user == 0)
    ASSERT_EQ(seteuid(stranger), 0);
  std::string error = getOpenError(path), missing = getOpenError(at("new.db"));
  if (user == 0)
    ASSERT_EQ(seteuid(user), 0);
  std::ignore = llvm::sys::fs::setPermissions(parent, *permissions);
  EXPECT_FALSE(llvm::sys::fs::setPermissions(folder, llvm::sys::fs::all_perms));
  EXPECT_EQ(error, "cannot write '" + path + "': the file is read-only");
  EXPECT_EQ(missing, "'" + at("new.db") + "': unable to open database file");
  EXPECT_TRUE(readFile(path) == before);
}

TEST_F(TuningDatabaseTest, MissingTablesAndColumnsAreErrors) {
  open(path).reset();
  execute(path, "ALTER TABLE measurements RENAME clock_mhz TO clock");
  EXPECT_EQ(getOpenError(path), "'" + path + "': no such column: clock_mhz");
  execute(path, "DROP TABLE finished; ALTER TABLE measurements RENAME clock TO "
                "clock_mhz");
  EXPECT_EQ(getOpenError(path), "'" + path + "': no such table: finished");
}

TEST_F(TuningDatabaseTest, TruncatedFilesAreErrors) {
  std::string bytes = fill();
  for (size_t size : {size_t(1), size_t(99), size_t(100), size_t(4096),
                      bytes.size() - 4096}) {
    std::string cut = bytes.substr(0, size);
    writeFile(path, cut);
    EXPECT_NE(getOpenError(path), "") << size;
    EXPECT_TRUE(readFile(path) == cut);
    for (const char *suffix : {"-wal", "-shm"})
      EXPECT_FALSE(llvm::sys::fs::remove(path + suffix));
  }
}

TEST_F(TuningDatabaseTest, DamageThatAProgramSeesIsNamed) {
  std::string bytes = fill();
  // The head of the page of table 'measurements'.
  std::fill_n(bytes.begin() + 4096, 8, '\x7f');
  writeFile(path, bytes);
  EXPECT_THAT(
      getOpenError(path),
      HasSubstr("expects an intact database, but got one with damage: "));
  EXPECT_TRUE(readFile(path) == bytes);
  std::string damaged = at("damaged.db");
  writeFile(damaged, bytes);
  EXPECT_THAT(
      toString(open(at("new.db"))->merge(damaged, ignore())),
      HasSubstr("expects an intact database, but got one with damage: "));
}

TEST_F(TuningDatabaseTest, TheLogOfADamagedFileIsNotWrittenIntoIt) {
  std::string bytes = fill();
  auto database = open(path);
  add(*database, key, timed("in the log", 1));
  std::string log = readFile(path + "-wal");
  ASSERT_NE(log, "");
  std::string damaged = at("damaged.db");
  std::fill(bytes.begin() + 4096, bytes.end(), '\x7f');
  writeFile(damaged, bytes);
  writeFile(damaged + "-wal", log);
  EXPECT_NE(getOpenError(damaged), "");
  EXPECT_TRUE(readFile(damaged) == bytes);
  EXPECT_TRUE(readFile(damaged + "-wal") == log);
}

TEST_F(TuningDatabaseTest, OverwrittenBytesAreSurvived) {
  std::string bytes = fill();
  uint64_t state = 1;
  auto random = [&] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 33;
  };
  unsigned errors = 0;
  for (int round = 0; round < 300; ++round) {
    std::string file = at(std::to_string(round) + ".db"), damaged = bytes;
    size_t length = 1 + random() % 64;
    size_t begin = random() % (bytes.size() - length);
    for (size_t i = 0; i < length; ++i)
      damaged[begin + i] = static_cast<char>(random());
    writeFile(file, damaged);
    auto database = openTuningDatabase(file);
    if (!database) {
      ++errors;
      EXPECT_NE(toString(database.takeError()), "");
      EXPECT_TRUE(readFile(file) == damaged);
      continue;
    }
    auto found = (*database)->find(key, [](const std::string &) {});
    if (!found)
      EXPECT_NE(toString(found.takeError()), "");
  }
  EXPECT_GT(errors, 0u);
}

TEST_F(TuningDatabaseTest, NamesOfFilesMayHaveAnyCharacters) {
  for (const char *name :
       {"a b.db", "what?mode=ro", "100%41.db", "it's \"quoted\".db", "#1.db",
        ":memory:", "file:x.db?mode=memory", "\xc3\xa4;--.db"}) {
    std::string file = at(name);
    add(*open(file), key, timed("a", 1));
    EXPECT_TRUE(llvm::sys::fs::exists(file)) << name;
    EXPECT_EQ(toString(open(path)->merge(file, ignore())), "") << name;
  }
  // Names without a folder.
  llvm::SmallString<128> before;
  ASSERT_FALSE(llvm::sys::fs::current_path(before));
  ASSERT_FALSE(llvm::sys::fs::set_current_path(folder));
  for (const char *name : {":memory:", "file:y.db?mode=memory"})
    add(*open(name), key, timed("b", 1));
  ASSERT_FALSE(llvm::sys::fs::set_current_path(before));
  EXPECT_THAT(list(*open(at(":memory:")), key),
              ElementsAre("a 1.000000", "b 1.000000"));
  EXPECT_TRUE(llvm::sys::fs::exists(at("file:y.db?mode=memory")));
}

TEST_F(TuningDatabaseTest, TheFileAloneHasEverythingWhenItIsClosed) {
  fill();
  EXPECT_FALSE(llvm::sys::fs::exists(path + "-wal"));
  EXPECT_FALSE(llvm::sys::fs::exists(path + "-shm"));
}

} // namespace
