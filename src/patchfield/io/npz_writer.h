// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Columns that grow row by row → one .npz file, a zip of .npy arrays as numpy.load reads it (no pickle).
//
//   append()  rows ─► deflate ─► spool: one nameless file, blocks of all columns in the order in which they fill up
//   finish()  per column: zip header, .npy header, its blocks ─► PATH.….tmp ─► renamed to PATH
//
// A member of a zip is one run of bytes and says first how many rows it has; but all columns grow at once, and the
// number of rows is known last. Hence the spool: memory stays bounded, and until the rename PATH is as it was. The
// .npy header gets a deflate block of its own, so that the rows need not be compressed again to put it before them.

#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "patchfield/io/zip_records.h"

namespace patchfield {

struct NpzOptions {
  int level =
      1;  ///< Of deflate, 1 … 9. The doubles of a log shrink to 63 % with 1, to 62 % with 6, at 4/5 of the speed.
  std::uint64_t zip64_from = kZip64From;
};

/// A column of a writer, with rows of T.
template <class T>
struct NpzColumn {
  int index = -1;
};

class NpzWriter {
 public:
  /// Throws InputError if the file could not be written at its place. Nothing appears there before finish().
  explicit NpzWriter(const std::filesystem::path& path, const NpzOptions& options = {});
  ~NpzWriter();
  NpzWriter(const NpzWriter&) = delete;
  NpzWriter& operator=(const NpzWriter&) = delete;

  /// An array of shape (rows, row_shape…). T: double, float, std::int32_t, std::int64_t, std::uint8_t or bool.
  template <class T>
  NpzColumn<T> add_column(const std::string& name, const std::vector<std::int64_t>& row_shape = {}) {
    return {add(name, dtype<T>(), sizeof(T), row_shape)};
  }
  /// Appends n rows that lie one after the other.
  template <class T>
  void append(NpzColumn<T> column, const std::type_identity_t<T>* rows, std::int64_t n) {
    append_bytes(column.index, rows, n);
  }
  template <class T>
  void append(NpzColumn<T> column, const std::type_identity_t<T>& row) {
    append_bytes(column.index, &row, 1);
  }

  /// Whole arrays: one number, one text, a list of texts.
  template <class T>
  void add_scalar(const std::string& name, const T& value) {
    add_whole(name, dtype<T>(), sizeof(T), {}, &value);
  }
  void add_text(const std::string& name, const std::string& text);
  void add_texts(const std::string& name, const std::vector<std::string>& texts);

  /// Writes the file. Throws std::runtime_error, leaving nothing behind, if the disk refuses.
  void finish();

 private:
  struct Member;

  template <class T>
  static const char* dtype() {
    static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");
    if constexpr (std::is_same_v<T, bool>) return "|b1";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "|u1";
    if constexpr (std::is_same_v<T, std::int32_t>) return "<i4";
    if constexpr (std::is_same_v<T, std::int64_t>) return "<i8";
    if constexpr (std::is_same_v<T, float>) return "<f4";
    if constexpr (std::is_same_v<T, double>) return "<f8";
  }
  int add(const std::string& name, const std::string& dtype, std::size_t item_bytes,
          const std::vector<std::int64_t>& row_shape);
  void add_whole(const std::string& name, const std::string& dtype, std::size_t item_bytes,
                 const std::vector<std::int64_t>& shape, const void* data);
  void append_bytes(int column, const void* rows, std::int64_t n);
  void compress(Member& member, int flush);
  void write_members(int file);

  std::filesystem::path path_;
  NpzOptions options_;
  int spool_ = -1;
  std::uint64_t spool_size_ = 0;
  bool finished_ = false;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace patchfield
