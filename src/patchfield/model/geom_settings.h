// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a person says about the contact of one geom: by API, or by a text in the MJCF, which stock MuJoCo
// loads and ignores:
//
//   <custom>
//     <text name="patchfield:left_pad" data="compliant modulus=1e5 resolution=0.01 mu=1.0"/>
//     <text name="patchfield:table" data="rigid mu=0.6"/>
//     <text name="patchfield:bubble" data="compliant volume=/models/my%20bubble.vtk"/>
//   </custom>

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace patchfield {

inline constexpr std::string_view kTextPrefix = "patchfield:";

/// What is not said takes the default (../shared/knobs.md): the model's, the geom's, or the value below.
struct GeomSettings {
  bool compliant = false;  ///< false: rigid.
  bool hull = false;       ///< A mesh may be replaced by its convex hull.

  std::optional<double> modulus = std::nullopt;  ///< E_h [Pa] > 0; 1e7. Compliant only.
  /// Target edge length [m] > 0; r/8 of round shapes, at most 0.02; diagonal/10 of meshes that are filled.
  std::optional<double> resolution = std::nullopt;
  std::optional<double> margin = std::nullopt;            ///< [m] ≥ 0; 1e-4. Compliant only.
  std::optional<double> slab_thickness = std::nullopt;    ///< [m] > 0; 1. Compliant planes only.
  std::optional<double> foundation_depth = std::nullopt;  ///< Where p = E [m] > 0; the largest depth. Meshes only.
  std::optional<double> mu = std::nullopt;                ///< ≥ 0; the geom's sliding friction.
  std::optional<double> relaxation_time = std::nullopt;   ///< τ [s] ≥ 0; 1e-3. Read by SAP.
  std::optional<double> hunt_crossley = std::nullopt;     ///< d [s/m] ≥ 0; 50. Read by TAMSI and Lagged.

  /// Legacy VTK file with the tetrahedra of a compliant mesh; an absolute path, percent-escaped in a text
  /// (core/percent.h).
  std::string volume = {};

  bool operator==(const GeomSettings&) const = default;
};

/// Reads the data of a text. `where` names it in messages, as in `text "patchfield:left_pad"`.
/// Throws InputError with the offending word, its value and the keys that exist.
GeomSettings parse_geom_settings(std::string_view data, std::string_view where);

/// The text that parse_geom_settings reads back to the same settings, to the last bit.
std::string to_text(const GeomSettings& settings);

/// Throws InputError if a value is out of its range.
void check_geom_settings(const GeomSettings& settings, std::string_view where);

}  // namespace patchfield
