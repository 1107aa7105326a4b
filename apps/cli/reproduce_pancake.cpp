// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_pancake.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/recording.h"
#include "patchfield/io/sequence_file.h"

namespace patchfield::cli {

extern const char* const kPancakeYaml;

namespace {

constexpr double kSampleInterval = 0.02;  // [s]
constexpr double kDegrees = 180.0 / M_PI;

double thread_cpu_seconds() {
  timespec t = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Model make_model(const PancakeSetup& setup) {
  scenes::PancakeOptions scene = setup.scene;
  scene.refinement = setup.refinement;
  const Model model = Model::parse(scenes::pancake(scene));
  mjModel* own = mj_copyModel(nullptr, model.mujoco());
  own->opt.timestep = setup.dt;
  return Model::adopt(own);
}

SimOptions make_options(const PancakeSetup& setup) {
  SimOptions options;
  options.solver.kind = setup.solver;
  options.surface.tessellation = setup.tessellation;
  options.quadrature = setup.quadrature;
  options.pressure_rate = setup.pressure_rate;
  return options;
}

/// Stiffness and damping times `gains`.
Sequence with_gains(Sequence sequence, double gains) {
  sequence.tracking.frequency *= std::sqrt(gains);
  sequence.tracking.damping *= std::sqrt(gains);
  for (double& k : sequence.tracking.kp) k *= gains;
  for (double& k : sequence.tracking.kd) k *= gains;
  return sequence;
}

Pose free_body_pose(const mjModel* m, const mjData* d, int body) {
  const mjtNum* q = d->qpos + m->jnt_qposadr[m->body_jntadr[body]];
  return {Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix(), Vec3(q)};
}

/// Watches bodies of the scene while the task runs. From qpos, since MuJoCo's poses are those of the start of a step.
class Watch {
 public:
  Watch(const Model& model, const Sequence& sequence)
      : m_(model.mujoco()), arm_(find_arm(m_, sequence.tip, sequence.joints)), kinematics_(m_, arm_),
        pancake_(find_name(m_, mjOBJ_BODY, "pancake", "the scene")),
        spatula_(find_name(m_, mjOBJ_BODY, "spatula", "the scene")),
        pancake_geom_(find_name(m_, mjOBJ_GEOM, "pancake", "the scene")),
        stove_(find_name(m_, mjOBJ_GEOM, "stove", "the scene")),
        blade_(find_name(m_, mjOBJ_GEOM, "blade", "the scene")), q_(static_cast<std::size_t>(arm_.size())) {
    for (std::size_t i = 0; i < sequence.phases.size(); ++i)
      if (sequence.phases[i].name == "close") close_ = static_cast<int>(i);
  }

  void begin(const mjData* d) {
    axis_ = free_body_pose(m_, d, pancake_).R.col(2);
    const Vec3 p(m_->geom_pos + 3 * stove_);
    const int body = m_->geom_bodyid[stove_];
    mjtNum rotated[3];
    mju_rotVecQuat(rotated, p.data(), m_->body_quat + 4 * body);
    stove_center_ = Vec3(m_->body_pos + 3 * body) + Vec3(rotated);
    stove_top_ = stove_center_.z() + m_->geom_size[3 * stove_ + 1];
  }

  void after_step(const mjData* d, int phase, PancakeOutcome& outcome) {
    if (phase > close_) watch_grip(d, outcome);
    watch_blade(d, outcome);
    const mjtNum* v = d->qvel + m_->jnt_dofadr[m_->body_jntadr[pancake_]];
    const double fastest = Vec3(v).norm() + Vec3(v + 3).norm() * m_->geom_size[3 * pancake_geom_];
    last_ = d->time;
    speeds_.emplace_back(d->time, fastest);
  }

  void finish(const mjData* d, PancakeOutcome& outcome) const {
    const Pose X = free_body_pose(m_, d, pancake_);
    outcome.turn = std::acos(std::clamp(axis_.dot(X.R.col(2)), -1.0, 1.0)) * kDegrees;
    outcome.offset = (X.p - stove_center_).head<2>().norm();
    outcome.room = m_->geom_size[3 * stove_] - m_->geom_size[3 * pancake_geom_] - outcome.offset;
    outcome.height = X.p.z() - stove_top_;
    for (const auto& [time, speed] : speeds_)
      if (time > last_ - kRestTime) outcome.speed = std::max(outcome.speed, speed);
  }

 private:
  /// The spatula in the frame of the tip, against where it was grasped.
  void watch_grip(const mjData* d, PancakeOutcome& outcome) {
    kinematics_.set_surroundings(d);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = d->qpos[arm_.qpos[i]];
    const Pose X_TS = kinematics_.forward(q_).inverse() * free_body_pose(m_, d, spatula_);
    if (!grasped_) X_TS0_ = X_TS, grasped_ = true;
    const Pose moved = X_TS * X_TS0_.inverse();  // of the point of the spatula that was at the tip
    outcome.slip = std::max(outcome.slip, moved.p.norm());
    outcome.slip_angle = std::max(outcome.slip_angle, rotation_log(moved.R).norm() * kDegrees);
  }

  void watch_blade(const mjData* d, PancakeOutcome& outcome) const {
    const Pose X_WB = free_body_pose(m_, d, spatula_);
    const mjtNum* q = m_->geom_quat + 4 * blade_;
    const Mat3 R_BG = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Vec3 p_BG(m_->geom_pos + 3 * blade_), half(m_->geom_size + 3 * blade_);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 signs(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0);
      const Vec3 x = X_WB * (p_BG + R_BG * half.cwiseProduct(signs));
      if ((x - stove_center_).head<2>().norm() < m_->geom_size[3 * stove_])
        outcome.blade_depth = std::max(outcome.blade_depth, stove_top_ - x.z());
    }
  }

  const mjModel* m_;
  Arm arm_;
  InverseKinematics kinematics_;
  int pancake_, spatula_, pancake_geom_, stove_, blade_, close_ = 0;
  std::vector<double> q_;
  Vec3 axis_ = Vec3::UnitZ(), stove_center_ = Vec3::Zero();
  double stove_top_ = 0.0, last_ = 0.0;
  std::vector<std::pair<double, double>> speeds_;
  bool grasped_ = false;
  Pose X_TS0_;
};

/// Mean of times of which each is cut to twice the median of those around it: other programs interrupt some steps.
double robust_mean(const std::vector<double>& x) {
  constexpr std::size_t kAround = 12;
  double sum = 0.0;
  std::vector<double> near;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t from = i < kAround ? 0 : i - kAround, to = std::min(x.size(), i + kAround + 1);
    near.assign(x.begin() + static_cast<std::ptrdiff_t>(from), x.begin() + static_cast<std::ptrdiff_t>(to));
    const auto middle = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2);
    std::nth_element(near.begin(), middle, near.end());
    sum += std::min(x[i], 2.0 * *middle);
  }
  return x.empty() ? 0.0 : sum / static_cast<double>(x.size());
}

