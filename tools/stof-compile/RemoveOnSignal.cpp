//===----------------------------------------------------------------------===//
// Files are removed by LLVM, which does not support folders.
//===----------------------------------------------------------------------===//

#include "RemoveOnSignal.h"

#include "llvm/Support/Signals.h"

#include <climits>
#include <csignal>
#include <cstring>
#include <unistd.h>

/// Static, since a signal handler must not allocate.
static char folder[PATH_MAX];

static void removeAndEnd(int number) {
  llvm::sys::RunInterruptHandlers();
  rmdir(folder);
  signal(number, SIG_DFL);
  raise(number);
}

void stof::removeOnSignal(llvm::StringRef path, bool isFolder) {
  if (!isFolder) {
    llvm::sys::RemoveFileOnSignal(path);
    return;
  }
  if (path.size() >= sizeof(folder))
    return;
  std::memcpy(folder, path.data(), path.size());
  folder[path.size()] = '\0';
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    // Signals that are ignored remain ignored, as under nohup.
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler == SIG_IGN)
      continue;
    action = {};
    action.sa_handler = removeAndEnd;
    sigaction(number, &action, nullptr);
  }
}
