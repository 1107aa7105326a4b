// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/diagnostics.h"

#include <algorithm>
#include <utility>

namespace patchfield {

std::string to_string(const Place& place) {
  return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

std::string to_string(const Diagnostic& diagnostic) {
  return to_string(Place{diagnostic.file, diagnostic.line}) + ": " + diagnostic.text;
}

std::string without_place(const InputError& error, const Place& place) {
  const std::string text = error.what(), prefix = to_string(place) + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

void Diagnostics::add(const Place& place, std::string text) {
  const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.diagnostic.text == text && entry.diagnostic.file == place.file;
  });
  if (same == entries_.end()) {
    entries_.push_back({{place.file, place.line, std::move(text)}});
  } else {
    ++same->times;
  }
}

std::vector<Diagnostic> Diagnostics::take() {
  std::vector<Diagnostic> all;
  for (Entry& entry : entries_) {
    if (entry.times > 1) entry.diagnostic.text += fmt::format(" ({} times, first here)", entry.times);
    all.push_back(std::move(entry.diagnostic));
  }
  entries_.clear();
  return all;
}

}  // namespace patchfield
