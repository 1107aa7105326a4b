// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Preloaded into the mesher's process, this gives the same random numbers each time: fTetWild shuffles with
// std::random_device, and would make another mesh, and so another trajectory, on every machine and in every run.
// Here the symbol of std::random_device's only source is ours.

extern "C" unsigned patchfield_mesher_seed(void* device) __asm__("_ZNSt13random_device9_M_getvalEv");

extern "C" unsigned patchfield_mesher_seed(void* /*device*/) {
  static unsigned draws = 0;
  return 12345u + draws++;
}
