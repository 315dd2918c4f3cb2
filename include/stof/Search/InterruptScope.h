//===----------------------------------------------------------------------===//
// Ctrl-C ends a search, not the program.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_INTERRUPTSCOPE_H
#define STOF_SEARCH_INTERRUPTSCOPE_H

#include <csignal>

namespace stof {

/// In its scope, the first SIGINT or SIGTERM is noted, and a second one acts as
/// before. Signals that are ignored remain ignored. One scope at a time.
class InterruptScope {
public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

  static bool isInterrupted();

private:
  static constexpr int signals[] = {SIGINT, SIGTERM};
  struct sigaction before[2];
};

} // namespace stof

#endif // STOF_SEARCH_INTERRUPTSCOPE_H
