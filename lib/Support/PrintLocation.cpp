//===----------------------------------------------------------------------===//
// Locations in what passes print for people.
//===----------------------------------------------------------------------===//

#include "stof/Support/PrintLocation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string stof::printLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << llvm::sys::path::filename(file.getFilename().getValue()) << ':'
       << file.getLine() << ':' << file.getColumn();
  else
    os << loc;
  return text;
}
