// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Links, joints and shapes → a MuJoCo model.
//
//   link       body of the same name      collision  geom, group 3 (0 if nothing else shows the link); its compliance
//   is joint      joints, actuators                     a <custom> text "patchfield:GEOM" frame      site visual geom,
//   group 2, without contact loop       equality
//
// Links that a joint connects do not collide, as annotated models assume; MuJoCo's own rule about parents and children
// is off, because it goes further.

#pragma once

#include <optional>
#include <string>

#include "patchfield/io/assembly.h"
#include "patchfield/model/mjcf.h"

namespace patchfield {

struct BuildOptions {
  bool fixed_roots = false;                        ///< Weld what nothing holds to the world.
  std::optional<double> time_step = std::nullopt;  ///< [s]; none: the file's, else MuJoCo's.
};

/// `file` names the model in messages. Throws InputError with file and line.
MjModelPtr build_model(const Assembly& assembly, const std::string& file, const BuildOptions& options,
                       Diagnostics& diagnostics);

}  // namespace patchfield
