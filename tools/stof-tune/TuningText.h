//===----------------------------------------------------------------------===//
// A tuning database as text: a JSON object a line, for a measurement or for a
// search that is over. Lines are in order, without times of addition: texts of
// equal databases are equal.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFTUNE_TUNINGTEXT_H
#define STOF_TOOLS_STOFTUNE_TUNINGTEXT_H

#include "stof/Search/TuningDatabase.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace stof {

/// Adds the members of `key` to an open object.
void printKey(llvm::json::OStream &json, const TuningKey &key);

/// A text of a database, which need not be Unicode.
llvm::json::Value toJson(llvm::StringRef text);

/// Prints a database; with `onlyBest` of each kernel the fastest schedule and
/// the untuned one, and of each function the fastest scheme. Since a database
/// does not tell which one is untuned, there may be a third.
llvm::Error exportText(TuningDatabase &database, bool onlyBest,
                       TuningDatabase::OnIgnored onIgnored,
                       llvm::raw_ostream &os);

/// Adds the lines of `text`, which comes from file `name`, and calls `onAdded`
/// for each that is durable. Fails at the first line that is wrong
/// (TuningLines.h).
llvm::Error importText(TuningDatabase &database, llvm::StringRef name,
                       llvm::StringRef text,
                       llvm::function_ref<void(llvm::StringRef line)> onAdded);

} // namespace stof

#endif // STOF_TOOLS_STOFTUNE_TUNINGTEXT_H
