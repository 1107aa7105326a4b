// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace patchfield;
  return fuzz_reader(data, size, [](std::string_view bytes) {
    const TriangleMesh mesh =
        welded(parse_gltf(bytes, "fuzz.gltf", [](const std::string&) { return std::string(4096, '\1'); }));
    if (!mesh.triangles.empty()) validate(mesh, "fuzz");
  });
}
