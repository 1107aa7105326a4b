// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Random but repeatable shapes and poses for property tests.

#pragma once

#include <random>

#include "patchfield/core/types.h"
#include "patchfield/geometry/geometry.h"

namespace patchfield {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

  Mat3 rotation() {
    std::normal_distribution<double> normal;
    Eigen::Quaterniond q(normal(engine_), normal(engine_), normal(engine_), normal(engine_));
    return q.normalized().toRotationMatrix();
  }
  Pose pose(double reach) { return {rotation(), vector(reach)}; }

  /// A shape of about 10 cm that is not a half space.
  Shape shape() {
    switch (integer(0, 5)) {
      case 0: return Sphere{uniform(0.03, 0.08)};
      case 1: return Box{uniform(0.05, 0.15), uniform(0.05, 0.15), uniform(0.05, 0.15)};
      case 2: return Cylinder{uniform(0.02, 0.08), uniform(0.03, 0.15)};
      case 3: return Capsule{uniform(0.02, 0.06), uniform(0.0, 0.1)};
      case 4: return Ellipsoid{uniform(0.03, 0.08), uniform(0.03, 0.08), uniform(0.03, 0.08)};
      default: {
        ConvexHull hull;
        for (int i = 0; i < 12; ++i) hull.points.push_back(vector(0.07));
        return hull;
      }
    }
  }
  Geometry compliant(double resolution) {
    return Geometry::compliant(
        shape(), {.modulus = uniform(1e5, 1e7), .resolution = resolution, .margin = integer(0, 3) == 0 ? 2e-3 : 0.0});
  }

 private:
  std::mt19937 engine_;
};

}  // namespace patchfield
