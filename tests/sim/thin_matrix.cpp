// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The whole matrix of thin_cases.h, or every n-th case of it, with a table of what does not hold. Not part of
// `make test`: it takes a minute or two.
//
//   build/release/tests/sim/thin_matrix [every] [first]

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>

#include "sim/thin_cases.h"

int main(int argc, char** argv) {
  using namespace patchfield::thin;
  const int every = argc > 1 ? std::atoi(argv[1]) : 1;
  const std::size_t first = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 0;
  const std::vector<Case> cases = all_cases();
  std::map<std::string, int> kinds;
  int run = 0, bad = 0;
  long steps = 0, look_ahead = 0, split = 0, rescued = 0;
  for (std::size_t i = first; i < cases.size(); i += static_cast<std::size_t>(every)) {
    const Outcome o = run_case(cases[i]);
    ++run, steps += o.steps;
    look_ahead += o.look_ahead, split += o.split, rescued += o.rescued;
    const std::string text = verdict(o);
    if (text.empty()) continue;
    ++bad;
    ++kinds[o.fell ? "fell" : !o.finite ? "nan" : text.substr(0, 6)];
    std::printf("%zu: %s: %s\n", i, cases[i].name().c_str(), text.c_str());
  }
  std::printf("%d runs, %ld steps, %.1f s of CPU: %d do not hold; look-ahead pairs %ld, split %ld, rescued %ld\n", run,
              steps, static_cast<double>(std::clock()) / CLOCKS_PER_SEC, bad, look_ahead, split, rescued);
  for (const auto& [kind, count] : kinds) std::printf("  %s: %d\n", kind.c_str(), count);
  return bad == 0 ? 0 : 1;
}
