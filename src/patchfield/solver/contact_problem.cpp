// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/contact_problem.h"

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

template <class T>
int grow_by(Column<T>& column, int n, const T& value) {
  const int first = column.size();
  column.resize(first + n);
  for (int i = first; i < column.size(); ++i) column[i] = value;
  return first;
}

}  // namespace

void ContactProblem::clear() {
  tree_start.assign(1, 0), A_start.assign(1, 0);
  A.clear(), v0.clear(), v_star.clear();
  patch_first.clear(), patch_count.clear(), patch_tree0.clear(), patch_tree1.clear();
  patch_J0.clear(), patch_J1.clear(), J.clear(), patch_material.clear();
  rx.clear(), ry.clear(), rz.clear(), nx.clear(), ny.clear(), nz.clear();
  k.clear(), phi0.clear(), convection.clear(), sliding.clear();
  row_start.assign(1, 0);
  row_dof.clear(), row_value.clear(), row_R.clear(), row_vhat.clear(), row_lo.clear(), row_hi.clear();
}

int ContactProblem::add_tree(int n) {
  PATCHFIELD_ASSERT(n > 0);
  const int t = num_trees();
  tree_start.push_back(tree_start.back() + n);
  A_start.push_back(A_start.back() + n * n);
  grow_by(A, n * n, 0.0);
  grow_by(v0, n, 0.0);
  grow_by(v_star, n, 0.0);
  return t;
}

int ContactProblem::add_patch(int tree0, int tree1, const PatchMaterial& material) {
  PATCHFIELD_ASSERT(0 <= tree0 && tree0 < num_trees() && -1 <= tree1 && tree1 < num_trees() && tree0 != tree1);
  const int p = num_patches();
  patch_first.push_back(num_points());
  patch_count.push_back(0);
  patch_tree0.push_back(tree0);
  patch_tree1.push_back(tree1);
  patch_J0.push_back(grow_by(J, 6 * tree_size(tree0), 0.0));
  patch_J1.push_back(tree1 < 0 ? J.size() : grow_by(J, 6 * tree_size(tree1), 0.0));
  patch_material.push_back(material);
  return p;
}

void ContactProblem::add_point(const Vec3& r, const Vec3& nhat, double stiffness, double signed_distance,
                               double convection_speed, double sliding_speed) {
  PATCHFIELD_ASSERT_HOT(num_patches() > 0);
  rx.push_back(r.x()), ry.push_back(r.y()), rz.push_back(r.z());
  nx.push_back(nhat.x()), ny.push_back(nhat.y()), nz.push_back(nhat.z());
  k.push_back(stiffness);
  phi0.push_back(signed_distance);
  convection.push_back(convection_speed);
  sliding.push_back(sliding_speed);
  ++patch_count.back();
}

int ContactProblem::add_row(double R, double vhat, double lo, double hi) {
  row_start.push_back(row_start.back());
  row_R.push_back(R);
  row_vhat.push_back(vhat);
  row_lo.push_back(lo);
  row_hi.push_back(hi);
  return num_rows() - 1;
}

void ContactProblem::add_row_entry(int dof, double value) {
  PATCHFIELD_ASSERT_HOT(num_rows() > 0);
  row_dof.push_back(dof);
  row_value.push_back(value);
  ++row_start.back();
}

void ContactSolution::resize(const ContactProblem& problem) {
  v.resize(problem.num_velocities());
  patch_wrench.resize(problem.num_patches());
  patch_twist.resize(problem.num_patches());
  const int n = problem.num_points();
  for (Column<double>* c : {&gx, &gy, &gz, &gn, &vn, &vtx, &vty, &vtz}) c->resize(n);
  stick.resize(n);
  row_gamma.resize(problem.num_rows());
}

}  // namespace patchfield
