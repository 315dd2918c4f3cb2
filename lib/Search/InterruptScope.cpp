//===----------------------------------------------------------------------===//
// Handlers of signals during a search.
//===----------------------------------------------------------------------===//

#include "stof/Search/InterruptScope.h"

#include <cassert>
#include <iterator>

using namespace stof;

/// What a signal handler can write to.
static volatile std::sig_atomic_t interrupted;
static bool isOpen;

InterruptScope::InterruptScope() {
  assert(!isOpen && "expects one scope at a time");
  isOpen = true;
  interrupted = 0;
  for (unsigned i = 0; i < std::size(signals); ++i) {
    sigaction(signals[i], nullptr, &before[i]);
    if (before[i].sa_handler == SIG_IGN)
      continue;
    struct sigaction action = {};
    // The handler is removed when it is called.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(signals[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  for (unsigned i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &before[i], nullptr);
  isOpen = false;
}

bool InterruptScope::isInterrupted() { return interrupted != 0; }
