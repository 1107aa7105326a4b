// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Friction of two geoms → friction of the pair, by the rule that the model's format has.
//
//   MJCF            the <pair>'s, else that of the geom with the higher priority, else the larger; condim 1 has none
//   SDF, URDF, …    the harmonic mean (contact/material.h)
//
// Read from the mjModel in each step: callers who randomize friction change it between steps.

#pragma once

#include <optional>
#include <string_view>

#include <mujoco/mujoco.h>

namespace patchfield {

enum class FrictionRule {
  kAutomatic,  ///< The model's own: harmonic if an importer said so, by a text; else MuJoCo's.
  kMuJoCo,
  kHarmonic,
};

/// The custom text by which an importer chooses the harmonic rule: <text name="patchfield" data="friction=harmonic"/>.
inline constexpr std::string_view kRuleText = "patchfield";
inline constexpr std::string_view kHarmonicText = "friction=harmonic";

/// Does the model carry that text? Throws InputError for another one of the name.
bool asks_for_harmonic_friction(const mjModel* m);

/// One side: the geom, and its coefficient if one was given beside the model.
struct FrictionSide {
  int geom;
  std::optional<double> mu;
};

/// μ of the pair; 0 for condim 1, unless a coefficient was given beside the model. `pair` is the index of its <pair>,
/// or −1.
double pair_friction(const mjModel* m, const FrictionSide& A, const FrictionSide& B, int pair, bool harmonic);

}  // namespace patchfield
