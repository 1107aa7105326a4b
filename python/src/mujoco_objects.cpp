// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "mujoco_objects.h"

#include <memory>
#include <vector>

#include <fmt/format.h>

namespace patchfield::python {
namespace {

// Held until the process ends: classes of another module may not outlive the interpreter otherwise.
PyTypeObject* model_type = nullptr;
PyTypeObject* data_type = nullptr;
PyObject* address_name = nullptr;

void* address(nb::handle object, PyTypeObject* type) noexcept {
  if (!PyObject_TypeCheck(object.ptr(), type)) return nullptr;
  PyObject* number = PyObject_GetAttr(object.ptr(), address_name);
  void* pointer = number != nullptr ? PyLong_AsVoidPtr(number) : nullptr;
  Py_XDECREF(number);
  PyErr_Clear();
  return pointer;
}

}  // namespace

void find_mujoco() {
  const nb::module_ mujoco = nb::module_::import_("mujoco");
  model_type = reinterpret_cast<PyTypeObject*>(mujoco.attr("MjModel").inc_ref().ptr());
  data_type = reinterpret_cast<PyTypeObject*>(mujoco.attr("MjData").inc_ref().ptr());
  address_name = PyUnicode_InternFromString("_address");
  if (mj_version() == mjVERSION_HEADER) return;
  const std::string text = fmt::format(
      "patchfield was compiled for MuJoCo {}, but MuJoCo {} is loaded. Install patchfield again in this "
      "environment, or the mujoco that it was compiled for",
      mjVERSION_HEADER, mj_version());
  throw nb::import_error(text.c_str());
}

mjModel* model_pointer(nb::handle object) noexcept { return static_cast<mjModel*>(address(object, model_type)); }
mjData* data_pointer(nb::handle object) noexcept { return static_cast<mjData*>(address(object, data_type)); }

nb::object make_model_object(mjModel* m) {
  // Through MuJoCo's binary format and its virtual files: MjModel has no public way to take a pointer.
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> owned(m, &mj_deleteModel);
  std::vector<char> buffer(static_cast<std::size_t>(mj_sizeModel(m)));
  mj_saveModel(m, nullptr, buffer.data(), static_cast<int>(buffer.size()));
  nb::dict assets;
  assets["model.mjb"] = nb::bytes(buffer.data(), buffer.size());
  return nb::borrow(reinterpret_cast<PyObject*>(model_type)).attr("from_binary_path")("model.mjb", assets);
}

}  // namespace patchfield::python
