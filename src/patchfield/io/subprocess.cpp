// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/subprocess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

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

}  // namespace

SubprocessResult run_subprocess(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                                const std::filesystem::path& log, double timeout) {
  using Clock = std::chrono::steady_clock;
  SubprocessResult result;
  const pid_t child = start(arguments, environment, log.string());
  if (child < 0) return result;
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout);
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(child, &status, result.timed_out ? 0 : WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return result;
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
