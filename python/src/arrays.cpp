// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "arrays.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "patchfield/core/check.h"

namespace patchfield::python {
namespace {

std::string shape_text(const std::vector<long>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

void check_finite(const DoubleArray& array, const std::string& name) {
  for (std::size_t i = 0; i < array.values.size(); ++i)
    if (!std::isfinite(array.values[i])) throw InputError(fmt::format("{}: number {} is {}", name, i, array.values[i]));
}

}  // namespace

DoubleArray read_array(const ArrayLike& array, const std::string& name, std::initializer_list<int> dimensions) {
  DoubleArray out;
  try {
    const nb::module_ numpy = nb::module_::import_("numpy");
    out.owner = numpy.attr("ascontiguousarray")(array.object, nb::arg("dtype") = numpy.attr("float64"));
  } catch (nb::python_error& error) {
    nb::raise_from(error, PyExc_TypeError, "%s: give an array of numbers", name.c_str());
  }
  const auto numbers = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(out.owner);
  for (std::size_t i = 0; i < numbers.ndim(); ++i) out.shape.push_back(static_cast<long>(numbers.shape(i)));
  // numpy makes one dimension of a lone number.
  if (std::find(dimensions.begin(), dimensions.end(), static_cast<int>(numbers.ndim())) == dimensions.end())
    throw InputError(fmt::format("{}: an array of shape {}; give one with {} dimensions", name, shape_text(out.shape),
                                 fmt::join(dimensions, " or ")));
  out.values = {numbers.data(), numbers.size()};
  return out;
}

DoubleArray read_rows(const ArrayLike& array, const std::string& name, long width) {
  DoubleArray out = read_array(array, name, {2});
  if (out.shape[1] != width)
    throw InputError(fmt::format("{}: an array of shape {}; give (n, {})", name, shape_text(out.shape), width));
  check_finite(out, name);
  return out;
}

std::vector<Vec3> read_points(const ArrayLike& array, const std::string& name) {
  const DoubleArray rows = read_rows(array, name, 3);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < rows.values.size(); i += 3) points.emplace_back(rows.values.data() + i);
  return points;
}

template <std::size_t Width>
std::vector<std::array<int, Width>> read_indices(const ArrayLike& array, const std::string& name) {
  const DoubleArray rows = read_rows(array, name, static_cast<long>(Width));
  std::vector<std::array<int, Width>> indices(rows.values.size() / Width);
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const double x = rows.values[i];
    if (x != std::floor(x) || std::abs(x) > 2e9)
      throw InputError(fmt::format("{}: number {} is {}; give indices of vertices", name, i, x));
    indices[i / Width][i % Width] = static_cast<int>(x);
  }
  return indices;
}
template std::vector<std::array<int, 3>> read_indices<3>(const ArrayLike&, const std::string&);
template std::vector<std::array<int, 4>> read_indices<4>(const ArrayLike&, const std::string&);

Pose read_pose(const ArrayLike& array, const std::string& name) {
  const DoubleArray rows = read_array(array, name, {2});
  if (rows.shape != std::vector<long>{4, 4})
    throw InputError(fmt::format("{}: an array of shape {}; give a 4 × 4 pose", name, shape_text(rows.shape)));
  check_finite(rows, name);
  const Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> X(rows.values.data());
  Pose pose;
  pose.R = X.topLeftCorner<3, 3>();
  pose.p = X.topRightCorner<3, 1>();
  if ((X.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).norm() > 1e-9)
    throw InputError(fmt::format("{}: the last row of a pose is 0 0 0 1; is this one transposed?", name));
  constexpr double kTolerance = 1e-6;  // a pose from float32 numbers still passes
  if ((pose.R.transpose() * pose.R - Mat3::Identity()).norm() > kTolerance || pose.R.determinant() < 0.0)
    throw InputError(
        fmt::format("{}: its upper left 3 × 3 block is not a rotation (orthonormal, determinant 1)", name));
  return pose;
}

Vector to_numpy(const Vec3& v) {
  double* values = nullptr;
  Vector out = make_array<Vector>({3}, values);
  std::copy_n(v.data(), 3, values);
  return out;
}

Matrix4 to_numpy(const Pose& X) {
  double* values = nullptr;
  Matrix4 out = make_array<Matrix4>({4, 4}, values);
  Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> matrix(values);
  matrix.setIdentity();
  matrix.topLeftCorner<3, 3>() = X.R;
  matrix.topRightCorner<3, 1>() = X.p;
  return out;
}

}  // namespace patchfield::python
