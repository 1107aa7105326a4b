// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a recording: frames or an InputError, nothing else. The first byte chooses what they are: a file, a file
// whose chunks get right checksums (so that what stands behind them is reached), or the raw halves of one frame.

#include <cstdint>

#include "patchfield/core/check.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_reader.h"

namespace patchfield {
namespace {

void read_all(std::string bytes) {
  const RecordingReader reader = RecordingReader::parse(std::move(bytes));
  for (int i = 0; i < reader.num_frames(); ++i) {
    try {
      reader.frame(i);
    } catch (const InputError&) {  // this one; the next may be good
    }
  }
}

/// Header and frame of the input's own making, packed and summed as they should be.
std::string packed_recording(std::string_view bytes) {
  const std::size_t split = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]) * bytes.size() / 256;
  std::string head, frame;
  put_block(bytes.substr(0, split), head);
  put_block(bytes.substr(split), frame);
  put_block(bytes.substr(split), frame);
  return recording_prefix() + make_chunk("HEAD", head) + make_chunk("SIGN", head) + make_chunk("FRAM", frame);
}

/// The first byte says how long the state is.
std::string packed_frame(std::string_view bytes) {
  if (bytes.empty()) return {};
  const std::size_t state = static_cast<unsigned char>(bytes[0]) % bytes.size();
  std::string frame;
  put_block(bytes.substr(1, state), frame);
  put_block(bytes.substr(1 + state), frame);
  return frame;
}

}  // namespace
}  // namespace patchfield

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace patchfield;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 4) {
      case 0: read_all(std::string(bytes)); break;
      case 1: read_all(packed_recording(bytes)); break;
      case 2: decode_frame(packed_frame(bytes), data[0] / 4 % 8, data[0] / 32); break;
      case 3: read_all(from_base64(bytes)); break;
    }
  } catch (const InputError&) {  // what broken input is for
  }
  return 0;
}
