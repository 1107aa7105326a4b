// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "simulation.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "gil.h"
#include "patchfield/core/check.h"
#include "patchfield/io/subprocess.h"
#include "patchfield/sim/mujoco_errors.h"

namespace patchfield::python {
namespace {

void check_time_step(double dt) {
  if (!(dt >= 0.0 && dt <= kLargestStep))
    throw InputError(fmt::format("time_step={}: give seconds above 0 and up to {}; 1e-3 is usual", dt, kLargestStep));
}

/// The polygons of the faces that carry a contact, in the order of the results.
void collect_polygons(const Data& data, Snapshot& out) {
  const PatchResults& p = out.results.patches;
  const FaceResults& f = out.results.faces;
  for (int i = 0; i < p.size(); ++i) {
    const ContactSurface& s = data.patches[static_cast<std::size_t>(p.slot[i])]->surface;
    const int first = out.vertex_W.size();
    out.first_vertex.push_back(first);
    out.face_offsets.push_back(0);
    for (int k = p.first_face[i]; k < p.first_face[i] + p.num_faces[i]; ++k) {
      for (int v = s.face_start[f.face[k]]; v < s.face_start[f.face[k] + 1]; ++v) {
        out.vertex_W.push_back(s.vertex_W[v]);
        out.vertex_pressure.push_back(s.vertex_pressure[v]);
      }
      out.face_offsets.push_back(out.vertex_W.size() - first);
    }
  }
  out.first_vertex.push_back(out.vertex_W.size());
}

std::shared_ptr<const Snapshot> take_snapshot(const Data& data) {
  auto out = std::make_shared<Snapshot>();
  collect_results(data, out->results);
  collect_polygons(data, *out);
  const FaceResults& f = out->results.faces;
  out->traction.resize(f.size());
  for (int k = 0; k < f.size(); ++k) out->traction[k] = f.normal_traction[k] * f.nhat_AB_W[k] + f.friction_W[k];
  for (int i = 0; i < out->results.patches.size(); ++i) {
    out->geom_names.push_back(data.model.geom(out->results.patches.geom_A[i]).name);
    out->geom_names.push_back(data.model.geom(out->results.patches.geom_B[i]).name);
  }
  return out;
}

}  // namespace

// MuJoCo hands these callbacks the model of the step, which shares all columns with the user's but is another struct.
// Python's trampolines look the struct's address up, and crash if they do not know it.
void check_callbacks(bool control_works) {
  const std::pair<const char*, bool> set[] = {{"control", mjcb_control != nullptr && !control_works},
                                              {"passive", mjcb_passive != nullptr},
                                              {"contactfilter", mjcb_contactfilter != nullptr},
                                              {"sensor", mjcb_sensor != nullptr},
                                              {"act_dyn", mjcb_act_dyn != nullptr},
                                              {"act_gain", mjcb_act_gain != nullptr},
                                              {"act_bias", mjcb_act_bias != nullptr}};
  for (const auto& [name, is_set] : set)
    if (is_set)
      throw InputError(
          fmt::format("mjcb_{0} is set, which Simulation.step cannot call. Reset it with "
                      "mujoco.set_mjcb_{0}(None), and write forces to qfrc_applied or xfrc_applied before "
                      "each step (mjcb_control works)",
                      name));
}

namespace {

/// Meshes may have to be filled first: others go on meanwhile, and Ctrl-C ends it.
Model make_model(const mjModel* m, const ModelOptions& options) {
  InterruptCheck interrupted;
  try {
    const ReleasedGil released;
    const InterruptScope scope([&] { return interrupted(); });
    return Model::borrow(m, options);
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

}  // namespace

Simulation::Simulation(ModelArgument model, const ModelOptions& model_options, const SimOptions& options,
                       double time_step)
    : model_object_(std::move(model.object)), model_options_(model_options),
      model_(make_model(model.pointer, model_options_)), options_(options) {
  set_time_step(time_step);
}

Simulation::Simulation(const Simulation& other)
    : model_object_(other.model_object_), model_options_(other.model_options_), model_(other.model_),
      options_(other.options_), time_step_(other.time_step_) {}

std::unique_ptr<Simulation> Simulation::copy() const { return std::unique_ptr<Simulation>(new Simulation(*this)); }

void Simulation::set_time_step(double dt) {
  check_time_step(dt);
  time_step_ = dt;
}

namespace {

/// MjDatas that any simulation steps now; only looked at with the GIL held.
std::unordered_set<const mjData*>& stepped_now() {
  static std::unordered_set<const mjData*> all;
  return all;
}

}  // namespace

/// A workspace in use. Whatever happens, it is given back, with the GIL held.
class Simulation::Lease {
 public:
  Lease(Simulation& sim, mjData* d) : sim_(sim), workspace_(sim.acquire(d)), dt_(sim.time_step()) {
    workspace_.stepping = d;
    workspace_.snapshot.reset();
    sim.last_ = &workspace_;
    stepped_now().insert(d);
    show_time_step();
  }
  ~Lease() {
    stepped_now().erase(workspace_.stepping);
    workspace_.stepping = nullptr;
    if (shows_ && --sim_.num_showing_ == 0) options().timestep = sim_.shown_instead_of_;
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Data& data() { return workspace_.data; }
  double dt() const { return dt_; }

 private:
  mjOption& options() { return const_cast<mjModel*>(sim_.model_.mujoco())->opt; }
  /// mjcb_control gets the user's own model, which is to show the time step in use.
  void show_time_step() {
    if (mjcb_control == nullptr || sim_.time_step_ == 0.0) return;
    if (sim_.num_showing_++ == 0) sim_.shown_instead_of_ = options().timestep;
    options().timestep = dt_;
    shows_ = true;
  }

  Simulation& sim_;
  Workspace& workspace_;
  double dt_;
  bool shows_ = false;
};

Simulation::Workspace& Simulation::acquire(mjData* d) {
  Workspace* free = nullptr;
  if (stepped_now().contains(d))
    throw std::runtime_error("this MjData is being stepped by another thread: give each thread an MjData of its own");
  const auto rank = [&](const Workspace& w) {
    // One that has prepared this very data (step1); then the one used last, which is warm and shown by `patches`.
    return w.data.d() == d && !w.data.prepared.empty() ? 2 : &w == last_ ? 1 : 0;
  };
  for (const auto& w : workspaces_)
    if (w->stepping == nullptr && (free == nullptr || rank(*w) > rank(*free))) free = w.get();
  if (free == nullptr) {
    workspaces_.push_back(std::make_unique<Workspace>(model_, d, options_));
    free = workspaces_.back().get();
  }
  free->data.borrow(d);
  return *free;
}

StepReport Simulation::step(mjData* d, int n) {
  if (n < 1) throw InputError(fmt::format("nstep={}: give 1 or more", n));
  check_callbacks(true);
  Lease lease(*this, d);
  bool interrupted = false;
  StepReport report;
  const auto recorders = recorders_of(d);
  std::optional<InterruptCheck> check;
  if (n > 1) check.emplace();
  {
    const ReleasedGil released;
    for (int i = 0; i < n && !interrupted; ++i) {
      guard_mujoco(d, [&] { report = patchfield::step(lease.data(), lease.dt()); });
      for (const auto& recorder : recorders) recorder->after_step(lease.data(), report);
      interrupted = check && (*check)();
    }
  }
  if (interrupted) throw nb::python_error();
  return report_ = report;
}

template <class Work>
StepReport Simulation::run_once(mjData* d, const Work& work) {
  check_callbacks(true);
  Lease lease(*this, d);
  const ReleasedGil released;
  StepReport report;
  guard_mujoco(d, [&] { report = work(lease.data(), lease.dt()); });
  return report;
}

StepReport Simulation::forward(mjData* d) {
  return report_ = run_once(d, [](Data& data, double dt) { return patchfield::forward(data, dt); });
}

void Simulation::step1(mjData* d) {
  run_once(d, [](Data& data, double dt) {
    patchfield::step1(data, dt);
    return StepReport();
  });
}

StepReport Simulation::step2(mjData* d) {
  const auto recorders = recorders_of(d);
  return report_ = run_once(d, [&](Data& data, double dt) {
           const StepReport report = patchfield::step2(data, dt);
           for (const auto& recorder : recorders) recorder->after_step(data);
           return report;
         });
}

std::shared_ptr<Recorder> Simulation::record(mjData* d, const std::filesystem::path& path,
                                             const RecorderOptions& options) {
  auto recorder = std::make_shared<Recorder>(path, acquire(d).data, options);
  recorders_.emplace_back(d, recorder);
  return recorder;
}

bool Simulation::is_stepping(const mjData* d) { return stepped_now().contains(d); }

std::vector<std::shared_ptr<Recorder>> Simulation::recorders_of(const mjData* d) {
  std::vector<std::shared_ptr<Recorder>> out;
  std::erase_if(recorders_, [](const auto& known) { return known.second.expired(); });
  for (const auto& [recorded, recorder] : recorders_)
    if (recorded == d) out.push_back(recorder.lock());
  return out;
}

const Data* Simulation::last_data() const {
  if (last_ == nullptr) return nullptr;
  if (last_->stepping != nullptr)
    throw std::runtime_error(
        "another thread is stepping this simulation. To read patches beside other threads, give each a Simulation of "
        "its own: sim.copy() shares the model");
  return &last_->data;
}

std::shared_ptr<const Snapshot> Simulation::snapshot() {
  const Data* data = last_data();
  if (data == nullptr) return std::make_shared<Snapshot>();
  if (last_->snapshot == nullptr) last_->snapshot = take_snapshot(*data);
  return last_->snapshot;
}

}  // namespace patchfield::python
