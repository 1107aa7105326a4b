// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Enumerators as words: "lagged", "polygon", … .

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/model/model.h"
#include "patchfield/sim/data.h"

namespace patchfield::python {

template <class Enum>
using Word = std::pair<std::string_view, Enum>;

inline constexpr Word<SolverKind> kSolvers[] = {
    {"tamsi", SolverKind::kTamsi}, {"sap", SolverKind::kSap}, {"lagged", SolverKind::kLagged}};
inline constexpr Word<Tessellation> kTessellations[] = {{"polygon", Tessellation::kPolygon},
                                                        {"triangle", Tessellation::kTriangle}};
inline constexpr Word<Quadrature> kQuadratures[] = {{"automatic", Quadrature::kAutomatic},
                                                    {"centroid", Quadrature::kCentroid},
                                                    {"pressure_center", Quadrature::kPressureCenter},
                                                    {"moments", Quadrature::kMoments}};
inline constexpr Word<PressureRate> kPressureRates[] = {{"convected", PressureRate::kConvected},
                                                        {"paper", PressureRate::kPaper}};
inline constexpr Word<RigidRigid> kRigidRigid[] = {
    {"point", RigidRigid::kPoint}, {"compliant", RigidRigid::kCompliant}, {"error", RigidRigid::kError}};
inline constexpr Word<ContactOutput> kContactOutputs[] = {{"patches", ContactOutput::kPatches},
                                                          {"data", ContactOutput::kData}};
inline constexpr Word<FrictionRule> kFrictionRules[] = {
    {"automatic", FrictionRule::kAutomatic}, {"mujoco", FrictionRule::kMuJoCo}, {"harmonic", FrictionRule::kHarmonic}};
inline constexpr Word<LinearAlgebra> kLinearAlgebra[] = {
    {"auto", LinearAlgebra::kAuto}, {"dense", LinearAlgebra::kDense}, {"sparse", LinearAlgebra::kSparse}};

/// Throws InputError that lists the words there are.
template <class Enum, std::size_t N>
Enum choose(std::string_view argument, std::string_view text, const Word<Enum> (&words)[N]) {
  std::string list;
  for (const auto& [word, value] : words) {
    if (word == text) return value;
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", word);
  }
  throw InputError(fmt::format("{}=\"{}\": choose one of {}", argument, text, list));
}

template <class Enum, std::size_t N>
std::string word_of(Enum value, const Word<Enum> (&words)[N]) {
  for (const auto& [word, candidate] : words)
    if (candidate == value) return std::string(word);
  return "?";
}

}  // namespace patchfield::python
