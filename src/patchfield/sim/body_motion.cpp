// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/body_motion.h"

namespace patchfield {

int last_dof(const mjModel* m, int body) {
  while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
  return body > 0 ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

void add_body_jacobian(const mjModel* m, const mjData* d, int body, const Vec3& p_W, double sign, double* J) {
  const int tree = m->body_treeid[body];
  if (tree < 0) return;
  const int first = m->tree_dofadr[tree];
  const Vec3 from_com = p_W - vec3(d->subtree_com + 3 * m->body_rootid[body]);
  for (int i = last_dof(m, body); i >= 0; i = m->dof_parentid[i]) {
    const auto w = vec3(d->cdof + 6 * i), v = vec3(d->cdof + 6 * i + 3);
    Eigen::Map<Vec6> column(J + 6 * (i - first));
    column.head<3>() += sign * w;
    column.tail<3>() += sign * (v + w.cross(from_com));
  }
}

Vec6 body_twist(const mjModel* m, const mjData* d, int body, const mjtNum* qvel) {
  Vec6 twist = Vec6::Zero();
  for (int i = last_dof(m, body); i >= 0; i = m->dof_parentid[i])
    twist += Eigen::Map<const Vec6>(d->cdof + 6 * i) * qvel[i];
  return twist;
}

Vec3 point_velocity(const mjModel* m, const mjData* d, int body, const Vec3& p_W, const mjtNum* qvel) {
  const Vec6 twist = body_twist(m, d, body, qvel);
  return twist.tail<3>() + twist.head<3>().cross(p_W - vec3(d->subtree_com + 3 * m->body_rootid[body]));
}

}  // namespace patchfield
