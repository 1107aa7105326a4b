// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "warnings.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

namespace patchfield::cli {
namespace {

constexpr int kFewOfAKind = 3;

struct Kind {
  std::string pattern;
  std::vector<std::string> members;
};

/// The text without names in quotes and without digits.
std::string pattern_of(const std::string& warning) {
  std::string out;
  bool quoted = false;
  for (const char c : warning) {
    if (c == '"') quoted = !quoted;
    if (!quoted && std::isdigit(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

}  // namespace

std::vector<std::string> group_warnings(const std::vector<std::string>& warnings) {
  std::vector<Kind> kinds;
  for (const std::string& warning : warnings) {
    const std::string pattern = pattern_of(warning);
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.pattern == pattern; });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), Kind{pattern, {}});
    kind->members.push_back(warning);
  }
  std::vector<std::string> out;
  for (const Kind& kind : kinds) {
    const std::size_t count = kind.members.size();
    if (count <= kFewOfAKind) out.insert(out.end(), kind.members.begin(), kind.members.end());
    else out.push_back(fmt::format("{} (and {} more of this kind)", kind.members.front(), count - 1));
  }
  return out;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : group_warnings(warnings)) fmt::print(stderr, "patchfield: warning: {}\n", warning);
}

}  // namespace patchfield::cli
