//===----------------------------------------------------------------------===//
// A package on disk: a folder with manifest.json and the files it names.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_PACKAGE_H
#define STOF_RUNTIME_PACKAGE_H

#include "stof/Runtime/Manifest.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace stof::runtime {

/// An opened package; its files are as large as its manifest says.
class Package {
public:
  /// Opens the folder `path`. A missing manifest, one that does not parse, and
  /// a file that is missing or has another size are errors that name the file.
  static llvm::Expected<Package> open(llvm::StringRef path);

  const Manifest &getManifest() const { return manifest; }

  /// The manifest as it was written.
  const std::string &getManifestText() const { return text; }

  /// The function called `name`, or the only one where `name` is empty.
  llvm::Expected<const Function *> findFunction(llvm::StringRef name) const;

  /// Where a file of the package lies; it contains a slash.
  std::string getPath(llvm::StringRef file) const;

  /// The contents of a file of the package, followed by a zero byte.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  read(llvm::StringRef file) const;

private:
  std::string folder;
  std::string text;
  Manifest manifest;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_PACKAGE_H
