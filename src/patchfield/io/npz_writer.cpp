// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/npz_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/output_file.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 1 << 16;  // What a column keeps in memory of its compressed rows [bytes].

/// A new file PATH.….tmp with the rights of any new file; its name goes to `name`. Negative, with errno, if refused.
int open_temporary(const fs::path& path, std::string& name) {
  // mkstemp was the first choice; it hides its files from everyone else, and so would hide the log.
  for (int attempt = 0;; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", path.string(), ::getpid(), attempt);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST || attempt == 1000) return file;
  }
}

void read_all(int file, std::uint64_t offset, char* data, std::size_t n, const fs::path& path) {
  while (n > 0) {
    const ssize_t done = ::pread(file, data, n, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail_disk(path, "reading back");
    data += done, n -= static_cast<std::size_t>(done), offset += static_cast<std::uint64_t>(done);
  }
}

/// One stored (uncompressed, not last) deflate block; ends at a byte, so that any deflate stream may follow.
std::string stored_block(const std::string& bytes) {
  PATCHFIELD_ASSERT(bytes.size() <= 0xffff);
  const auto n = static_cast<unsigned>(bytes.size());
  std::string block(1, '\0');
  for (const unsigned x : {n, ~n}) block += static_cast<char>(x & 0xff), block += static_cast<char>(x >> 8 & 0xff);
  return block + bytes;
}

/// UTF-8 → code points, as numpy's "<U" wants them. Broken bytes become U+FFFD.
std::u32string decode_utf8(const std::string& text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    char32_t code = length < 2 ? lead : lead & (0x7f >> length);
    bool good = length > 0 && i + static_cast<std::size_t>(length) <= text.size();
    for (int k = 1; good && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      good = next >> 6 == 2;
      code = code << 6 | (next & 0x3f);
    }
    good = good && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    out += good ? code : U'\ufffd';
    i += good ? static_cast<std::size_t>(length) : 1;
  }
  return out;
}

}  // namespace

struct NpzWriter::Member {
  struct Block {
    std::uint64_t offset;  ///< In the spool.
    std::uint32_t bytes;
  };

  ZipMember zip;  ///< Sizes and CRC of the rows alone until the end.
  std::string dtype;
  std::size_t row_bytes = 0;
  std::vector<std::int64_t> shape;  ///< shape[0] counts the rows, unless the array is whole.
  bool whole = false;
  z_stream stream = {};
  bool open = false;
  std::vector<unsigned char> buffer;
  std::vector<Block> blocks;

  ~Member() {
    if (open) deflateEnd(&stream);
  }
};

NpzWriter::NpzWriter(const fs::path& path, const NpzOptions& options)
    : path_(checked_output_path(path, "out.npz")), options_(options) {
  // In the folder of the target, because /tmp may be memory; without a name, because a killed run must leave nothing.
  std::string name;
  spool_ = open_temporary(path_, name);
  if (spool_ < 0)
    throw InputError(
        fmt::format("cannot write {}: {}. Choose a folder that you may write to", path.string(), std::strerror(errno)));
  ::unlink(name.c_str());
}

NpzWriter::~NpzWriter() {
  if (spool_ >= 0) ::close(spool_);
}

