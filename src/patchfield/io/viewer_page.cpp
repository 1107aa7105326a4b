// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/viewer_page.h"

#include "patchfield/core/check.h"

#ifdef PATCHFIELD_VIEWER_PAGE
// The assembler copies the file into the program; as an array in C++ it would take half a minute to compile.
__asm__(
    ".section .rodata\n"
    ".global patchfield_viewer_page_begin\n"
    ".global patchfield_viewer_page_end\n"
    "patchfield_viewer_page_begin:\n"
    ".incbin \"" PATCHFIELD_VIEWER_PAGE
    "\"\n"
    "patchfield_viewer_page_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const char patchfield_viewer_page_begin[], patchfield_viewer_page_end[];
#endif

namespace patchfield {

std::string_view viewer_page() {
#ifdef PATCHFIELD_VIEWER_PAGE
  return {patchfield_viewer_page_begin,
          static_cast<std::size_t>(patchfield_viewer_page_end - patchfield_viewer_page_begin)};
#else
  return {};
#endif
}

std::string_view require_viewer_page() {
  if (viewer_page().empty())
    throw InputError("this program was built without the viewer: install Node.js and npm, configure and build again");
  return viewer_page();
}

std::string served_page(std::string_view source) {
  constexpr std::string_view kPlaceholder = "content=\"embedded\"";
  std::string page(require_viewer_page());
  const std::size_t at = page.find(kPlaceholder);
  PATCHFIELD_ASSERT(at != std::string::npos);
  return page.replace(at, kPlaceholder.size(), "content=\"" + std::string(source) + "\"");
}

}  // namespace patchfield
