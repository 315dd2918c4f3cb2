//===----------------------------------------------------------------------===//
// A package on disk: a folder with manifest.json and the files in its list.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_PACKAGE_H
#define STOF_RUNTIME_PACKAGE_H

#include "stof/Runtime/Manifest.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <mutex>

namespace stof::runtime {

/// An opened package. The sizes of its files are verified when it is opened,
/// their hashes at the first read.
class Package {
public:
  /// Opens the folder `path`. Errors are a missing or invalid manifest and a
  /// missing file or one of another size.
  static llvm::Expected<Package> open(llvm::StringRef path);

  const Manifest &getManifest() const { return manifest; }

  /// The text of the manifest.
  const std::string &getManifestText() const { return text; }

  /// The function `name`, or the only one if `name` is empty.
  llvm::Expected<const Function *> findFunction(llvm::StringRef name) const;

  /// The path of a file of the package; it contains a slash.
  std::string getPath(llvm::StringRef file) const;

  /// The contents of a file of the package, followed by a null character. The
  /// first read verifies the hash.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  read(llvm::StringRef file) const;

  /// Compares the contract of code with the manifest; an error names the value
  /// that differs. `contract` is the text embedded in the code for `target` in
  /// the file `module`; see NativeAbi.h. `function` and `target` are of this
  /// package.
  llvm::Error checkContract(const Function &function, const Target &target,
                            llvm::StringRef module,
                            llvm::StringRef contract) const;

private:
  /// Files with a verified hash.
  struct Verified {
    std::mutex mutex;
    llvm::StringSet<> files;
  };

  std::string folder;
  std::string text;
  Manifest manifest;
  std::unique_ptr<Verified> verified = std::make_unique<Verified>();
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_PACKAGE_H
