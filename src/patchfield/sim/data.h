// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Everything that changes: MuJoCo's mjData, and the memory of one step, reused by the next.
//
//   Model (const, shared)      Data (one per simulation)
//     mjModel, geometries   ×    mjData: state, inputs, sensors
//     materials, pairs           patches → problem → solution: valid until the next step
//
// After step() the members below still describe the step that was taken; results.h and ledger.h read them.

#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include <mujoco/mujoco.h>

#include "patchfield/contact/convection.h"
#include "patchfield/core/parallel.h"
#include "patchfield/geometry/broad_phase.h"
#include "patchfield/geometry/query.h"
#include "patchfield/model/model.h"
#include "patchfield/sim/error_control.h"
#include "patchfield/sim/look_ahead.h"
#include "patchfield/solver/solver.h"

namespace patchfield {

/// SAP softens near-rigid points, R_n ≥ β²w/(4π²). At its usual β = 1 and δt = 10 ms that already holds for rubber:
/// a face of a patch then carries less than A·p_c, two halves of it carry more, and a stack of boxes rattles as
/// its faces change. At 0.1 a cube of 1 GPa (τ = 0.01 s) rests 2.2 times too deep.
inline SolverOptions default_solver_options() {
  SolverOptions options;
  options.beta = 0.01;
  return options;
}

/// Where the patches of a step can be read.
enum class ContactOutput {
  kPatches,  ///< In Data::patches, and added to the forces of mjData.
  kData,     ///< Also in mjData.contact, as one contact of dimension 6 per patch, with its rows of efc_J and efc_force.
};

struct SimOptions {
  SolverOptions solver = default_solver_options();
  SurfaceOptions surface = {};
  Quadrature quadrature = Quadrature::kAutomatic;
  PressureRate pressure_rate = PressureRate::kConvected;
  int threads = 1;
  /// Error control: a step() takes as many steps as needed to keep the estimated error of each below this [m]; angles
  /// count with the length of what they move (mjModel.dof_length). 0: off, one step.
  double accuracy = 0.0;
  double min_step = 1e-5;    ///< With accuracy: steps are not made shorter than this [s] > 0.
  double max_step = 0.0;     ///< With accuracy: nor longer than this [s]; 0: the whole interval.
  bool body_forces = false;  ///< Fill cfrc_ext, cfrc_int and cacc in each step, even if no sensor reads them.
  /// Sensors of contacts (contact, tactile, plugins) ask for kData by themselves.
  ContactOutput contacts = ContactOutput::kPatches;
};

/// Steps longer than this are a mistake [s].
inline constexpr double kLargestStep = 1.0;
/// So are accuracies coarser than this [m].
inline constexpr double kLargestAccuracy = 0.1;

/// Throws InputError, naming option, value and fix, unless every option is in its range.
void check_options(const SimOptions& options);

/// The contact between one pair of geoms.
struct Patch {
  int geom_A = -1, geom_B = -1;  ///< A < B
  PatchPair pair = {};
  Pose X_WA = {}, X_WB = {};  ///< Of the geoms at the start of the step.
  ContactSurface surface = {};
  Vec3 p_WO = Vec3::Zero();  ///< Reference point o [m].
  ContactPoints points = {};
  Convection convection = {};  ///< Of each point; all zero with the paper's law.
  DiscretizeReport report = {};
  double reach = 0.0;     ///< How far ahead faces were sought [m]; 0: no further than the margins.
  bool rescued = false;   ///< The bodies were beyond each other's crests: rescue.h replaced the surface.
  bool in_plane = false;  ///< The surface is that of one body in a half space that stands for the other.
  int index = -1;         ///< In the problem; −1 if the surface has no usable face.
  int contact = -1;       ///< In mjData.contact; −1 if it is not listed there.
};

/// A point contact of MuJoCo, as a patch of one point.
struct PointContact {
  int contact = -1;  ///< In mjData.contact.
  int index = -1;    ///< Patch of the problem.
};

/// Torsional or rolling friction of a point contact (condim 4 or 6): a row of the problem, bounded by μγ_n.
struct FrictionRow {
  int point = -1;      ///< In Data::point_contacts.
  int direction = -1;  ///< 3: about the normal; 4, 5: about the tangents.
  int row = -1;        ///< Of the problem.
  double mu = 0.0;     ///< Its coefficient [m].
};

/// How an actuator takes part in a step.
enum class ActuatorMode : std::uint8_t {
  kExplicit,  ///< Force at the start of the step, as MuJoCo computes it.
  kFolded,    ///< Its derivatives are part of A.
  kRow,       ///< A row of the problem, bounded by its effort limits.
};

/// An actuator with a force linear in its length and velocity, f = f₀ − k_p·(l − l₀) − k_d·(l̇ − l̇₀).
struct ServoGains {
  double kp = 0.0, kd = 0.0;
  double force = 0.0;  ///< f₀ before any limit.
};

/// Where a row of the problem came from.
struct RowSource {
  int efc = -1;       ///< Row of MuJoCo's constraints, or −1.
  int actuator = -1;  ///< Actuator, or −1: a constraint, MuJoCo's or the friction of a point.
};

/// A body on a free joint or a ball joint of its own, which turns freely after the solve; see mean_bias.cpp.
struct FreeBody {
  int qpos = 0, dof = 0;                            ///< Of its quaternion and of its angular velocity.
  Vec3 com = Vec3::Zero();                          ///< In the frame of a free joint [m]; zero for a ball joint.
  Mat3 I = Mat3::Identity(), M = Mat3::Identity();  ///< About com, or the pivot; M with armature [kg·m²].
  Mat3 R0 = Mat3::Identity();                       ///< Of the frame at the start of the step.
  mjtNum quat[4] = {1, 0, 0, 0};                    ///< At the end of the step.
  Vec3 origin = Vec3::Zero();                       ///< Of the frame at the end of the step, if com is not zero.
};

/// Queries need scratch memory, one per running thread.
class ScratchPool {
 public:
  explicit ScratchPool(int n);
  /// Runs f with a scratch that no other thread uses meanwhile; free again afterwards, also if f throws.
  template <class F>
  void with(const F& f) {
    for (std::size_t i = 0;; i = i + 1 < entries_.size() ? i + 1 : 0)
      if (!entries_[i]->taken.exchange(true, std::memory_order_acquire)) {
        const Release release{entries_[i]->taken};
        return f(entries_[i]->scratch);
      }
  }

