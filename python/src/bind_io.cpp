// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "file_path.h"
#include "gil.h"
#include "patchfield/core/check.h"
#include "patchfield/io/load_model.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/viewer_page.h"
#include "scenes/scenes.h"
#include "simulation.h"

namespace patchfield::python {
namespace {

/// Keeps what it records alive. Dropped without finish(), it leaves PATH.part.
class Recording {
 public:
  Recording(nb::object sim, DataArgument data, const std::filesystem::path& path, const RecorderOptions& options)
      : sim_(std::move(sim)), data_(nb::borrow(data.object)), d_(data.pointer), path_(std::filesystem::absolute(path)),
        recorder_(simulation().record(d_, path_, options)) {}

  void signal(const std::string& name, double value) { open().signal(name, value); }

  void finish() {
    if (recorder_ == nullptr) return;
    Recorder& recorder = open();
    num_frames_ = recorder.num_frames();
    {
      const ReleasedGil released;
      recorder.finish();
    }
    recorder_.reset();
  }

  const std::filesystem::path& path() const { return path_; }
  bool is_finished() const { return recorder_ == nullptr; }
  long num_frames() const { return recorder_ != nullptr ? recorder_->num_frames() : num_frames_; }

 private:
  Simulation& simulation() const { return nb::cast<Simulation&>(sim_); }

  Recorder& open() const {
    if (recorder_ == nullptr) throw InputError("the recording is finished: begin another one");
    if (simulation().is_stepping(d_)) throw std::runtime_error("another thread is stepping what is recorded");
    return *recorder_;
  }

  nb::object sim_, data_;
  mjData* d_;
  std::filesystem::path path_;
  std::shared_ptr<Recorder> recorder_;
  long num_frames_ = 0;
};

void bind_recording(nb::module_& m) {
  nb::class_<Recording>(
      m, "Recording",
      "Records the steps that a simulation takes of one MjData into a .pfr file, or an .html page that "
      "shows it. Use it in a with statement, or call finish(): before, the file is PATH.part.")
      .def(
          "__init__",
          [](Recording* self, const nb::typed<nb::object, Simulation>& sim, DataArgument data, const FilePath& path,
             const std::string& title, double frames_per_second) {
            if (!nb::isinstance<Simulation>(sim)) throw nb::type_error("Recording: sim must be a Simulation");
            new (self) Recording(sim, data, path, {title, frames_per_second});
          },
          nb::arg("sim"), nb::arg("data"), nb::arg("path"), nb::arg("title") = "", nb::arg("frames_per_second") = 60.0)
      .def("signal", &Recording::signal, nb::arg("name"), nb::arg("value"), doc::Recorder_signal)
      .def("finish", &Recording::finish, doc::Recorder_finish)
      .def_prop_ro("path", &Recording::path)
      .def_prop_ro("is_finished", &Recording::is_finished)
      .def_prop_ro("num_frames", &Recording::num_frames)
      .def("__enter__", [](nb::handle_t<Recording> self) { return nb::borrow<nb::typed<nb::object, Recording>>(self); })
      .def(
          "__exit__", [](Recording& self, nb::handle, nb::handle, nb::handle) { self.finish(); },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none());
}

/// The model and what the reader has to say about it.
std::pair<nb::typed<nb::object, ModelArgument>, std::vector<std::string>> load_file(
    const std::string& path, const std::map<std::string, std::string>& packages, bool fixed_base,
    std::optional<double> time_step) {
  LoadOptions options;
  options.packages = packages, options.fixed_base = fixed_base, options.time_step = time_step;
  ImportedModel imported;
  {
    const ReleasedGil released;
    imported = import_model(path, options);
  }
  std::vector<std::string> warnings;
  for (const Diagnostic& warning : imported.warnings) warnings.push_back(to_string(warning));
  return {nb::borrow<nb::typed<nb::object, ModelArgument>>(make_model_object(imported.mujoco.release())), warnings};
}

}  // namespace

void bind_io(nb::module_& m) {
  bind_recording(m);
  m.def("import_model", &load_file, nb::arg("path"), nb::arg("packages"), nb::arg("fixed_base"),
        nb::arg("time_step").none(), doc::import_model);
  m.def(
      "scene", [](const std::string& name) { return scenes::by_name(name); }, nb::arg("name"),
      "MJCF text of a scene that is built in; empty if there is none of that name.");
  m.def("scene_names", [] { return std::vector<std::string>(scenes::names().begin(), scenes::names().end()); });
  m.def(
      "recording_prefix",
      [] {
        const std::string prefix = recording_prefix();
        return nb::bytes(prefix.data(), prefix.size());
      },
      "The bytes that every recording begins with.");
  m.def(
      "replay_parts",
      [] {
        return std::pair(std::string(require_viewer_page()) + std::string(kEmbeddedBegin), std::string(kEmbeddedEnd));
      },
      "The viewer, one HTML page, up to where a recording goes as base64, and what follows it.");
}

}  // namespace patchfield::python
