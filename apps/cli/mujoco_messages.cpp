// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "mujoco_messages.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

namespace patchfield::cli {
namespace {

std::mutex mutex;  // a live simulation warns from its own thread
std::vector<std::string> collected;

void on_warning(const char* text) {
  const std::lock_guard lock(mutex);
  std::string warning = fmt::format("MuJoCo: {}", text);
  if (std::find(collected.begin(), collected.end(), warning) == collected.end())
    collected.push_back(std::move(warning));
}

void on_error(const char* text) {
  fmt::print(stderr, "patchfield: MuJoCo: {}\n", text);
  std::_Exit(1);  // MuJoCo must not be returned to, and its C frames cannot be unwound
}

}  // namespace

void catch_mujoco_messages() {
  mju_user_warning = on_warning;
  mju_user_error = on_error;
}

std::vector<std::string> take_mujoco_warnings() {
  const std::lock_guard lock(mutex);
  return std::exchange(collected, {});
}

}  // namespace patchfield::cli
