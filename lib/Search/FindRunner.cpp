//===----------------------------------------------------------------------===//
// The search for the runner.
//===----------------------------------------------------------------------===//

#include "FindRunner.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace stof;

Expected<std::string> stof::findRunner(StringRef given, StringRef program) {
  constexpr StringLiteral name = "stof-run";
  if (!given.empty()) {
    if (sys::fs::can_execute(given))
      return given.str();
    return createStringError("expects a program to measure with, but got '" +
                             given + "'");
  }
  SmallString<256> neighbour = sys::path::parent_path(program);
  sys::path::append(neighbour, name);
  if (sys::fs::can_execute(neighbour))
    return std::string(neighbour);
  if (ErrorOr<std::string> path = sys::findProgramByName(name))
    return *path;
  return createStringError("expects " + name + " at '" + neighbour +
                           "' or in PATH, but it is in neither");
}
