// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "words.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield::cli {
namespace {

/// Letters to insert, delete, replace or swap with their neighbor (Damerau and Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + differs});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  std::string best;
  std::size_t least = typed.size() / 3 + 1;
  for (const std::string& word : words)
    if (const std::size_t distance = edit_distance(typed, word);
        distance <= least && (best.empty() || distance < least)) {
      best = word;
      least = distance;
    }
  return best;
}

void check_command(const CLI::App& app, const std::string& word) {
  if (word.empty() || word[0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::string meant = nearest_word(word, names);
  throw InputError(fmt::format("{}: no such command{} There are {}; patchfield --help has more", word,
                               meant.empty() ? "." : fmt::format("; did you mean {}?", meant), fmt::join(names, ", ")));
}

}  // namespace patchfield::cli
