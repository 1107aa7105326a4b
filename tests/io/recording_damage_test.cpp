// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Recordings that were cut off, flipped or made up: the frames before the damage, or a sentence; never a crash.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/io/recording.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_reader.h"
#include "patchfield/sim/step.h"
#include "scenes/scenes.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

/// Four frames of a ball that touches the floor.
const std::string& recording() {
  static const std::string bytes = [] {
    const fs::path path = fs::temp_directory_path() / ("patchfield_damage_" + std::to_string(::getpid()) + ".pfr");
    Data data(Model::parse(scenes::sphere_on_plane({.resolution = 0.05})));
    for (int i = 0; i < 100; ++i) step(data, 2e-3);
    Recorder recorder(path, data);
    for (int i = 0; i < 4; ++i) {
      step(data, 0.02);
      recorder.signal("i", i);
      recorder.after_step(data);
    }
    recorder.finish();
    std::string read = RecordingReader::open(path).bytes();
    fs::remove(path);
    return read;
  }();
  return bytes;
}

/// Ends of the chunks, by walking over them.
std::vector<std::size_t> chunk_ends(std::vector<std::string>* kinds = nullptr) {
  std::vector<std::size_t> ends;
  ByteReader in(std::string_view(recording()).substr(recording_prefix().size()));
  while (in.left() > 0) {
    const Chunk chunk = get_chunk(in);
    if (kinds != nullptr) kinds->emplace_back(chunk.kind);
    ends.push_back(recording().size() - in.left());
  }
  return ends;
}

TEST(RecordingDamage, EveryCutGivesTheFramesBeforeIt) {
  std::vector<std::string> kinds;
  const std::vector<std::size_t> ends = chunk_ends(&kinds);
  ASSERT_EQ(kinds, (std::vector<std::string>{"HEAD", "SIGN", "FRAM", "FRAM", "FRAM", "FRAM", "DONE"}));
  for (std::size_t size = 0; size < recording().size(); ++size) {
    const std::string cut = recording().substr(0, size);
    if (size < ends[0]) {
      EXPECT_THROW(RecordingReader::parse(cut), InputError) << size;
      continue;
    }
    int frames = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) frames += kinds[i] == "FRAM" && ends[i] <= size;
    const RecordingReader reader = RecordingReader::parse(cut);
    ASSERT_EQ(reader.num_frames(), frames) << size;
    EXPECT_FALSE(reader.is_complete());
    EXPECT_FALSE(reader.problem().empty());
  }
  const RecordingReader whole = RecordingReader::parse(recording());
  EXPECT_TRUE(whole.is_complete());
  EXPECT_EQ(whole.num_frames(), 4);
  EXPECT_GT(whole.frame(3).patches.at(0).corner.size(), 10u);
}

TEST(RecordingDamage, AFlippedBitIsNoticed) {
  const std::size_t header = chunk_ends()[0];
  for (std::size_t at = 0; at < recording().size(); ++at) {
    std::string bytes = recording();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    if (at < header) {
      EXPECT_THROW(RecordingReader::parse(bytes), InputError) << at;
      continue;
    }
    const RecordingReader reader = RecordingReader::parse(bytes);
    EXPECT_FALSE(reader.is_complete()) << at;
    EXPECT_LE(reader.num_frames(), 4);
    for (int i = 0; i < reader.num_frames(); ++i) EXPECT_NO_THROW(reader.frame(i)) << at;
  }
}

/// Behind a right checksum anything may stand: decode_frame must notice by itself.
TEST(RecordingDamage, FramesOfNonsenseGiveASentence) {
  ByteReader in(std::string_view(recording()).substr(recording_prefix().size()));
  get_chunk(in), get_chunk(in);
  ByteReader frame(get_chunk(in).payload);
  const std::string state = get_block(frame), fields = get_block(frame);
  int refused = 0;
  for (std::size_t at = 0; at < state.size() + fields.size(); ++at)
    for (const int value : {0, 1, 127, 255}) {
      std::string s = state, f = fields, payload;
      (at < s.size() ? s[at] : f[at - s.size()]) = static_cast<char>(value);
      put_block(s, payload), put_block(f, payload);
      try {
        decode_frame(payload, 1, 0);
      } catch (const InputError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 100);  // counts and corners that cannot be
}

TEST(RecordingDamage, ClaimsOfHugeSizesAllocateNothing) {
  std::string payload;
  ByteWriter block;
  block.put(std::uint32_t{0xffffffff}), block.put(std::uint32_t{4}), block.put_bytes("abcd");
  EXPECT_THROW(decode_frame(block.bytes(), 1, 0), InputError);
  ByteWriter chunk;
  chunk.put_bytes("HEAD"), chunk.put(std::uint32_t{0xffffffff}), chunk.put(std::uint32_t{0});
  EXPECT_THROW(RecordingReader::parse(recording_prefix() + chunk.bytes()), InputError);
}

TEST(RecordingDamage, OtherVersionsAndOtherFilesAreNamed) {
  std::string later = recording();
  later[kRecordingMagic.size()] = 2;
  const auto message = [](const std::string& bytes) -> std::string {
    try {
      RecordingReader::parse(bytes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(later).find("version 2"), std::string::npos);
  EXPECT_NE(message("").find("empty"), std::string::npos);
  EXPECT_NE(message("PK\3\4 a zip file").find("no recording"), std::string::npos);
  EXPECT_THROW(RecordingReader::open("/nowhere/a.pfr"), InputError);
  EXPECT_THROW(RecordingReader::open("/tmp"), InputError);
}

TEST(Base64, GoesThereAndBack) {
  std::string bytes;
  for (int n = 0; n < 70; ++n) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
    bytes += static_cast<char>(n * 37);
  }
  EXPECT_EQ(to_base64("Man"), "TWFu");
  EXPECT_EQ(to_base64("Ma"), "TWE=");
  EXPECT_EQ(from_base64(" TW\nE= rest"), "Ma");
}

TEST(Varint, GoesThereAndBack) {
  ByteWriter out;
  for (int bit = 0; bit < 32; ++bit) out.put_varint(1u << bit), out.put_varint((1u << bit) - 1);
  ByteReader in(out.bytes());
  for (int bit = 0; bit < 32; ++bit) {
    EXPECT_EQ(in.get_varint(), 1u << bit);
    EXPECT_EQ(in.get_varint(), (1u << bit) - 1);
  }
  EXPECT_THROW(ByteReader("\xff\xff\xff\xff\xff\xff").get_varint(), InputError);
  EXPECT_THROW(ByteReader("\xff").get_varint(), InputError);
}

}  // namespace
}  // namespace patchfield
