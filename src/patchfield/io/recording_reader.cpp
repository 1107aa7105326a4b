// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/recording_reader.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "patchfield/core/check.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/viewer_page.h"

namespace patchfield {
namespace {

using Json = nlohmann::json;

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw InputError("it is a folder. Give a recording in it");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError("it cannot be read. Is the path right?");
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

/// The recording inside a page.
std::string extract_embedded(const std::string& page) {
  const std::size_t begin = page.rfind(kEmbeddedBegin);
  if (begin == std::string::npos) throw InputError("this page holds no recording of Patchfield");
  return from_base64(std::string_view(page).substr(begin + kEmbeddedBegin.size()));
}

/// An array of the header must lie inside the blob.
void check_array(const Json& where, std::size_t blob_bytes) {
  const auto at = where.at("at").get<std::uint64_t>(), count = where.at("count").get<std::uint64_t>();
  if (at > blob_bytes || count > (blob_bytes - at) / 4)
    throw InputError("the recording is damaged: a mesh lies outside of it");
}

void check_meshes(const Json& geoms, std::size_t blob_bytes) {
  for (const Json& geom : geoms) {
    const Json& mesh = geom.at("mesh");
    if (mesh.is_null()) continue;
    for (const auto& [name, where] : mesh.items()) check_array(where, blob_bytes);
  }
}

}  // namespace

RecordingReader RecordingReader::open(const std::filesystem::path& path) {
  try {
    std::string bytes = read_file(path);
    return parse(bytes.starts_with(kRecordingMagic) ? std::move(bytes)
                 : bytes.starts_with("<!")          ? extract_embedded(bytes)
                                                    : bytes);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

RecordingReader RecordingReader::parse(std::string bytes) {
  RecordingReader out;
  out.bytes_ = std::move(bytes);
  ByteReader in(out.bytes_);
  if (!out.bytes_.starts_with(kRecordingMagic))
    throw InputError(out.bytes_.empty() ? "the recording is empty" : "this is no recording of Patchfield (.pfr)");
  in.take(kRecordingMagic.size());
  if (const auto version = in.get<std::uint32_t>(); version != kRecordingVersion)
    throw InputError(
        fmt::format("the recording has version {}, this program reads version {}: use the program that wrote it",
                    version, kRecordingVersion));
  const Chunk head = get_chunk(in);
  if (head.kind != "HEAD") throw InputError("the recording is damaged: it does not begin with its header");
  out.read_header(head.payload);
  try {
    for (;;) {
      const Chunk chunk = get_chunk(in);
      if (chunk.kind == "DONE") break;
      if (chunk.kind == "FRAM")
        out.frames_.push_back(
            {static_cast<std::size_t>(chunk.payload.data() - out.bytes_.data()), chunk.payload.size()});
      if (chunk.kind != "SIGN") continue;  // kinds of later versions are passed over
      ByteReader names(chunk.payload);
      out.signal_names_ = Json::parse(get_block(names)).get<std::vector<std::string>>();
    }
  } catch (const InputError& error) {
    out.problem_ = error.what();
  } catch (const Json::exception&) {
    out.problem_ = "the recording is damaged: names of signals cannot be read";
  }
  return out;
}

void RecordingReader::read_header(std::string_view payload) {
  ByteReader in(payload);
  const std::string raw = get_block(in);
  ByteReader head(raw);
  header_ = head.take(head.get_count(1));
  blob_ = head.take(head.left());
  try {
    const Json json = Json::parse(header_);
    num_moving_ = static_cast<int>(json.at("moving").size());
    num_joints_ = static_cast<int>(json.at("joints").size());
    check_meshes(json.at("geoms"), blob_.size());
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("the recording is damaged: its header cannot be read ({})", error.what()));
  }
}

RecordedFrame RecordingReader::frame(int i) const {
  const Place& place = frames_.at(static_cast<std::size_t>(i));
  return decode_frame(std::string_view(bytes_).substr(place.at, place.size), num_moving_, num_joints_);
}

}  // namespace patchfield