int NpzWriter::add(const std::string& name, const std::string& dtype, std::size_t item_bytes,
                   const std::vector<std::int64_t>& row_shape) {
  PATCHFIELD_ASSERT(!finished_);
  auto member = std::make_unique<Member>();
  member->zip.name = name + ".npy";
  member->dtype = dtype;
  member->shape = {0};
  member->row_bytes = item_bytes;
  for (const std::int64_t n : row_shape) {
    PATCHFIELD_ASSERT(n >= 0);
    member->shape.push_back(n);
    member->row_bytes *= static_cast<std::size_t>(n);
  }
  constexpr int kRaw = -15, kMemory = 8;  // no zlib header; 32 kB window
  if (deflateInit2(&member->stream, options_.level, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib could not start: out of memory?");
  member->open = true;
  member->buffer.resize(kBlock);
  member->stream.next_out = member->buffer.data();
  member->stream.avail_out = kBlock;
  members_.push_back(std::move(member));
  return static_cast<int>(members_.size()) - 1;
}

void NpzWriter::append_bytes(int column, const void* rows, std::int64_t n) {
  PATCHFIELD_ASSERT(!finished_ && column >= 0 && column < static_cast<int>(members_.size()) && n >= 0);
  Member& member = *members_[static_cast<std::size_t>(column)];
  PATCHFIELD_ASSERT(!member.whole);
  member.shape[0] += n;
  auto* next = static_cast<unsigned char*>(const_cast<void*>(rows));  // zlib's interface predates const
  std::size_t left = member.row_bytes * static_cast<std::size_t>(n);
  while (left > 0) {
    const auto part = static_cast<uInt>(std::min<std::size_t>(left, 1u << 30));
    member.zip.crc = static_cast<std::uint32_t>(crc32(member.zip.crc, next, part));
    member.stream.next_in = next, member.stream.avail_in = part;
    compress(member, Z_NO_FLUSH);
    next += part, left -= part, member.zip.size += part;
  }
}

/// Runs deflate until it has taken all input (or, with Z_FINISH, given all output); full buffers go to the spool.
void NpzWriter::compress(Member& member, int flush) {
  z_stream& z = member.stream;
  for (;;) {
    const int status = deflate(&z, flush);
    PATCHFIELD_ASSERT(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR);
    const bool done = flush == Z_FINISH ? status == Z_STREAM_END : z.avail_in == 0 && z.avail_out > 0;
    if (z.avail_out == 0 || (done && flush == Z_FINISH)) {
      const std::size_t bytes = kBlock - z.avail_out;
      write_all(spool_, {reinterpret_cast<const char*>(member.buffer.data()), bytes}, path_);
      member.blocks.push_back({spool_size_, static_cast<std::uint32_t>(bytes)});
      spool_size_ += bytes, member.zip.compressed += bytes;
      z.next_out = member.buffer.data(), z.avail_out = kBlock;
    }
    if (done) return;
  }
}

void NpzWriter::add_whole(const std::string& name, const std::string& dtype, std::size_t item_bytes,
                          const std::vector<std::int64_t>& shape, const void* data) {
  const int index = add(name, dtype, item_bytes, shape);
  append_bytes(index, data, 1);
  Member& member = *members_[static_cast<std::size_t>(index)];
  member.shape = shape, member.whole = true;
}

void NpzWriter::add_text(const std::string& name, const std::string& text) {
  const std::u32string codes = decode_utf8(text);
  const std::size_t width = std::max<std::size_t>(codes.size(), 1);  // numpy knows no "<U0" in files
  std::u32string padded = codes;
  padded.resize(width);
  add_whole(name, fmt::format("<U{}", width), 4 * width, {}, padded.data());
}

void NpzWriter::add_texts(const std::string& name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  std::vector<std::u32string> decoded;
  for (const std::string& text : texts) {
    decoded.push_back(decode_utf8(text));
    width = std::max(width, decoded.back().size());
  }
  std::u32string table;
  for (std::u32string& codes : decoded) codes.resize(width), table += codes;
  add_whole(name, fmt::format("<U{}", width), 4 * width, {static_cast<std::int64_t>(texts.size())}, table.data());
}

void NpzWriter::write_members(int file) {
  std::vector<ZipMember> directory;
  std::vector<char> block(kBlock);
  std::uint64_t position = 0;
  const auto put = [&](const std::string& bytes) {
    write_all(file, bytes, path_);
    position += bytes.size();
  };
  for (const auto& member : members_) {
    compress(*member, Z_FINISH);
    const std::string npy = npy_header(member->dtype, member->shape), head = stored_block(npy);
    ZipMember zip = member->zip;
    const auto npy_crc = crc32(0, reinterpret_cast<const unsigned char*>(npy.data()), static_cast<uInt>(npy.size()));
    zip.crc = static_cast<std::uint32_t>(crc32_combine(npy_crc, zip.crc, static_cast<z_off_t>(zip.size)));
    zip.size += npy.size(), zip.compressed += head.size(), zip.offset = position;
    put(zip_local_header(zip, options_.zip64_from));
    put(head);
    for (const Member::Block& b : member->blocks) {
      read_all(spool_, b.offset, block.data(), b.bytes, path_);
      write_all(file, {block.data(), b.bytes}, path_);
      position += b.bytes;
    }
    directory.push_back(zip);
  }
  const std::uint64_t start = position;
  for (const ZipMember& zip : directory) put(zip_central_entry(zip, options_.zip64_from));
  put(zip_end(directory.size(), start, position - start, options_.zip64_from));
}

void NpzWriter::finish() {
  PATCHFIELD_ASSERT(!finished_);
  finished_ = true;
  std::string name;
  const int file = open_temporary(path_, name);
  if (file < 0) fail_disk(path_, "creating");
  try {
    write_members(file);
    // On the disk before the name is: after a power cut there is the old file or the new one.
    if (::fsync(file) != 0) fail_disk(path_, "writing");
    if (std::rename(name.c_str(), path_.c_str()) != 0) fail_disk(path_, "renaming to");
  } catch (...) {
    ::close(file);
    ::unlink(name.c_str());
    throw;
  }
  ::close(file);
}

}  // namespace patchfield
