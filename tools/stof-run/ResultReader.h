//===----------------------------------------------------------------------===//
// Reading of results from a device in parts: results of any size pass through
// one allocation on the host.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_RESULTREADER_H
#define STOF_TOOLS_STOF_RUN_RESULTREADER_H

#include "stof/Runtime/HostRun.h"

namespace stof::runtime {

class ResultReader {
public:
  /// `device` must outlive the reader.
  explicit ResultReader(Device &device) : device(device) {}
  ~ResultReader();
  ResultReader(const ResultReader &) = delete;
  ResultReader &operator=(const ResultReader &) = delete;

  /// Calls `take` for all parts of result number `index`, in order. A part has
  /// the elements from byte `offset` on, and lives until `take` returns.
  llvm::Error
  read(const HostRun &run, size_t index,
       llvm::function_ref<void(int64_t offset, llvm::StringRef part)> take);

private:
  Device &device;
  void *memory = nullptr; ///< Null until the first part is read.
};

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_RESULTREADER_H
