// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The viewer (apps/viewer), built into the library: one HTML page without any reference to the outside.
//
// A page finds what it shows by itself:
//   recorded into it   page, kEmbeddedBegin, recording as base64, kEmbeddedEnd
//   served             page whose <meta name="source"> says so: "file" fetches recording.pfr, "live" opens a WebSocket

#pragma once

#include <string>
#include <string_view>

namespace patchfield {

/// Empty if the library was built without Node.js.
std::string_view viewer_page();

/// The same, but throws InputError with the cure where viewer_page() is empty.
std::string_view require_viewer_page();

/// The data comes last and is closed by nothing that the page needs: a page cut off by a crash still shows its frames.
inline constexpr std::string_view kEmbeddedBegin = "\n<script id=\"recording\" type=\"application/octet-stream\">";
inline constexpr std::string_view kEmbeddedEnd = "</script>\n";

/// The page with its source told, for a server: "file" or "live".
std::string served_page(std::string_view source);

}  // namespace patchfield
