// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace patchfield {

/// Base64 text → bytes; nothing if a character is none of the alphabet. Padding may be missing.
inline std::optional<std::string> decode_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  unsigned bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    unsigned value = 0;
    if (c >= 'A' && c <= 'Z') value = static_cast<unsigned>(c - 'A');
    else if (c >= 'a' && c <= 'z') value = static_cast<unsigned>(c - 'a') + 26;
    else if (c >= '0' && c <= '9') value = static_cast<unsigned>(c - '0') + 52;
    else if (c == '+' || c == '-') value = 62;
    else if (c == '/' || c == '_') value = 63;
    else return std::nullopt;
    bits = (bits << 6 | value) & 0xFFFFu;
    num_bits += 6;
    if (num_bits >= 8) {
      num_bits -= 8;
      bytes.push_back(static_cast<char>(bits >> num_bits & 0xFFu));
    }
  }
  return bytes;
}

}  // namespace patchfield
