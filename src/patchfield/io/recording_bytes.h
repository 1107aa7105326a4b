// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Numbers ↔ the bytes of a recording: little-endian values, short integers, compressed blocks, checked chunks.
//
//   file    = magic, version, chunk, chunk, …          docs/recording.md has every field
//   chunk   = kind (4 letters), payload bytes (u32), crc32 of kind and payload (u32), payload
//   block   = raw bytes (u32), packed bytes (u32), zlib stream
//
// Reading never trusts a length: all of it is checked against what is there before anything is allocated.

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "patchfield/core/types.h"

namespace patchfield {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// As in PNG: a byte above 127 and both line ends, so that a transfer as text is noticed at once.
inline constexpr std::string_view kRecordingMagic = "\x89PFR\r\n\x1a\n";
inline constexpr std::uint32_t kRecordingVersion = 1;

/// No chunk is larger [bytes]; a frame of a million faces has some 40 MB.
inline constexpr std::uint32_t kLargestChunk = 1u << 30;

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void put_float(double value) { put(static_cast<float>(value)); }
  void put_vector(const Vec3& v) { put_float(v[0]), put_float(v[1]), put_float(v[2]); }
  void put_bytes(std::string_view bytes) { bytes_ += bytes; }
  /// 7 bits per byte, low ones first, the top bit says that more follow.
  void put_varint(std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void clear() { bytes_.clear(); }
  const std::string& bytes() const { return bytes_; }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Throws InputError at the first byte that is not there.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  Vec3 get_vector() {
    const double x = get<float>(), y = get<float>(), z = get<float>();
    return {x, y, z};
  }
  std::uint32_t get_varint();
  std::string_view take(std::size_t n);
  /// A count of things of at least `each` bytes, so that a wrong one cannot ask for more memory than the file has.
  std::uint32_t get_count(std::size_t each);
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

/// Makes blocks. Keeps zlib's memory: to set it up anew costs more than to pack a small frame.
class BlockPacker {
 public:
  /// `level` of zlib: 0 stores, which is a zlib stream, too; 1 … 9 compress.
  explicit BlockPacker(int level);
  ~BlockPacker();
  BlockPacker(const BlockPacker&) = delete;
  BlockPacker& operator=(const BlockPacker&) = delete;

  /// Appends a block.
  void put(std::string_view raw, std::string& out);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

/// Appends a block, once, as small as is reasonable.
void put_block(std::string_view raw, std::string& out);
/// Reads a block and unpacks it.
std::string get_block(ByteReader& in);
/// Passes over a block.
void skip_block(ByteReader& in);

/// "HEAD", "SIGN", "FRAM" or "DONE".
inline constexpr std::size_t kChunkHeader = 12;
std::string make_chunk(std::string_view kind, std::string_view payload);

/// What stands at the start of a file and of a live stream.
std::string recording_prefix();

struct Chunk {
  std::string_view kind, payload;
};
/// The next chunk. Throws InputError if it is cut off or damaged.
Chunk get_chunk(ByteReader& in);

std::string to_base64(std::string_view bytes);
/// Ignores white space; stops at the first other byte that is no base64.
std::string from_base64(std::string_view text);

}  // namespace patchfield
