// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Arrays in and out. In: anything that numpy can turn into numbers, with a sentence if shape or values are wrong.
// Out: views of columns without a copy; the Python object they come from stays alive as long as they do.

#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "patchfield/core/column.h"
#include "patchfield/core/types.h"

namespace patchfield::python {

namespace nb = nanobind;

/// A list, tuple, numpy array, … of numbers.
struct ArrayLike {
  nb::object object;
};

/// A contiguous copy (or the array itself, if it is one) and its shape.
struct DoubleArray {
  nb::object owner;
  std::span<const double> values;
  std::vector<long> shape;
};

/// Throws TypeError if there is a value that is no number, InputError if the number of dimensions is not one of
/// `dimensions`. `name` is the argument's.
DoubleArray read_array(const ArrayLike& array, const std::string& name, std::initializer_list<int> dimensions);

/// n × width numbers. Finite.
DoubleArray read_rows(const ArrayLike& array, const std::string& name, long width);
std::vector<Vec3> read_points(const ArrayLike& array, const std::string& name);

/// n × 3 or n × 4 whole numbers. Whether such vertices exist is for the mesh to say.
template <std::size_t Width>
std::vector<std::array<int, Width>> read_indices(const ArrayLike& array, const std::string& name);

/// A 4 × 4 pose: an orthonormal right-handed rotation, a finite translation, last row 0 0 0 1.
Pose read_pose(const ArrayLike& array, const std::string& name);

using Scalars = nb::ndarray<nb::numpy, const double, nb::ndim<1>, nb::c_contig>;
using Vectors = nb::ndarray<nb::numpy, const double, nb::shape<-1, 3>, nb::c_contig>;
using Integers = nb::ndarray<nb::numpy, const int, nb::ndim<1>, nb::c_contig>;
using Booleans = nb::ndarray<nb::numpy, const bool, nb::ndim<1>, nb::c_contig>;
using Vector = nb::ndarray<nb::numpy, double, nb::shape<3>>;
using Matrix4 = nb::ndarray<nb::numpy, double, nb::shape<4, 4>>;

/// Views of rows first … first + n − 1; returned from a property they keep its object alive.
inline Scalars view(const Column<double>& c, int first, int n) {
  return Scalars(c.data() + first, {static_cast<std::size_t>(n)});
}
inline Vectors view(const Column<Vec3>& c, int first, int n) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return Vectors(c.data() + first, {static_cast<std::size_t>(n), 3});
}
inline Integers view(const Column<int>& c, int first, int n) {
  return Integers(c.data() + first, {static_cast<std::size_t>(n)});
}
inline Booleans view(const Column<unsigned char>& c, int first, int n) {
  static_assert(sizeof(bool) == 1);  // the column holds 0 and 1 only
  return Booleans(c.data() + first, {static_cast<std::size_t>(n)});
}
template <class T>
auto view(const Column<T>& c) {
  return view(c, 0, c.size());
}

/// A new array of that shape that numpy owns; `values` is where its numbers go.
template <class Array>
Array make_array(std::initializer_list<std::size_t> shape, double*& values) {
  std::size_t n = 1;
  for (const std::size_t extent : shape) n *= extent;
  values = new double[n];
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Array(values, shape, owner);
}

/// Copies; a property that returns one says kCopied, so that it does not ask to keep its object alive.
inline constexpr auto kCopied = nb::rv_policy::automatic;
Vector to_numpy(const Vec3& v);
Matrix4 to_numpy(const Pose& X);

}  // namespace patchfield::python

namespace nanobind::detail {

template <>
struct type_caster<patchfield::python::ArrayLike> {
  NB_TYPE_CASTER(patchfield::python::ArrayLike, const_name("numpy.typing.ArrayLike"))
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    value.object = borrow(src);
    return !src.is_none();
  }
};

}  // namespace nanobind::detail