/// Columns of per-step numbers.
struct StepColumns {
  std::vector<double> geometry, solver, total;
  double faces = 0.0, constraints = 0.0, bin_faces = 0.0;
  int bin_steps = 0;

  void add(const StepReport& r, double time, PancakeRun& run) {
    geometry.push_back(r.times.geometry), solver.push_back(r.times.solver), total.push_back(r.times.total());
    faces += r.faces, constraints += r.points, bin_faces += r.faces;
    run.unconverged += r.solver.status != SolverStatus::kConverged;
    ++bin_steps;
    if (time + 1e-9 < kSampleInterval * static_cast<double>(run.time.size() + 1)) return;
    run.time.push_back(time), run.faces.push_back(bin_faces / bin_steps);
    bin_faces = 0.0, bin_steps = 0;
  }
};

bool is_finite(const mjModel* m, const mjData* d) {
  const auto good = [](const mjtNum* x, mjtSize n) {
    return std::all_of(x, x + n, [](double v) { return std::isfinite(v); });
  };
  return good(d->qpos, m->nq) && good(d->qvel, m->nv);
}

/// One step of the chosen engine, with control before it.
StepReport take_step(const PancakeSetup& setup, SequencePlayer& player, Data& data) {
  if (setup.engine == PancakeEngine::kPatches) {
    player.before_step(data, setup.dt);
    return step(data, setup.dt);
  }
  player.before_step(data.d(), setup.dt);
  mj_step(data.m(), data.d());
  StepReport report;
  report.point_contacts = report.points = data.d()->ncon;
  return report;
}

}  // namespace

