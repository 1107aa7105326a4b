// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "mesh_fuzz.h"

// What is read can be written and read again, in every variant, without a change.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace patchfield;
  return fuzz_reader(data, size, [](std::string_view bytes) {
    const VolumeFile file = parse_vtk(bytes, "fuzz.vtk");
    validate(file.mesh, "fuzz");
    for (const bool binary : {false, true})
      for (const bool offsets : {false, true}) {
        const VolumeFile again =
            parse_vtk(format_vtk(file.mesh, file.vertex_pressures, {binary, offsets}), "fuzz again");
        PATCHFIELD_ASSERT(again.mesh.tets == file.mesh.tets && again.mesh.vertices == file.mesh.vertices);
        PATCHFIELD_ASSERT(again.vertex_pressures.size() == file.vertex_pressures.size());
      }
  });
}
