//===----------------------------------------------------------------------===//
// A child process with lines of text to it and from it. It does not outlive
// its parent as long as it reads its input or writes its output.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_CHILDPROCESS_H
#define STOF_LIB_SEARCH_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>

namespace stof {

class ChildProcess {
public:
  /// Starts the program `command[0]` in a process group of its own, which an
  /// interrupt at the terminal does not reach.
  static llvm::Expected<std::unique_ptr<ChildProcess>>
  start(llvm::ArrayRef<std::string> command);
  /// Ends the process and those that it has started: by the end of its input
  /// or, a moment later, by force.
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  /// Queues `text`, which is written while a line is awaited.
  void write(llvm::StringRef text) { output += text; }

  enum class Outcome { Line, Silence, End };
  /// The next line of output, without its end. Silence is that of `seconds`.
  Outcome readLine(std::string &line, double seconds);

  /// Ends the process by force, if it still runs.
  void kill();

  /// How the process ended, which it has or is about to, and its last words:
  /// `exit code 1: stof-run: error: ...`.
  std::string explainEnd();

private:
  using Clock = std::chrono::steady_clock;

  ChildProcess() = default;
  bool exchange(Clock::time_point deadline);
  void receive();
  void send();
  void listen();
  bool hasExited() const;
  void waitForExit(std::chrono::milliseconds patience) const;
  int reap();

  pid_t process = 0; ///< 0 once it is reaped.
  int channel = -1;  ///< A socket for input and output; -1 at their end.
  int errors = -1;   ///< The pipe of standard error; -1 at its end.
  std::string output, input, words;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_CHILDPROCESS_H
