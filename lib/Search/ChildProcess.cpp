//===----------------------------------------------------------------------===//
// Start, exchange and end of a child process. Its standard input and output are
// one socket: a socket whose other end is gone raises no signal in the parent.
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace stof;

namespace {

/// What a process is started with.
class SpawnPlan {
public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  SpawnPlan(const SpawnPlan &) = delete;
  SpawnPlan &operator=(const SpawnPlan &) = delete;

  int spawn(ArrayRef<std::string> command, int channel, int errors,
            pid_t &process);

private:
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

} // namespace

int SpawnPlan::spawn(ArrayRef<std::string> command, int channel, int errors,
                     pid_t &process) {
  const std::pair<int, int> streams[] = {{channel, STDIN_FILENO},
                                         {channel, STDOUT_FILENO},
                                         {errors, STDERR_FILENO}};
  for (auto [from, to] : streams)
    if (int error = posix_spawn_file_actions_adddup2(&actions, from, to))
      return error;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  return posix_spawn(&process, words[0], &actions, &attributes, words.data(),
                     environ);
}

static Error explain(StringRef program, int error) {
  return createStringError("cannot start '" + program +
                           "': " + std::strerror(error));
}

Expected<std::unique_ptr<ChildProcess>>
ChildProcess::start(ArrayRef<std::string> command) {
  std::array<int, 2> channels, pipes;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels.data()) != 0)
    return explain(command[0], errno);
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  child->channel = channels[0];
  if (pipe2(pipes.data(), O_CLOEXEC) != 0) {
    int error = errno;
    close(channels[1]);
    return explain(command[0], error);
  }
  child->errors = pipes[0];
  fcntl(child->errors, F_SETFL, O_NONBLOCK);
  int error = SpawnPlan().spawn(command, channels[1], pipes[1], child->process);
  close(channels[1]);
  close(pipes[1]);
  if (error) {
    child->process = 0;
    return explain(command[0], error);
  }
  return child;
}

ChildProcess::~ChildProcess() {
  // Time for a driver to release its devices.
  constexpr std::chrono::milliseconds patience(2000);
  if (channel >= 0)
    close(channel);
  if (process) {
    waitForExit(patience);
    reap();
  }
  if (errors >= 0)
    close(errors);
}

/// Keeps what fits in `bytes` bytes of a message.
static void keepEnd(std::string &text, size_t bytes) {
  if (text.size() > bytes)
    text.erase(0, text.size() - bytes);
}

/// Reads once; false at the end, at which the descriptor is closed.
static bool readInto(std::string &text, int &descriptor) {
  std::array<char, 4096> buffer;
  ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), count);
    return true;
  }
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return true;
  close(descriptor);
  descriptor = -1;
  return false;
}

void ChildProcess::receive() { readInto(input, channel); }

void ChildProcess::listen() {
  constexpr size_t mostWords = 4096;
  readInto(words, errors);
  keepEnd(words, mostWords);
}

void ChildProcess::send() {
  ssize_t count = ::send(channel, output.data(), output.size(),
                         MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count > 0)
    output.erase(0, count);
  else if (count < 0 && errno != EINTR && errno != EAGAIN)
    // No one reads it; the end of the output follows.
    output.clear();
}

/// Reads and writes what there is; false if there is nothing until `deadline`.
bool ChildProcess::exchange(Clock::time_point deadline) {
  using std::chrono::milliseconds;
  short events = output.empty() ? POLLIN : POLLIN | POLLOUT;
  pollfd streams[] = {{channel, events, 0}, {errors, POLLIN, 0}};
  auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
  if (left <= 0)
    return false;
  int ready =
      poll(streams, std::size(streams), std::min<int64_t>(left, INT_MAX));
  if (ready < 0)
    return errno == EINTR;
  if (streams[0].revents & POLLOUT)
    send();
  if (streams[0].revents & (POLLIN | POLLHUP | POLLERR))
    receive();
  if (streams[1].revents)
    listen();
  return true;
}

ChildProcess::Outcome ChildProcess::readLine(std::string &line,
                                             double seconds) {
  auto patience = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(seconds));
  Clock::time_point deadline = Clock::now() + patience;
  size_t searched = 0;
  for (;;) {
    size_t end = input.find('\n', searched);
    if (end != std::string::npos) {
      line = input.substr(0, end);
      input.erase(0, end + 1);
      return Outcome::Line;
    }
    searched = input.size();
    if (channel < 0)
      return Outcome::End;
    if (!exchange(deadline))
      return Outcome::Silence;
  }
}

void ChildProcess::kill() {
  if (process)
    ::kill(-process, SIGKILL);
}

/// Whether the process is over, though not yet reaped.
bool ChildProcess::hasExited() const {
  siginfo_t info = {};
  return waitid(P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == process;
}

void ChildProcess::waitForExit(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds interval(2);
  Clock::time_point deadline = Clock::now() + patience;
  while (!hasExited() && Clock::now() < deadline)
    std::this_thread::sleep_for(interval);
}

/// The status of the process. Those that it started end as well.
int ChildProcess::reap() {
  kill();
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  process = 0;
  return status;
}

static std::string explainStatus(int status) {
  if (!WIFSIGNALED(status))
    return "exit code " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status)) + " (" +
         strsignal(WTERMSIG(status)) + ")";
}

std::string ChildProcess::explainEnd() {
  constexpr std::chrono::milliseconds patience(2000);
  waitForExit(patience);
  std::string text = explainStatus(reap());
  Clock::time_point deadline = Clock::now() + patience;
  while (errors >= 0 && exchange(deadline))
    ;
  StringRef last = StringRef(words).rtrim();
  last = last.substr(last.rfind('\n') + 1);
  return last.empty() ? text : text + ": " + last.str();
}
