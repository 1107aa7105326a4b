// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lanes4_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "patchfield/core/lanes4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {

/// Every operation on a, b, c, d of four lanes each; what it gives, four numbers per operation.
void apply_all(const double* x, double* out) {
  const Lanes4 a = load(x), b = load(x + 4), c = load(x + 8), d = load(x + 12);
  const auto put = [&out](const Lanes4& value) {
    store(value, out);
    out += 4;
  };
  put(a + b), put(a - b), put(a * b), put(a / b);
  put(root(magnitude(a))), put(magnitude(a));
  put(larger(a, b)), put(smaller(a, b));
  put(choose(a < b, c, d)), put(choose(a <= b, c, d)), put(or_zero((a < b) & (c < d), a));
  put(with_fourth(a, x[7])), put(row_sums(a, b, c, d));
  put(all(sum(a)));
  put(all(bits(a < b)));
}

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include "support/simd_target.h"

namespace patchfield {
namespace {

HWY_EXPORT(apply_all);

constexpr int kOperations = 15;
using Input = std::array<double, 16>;
using Output = std::array<double, 4 * kOperations>;

/// The same in plain arithmetic, lane by lane.
Output by_hand(const Input& x) {
  const double *a = x.data(), *b = a + 4, *c = a + 8, *d = a + 12;
  Output out;
  double bits = 0.0;
  for (int i = 0; i < 4; ++i) bits += a[i] < b[i] ? 1 << i : 0;
  for (int i = 0; i < 4; ++i) {
    const double* row = x.data() + 4 * i;
    const double values[kOperations] = {a[i] + b[i],
                                        a[i] - b[i],
                                        a[i] * b[i],
                                        a[i] / b[i],
                                        std::sqrt(std::abs(a[i])),
                                        std::abs(a[i]),
                                        a[i] < b[i] ? b[i] : a[i],
                                        b[i] < a[i] ? b[i] : a[i],
                                        a[i] < b[i] ? c[i] : d[i],
                                        a[i] <= b[i] ? c[i] : d[i],
                                        a[i] < b[i] && c[i] < d[i] ? a[i] : 0.0,
                                        i == 3 ? b[3] : a[i],
                                        ((row[0] + row[1]) + row[2]) + row[3],
                                        (a[0] + a[1]) + (a[2] + a[3]),
                                        bits};
    for (int k = 0; k < kOperations; ++k) out[4 * k + i] = values[k];
  }
  return out;
}

std::vector<Input> inputs() {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Input> all(1000);
  for (Input& x : all)
    for (double& value : x) value = std::exp(3.0 * normal(random)) * normal(random);
  // Equal lanes, signed zeros, infinities and the smallest numbers are where instruction sets could differ.
  constexpr double kSpecial[] = {0.0, -0.0, 1.0, -1.0, 1e308, -1e308, INFINITY, -INFINITY, 5e-324, 1e-310};
  std::uniform_int_distribution<int> pick(0, static_cast<int>(std::size(kSpecial)) - 1);
  for (std::size_t i = 0; i < all.size() / 2; ++i)
    for (double& value : all[i]) value = kSpecial[pick(random)];
  return all;
}

std::uint64_t bits_of(double x) { return std::isnan(x) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(x); }

TEST(Lanes4, EveryTargetGivesTheBitsOfPlainArithmetic) {
  int targets = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const SimdTarget only(target);
    ++targets;
    for (const Input& x : inputs()) {
      Output out;
      HWY_DYNAMIC_DISPATCH(apply_all)(x.data(), out.data());
      const Output expected = by_hand(x);
      for (int k = 0; k < 4 * kOperations; ++k)
        ASSERT_EQ(bits_of(out[k]), bits_of(expected[k]))
            << hwy::TargetName(target) << ", operation " << k / 4 << ", lane " << k % 4 << ": " << out[k] << " for "
            << expected[k];
    }
  }
  EXPECT_GE(targets, 1);
}

}  // namespace
}  // namespace patchfield
#endif
