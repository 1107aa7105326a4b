// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// pf.Sequence: plays a YAML task on a Simulation. The forces that its guards read are those of the simulation's last
// step.

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "file_path.h"
#include "patchfield/control/sequence_player.h"
#include "patchfield/core/check.h"
#include "patchfield/io/sequence_file.h"
#include "simulation.h"

namespace patchfield::python {
namespace {

/// One event with the name of its phase, as Python shows it.
struct Event {
  SequenceEvent event;
  std::string name, text;
};

class SequenceObject {
 public:
  SequenceObject(nb::object sim, const Sequence& sequence)
      : sim_(std::move(sim)), player_(sequence, simulation().model()) {}

  Simulation& simulation() const { return nb::cast<Simulation&>(sim_); }
  const SequencePlayer& player() const { return player_; }

  void reset(DataArgument data) {
    const mjModel* m = simulation().model().mujoco();
    if (player_.start_keyframe() >= 0) mj_resetDataKeyframe(m, data.pointer, player_.start_keyframe());
    else mj_resetData(m, data.pointer);
    player_.restart(data.pointer);
    started_ = data.pointer;
  }

  void restart(DataArgument data) {
    player_.restart(data.pointer);
    started_ = data.pointer;
  }

  void before_step(DataArgument data) {
    if (started_ != data.pointer) throw InputError("call reset(data) with this MjData before before_step(data)");
    const Data* last = simulation().last_data();
    const double dt = simulation().time_step();
    if (player_.events().empty() || last == nullptr) {
      player_.before_step(data.pointer, dt);  // the first step: no phase has forces to read yet
      return;
    }
    if (last->d() != data.pointer)
      throw InputError(
          "the simulation stepped another MjData since: its contact forces are not those of this one. Give "
          "each MjData a Simulation of its own: sim.copy() shares the model");
    player_.before_step(const_cast<Data&>(*last), dt);  // NOLINT(cppcoreguidelines-pro-type-const-cast): writes ctrl
  }

  std::vector<Event> events() const {
    std::vector<Event> all;
    for (const SequenceEvent& event : player_.events())
      all.push_back({event, player_.sequence().phases[static_cast<std::size_t>(event.phase)].name,
                     describe(player_.sequence(), event)});
    return all;
  }

 private:
  nb::object sim_;
  SequencePlayer player_;
  const mjData* started_ = nullptr;
};

}  // namespace

void bind_control(nb::module_& m) {
  nb::class_<Event>(m, "SequenceEvent", doc::SequenceEvent)
      .def_ro("phase", &Event::name, "Name of the phase.")
      .def_prop_ro(
          "begin", [](const Event& e) { return e.event.begin; }, doc::SequenceEvent_begin)
      .def_prop_ro(
          "end", [](const Event& e) { return e.event.end; }, doc::SequenceEvent_end)
      .def_prop_ro(
          "ended_by",
          [](const Event& e) {
            return std::string(e.event.end < e.event.begin ? "running" : to_string(e.event.ended_by));
          },
          "\"time\", \"guard\", \"time-out\", or \"running\".")
      .def_prop_ro(
          "guard_value", [](const Event& e) { return e.event.guard_value; }, doc::SequenceEvent_guard_value)
      .def_prop_ro(
          "tip_error", [](const Event& e) { return e.event.tip_error; }, doc::SequenceEvent_tip_error)
      .def_prop_ro(
          "tracking_error", [](const Event& e) { return e.event.tracking_error; }, doc::SequenceEvent_tracking_error)
      .def_prop_ro(
          "saturated", [](const Event& e) { return e.event.saturated; }, doc::SequenceEvent_saturated)
      .def("__repr__", [](const Event& e) { return fmt::format("SequenceEvent({})", e.text); });

  nb::class_<SequenceObject>(m, "Sequence",
                             "A manipulation task from a YAML file (docs/sequences.md), played on a Simulation: call "
                             "reset(data), then before_step(data) before every sim.step(data) until finished.")
      .def(
          "__init__",
          [](SequenceObject* self, const nb::typed<nb::object, Simulation>& sim, const FilePath& path) {
            if (!nb::isinstance<Simulation>(sim)) throw nb::type_error("Sequence: sim must be a Simulation");
            new (self) SequenceObject(sim, read_sequence(path.path.string()));
          },
          nb::arg("sim"), nb::arg("path"), "Reads the file and checks it against the model of `sim`.")
      .def_static(
          "from_text",
          [](const nb::typed<nb::object, Simulation>& sim, const std::string& text) {
            if (!nb::isinstance<Simulation>(sim)) throw nb::type_error("Sequence: sim must be a Simulation");
            return std::make_unique<SequenceObject>(sim, read_sequence_text(text, "the sequence"));
          },
          nb::arg("sim"), nb::arg("text"), "From the text of such a file.")
      .def("reset", &SequenceObject::reset, nb::arg("data"),
           "Puts `data` at the keyframe of the sequence, or at the initial state, and begins. Change other bodies "
           "after it.")
      .def("restart", &SequenceObject::restart, nb::arg("data"), "Begins from the present state of `data`.")
      .def("before_step", &SequenceObject::before_step, nb::arg("data"),
           "Writes data.ctrl for the next sim.step(data). After the last phase it holds pose and grip.")
      .def_prop_ro(
          "finished", [](const SequenceObject& s) { return s.player().finished(); }, "True after the last phase.")
      .def_prop_ro(
          "phase",
          [](const SequenceObject& s) {
            const auto i = static_cast<std::size_t>(s.player().phase());
            const auto& phases = s.player().sequence().phases;
            return i < phases.size() ? phases[i].name : std::string();
          },
          "Name of the running phase; empty after the last.")
      .def_prop_ro(
          "grip", [](const SequenceObject& s) { return s.player().grip(); }, doc::SequencePlayer_grip)
      .def_prop_ro("events", &SequenceObject::events, "One SequenceEvent per phase begun, in order.");
}

}  // namespace patchfield::python
