// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// An inertia as files write it → one that MuJoCo takes: principal moments and their axes, checked.

#pragma once

#include "patchfield/io/assembly.h"

namespace patchfield {

struct PrincipalInertia {
  Mat3 R_LI;     ///< Principal axes in the link's frame.
  Vec3 moments;  ///< [kg·m²]; A + B ≥ C holds.
};

/// Throws InputError: mass or moments negative or not finite, or the moments break A + B ≥ C. A break that rounding to
/// six digits explains is mended, with a warning.
PrincipalInertia principal_inertia(const Inertial& inertial, const std::string& link, Diagnostics& diagnostics);

}  // namespace patchfield
