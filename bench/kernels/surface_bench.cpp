// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Contact-surface queries over face counts, four pairs (../shared/anchors.md).
// Faces, area and force stand beside the time: a change that alters them is not a speed-up.
//
//   build/release/bench/kernels/surface_bench --benchmark_format=csv

#include <cmath>

#include <benchmark/benchmark.h>

#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"

namespace patchfield {
namespace {

// A pose without alignment to any axis: nobody's contact is axis-aligned.
Pose tilted(double x, double y, double z) {
  Pose X = Pose::translation(x, y, z);
  X.R = Eigen::AngleAxisd(0.7, Vec3(0.3, -0.5, 0.81).normalized()).toRotationMatrix();
  return X;
}

Geometry compliant_sphere(double resolution) {
  return Geometry::compliant(Sphere{0.05}, {.modulus = 1e6, .resolution = resolution});
}

void run(benchmark::State& state, const Geometry& A, const Geometry& B, const Pose& X_WB) {
  SurfaceScratch scratch;
  ContactSurface surface;
  const Pose X_WA;
  compute_contact_surface(A, X_WA, B, X_WB, {}, scratch, surface);
  for (auto _ : state) {
    compute_contact_surface(A, X_WA, B, X_WB, {}, scratch, surface);
    benchmark::DoNotOptimize(surface.area.data());
  }
  const double faces = surface.num_faces();
  state.counters["faces"] = faces;
  state.counters["area_cm2"] = 1e4 * surface.total_area();
  state.counters["force_N"] = surface.force_on_B_W().norm();
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
