//===----------------------------------------------------------------------===//
// A package: manifest.json and the files in its list, in a folder on disk or in
// an archive in memory.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_PACKAGE_H
#define STOF_RUNTIME_PACKAGE_H

#include "stof/Runtime/Manifest.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <mutex>

namespace stof::runtime {

class Archive;

/// An opened package. The sizes of its files are verified when it is opened,
/// their hashes at the first read.
class Package {
public:
  /// Opens the folder `path`. Errors are a missing or invalid manifest and a
  /// missing file or one of another size.
  static llvm::Expected<Package> open(llvm::StringRef path);

  /// Opens a tar archive of such a folder. It is not copied: programs can be
  /// loaded from the package while it exists. Its damage is another error.
  static llvm::Expected<Package> openArchive(llvm::StringRef bytes);

  /// Whether the package is an archive, whose files have no path on disk.
  bool isArchive() const { return archive != nullptr; }

  const Manifest &getManifest() const { return manifest; }

  /// The text of the manifest.
  const std::string &getManifestText() const { return text; }

  /// The function `name`, or the only one if `name` is empty.
  llvm::Expected<const Function *> findFunction(llvm::StringRef name) const;

  /// The path of a file of the package, for messages if it is an archive; it
  /// contains a slash.
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
  explicit Package(llvm::StringRef folder) : folder(folder) {}

  /// Reads and verifies the manifest, and the sizes of files.
  llvm::Error load();
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  readUnverified(llvm::StringRef file) const;
  llvm::Expected<uint64_t> findSize(llvm::StringRef file) const;

  /// Files with a verified hash.
  struct Verified {
    std::mutex mutex;
    llvm::StringSet<> files;
  };

  std::string folder;
  std::shared_ptr<const Archive> archive; ///< Null if it is on disk.
  std::string text;
  Manifest manifest;
  std::unique_ptr<Verified> verified = std::make_unique<Verified>();
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_PACKAGE_H
