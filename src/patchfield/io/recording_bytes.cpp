// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/recording_bytes.h"

#include <array>
#include <stdexcept>

#include <zlib.h>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Deflate cannot do better than 258 bytes for two bits.
constexpr std::uint64_t kMostRatio = 1032;

std::uint32_t checksum(std::string_view kind, std::string_view payload) {
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(kind.data()), static_cast<uInt>(kind.size()));
  if (!payload.empty())  // a null pointer would start zlib's sum anew
    crc = crc32(crc, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(payload.size()));
  return static_cast<std::uint32_t>(crc);
}

}  // namespace

std::string_view ByteReader::take(std::size_t n) {
  if (n > rest_.size())
    throw InputError(fmt::format("the recording ends {} bytes too early: it is cut off or damaged", n - rest_.size()));
  const std::string_view bytes = rest_.substr(0, n);
  rest_.remove_prefix(n);
  return bytes;
}

std::uint32_t ByteReader::get_varint() {
  std::uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 7) {
    const auto byte = get<std::uint8_t>();
    value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw InputError("the recording is damaged: an integer has no end");
}

std::uint32_t ByteReader::get_count(std::size_t each) {
  const auto count = get<std::uint32_t>();
  if (count > left() / each)
    throw InputError(
        fmt::format("the recording is damaged: it claims {} things where {} bytes are left", count, left()));
  return count;
}

struct BlockPacker::Stream {
  z_stream z = {};
};

BlockPacker::BlockPacker(int level) : stream_(std::make_unique<Stream>()) {
  if (deflateInit(&stream_->z, level) != Z_OK) throw std::bad_alloc();
}

BlockPacker::~BlockPacker() { deflateEnd(&stream_->z); }

void BlockPacker::put(std::string_view raw, std::string& out) {
  constexpr std::size_t kHeader = 2 * sizeof(std::uint32_t);
  z_stream& z = stream_->z;
  const std::size_t at = out.size();
  out.resize(at + kHeader + deflateBound(&z, static_cast<uLong>(raw.size())));
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data()));  // zlib only reads it
  z.avail_in = static_cast<uInt>(raw.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data() + at + kHeader),
  z.avail_out = static_cast<uInt>(out.size() - at - kHeader);
  const int status = deflate(&z, Z_FINISH);
  PATCHFIELD_ASSERT(status == Z_STREAM_END);  // the room is deflateBound's
  const std::uint32_t sizes[] = {static_cast<std::uint32_t>(raw.size()), static_cast<std::uint32_t>(z.total_out)};
  std::memcpy(out.data() + at, sizes, kHeader);
  out.resize(at + kHeader + z.total_out);
  deflateReset(&z);
}

void put_block(std::string_view raw, std::string& out) { BlockPacker(6).put(raw, out); }

std::string get_block(ByteReader& in) {
  const auto raw_bytes = in.get<std::uint32_t>(), packed_bytes = in.get<std::uint32_t>();
  const std::string_view packed = in.take(packed_bytes);
  if (raw_bytes > kMostRatio * (packed_bytes + 1))
    throw InputError(fmt::format("the recording is damaged: {} bytes cannot hold {}", packed_bytes, raw_bytes));
  std::string raw(raw_bytes, '\0');
  uLongf size = raw_bytes;
  const int status = uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed_bytes);
  if (status != Z_OK || size != raw_bytes)
    throw InputError(fmt::format("the recording is damaged: a block does not unpack (zlib error {})", status));
  return raw;
}

void skip_block(ByteReader& in) {
  in.get<std::uint32_t>();
  in.take(in.get<std::uint32_t>());
}

std::string make_chunk(std::string_view kind, std::string_view payload) {
  PATCHFIELD_ASSERT(kind.size() == 4);
  if (payload.size() > kLargestChunk)
    throw InputError(
        fmt::format("a frame of {} bytes is too large for a recording ({} at most)", payload.size(), kLargestChunk));
  ByteWriter out;
  out.put_bytes(kind);
  out.put(static_cast<std::uint32_t>(payload.size()));
  out.put(checksum(kind, payload));
  out.put_bytes(payload);
  return std::move(out.bytes());
}

std::string recording_prefix() {
  ByteWriter out;
  out.put_bytes(kRecordingMagic);
  out.put(kRecordingVersion);
  return std::move(out.bytes());
}

Chunk get_chunk(ByteReader& in) {
  Chunk chunk;
  chunk.kind = in.take(4);
  const auto size = in.get<std::uint32_t>(), crc = in.get<std::uint32_t>();
  if (size > kLargestChunk) throw InputError(fmt::format("the recording is damaged: a chunk claims {} bytes", size));
  chunk.payload = in.take(size);
  if (checksum(chunk.kind, chunk.payload) != crc)
    throw InputError("the recording is damaged: a chunk does not have its checksum");
  return chunk;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kBase64[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::array<int, 256> value;
  value.fill(-1);
  for (std::size_t i = 0; i < kBase64.size(); ++i) value[static_cast<unsigned char>(kBase64[i])] = static_cast<int>(i);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
    const int v = value[static_cast<unsigned char>(c)];
    if (v < 0) break;
    bits = bits << 6 | static_cast<std::uint32_t>(v);
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 0xff);
  }
  return bytes;
}

}  // namespace patchfield
