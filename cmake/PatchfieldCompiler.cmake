# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
# Flags that every target of ours shares: one interface target, patchfield_flags.

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(patchfield_flags INTERFACE)
target_compile_options(patchfield_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # Same bits whatever the compiler fuses: no a*b+c contraction (design.md, decision 5).
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 cries wolf on fixed arrays filled by a loop whose trip count it cannot bound; the
  # asan and fuzz presets look at the real thing.
  target_compile_options(patchfield_flags INTERFACE -Wno-maybe-uninitialized)
endif()
# Eigen's alignment must not depend on the flags of the file that includes it: files
# compiled for AVX2 and files that are not share these types.
target_compile_definitions(patchfield_flags INTERFACE EIGEN_MAX_ALIGN_BYTES=16)

if(PATCHFIELD_SANITIZE)
  target_compile_options(patchfield_flags INTERFACE
    -fsanitize=${PATCHFIELD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Boost.Asio has fences, of which g++ warns that the thread sanitizer does not see them.
  if(PATCHFIELD_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(patchfield_flags INTERFACE -Wno-tsan)
  endif()
  target_link_options(patchfield_flags INTERFACE -fsanitize=${PATCHFIELD_SANITIZE})
endif()
