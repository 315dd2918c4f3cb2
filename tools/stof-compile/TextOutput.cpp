//===----------------------------------------------------------------------===//
// Paths are compared after resolution of links.
//===----------------------------------------------------------------------===//

#include "TextOutput.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace stof;

/// The canonical form of `path`; its last component need not exist.
static std::string getRealPath(StringRef path) {
  while (path.size() > 1 && sys::path::is_separator(path.back()))
    path = path.drop_back();
  SmallString<128> real;
  if (!sys::fs::real_path(path, real))
    return std::string(real);
  StringRef parent = sys::path::parent_path(path);
  if (sys::fs::real_path(parent.empty() ? "." : parent, real))
    return path.str();
  sys::path::append(real, sys::path::filename(path));
  return std::string(real);
}

Error TextOutput::openFile() {
  Expected<OutputFile> opened = OutputFile::open(path);
  if (!opened)
    return opened.takeError();
  file.emplace(std::move(*opened));
  return Error::success();
}

Error TextOutput::open(StringRef model, StringRef package) {
  if (path.empty())
    return Error::success();
  if (path == "-")
    return openFile();
  if (sys::fs::equivalent(path, model))
    return createStringError("expects " + Twine(what) +
                             " in a file of its own, but got the model '" +
                             path + "'");
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty() || getRealPath(folder) != getRealPath(package))
    return openFile();
  if (sys::path::filename(path) == nameInPackage)
    return Error::success();
  return createStringError(
      "expects " + Twine(what) + " outside of the package" +
      (nameInPackage.empty() ? "" : " or as its '" + nameInPackage + "'") +
      ", but got '" + path + "'");
}

Error TextOutput::write(function_ref<void(raw_ostream &)> print) {
  if (path.empty())
    return Error::success();
  if (!file)
    if (Error error = openFile())
      return error;
  print(file->os());
  return file->keep();
}
