//===----------------------------------------------------------------------===//
// Binding, stepping and reading, with errors that name the file and the column.
//===----------------------------------------------------------------------===//

#include "SqliteStatement.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <sqlite3.h>

using namespace llvm;
using namespace stof;

SqliteStatement::~SqliteStatement() { sqlite3_finalize(statement); }

void SqliteStatement::bind(StringRef text) {
  // A null pointer would bind NULL.
  const char *data = text.empty() ? "" : text.data();
  int code = sqlite3_bind_text64(statement, ++bound, data, text.size(),
                                 SQLITE_TRANSIENT, SQLITE_UTF8);
  failed = failed ? failed : code;
}

void SqliteStatement::bind(double real) {
  int code = sqlite3_bind_double(statement, ++bound, real);
  failed = failed ? failed : code;
}

void SqliteStatement::bind(int64_t integer) {
  int code = sqlite3_bind_int64(statement, ++bound, integer);
  failed = failed ? failed : code;
}

Expected<bool> SqliteStatement::step() {
  if (failed)
    return createStringError("'" + path + "': " + sqlite3_errstr(failed));
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE)
    return false;
  return createStringError(
      "'" + path + "': " + sqlite3_errmsg(sqlite3_db_handle(statement)));
}

Error SqliteStatement::run() {
  if (Error error = step().takeError())
    return error;
  sqlite3_reset(statement);
  bound = 0;
  return Error::success();
}

static StringRef describeType(int type) {
  switch (type) {
  case SQLITE_INTEGER:
    return "an integer";
  case SQLITE_FLOAT:
    return "a real number";
  case SQLITE_TEXT:
    return "a text";
  case SQLITE_BLOB:
    return "a blob";
  case SQLITE_NULL:
    return "NULL";
  default:
    llvm_unreachable("SQLite has five types");
  }
}

Error SqliteStatement::expectType(int column, int type) const {
  int found = sqlite3_column_type(statement, column);
  if (found == type)
    return Error::success();
  return createStringError("expects " + describeType(type) + " in column '" +
                           sqlite3_column_name(statement, column) +
                           "', but got " + describeType(found));
}

Expected<std::string> SqliteStatement::readText(int column) const {
  if (Error error = expectType(column, SQLITE_TEXT))
    return std::move(error);
  const void *text = sqlite3_column_text(statement, column);
  if (!text)
    return createStringError("'" + path + "': " + sqlite3_errstr(SQLITE_NOMEM));
  return std::string(static_cast<const char *>(text),
                     sqlite3_column_bytes(statement, column));
}

Expected<double> SqliteStatement::readReal(int column) const {
  if (Error error = expectType(column, SQLITE_FLOAT))
    return std::move(error);
  return sqlite3_column_double(statement, column);
}

Expected<int64_t> SqliteStatement::readInteger(int column) const {
  if (Error error = expectType(column, SQLITE_INTEGER))
    return std::move(error);
  return sqlite3_column_int64(statement, column);
}
