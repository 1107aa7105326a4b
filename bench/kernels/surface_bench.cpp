// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Contact-surface queries over face counts, four pairs (../shared/anchors.md).
// Faces, area and force stand beside the time: a change that alters them is not a speed-up.
//
//   build/release/bench/kernels/surface_bench --benchmark_format=csv

#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"

namespace patchfield {
namespace {

// Poses without alignment to any axis, all a little different: nobody's contact is aligned, and
// one pose repeated would let the branch predictor learn a small query by heart.
std::vector<Pose> tilted(double x, double y, double z) {
  std::vector<Pose> poses;
  for (int i = 0; i < 64; ++i) {
    Pose X = Pose::translation(x, y, z);
    const Vec3 axis(0.3 + 0.1 * std::sin(7.0 * i), -0.5 + 0.1 * std::sin(5.0 * i), 0.81);
    X.R = Eigen::AngleAxisd(0.7 + 0.05 * std::sin(3.0 * i), axis.normalized()).toRotationMatrix();
    poses.push_back(X);
  }
  return poses;
}

Geometry compliant_sphere(double resolution) {
  return Geometry::compliant(Sphere{0.05}, {.modulus = 1e6, .resolution = resolution});
}

void run(benchmark::State& state, const Geometry& A, const Geometry& B, const std::vector<Pose>& X_WB) {
  SurfaceScratch scratch;
  ContactSurface surface;
  const Pose X_WA;
  double faces = 0, area = 0, force = 0;
  SurfaceScratch::Counts counts;
  for (const Pose& X : X_WB) {
    compute_contact_surface(A, X_WA, B, X, {}, scratch, surface);
    faces += surface.num_faces();
    area += surface.total_area();
    force += surface.force_on_B_W().norm();
    counts.node_pairs += scratch.counts.node_pairs;
    counts.block_pairs += scratch.counts.block_pairs;
    counts.element_pairs += scratch.counts.element_pairs;
  }
  for (auto _ : state)
    for (const Pose& X : X_WB) {
      compute_contact_surface(A, X_WA, B, X, {}, scratch, surface);
      benchmark::DoNotOptimize(surface.area.data());
    }
  const double n = static_cast<double>(X_WB.size());
  state.counters["faces"] = faces / n;
  state.counters["area_cm2"] = 1e4 * area / n;
  state.counters["force_N"] = force / n;
  state.counters["node_pairs"] = static_cast<double>(counts.node_pairs) / faces;
  state.counters["block_pairs"] = static_cast<double>(counts.block_pairs) / faces;
  state.counters["element_pairs"] = static_cast<double>(counts.element_pairs) / faces;
  state.counters["s_per_face"] =
      benchmark::Counter(faces, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// n counts segments around the sphere.
double resolution(const benchmark::State& state) { return 2 * M_PI * 0.05 / static_cast<double>(state.range(0)); }

void BM_SphereSphere(benchmark::State& state) {
  const Geometry sphere = compliant_sphere(resolution(state));
  run(state, sphere, sphere, tilted(0.02, 0.03, 0.07));
}
BENCHMARK(BM_SphereSphere)->ArgName("n")->RangeMultiplier(2)->Range(16, 1024)->Unit(benchmark::kMicrosecond);

void BM_SphereRigidBox(benchmark::State& state) {
  run(state, compliant_sphere(resolution(state)), Geometry::rigid(Box{0.3, 0.3, 0.1}), tilted(0.03, 0.04, -0.06));
}
BENCHMARK(BM_SphereRigidBox)->ArgName("n")->RangeMultiplier(2)->Range(16, 1024)->Unit(benchmark::kMicrosecond);

void BM_SphereRigidHalfSpace(benchmark::State& state) {
  run(state, compliant_sphere(resolution(state)), Geometry::rigid(HalfSpace{}), tilted(0.0, 0.005, -0.03));
}
BENCHMARK(BM_SphereRigidHalfSpace)->ArgName("n")->RangeMultiplier(2)->Range(16, 1024)->Unit(benchmark::kMicrosecond);

void BM_TetBoxTetBox(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Geometry box = Geometry::compliant(box_grid(Box{0.1, 0.1, 0.1}, n, n, n), {.modulus = 1e6});
  run(state, box, box, tilted(0.02, 0.01, 0.09));
}
BENCHMARK(BM_TetBoxTetBox)->ArgName("n")->RangeMultiplier(2)->Range(2, 32)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace patchfield

BENCHMARK_MAIN();
