//===----------------------------------------------------------------------===//
// A package on disk: a folder with manifest.json and the files it names.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_PACKAGE_H
#define STOF_RUNTIME_PACKAGE_H

#include "stof/Runtime/Manifest.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <mutex>

namespace stof::runtime {

/// An opened package; its files are as large as its manifest says, and have the
/// hashes that it says once they have been read.
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

  /// The contents of a file of the package, followed by a zero byte. Its hash
  /// is compared when it is read first.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  read(llvm::StringRef file) const;

  /// Compares what code takes for granted with what the manifest says: an error
  /// names the value that differs. `contract` is the text that the code for
  /// `target` in the file `module` carries; see NativeAbi.h. `function` and
  /// `target` are of this package.
  llvm::Error checkContract(const Function &function, const Target &target,
                            llvm::StringRef module,
                            llvm::StringRef contract) const;

private:
  /// Files whose hash has been compared.
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
