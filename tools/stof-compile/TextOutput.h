//===----------------------------------------------------------------------===//
// What the compiler writes besides the package: opened before it compiles, so
// that a wrong name costs no time, and seen only if it has compiled.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_TEXTOUTPUT_H
#define STOF_TOOLS_STOFCOMPILE_TEXTOUTPUT_H

#include "../lib/OutputFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace stof {

class TextOutput {
public:
  /// What the text is, for messages, and where it goes; nowhere if `path` is
  /// empty. `nameInPackage` is the name that it may have in the package.
  TextOutput(llvm::StringRef what, llvm::StringRef path,
             llvm::StringRef nameInPackage = "")
      : what(what), path(path), nameInPackage(nameInPackage) {}

  /// Refuses the place of `model`, and places in `package` but for the one
  /// name: a package is replaced as a whole, so that what lies in it is opened
  /// when it has been.
  llvm::Error open(llvm::StringRef model, llvm::StringRef package);

  llvm::Error write(llvm::function_ref<void(llvm::raw_ostream &)> print);

private:
  llvm::Error openFile();

  std::string what, path, nameInPackage;
  std::optional<OutputFile> file;
};

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_TEXTOUTPUT_H
