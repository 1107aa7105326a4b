// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Which number of the model is not finite? Asked only after a step has failed, so that steps pay nothing for it.

#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

struct Numbers {
  const char* name;
  const mjtNum* values;
  mjtSize rows;
  int width;
};

void check(const Numbers& n) {
  for (mjtSize i = 0; n.values != nullptr && i < n.rows * n.width; ++i) {
    if (std::isfinite(n.values[i])) continue;
    const std::string index = n.width > 1 ? fmt::format("{}, {}", i / n.width, i % n.width) : fmt::format("{}", i);
    throw InputError(fmt::format("model.{}[{}] = {} is not finite. Nothing was stepped: give it a number", n.name,
                                 index, n.values[i]));
  }
}

void check_options(const mjOption& opt) {
  check({"opt.gravity", opt.gravity, 3, 1});
  check({"opt.wind", opt.wind, 3, 1});
  check({"opt.magnetic", opt.magnetic, 3, 1});
  check({"opt.density", &opt.density, 1, 1});
  check({"opt.viscosity", &opt.viscosity, 1, 1});
  check({"opt.impratio", &opt.impratio, 1, 1});
}

void check_bodies(const mjModel* m) {
  for (const Numbers& n : {Numbers{"body_pos", m->body_pos, m->nbody, 3},
                           {"body_quat", m->body_quat, m->nbody, 4},
                           {"body_ipos", m->body_ipos, m->nbody, 3},
                           {"body_iquat", m->body_iquat, m->nbody, 4},
                           {"body_mass", m->body_mass, m->nbody, 1},
                           {"body_inertia", m->body_inertia, m->nbody, 3},
                           {"body_gravcomp", m->body_gravcomp, m->nbody, 1},
                           {"body_invweight0", m->body_invweight0, m->nbody, 2},
                           {"geom_pos", m->geom_pos, m->ngeom, 3},
                           {"geom_quat", m->geom_quat, m->ngeom, 4},
                           {"geom_friction", m->geom_friction, m->ngeom, 3},
                           {"geom_margin", m->geom_margin, m->ngeom, 1},
                           {"geom_solref", m->geom_solref, m->ngeom, mjNREF},
                           {"geom_solimp", m->geom_solimp, m->ngeom, mjNIMP},
                           {"pair_friction", m->pair_friction, m->npair, 5},
                           {"eq_data", m->eq_data, m->neq, mjNEQDATA}})
    check(n);
}

void check_joints(const mjModel* m) {
  for (const Numbers& n : {Numbers{"jnt_pos", m->jnt_pos, m->njnt, 3},
                           {"jnt_axis", m->jnt_axis, m->njnt, 3},
                           {"jnt_range", m->jnt_range, m->njnt, 2},
                           {"jnt_stiffness", m->jnt_stiffness, m->njnt, 1},
                           {"qpos_spring", m->qpos_spring, m->nq, 1},
                           {"dof_armature", m->dof_armature, m->nv, 1},
                           {"dof_damping", m->dof_damping, m->nv, 1},
                           {"dof_frictionloss", m->dof_frictionloss, m->nv, 1},
                           {"dof_invweight0", m->dof_invweight0, m->nv, 1},
                           {"tendon_stiffness", m->tendon_stiffness, m->ntendon, 1},
                           {"tendon_damping", m->tendon_damping, m->ntendon, 1},
                           {"actuator_gainprm", m->actuator_gainprm, m->nactuator, mjNGAIN},
                           {"actuator_biasprm", m->actuator_biasprm, m->nactuator, mjNBIAS},
                           {"actuator_dynprm", m->actuator_dynprm, m->nactuator, mjNDYN},
                           {"actuator_forcerange", m->actuator_forcerange, m->nactuator, 2}})
    check(n);
}

}  // namespace

void report_bad_numbers(Data& data) {
  const mjModel* m = data.m();
  check_options(m->opt);
  check_bodies(m);
  check_joints(m);
  ++data.d()->warning[mjWARN_BADQACC].number;  // counted, not written to a file as mj_warning() does
}

}  // namespace patchfield
