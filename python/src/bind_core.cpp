// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "bindings.h"
#include "patchfield/core/check.h"
#include "patchfield/sim/mujoco_errors.h"

namespace patchfield::python {

void bind_core(nb::module_& m) {
  // A wrong value is a ValueError to Python; a wrong type is a TypeError before it gets here.
  nb::exception<InputError>(m, "InputError", PyExc_ValueError).attr("__doc__") =
      "What was given (a file, a model, a number) cannot be used; the text says what, why and the cure.";
  // What MuJoCo's own functions raise, so that one except clause serves both.
  static PyObject* fatal_error = nb::module_::import_("mujoco").attr("FatalError").inc_ref().ptr();
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const MuJoCoError& error) {
      // A callback that raised has left its own exception, which says more.
      if (PyErr_Occurred() == nullptr) PyErr_SetString(fatal_error, error.what());
    }
  });
}

}  // namespace patchfield::python
