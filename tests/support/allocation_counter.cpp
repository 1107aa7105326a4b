// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "support/allocation_counter.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count{0};
}

namespace patchfield {
long allocation_count() { return count.load(); }
}  // namespace patchfield

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PATCHFIELD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PATCHFIELD_SANITIZED 1
#endif
#endif

#ifdef PATCHFIELD_SANITIZED
// Sanitizers own malloc and offer a hook.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));
namespace {
const int installed = __sanitizer_install_malloc_and_free_hooks([](const volatile void*, std::size_t) { ++count; },
                                                                [](const volatile void*) {});
}  // namespace
#else
// glibc lets a program bring its own malloc and reach the original by these names.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++count;
  return __libc_calloc(n, size);
}
void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
}
#endif
