//===----------------------------------------------------------------------===//
// A connection to a file of SQLite.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_DATABASE_SQLITE_H
#define STOF_LIB_SEARCH_DATABASE_SQLITE_H

#include "SqliteStatement.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

struct sqlite3;

namespace stof {

class Sqlite {
public:
  /// Opens `path` for reading and writing; a missing file is created.
  /// Statements wait for other processes for `patienceMilliseconds`.
  static llvm::Expected<std::unique_ptr<Sqlite>> open(llvm::StringRef path);
  Sqlite(const Sqlite &) = delete;
  Sqlite &operator=(const Sqlite &) = delete;
  ~Sqlite();

  static constexpr int patienceMilliseconds = 30000;

  const std::string &getPath() const { return path; }

  /// Runs statements without parameters; rows are dropped.
  llvm::Error run(const char *statements) const;
  llvm::Expected<SqliteStatement> prepare(llvm::StringRef statement) const;
  /// The first column of the first row, an integer.
  llvm::Expected<int64_t> readInteger(llvm::StringRef statement) const;
  /// Runs `body` in a transaction that excludes other writers from its
  /// beginning. It is rolled back if `body` fails.
  llvm::Error transact(llvm::function_ref<llvm::Error()> body) const;
  /// Enters the mode in which readers and a writer do not exclude each other.
  llvm::Error enterWriteAheadLog() const;
  /// Whether the last connection writes the log into the file when it closes.
  void setCheckpointOnClose(bool enabled) const;

private:
  Sqlite(sqlite3 *connection, llvm::StringRef path)
      : connection(connection), path(path) {}
  /// The error of the last call.
  llvm::Error describe() const;

  sqlite3 *connection;
  std::string path;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_DATABASE_SQLITE_H
