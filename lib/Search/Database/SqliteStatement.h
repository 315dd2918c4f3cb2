//===----------------------------------------------------------------------===//
// A prepared statement of SQLite. Parameters are bound and columns read with
// their types; SQLite alone would convert whatever it finds.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_DATABASE_SQLITESTATEMENT_H
#define STOF_LIB_SEARCH_DATABASE_SQLITESTATEMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <utility>

struct sqlite3_stmt;

namespace stof {

class SqliteStatement {
public:
  /// Takes `statement` over; `path` is that of its database.
  SqliteStatement(sqlite3_stmt *statement, llvm::StringRef path)
      : statement(statement), path(path) {}
  SqliteStatement(SqliteStatement &&other)
      : statement(std::exchange(other.statement, nullptr)),
        path(std::move(other.path)), bound(other.bound), failed(other.failed) {}
  SqliteStatement &operator=(SqliteStatement &&) = delete;
  ~SqliteStatement();

  /// Binds the next parameter. A failure is that of the next step.
  void bind(llvm::StringRef text);
  void bind(double real);
  void bind(int64_t integer);

  /// Whether there is a row; it is read until the next step.
  llvm::Expected<bool> step();
  /// Runs a statement without rows, which then can be bound again.
  llvm::Error run();

  /// A column of the row, counted from 0. Fails if its type is another.
  llvm::Expected<std::string> readText(int column) const;
  llvm::Expected<double> readReal(int column) const;
  llvm::Expected<int64_t> readInteger(int column) const;

private:
  llvm::Error expectType(int column, int type) const;

  sqlite3_stmt *statement;
  std::string path;
  int bound = 0;
  /// The code of the first failure to bind; 0 if there was none.
  int failed = 0;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_DATABASE_SQLITESTATEMENT_H
