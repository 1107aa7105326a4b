// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's objects, owned, and its XML read with errors that name the file.

#pragma once

#include <memory>
#include <string>

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

/// Throws InputError in MuJoCo's own words, after the path.
MjModelPtr load_mjcf(const std::string& path);
/// `name` stands for the path in errors.
MjModelPtr parse_mjcf(const std::string& xml, const std::string& name);

}  // namespace patchfield
