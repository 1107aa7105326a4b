// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's objects, owned.

#pragma once

#include <memory>

#include <mujoco/mujoco.h>

namespace patchfield {

struct DeleteMjModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteMjSpec {
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};
using MjModelPtr = std::unique_ptr<mjModel, DeleteMjModel>;
using MjSpecPtr = std::unique_ptr<mjSpec, DeleteMjSpec>;

}  // namespace patchfield
