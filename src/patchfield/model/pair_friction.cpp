// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/pair_friction.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {

bool asks_for_harmonic_friction(const mjModel* m) {
  for (int i = 0; i < m->ntext; ++i) {
    if (std::string_view(mj_id2name(m, mjOBJ_TEXT, i)) != kRuleText) continue;
    const std::string_view data = m->text_data + m->text_adr[i];
    if (data != kHarmonicText)
      throw InputError(fmt::format("text \"{}\": \"{}\" is not known; \"{}\" is", kRuleText, data, kHarmonicText));
    return true;
  }
  return false;
}

double pair_friction(const mjModel* m, const FrictionSide& A, const FrictionSide& B, int pair, bool harmonic) {
  const bool overridden = (m->opt.enableflags & mjENBL_OVERRIDE) != 0;
  if (pair >= 0) return m->pair_dim[pair] == 1 ? 0.0 : overridden ? m->opt.o_friction[0] : m->pair_friction[5 * pair];
  const double mu_A = A.mu.value_or(m->geom_friction[3 * A.geom]), mu_B = B.mu.value_or(m->geom_friction[3 * B.geom]);
  const int condim_A = A.mu ? 3 : m->geom_condim[A.geom], condim_B = B.mu ? 3 : m->geom_condim[B.geom];
  const int priority_A = m->geom_priority[A.geom], priority_B = m->geom_priority[B.geom];
  const int condim = priority_A > priority_B   ? condim_A
                     : priority_A < priority_B ? condim_B
                                               : std::max(condim_A, condim_B);
  if (condim == 1) return 0.0;
  if (overridden) return m->opt.o_friction[0];
  if (harmonic) return mu_A + mu_B > 0.0 ? 2.0 * mu_A * mu_B / (mu_A + mu_B) : 0.0;
  if (priority_A != priority_B) return priority_A > priority_B ? mu_A : mu_B;
  return std::isnan(mu_B) ? mu_B : std::max(mu_A, mu_B);  // either NaN shows
}

}  // namespace patchfield
