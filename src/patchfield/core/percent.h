// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Percent escapes, as in URIs: "my%20cup.vtk" ↔ "my cup.vtk". They let a path be one word of a settings text.

#pragma once

#include <string>
#include <string_view>

namespace patchfield {

/// Escapes all but letters, digits and / . _ - ~ :
inline std::string encode_percent(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/._-~:").find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    if (plain) out += c;
    else (out += '%') += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

/// What is not an escape stays as it is.
inline std::string decode_percent(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    if (escape) out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])), i += 2;
    else out += text[i];
  }
  return out;
}

}  // namespace patchfield
