// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Counts heap allocations of the whole program, by whatever function: new, malloc, aligned_alloc.
// Link patchfield_allocation_counter.

#pragma once

namespace patchfield {

/// Since the program started, on all threads.
long allocation_count();

}  // namespace patchfield
