//===----------------------------------------------------------------------===//
// Reader of untrusted JSON with a fixed schema. The first error is recorded and
// reading continues with default values, which leaves a single error check at
// the end to code that builds a structure.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_JSONREADER_H
#define STOF_LIB_RUNTIME_JSONREADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace stof::runtime {

/// `value` as compact JSON, truncated if long.
std::string quoteJson(const llvm::json::Value &value);

/// The first error of a document.
class JsonComplaint {
public:
  void add(const llvm::Twine &complaint) {
    if (message.empty())
      message = complaint.str();
  }
  explicit operator bool() const { return !message.empty(); }
  /// The error, prefixed by the name of the file, or success.
  llvm::Error take(const llvm::Twine &file) const;

private:
  std::string message;
};

/// A value of a document and its path.
class JsonNode {
public:
  JsonNode(JsonComplaint &complaint, const llvm::json::Value &value,
           std::string path = "")
      : complaint(&complaint), value(&value), path(std::move(path)) {}

  /// Records the error `<path> <message>`.
  void fail(const llvm::Twine &message) const;

  const llvm::json::Value &get() const { return *value; }
  const std::string &getPath() const { return path; }

  /// Fails unless this is an object with a subset of `keys`.
  void allowOnly(llvm::ArrayRef<llvm::StringRef> keys) const;

  /// The value of a required and of an optional key.
  JsonNode at(llvm::StringRef key) const;
  std::optional<JsonNode> find(llvm::StringRef key) const;

  /// This value as an object; fails and returns null if it is none.
  const llvm::json::Object *object() const;

  std::vector<JsonNode> elements() const;
  /// The elements of an array of exactly `count`.
  std::vector<JsonNode> elements(size_t count) const;

  int64_t integer(int64_t minimum = std::numeric_limits<int64_t>::min()) const;
  std::string string() const;
  bool boolean() const;
  /// The index of this string in `choices`.
  unsigned choice(llvm::ArrayRef<llvm::StringLiteral> choices) const;

private:
  JsonNode child(const llvm::json::Value &value,
                 const llvm::Twine &step) const {
    return JsonNode(*complaint, value, (path + step).str());
  }

  JsonComplaint *complaint;
  const llvm::json::Value *value;
  std::string path;
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_JSONREADER_H
