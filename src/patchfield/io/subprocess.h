// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Runs another program and waits for it, no longer than allowed.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace patchfield {

struct SubprocessResult {
  int exit_code = -1;      ///< 128 + signal if a signal ended it; −1 if it could not be started.
  bool timed_out = false;  ///< It was killed, with all that it had started.
};

/// `arguments[0]` is the path of the program. Its output and errors go to `log`; its input is empty. `environment`
/// lists NAME=value words that are added to ours.
SubprocessResult run_subprocess(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                                const std::filesystem::path& log, double timeout);

}  // namespace patchfield
