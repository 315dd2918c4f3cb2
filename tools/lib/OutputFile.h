//===----------------------------------------------------------------------===//
// Output files of programs. Regular files are written atomically, also if a
// signal ends the program; other files (devices, fifos) are written directly.
// Links are followed.
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
  /// Opens `path` for writing; `-` is standard output. An existing file is not
  /// changed before `keep`.
  static llvm::Expected<OutputFile> open(llvm::StringRef path);
  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  /// Discards the output unless it was kept.
  ~OutputFile();

  llvm::raw_ostream &os() { return *stream; }

  /// Moves the output to its destination, with the mode of the file that it
  /// replaces. Fails, without a change of that file, if the output is
  /// incomplete.
  llvm::Error keep();

private:
  OutputFile() = default;
  llvm::Error openInPlace();
  llvm::Error openTemporary();

  std::string path;
  /// The path without links, and the temporary file to be renamed to it; empty
  /// if there is none.
  std::string destination, temporary;
  std::unique_ptr<llvm::raw_fd_ostream> own;
  llvm::raw_fd_ostream *stream = nullptr;
};

/// Flushes standard output and returns its error, if any.
llvm::Error flushStandardOutput();

} // namespace stof

#endif // STOF_TOOLS_LIB_OUTPUTFILE_H
