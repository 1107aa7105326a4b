// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/subprocess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace patchfield {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// Ours, without what `added` replaces.
std::vector<std::string> merged_environment(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view word = *entry;
    const std::string_view name = word.substr(0, word.find('=') + 1);
    bool replaced = false;
    for (const std::string& other : added) replaced |= other.starts_with(name);
    if (!replaced) all.emplace_back(word);
  }
  return all;
}

/// posix_spawn rather than fork: threads of ours may hold locks.
pid_t start(std::vector<std::string> arguments, const std::vector<std::string>& environment, const std::string& log) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  // A group of its own, so that what it starts can be ended with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  std::vector<std::string> variables = merged_environment(environment);
  pid_t child = -1;
  const int error = posix_spawn(&child, arguments[0].c_str(), &files, &attributes, pointers(arguments).data(),
                                pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error == 0 ? child : -1;
}

std::function<bool()>& stop_of_this_thread() {
  thread_local std::function<bool()> stop;
  return stop;
}

volatile std::sig_atomic_t signal_seen = 0;
void note_signal(int signal) { signal_seen = signal; }

/// Notes SIGINT and SIGTERM for its lifetime, where they would simply end the program and leave the child behind.
class NotedSignals {
 public:
  NotedSignals() {
    signal_seen = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      struct sigaction ours = {};
      ours.sa_handler = note_signal;
      if (before_[i].sa_handler == SIG_DFL) sigaction(kSignals[i], &ours, nullptr);
    }
  }
  ~NotedSignals() {
    for (std::size_t i = 0; i < 2; ++i)
      if (before_[i].sa_handler == SIG_DFL) sigaction(kSignals[i], &before_[i], nullptr);
  }
  NotedSignals(const NotedSignals&) = delete;
  NotedSignals& operator=(const NotedSignals&) = delete;

 private:
  static constexpr int kSignals[2] = {SIGINT, SIGTERM};
  struct sigaction before_[2] = {};
};

bool wants_to_stop() { return signal_seen != 0 || (stop_of_this_thread() && stop_of_this_thread()()); }

void end_group(pid_t child) {
  kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

InterruptScope::InterruptScope(std::function<bool()> stop) : before_(std::move(stop_of_this_thread())) {
  stop_of_this_thread() = std::move(stop);
}
InterruptScope::~InterruptScope() { stop_of_this_thread() = std::move(before_); }

SubprocessResult run_subprocess(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                                const std::filesystem::path& log, double timeout) {
  using Clock = std::chrono::steady_clock;
  SubprocessResult result;
  const NotedSignals signals;
  const pid_t child = start(arguments, environment, log.string());
  if (child < 0) return result;
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout);
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(child, &status, result.timed_out ? 0 : WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return result;
    if (!result.timed_out && wants_to_stop()) {
      end_group(child);
      throw Interrupted("interrupted");
    }
    if (!result.timed_out && Clock::now() > deadline) {
      result.timed_out = true;
      kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace patchfield
