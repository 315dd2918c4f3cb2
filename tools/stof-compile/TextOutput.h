//===----------------------------------------------------------------------===//
// Outputs of the compiler in addition to the package. They are opened before
// compilation for early errors, and appear only after its success.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_TEXTOUTPUT_H
#define STOF_TOOLS_STOFCOMPILE_TEXTOUTPUT_H

#include "../lib/OutputFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace stof {

class TextOutput {
public:
  /// `what` is for messages; there is no output if `path` is empty.
  /// `nameInPackage` is the only allowed file name within the package.
  TextOutput(llvm::StringRef what, llvm::StringRef path,
             llvm::StringRef nameInPackage = "")
      : what(what), path(path), nameInPackage(nameInPackage) {}

  /// Fails if the path is `model`, or is in `package` under another name than
  /// the allowed one. A file in the package is opened after the package has
  /// been replaced.
  llvm::Error open(llvm::StringRef model, llvm::StringRef package);

  llvm::Error write(llvm::function_ref<void(llvm::raw_ostream &)> print);

private:
  llvm::Error openFile();

  std::string what, path, nameInPackage;
  std::optional<OutputFile> file;
};

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_TEXTOUTPUT_H
