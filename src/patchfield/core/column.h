// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One growable column of a table: contiguous, 64-byte aligned, never shrinks.
//
// std::vector was the first choice; its resize() writes zeros that a kernel is about to
// overwrite (measurable at 10⁵ faces) and it promises no alignment to SIMD loads.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace patchfield {

template <class T>
class Column {
  static_assert(std::is_trivially_destructible_v<T>, "a column holds plain values");

 public:
  static constexpr std::size_t kAlignment = 64;

  Column() = default;
  explicit Column(int n) { resize(n); }
  Column(int n, const T& value) { assign(n, value); }
  Column(std::initializer_list<T> values) {
    reserve(static_cast<int>(values.size()));
    for (const T& v : values) push_back(v);
  }
  Column(const Column& other) { *this = other; }
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(const Column& other) {
    if (this == &other) return *this;
    resize(other.size_);
    if (size_ > 0) copy_values(other.data_, size_, data_);
    return *this;
  }
  Column& operator=(Column&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Column() { std::free(data_); }

  int size() const { return size_; }
  int capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](int i) { return data_[i]; }
  const T& operator[](int i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  operator std::span<const T>() const { return {data_, static_cast<std::size_t>(size_)}; }

  /// Keeps the memory for the next step.
  void clear() { size_ = 0; }

  /// New elements are uninitialised.
  void resize(int n) {
    reserve(n);
    size_ = n;
  }

  void assign(int n, const T& value) {
    resize(n);
    for (int i = 0; i < n; ++i) data_[i] = value;
  }

  void push_back(const T& value) {
    if (size_ == capacity_) {
      const T copy = value;  // value may live in the memory that grow() gives back
      grow(size_ + 1);
      data_[size_++] = copy;
      return;
    }
    data_[size_++] = value;
  }

  void reserve(int n) {
    if (n > capacity_) grow(n);
  }

  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  // Eigen's fixed-size types are not trivially copyable by the letter of the standard, hence the loop.
  static void copy_values(const T* from, int n, T* to) {
    for (int i = 0; i < n; ++i) to[i] = from[i];
  }

  void grow(int at_least) {
    const int doubled = capacity_ < 16 ? 16 : capacity_ * 2;
    const int n = doubled < at_least ? at_least : doubled;
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    T* memory = static_cast<T*>(std::aligned_alloc(kAlignment, bytes));
    if (memory == nullptr) throw std::bad_alloc();
    copy_values(data_, size_, memory);
    std::free(data_);
    data_ = memory;
    capacity_ = n;
  }

  T* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

}  // namespace patchfield
