// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's fatal errors → C++ exceptions, for programs that must outlive them.
//
// When MuJoCo cannot go on (its arena is full, a plugin fails), it calls mju_error, which by default ends the
// process. While a MuJoCoErrorGuard is alive, errors on its own thread throw instead, through MuJoCo's C frames, which
// on x86-64 and AArch64 Linux carry the tables that this needs. Other threads are not touched, so any number of guards
// may live side by side.

#pragma once

#include <cstddef>
#include <stdexcept>

#include <mujoco/mujoco.h>

namespace patchfield {

class MuJoCoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class MuJoCoErrorGuard {
 public:
  /// MuJoCo's stack in `d` is given back when an error leaves in the middle of a step.
  explicit MuJoCoErrorGuard(mjData* d);
  ~MuJoCoErrorGuard();
  MuJoCoErrorGuard(const MuJoCoErrorGuard&) = delete;
  MuJoCoErrorGuard& operator=(const MuJoCoErrorGuard&) = delete;

 private:
  mjData* d_;
  std::size_t pstack_, pbase_;
  mjfLogHandler before_;
};

}  // namespace patchfield