Sequence pancake_sequence() { return read_sequence_text(kPancakeYaml, "models/pancake.yaml"); }

std::string name_of(const PancakeSetup& setup) {
  if (setup.engine == PancakeEngine::kPoints) return fmt::format("MuJoCo's points, {:g} ms", 1e3 * setup.dt);
  return fmt::format("{}, {:g} ms, {}, refinement {:g}", to_string(setup.solver), 1e3 * setup.dt,
                     to_string(setup.tessellation), setup.refinement);
}

bool PancakeOutcome::success() const { return reason().empty(); }

std::string PancakeOutcome::reason() const {
  if (diverged) return "diverged";
  if (!(std::abs(turn - kTurnWanted) <= kTurnTolerance)) return fmt::format("turned by {:.0f}°", turn);
  if (!(room >= 0.0 && height > 0.0)) return fmt::format("{:.0f} mm beside the stove", -1e3 * room);
  if (!(speed < kRestSpeed)) return fmt::format("still moves at {:.2g} mm/s", 1e3 * speed);
  if (!(slip < kSlipDistance)) return fmt::format("spatula slipped by {:.1f} mm", 1e3 * slip);
  if (!(slip_angle < kSlipAngle)) return fmt::format("spatula turned in the grip by {:.1f}°", slip_angle);
  return {};
}

PancakeRun run_pancake(const PancakeSetup& setup, const Sequence& sequence, const std::filesystem::path& recording) {
  Data data(make_model(setup), make_options(setup));
  SequencePlayer player(with_gains(sequence, setup.gains), data.model);
  player.reset(data);
  Watch watch(data.model, sequence);
  watch.begin(data.d());
  std::unique_ptr<Recorder> recorder;
  if (!recording.empty())
    recorder = std::make_unique<Recorder>(
        recording, data, RecorderOptions{.title = "pancake: " + name_of(setup), .frames_per_second = 30.0});

  PancakeRun run;
  run.setup = setup;
  for (const Phase& phase : sequence.phases) run.phases.push_back(phase.name);
  StepColumns columns;
  while (!player.finished()) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = thread_cpu_seconds();
    const StepReport report = take_step(setup, player, data);
    run.cpu += thread_cpu_seconds() - cpu_start;
    run.wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++run.steps;
    if (!is_finite(data.m(), data.d())) {
      run.outcome.diverged = true;
      break;
    }
    columns.add(report, data.d()->time, run);
    watch.after_step(data.d(), player.phase(), run.outcome);
    if (recorder == nullptr) continue;
    recorder->signal("phase", player.phase() + 1);
    recorder->signal("grip force [N]", player.grip());
    recorder->after_step(data);
  }
  run.events = player.events();
  run.duration = data.d()->time;
  if (!run.outcome.diverged) watch.finish(data.d(), run.outcome);
  for (const SequenceEvent& event : run.events) run.outcome.timeouts += event.ended_by == PhaseEnd::kTimeout;
  run.mean_faces = columns.faces / static_cast<double>(run.steps);
  run.mean_constraints = columns.constraints / static_cast<double>(run.steps);
  run.times = {robust_mean(columns.geometry), robust_mean(columns.solver), robust_mean(columns.total)};
  if (recorder != nullptr) recorder->finish(), run.recording_bytes = recorder->num_bytes();
  return run;
}

}  // namespace patchfield::cli
