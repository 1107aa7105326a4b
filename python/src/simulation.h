// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// pf.Simulation: steps a mujoco.MjData of the user's in place of mj_step.
//
//   MjModel (kept alive) ─► Model ─┬─► Workspace ── borrows ──► MjData of this call
//                                  └─► Workspace …              one per thread that steps at the same time
//
// A step reads nothing from earlier ones, so a workspace serves any MjData: a program of one thread has one, however
// many MjDatas it steps. Workspaces are taken and given back with the GIL held, and used without it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "mujoco_objects.h"
#include "patchfield/io/recording.h"
#include "patchfield/sim/results.h"
#include "patchfield/sim/rollout.h"
#include "patchfield/sim/step.h"

namespace patchfield::python {

/// The patches of one step, copied when someone looks. Never changes, so arrays may view it as long as they like.
struct Snapshot {
  StepResults results;
  std::vector<std::string> geom_names;  ///< A and B of each patch in turn.
  Column<Vec3> traction;                ///< Per face: normal and friction traction on B [Pa].
  Column<int> face_offsets;             ///< Per patch num_faces + 1 offsets into its own vertices.
  Column<int> first_vertex;             ///< Per patch, and one more.
  Column<Vec3> vertex_W;
  Column<double> vertex_pressure;
};

/// Throws InputError if a callback of MuJoCo's is set that a step of ours cannot call. mjcb_control can be, with an
/// MjData that Python knows; a rollout has its own.
void check_callbacks(bool control_works);

class Simulation {
 public:
  Simulation(ModelArgument model, const ModelOptions& model_options, const SimOptions& options, double time_step);

  nb::object model_object() const { return model_object_; }
  const Model& model() const { return model_; }
  const SimOptions& options() const { return options_; }
  double time_step() const { return time_step_ > 0.0 ? time_step_ : model_.mujoco()->opt.timestep; }
  double own_time_step() const { return time_step_; }  ///< 0: the model's own.
  void set_time_step(double dt);                       ///< 0: the model's own.

  /// `n` steps without the GIL; Ctrl-C ends them between two.
  StepReport step(mjData* d, int n);
  StepReport forward(mjData* d);
  void step1(mjData* d);
  StepReport step2(mjData* d);
  const ModelOptions& model_options() const { return model_options_; }

  /// Of the last step; throws RuntimeError while another thread steps with the workspace that took it.
  std::shared_ptr<const Snapshot> snapshot();
  const Data* last_data() const;  ///< Null before the first step.
  const StepReport& report() const { return report_; }
  const RolloutReport& rollout_report() const { return rollout_report_; }
  void set_rollout_report(const RolloutReport& report) { rollout_report_ = report; }

  /// From now on steps of `d` are recorded, as long as someone holds the recorder.
  std::shared_ptr<Recorder> record(mjData* d, const std::filesystem::path& path, const RecorderOptions& options);
  static bool is_stepping(const mjData* d);

  /// Shares the model and its meshes.
  std::unique_ptr<Simulation> copy() const;

 private:
  struct Workspace {
    explicit Workspace(const Model& model, mjData* d, const SimOptions& options) : data(model, d, options) {}
    Data data;
    mjData* stepping = nullptr;  ///< Not null while in use.
    std::shared_ptr<const Snapshot> snapshot;
  };
  Simulation(const Simulation& other);
  class Lease;
  Workspace& acquire(mjData* d);
  template <class Work>
  StepReport run_once(mjData* d, const Work& work);
  std::vector<std::shared_ptr<Recorder>> recorders_of(const mjData* d);

  nb::object model_object_;
  ModelOptions model_options_;
  Model model_;
  SimOptions options_;
  double time_step_ = 0.0;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  Workspace* last_ = nullptr;
  StepReport report_;
  RolloutReport rollout_report_;
  int num_showing_ = 0;  ///< Steps that now show their time step in the user's model, to mjcb_control.
  double shown_instead_of_ = 0.0;
  std::vector<std::pair<mjData*, std::weak_ptr<Recorder>>> recorders_;
};

}  // namespace patchfield::python
