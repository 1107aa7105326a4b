// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/unheard.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace patchfield {
namespace {

using Items = std::vector<std::string>;

/// At most five names, and how many there are beyond.
std::string some(const Items& names) {
  constexpr std::size_t kShown = 5;
  const Items first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
  return names.size() > kShown ? fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - kShown)
                               : fmt::format("{}", fmt::join(first, ", "));
}

void add_options(const mjModel* m, bool points, Items& out) {
  constexpr const char* kIntegrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
  if (m->opt.integrator > mjINT_EULER && m->opt.integrator <= mjINT_IMPLICITFAST)
    out.push_back(
        fmt::format("integrator=\"{}\" (steps are those of docs/step.md: first order, with springs, dampers "
                    "and servos implicit)",
                    kIntegrators[m->opt.integrator]));
  if (points && m->opt.impratio != 1.0)
    out.push_back(fmt::format("impratio={:g} (point contacts stick below the stiction speed)", m->opt.impratio));
  if (points && m->opt.noslip_iterations > 0)
    out.push_back(
        fmt::format("noslip_iterations={} (point contacts stick below the stiction speed)", m->opt.noslip_iterations));
  const auto enabled = [&](int flag) { return (m->opt.enableflags & flag) != 0; };
  if (enabled(mjENBL_SLEEP)) out.emplace_back("flag sleep");
  if (enabled(mjENBL_IPC)) out.emplace_back("flag ipc");
  if (enabled(mjENBL_FWDINV)) out.emplace_back("flag fwdinv");
  if (enabled(mjENBL_INVDISCRETE)) out.emplace_back("flag invdiscrete");
  if ((m->opt.disableflags & mjDSBL_EULERDAMP) != 0)
    out.emplace_back("flag eulerdamp=\"disable\" (damping is implicit)");
}

bool has_default_law(const mjtNum* solref, const mjtNum* solimp) {
  constexpr double kRef[mjNREF] = {0.02, 1.0}, kImp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2.0};
  return std::equal(kRef, kRef + mjNREF, solref) && std::equal(kImp, kImp + mjNIMP, solimp);
}

/// The law of a patch is its pressure field's.
void add_laws_of_patches(const mjModel* m, const PairTable& pairs, const std::function<std::string(int)>& name,
                         const std::function<bool(int)>& compliant, Items& out) {
  Items laws, margins;
  for (int g = 0; g < m->ngeom; ++g) {
    bool points = false;
    for (int other = 0; other < m->ngeom; ++other) points |= pairs(g, other) == PairKind::kPoint;
    if (!compliant(g) || points) continue;
    if (!has_default_law(m->geom_solref + mjNREF * g, m->geom_solimp + mjNIMP * g)) laws.push_back(name(g));
    if (m->geom_margin[g] != 0.0 || m->geom_gap[g] != 0.0) margins.push_back(name(g));
  }
  for (int i = 0; i < m->npair; ++i) {
    if (pairs(m->pair_geom1[i], m->pair_geom2[i]) != PairKind::kPatch) continue;
    const std::string both = name(m->pair_geom1[i]) + "–" + name(m->pair_geom2[i]);
    if (!has_default_law(m->pair_solref + mjNREF * i, m->pair_solimp + mjNIMP * i)) laws.push_back(both);
    if (m->pair_margin[i] != 0.0 || m->pair_gap[i] != 0.0) margins.push_back(both);
  }
  if (!laws.empty()) out.push_back(fmt::format("solref and solimp of {} (modulus and dissipation decide)", some(laws)));
  if (!margins.empty()) out.push_back(fmt::format("margin and gap of {} (Compliant has a margin)", some(margins)));
}

void add_friction(const mjModel* m, const PairTable& pairs, const std::function<std::string(int)>& name, Items& out) {
  Items uneven, softened;
  for (int i = 0; i < m->npair; ++i) {
    const int a = m->pair_geom1[i], b = m->pair_geom2[i];
    const std::string both = name(a) + "–" + name(b);
    const mjtNum *friction = m->pair_friction + 5 * i, *soft = m->pair_solreffriction + mjNREF * i;
    if (m->pair_dim[i] > 1 && friction[1] != friction[0]) uneven.push_back(both);
    if (pairs(a, b) == PairKind::kPoint && (soft[0] != 0.0 || soft[1] != 0.0)) softened.push_back(both);
  }
  if (!uneven.empty())
    out.push_back(fmt::format("the second sliding friction of {} (the first holds in all directions)", some(uneven)));
  if (!softened.empty()) out.push_back(fmt::format("solreffriction of {}", some(softened)));
  if (m->nflex > 0 && m->opt.cone == mjCONE_ELLIPTIC)
    out.emplace_back("friction of flexes with cone=\"elliptic\" (a pyramidal one has it)");
}

}  // namespace

std::string unheard_attributes(const mjModel* m, const PairTable& pairs, const std::function<std::string(int)>& name,
                               const std::function<bool(int)>& compliant) {
  Items items;
  add_options(m, pairs.count(PairKind::kPoint) > 0, items);
  add_laws_of_patches(m, pairs, name, compliant, items);
  add_friction(m, pairs, name, items);
  return items.empty() ? "" : fmt::format("without effect here: {}", fmt::join(items, "; "));
}

}  // namespace patchfield
