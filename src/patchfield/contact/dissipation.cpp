// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/dissipation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "patchfield/core/check.h"

namespace patchfield {

// Rebound -------------------------------------------------------------------------------------

double restitution(double d, double speed) {
  PATCHFIELD_ASSERT(d >= 0.0 && speed >= 0.0);
  const double a = d * speed;
  if (a < 1e-5) return 1.0 - 2.0 / 3.0 * a;  // the next term is of order a²

  // With s = −ln(1 − b) the way out is s − (1 − e⁻ˢ) = w: convex and rising, and s = w + 1 is beyond the root, so that
  // Newton comes down to it. b itself would be 1 to the last bit for large a.
  const double w = a < 1e-3 ? a * a * (1.0 / 2 - a * (1.0 / 3 - a * (1.0 / 4 - a / 5))) : a - std::log1p(a);
  double s = w + 1.0;
  for (int i = 0; i < 100; ++i) {
    const double step = (s + std::expm1(-s) - w) / -std::expm1(-s);
    s -= step;
    if (std::abs(step) <= 1e-15 * s) break;
  }
  return -std::expm1(-s) / a;
}

double dissipation_for(double e, double speed) {
  PATCHFIELD_ASSERT(e > 0.0 && e <= 1.0 && speed > 0.0);
  // b = e·a < 1 bounds a; the restitution falls with a.
  double low = 0.0, high = 1.0 / e;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (restitution(middle, 1.0) > e ? low : high) = middle;
  }
  return 0.5 * (low + high) / speed;
}

// Rolling -------------------------------------------------------------------------------------

namespace {

/// Pressure per length along the direction of motion, ∫p dy = cubic·b³ + square·b² with b² = 2Rδ − x²: the integrals of
/// p ∝ δ − r²/2R below a round end and of p ∝ δ − x²/2R below a straight side.
struct Profile {
  double radius;
  double cubic = 0.0, square = 0.0;
};

Profile round_end(double R, double E) { return {R, 2.0 / 3.0 * E / (R * R), 0.0}; }
Profile straight_side(double R, double L, double slope) { return {R, 0.0, L * slope / (2.0 * R)}; }

struct MakeProfile {
  double E;

  std::optional<Profile> operator()(const Sphere& s) const { return round_end(s.radius, E); }
  std::optional<Profile> operator()(const Cylinder& s) const {
    return straight_side(s.radius, s.length, E / std::min(s.radius, s.length / 2));
  }
  std::optional<Profile> operator()(const Capsule& s) const {
    Profile profile = round_end(s.radius, E);
    profile.square = straight_side(s.radius, s.length, E / s.radius).square;
    return profile;
  }
  std::optional<Profile> operator()(const Ellipsoid& s) const {
    // A sphere of its radius, stretched along the axis: so is every patch.
    const double axes[3][3] = {{s.a, s.b, s.c}, {s.b, s.c, s.a}, {s.c, s.a, s.b}};
    for (const auto& [r1, r2, along] : axes) {
      if (std::abs(r1 - r2) > 1e-6 * r1) continue;
      Profile profile = round_end(r1, E);
      profile.cubic *= along / r1;
      return profile;
    }
    return std::nullopt;
  }
  template <class Other>
  std::optional<Profile> operator()(const Other&) const {
    return std::nullopt;
  }
};

struct Push {
  double force, torque;
};

/// Force and torque of p(1 + s·x)₊ at depth δ, s = d·ω.
Push push(const Profile& profile, double depth, double s) {
  const double a = std::sqrt(2.0 * profile.radius * depth);
  // x = a·sin θ makes the integrand smooth at the rim; what the dissipation clips is left out. Simpson's rule.
  const double begin = s * a > 1.0 ? std::asin(-1.0 / (s * a)) : -std::numbers::pi / 2;
  constexpr int kIntervals = 32;
  const double h = (std::numbers::pi / 2 - begin) / kIntervals;
  Push sum{0.0, 0.0};
  for (int i = 0; i <= kIntervals; ++i) {
    const double weight = (i == 0 || i == kIntervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * h / 3.0;
    const double theta = begin + i * h, x = a * std::sin(theta), b = a * std::cos(theta);
    const double f = weight * b * (profile.cubic * b * b * b + profile.square * b * b) * (1.0 + s * x);
    sum.force += f;
    sum.torque += f * x;
  }
  return sum;
}

/// The torque against rolling when the plane carries `load`.
std::optional<double> resistance(const Profile& profile, double load, double s) {
  double low = 0.0, high = profile.radius;
  if (push(profile, high, s).force < load) return std::nullopt;
  for (int i = 0; i < 45; ++i) {
    const double middle = 0.5 * (low + high);
    (push(profile, middle, s).force < load ? low : high) = middle;
  }
  return push(profile, high, s).torque;
}

}  // namespace

std::optional<CoastDown> coast_down(const RollingBody& body, double speed) {
  PATCHFIELD_ASSERT(speed > 0.0 && body.gravity > 0.0 && body.mass > 0.0);
  const std::optional<Profile> profile = std::visit(MakeProfile{body.modulus}, body.shape);
  if (!profile) return std::nullopt;
  const double R = profile->radius, load = body.mass * body.gravity;
  // Dissipation only adds to the force: a body that d = 0 carries is carried.
  if (!resistance(*profile, load, 0.0)) return std::nullopt;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (body.hunt_crossley == 0.0) return CoastDown{kInfinity, kInfinity};

  // t = ∫dv/|v̇|, distance = ∫v dv/|v̇|, with midpoints: v/|v̇| is smooth down to v = 0, where it is 1/λ.
  constexpr int kSpeeds = 50;
  const double dv = speed / kSpeeds;
  CoastDown coast{0.0, 0.0};
  for (int i = 0; i < kSpeeds; ++i) {
    const double v = (i + 0.5) * dv;
    const double torque = resistance(*profile, load, body.hunt_crossley * v / R).value();
    const double deceleration = torque * R / (body.inertia + body.mass * R * R);
    coast.distance += v * dv / deceleration;
    if (2 * i >= kSpeeds) coast.half_time += dv / deceleration;
  }
  return coast;
}

}  // namespace patchfield