 private:
  struct Entry {
    std::atomic<bool> taken = false;
    SurfaceScratch scratch;
  };
  struct Release {
    std::atomic<bool>& taken;
    ~Release() { taken.store(false, std::memory_order_release); }
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

struct Data {
  /// Makes an mjData in the model's initial state (its first keyframe is not applied).
  explicit Data(const Model& model, const SimOptions& options = {});
  /// Works on an mjData of the caller's, which must outlive this.
  Data(const Model& model, mjData* borrowed, const SimOptions& options = {});

  Model model;
  SimOptions options;

  const mjModel* m() const { return model.mujoco(); }
  mjData* d() { return mujoco.get(); }
  const mjData* d() const { return mujoco.get(); }

  /// From now on works on another mjData of the same model, which must outlive the steps taken with it. A step
  /// reads nothing from earlier ones, so one Data can serve many mjDatas in turn.
  void borrow(mjData* other);

  /// Back to the initial state, or to keyframe `key` ≥ 0.
  void reset(int key = -1);

  std::shared_ptr<mjData> mujoco;

  // This step
  mjModel step_model = {};  ///< The model with this step's δt and masks; shares all columns.
  double dt = 0.0;
  Column<Aabb> boxes;  ///< Per geom; empty where it has no geometry.
  BroadPhase broad_phase;
  Column<IndexPair> candidates;                 ///< Patch pairs whose boxes meet.
  std::vector<std::unique_ptr<Patch>> patches;  ///< One per candidate; more may be kept for later.
  Column<double> reaches;                       ///< Of the candidates: how far ahead to look [m].
  int parts = 1;                                ///< What the candidates ask this step to be split into.
  bool may_split = true;                        ///< False once parts are as short as they may be.
  Column<Vec6> twist;                           ///< Of bodies; scratch of find_motions().
  Column<GeomMotion> motion, motion_end;        ///< With the velocities of the start, and those of a first solve.
  bool knows_end = false;                       ///< motion_end is filled: the step is being redone with it.
  int num_patches = 0;                          ///< = candidates.size(); 0 if finding them failed.
  int num_mujoco_contacts = 0;                  ///< The first of mjData.contact; patches that are listed follow.
  Column<PointContact> point_contacts;
  Column<FrictionRow> friction_rows;
  Column<RowSource> row_sources;
  Column<double> damping;      ///< D: −∂f/∂v of joints [per dof].
  Column<double> force;        ///< k: smooth forces at the start of the step; Coriolis forces as in mean_bias.cpp.
  Column<double> bias_change;  ///< Part of k: what it has beyond −qfrc_bias.
  Column<double> actuation;    ///< Explicit part of the actuators' forces.
  Column<FreeBody> free_bodies;
  Column<ActuatorMode> actuator_mode;
  Column<unsigned char> actuator_shares;  ///< 1: another actuator may act on the same joint.
  Column<ServoGains> servo;
  Column<double> rhs;      ///< δt·k₀ − δt²·K·v₀.
  Column<double> scratch;  ///< Of factorisations.

  ContactProblem problem;
  ContactSolution solution;  ///< Its v is that of frames frozen at the start of the step.
  Column<double> v_end;      ///< The new qvel: after free bodies have turned.
  ContactSolver solver;
  SolverReport solver_report;

  ErrorControl error_control;  ///< Memory of steps with an accuracy.

  ThreadPool threads;
  ScratchPool surface_scratch;
  bool needs_body_forces = false;  ///< By the options, or because a sensor reads accelerations or forces of bodies.
  bool lists_contacts = false;     ///< Patches are put into mjData.contact.
  Column<double> prepared;         ///< The state that step1() was called with; empty after any other step.
};

}  // namespace patchfield
