// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Runs another program and waits for it, no longer than allowed and no longer than wanted.

#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace patchfield {

/// Someone asked to stop: Ctrl-C, SIGTERM, or an InterruptScope.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it lives, run_subprocess() of this thread asks `stop` some times a second whether to give up.
class InterruptScope {
 public:
  explicit InterruptScope(std::function<bool()> stop);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  std::function<bool()> before_;
};

struct SubprocessResult {
  int exit_code = -1;      ///< 128 + signal if a signal ended it; −1 if it could not be started.
  bool timed_out = false;  ///< It was killed, with all that it had started.
};

/// `arguments[0]` is the path of the program. Its output and errors go to `log`; its input is empty. `environment`
/// lists NAME=value words that are added to ours. Throws Interrupted after ending it with all that it had started. In a
/// program that does not handle SIGINT and SIGTERM itself, these interrupt, too.
SubprocessResult run_subprocess(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                                const std::filesystem::path& log, double timeout);

}  // namespace patchfield
