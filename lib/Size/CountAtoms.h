//===----------------------------------------------------------------------===//
// Conversions between the atoms of counts and JSON.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SIZE_COUNTATOMS_H
#define STOF_LIB_SIZE_COUNTATOMS_H

#include "stof/Size/CountExpr.h"

#include "llvm/Support/raw_ostream.h"

namespace stof {

inline std::string textOf(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

inline llvm::json::Value valueOf(llvm::StringRef text) {
  return llvm::cantFail(llvm::json::parse(text));
}

/// Appends the operands of a nest of `op` operators.
void flatten(llvm::StringRef op, const llvm::json::Value &value,
             std::vector<llvm::json::Value> &operands);

} // namespace stof

#endif // STOF_LIB_SIZE_COUNTATOMS_H
