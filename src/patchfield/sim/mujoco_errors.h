// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's fatal errors → C++ exceptions, for programs that must outlive them.
//
// When MuJoCo cannot go on (its arena is full, a callback of Python's raised), it calls mju_error, which by default
// ends the process. Under guard_mujoco() an error on this thread leaves the work by longjmp, as in MuJoCo's own Python
// bindings: an exception would have to pass through frames of C, and of C++ with another runtime, which it cannot.
// No destructor of the frames in between runs. A step of ours keeps nothing in such frames: its memory is in Data.
// Other threads are not touched.

#pragma once

#include <stdexcept>

#include <mujoco/mujoco.h>

namespace patchfield {

class MuJoCoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls work(context). Throws MuJoCoError if MuJoCo gave up; its stack in `d` is then as it was before.
void guard_mujoco(mjData* d, void (*work)(const void* context), const void* context);

template <class Work>
void guard_mujoco(mjData* d, const Work& work) {
  guard_mujoco(d, [](const void* context) { (*static_cast<const Work*>(context))(); }, &work);
}

}  // namespace patchfield
