// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A contact surface as a picture: SVG, faces coloured by pressure, the bodies in outline.

#pragma once

#include <string>

#include "patchfield/geometry/contact_surface.h"
#include "patchfield/geometry/geometry.h"

namespace patchfield::cli {

/// The drawing as SVG text.
std::string draw_surface(const ContactSurface& surface, const Geometry& A, const Pose& X_WA, const Geometry& B,
                         const Pose& X_WB, const std::string& caption);

}  // namespace patchfield::cli
