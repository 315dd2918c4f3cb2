//===----------------------------------------------------------------------===//
// What a program writes where its user says. A plain file appears whole or not
// at all, also when a signal ends the program; whatever else has the name (a
// device, a fifo) is written into, and a link is followed.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_LIB_OUTPUTFILE_H
#define STOF_TOOLS_LIB_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace stof {

class OutputFile {
public:
  /// Opens `path` for writing; `-` is standard output. A file that is there
  /// stays as it is.
  static llvm::Expected<OutputFile> open(llvm::StringRef path);
  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  /// Discards what was not kept.
  ~OutputFile();

  llvm::raw_ostream &os() { return *stream; }

  /// Lets what was written appear, with the mode of the file that it replaces.
  /// Fails if not all of it could be written, and then leaves that file alone.
  llvm::Error keep();

private:
  OutputFile() = default;
  llvm::Error openInPlace();
  llvm::Error openBesidePlace();

  std::string path;
  /// Where the path leads, and the file that will be renamed to that; empty
  /// where there is none.
  std::string place, temporary;
  std::unique_ptr<llvm::raw_fd_ostream> own;
  llvm::raw_fd_ostream *stream = nullptr;
};

/// Says whether all that was printed reached standard output.
llvm::Error flushStandardOutput();

} // namespace stof

#endif // STOF_TOOLS_LIB_OUTPUTFILE_H
