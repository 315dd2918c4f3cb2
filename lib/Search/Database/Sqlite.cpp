//===----------------------------------------------------------------------===//
// Connections are set up for files that another program may have damaged.
//===----------------------------------------------------------------------===//

#include "Sqlite.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

#include <cassert>
#include <chrono>
#include <sqlite3.h>
#include <system_error>

using namespace llvm;
using namespace stof;

Expected<std::unique_ptr<Sqlite>> Sqlite::open(StringRef path) {
  // Names such as ':memory:' and 'file:x?mode=ro' are special, absolute paths
  // are not.
  SmallString<128> absolute(path);
  if (std::error_code error = sys::fs::make_absolute(absolute))
    return createStringError("cannot open '" + path + "': " + error.message());
  sqlite3 *connection = nullptr;
  int code = sqlite3_open_v2(absolute.c_str(), &connection,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                             /*zVfs=*/nullptr);
  std::unique_ptr<Sqlite> sqlite(new Sqlite(connection, path));
  if (code != SQLITE_OK)
    return sqlite->describe();
  // SQLite opens a file for reading if it cannot for writing.
  if (sqlite3_db_readonly(connection, "main") == 1)
    return createStringError("cannot write '" + path +
                             "': the file is read-only");
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, patienceMilliseconds);
  // The schema of a damaged file calls no functions, and its pages are
  // verified when they are read.
  if (Error error = sqlite->run("PRAGMA trusted_schema = OFF;"
                                "PRAGMA cell_size_check = ON"))
    return std::move(error);
  return sqlite;
}

Sqlite::~Sqlite() {
  [[maybe_unused]] int code = sqlite3_close(connection);
  assert(code == SQLITE_OK && "statements end before their connection");
}

Error Sqlite::describe() const {
  return createStringError("'" + path + "': " + sqlite3_errmsg(connection));
}

Error Sqlite::run(const char *statements) const {
  int code = sqlite3_exec(connection, statements, /*callback=*/nullptr,
                          /*argument=*/nullptr, /*errmsg=*/nullptr);
  return code == SQLITE_OK ? Error::success() : describe();
}

Expected<SqliteStatement> Sqlite::prepare(StringRef statement) const {
  sqlite3_stmt *prepared = nullptr;
  int code = sqlite3_prepare_v2(connection, statement.data(), statement.size(),
                                &prepared, /*pzTail=*/nullptr);
  if (code != SQLITE_OK)
    return describe();
  return SqliteStatement(prepared, path);
}

Expected<int64_t> Sqlite::readInteger(StringRef statement) const {
  Expected<SqliteStatement> query = prepare(statement);
  if (!query)
    return query.takeError();
  Expected<bool> hasRow = query->step();
  if (!hasRow)
    return hasRow.takeError();
  assert(*hasRow && "the statement has a row for every database");
  return query->readInteger(0);
}

Error Sqlite::transact(function_ref<Error()> body) const {
  if (Error error = run("BEGIN IMMEDIATE"))
    return error;
  Error error = body();
  if (!error)
    error = run("COMMIT");
  // Some errors have ended the transaction already.
  if (error && !sqlite3_get_autocommit(connection))
    return joinErrors(std::move(error), run("ROLLBACK"));
  return error;
}

Error Sqlite::enterWriteAheadLog() const {
  // SQLite does not wait here: it would wait for a process that does the same.
  constexpr int pauseMilliseconds = 10;
  auto end = std::chrono::steady_clock::now() +
             std::chrono::milliseconds(patienceMilliseconds);
  for (;;) {
    Error error = run("PRAGMA journal_mode = WAL");
    bool isBusy = (sqlite3_errcode(connection) & 0xff) == SQLITE_BUSY;
    if (!error || !isBusy || std::chrono::steady_clock::now() > end)
      return error;
    consumeError(std::move(error));
    sqlite3_sleep(pauseMilliseconds);
  }
}

void Sqlite::setCheckpointOnClose(bool enabled) const {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
                    enabled ? 0 : 1, nullptr);
}
