// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "scenes/scenes.h"

namespace patchfield::python {

void bind_io(nb::module_& m) {
  m.def(
      "scene", [](const std::string& name) { return scenes::by_name(name); }, nb::arg("name"),
      "MJCF text of a scene that is built in; empty if there is none of that name.");
  m.def("scene_names", [] { return std::vector<std::string>(scenes::names().begin(), scenes::names().end()); });
}

}  // namespace patchfield::python
