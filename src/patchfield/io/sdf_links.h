// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// <link> and <joint> of SDF → links and joints.

#pragma once

#include "patchfield/io/model_reader.h"
#include "patchfield/io/sdf_scope.h"

namespace patchfield {

/// Poses within the link may be relative to frames of the scope.
Link read_sdf_link(const XmlElement& element, const std::string& name, SdfScope& scope, ReadContext& context);

/// Its links must be in the assembly.
Joint read_sdf_joint(const XmlElement& element, const std::string& name, SdfScope& scope, ReadContext& context);

/// The shape of a <geometry>. Nothing, with a warning, if it has no counterpart.
std::optional<LinkShape> read_sdf_shape(const XmlElement& geometry, bool is_visual, ReadContext& context, Pose& X_GS);

}  // namespace patchfield
