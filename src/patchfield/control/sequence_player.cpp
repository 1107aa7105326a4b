// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/sequence_player.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kRounding = 1e-9;           // [s] sums of steps
constexpr double kPlanStep = 0.01;           // [s] between the samples of a path that are checked
constexpr double kReachDistance = 1e-4;      // [m] within which a keyframe counts as reached
constexpr double kReachAngle = 1e-3;         // [rad]
constexpr double kLargestJointSpeed = 20.0;  // [rad/s] bounds the step of a joint along a path
constexpr double kStopTime = 0.1;  // [s] a motion cut short comes to rest within this, if the next phase stays
constexpr double kDegree = M_PI / 180.0;

[[noreturn]] void fail(const Phase& phase, std::size_t number, const std::string& text) {
  throw InputError(fmt::format("{}{}phase {} \"{}\": {}", phase.place, phase.place.empty() ? "" : ": ", number + 1,
                               phase.name, text));
}

/// Runs f and puts the phase in front of what it throws.
template <class F>
auto in_phase(const Phase& phase, std::size_t number, const F& f) {
  try {
    return f();
  } catch (const InputError& error) {
    fail(phase, number, error.what());
  }
}

void check_phase(const Phase& phase, std::size_t number) {
  if (!(phase.duration > 0.0 && std::isfinite(phase.duration)))
    fail(phase, number, fmt::format("duration = {} s must be above 0 and finite", phase.duration));
  if (phase.until && !(phase.timeout >= phase.duration && std::isfinite(phase.timeout)))
    fail(phase, number,
         fmt::format("timeout = {} s must not be shorter than the duration {} s", phase.timeout, phase.duration));
  if (phase.grip && !std::isfinite(phase.grip->force)) fail(phase, number, "grip must be finite");
}

std::vector<double> times_of(const Phase& phase) {
  std::vector<double> times;
  for (const TipPose& pose : phase.path) times.push_back(pose.at);
  if (times.empty()) times.push_back(std::min(kStopTime, phase.duration));
  return times;
}

}  // namespace

const char* to_string(PhaseEnd end) {
  switch (end) {
    case PhaseEnd::kTime: return "time";
    case PhaseEnd::kGuard: return "guard";
    case PhaseEnd::kTimeout: return "time-out";
  }
  return "?";
}

struct SequencePlayer::State {
  /// What a phase needs, made once.
  struct Ready {
    Se3Path path;
    std::vector<Pose> keyframes;
    std::vector<int> frames;  ///< Site of each keyframe, or −1.
    std::optional<Guard> guard;
    std::vector<PatchSelector> grip_patches;
  };

  State(const Sequence& s, const Model& m)
      : sequence(s), model(m), arm(find_arm(m.mujoco(), s.tip, s.joints)), gripper(m.mujoco(), s.gripper),
        ik(m.mujoco(), arm), dynamics(m.mujoco()), tracker(m.mujoco(), arm, s.tracking) {
    const auto n = static_cast<std::size_t>(arm.size());
    q.resize(n), qdot.resize(n), qddot.resize(n), last_qdot.resize(n);
    start_key = s.start.empty() ? -1 : find_name(m.mujoco(), mjOBJ_KEY, s.start, "start");
    for (std::size_t i = 0; i < s.phases.size(); ++i)
      ready.push_back(in_phase(s.phases[i], i, [&] { return prepare(s.phases[i], i); }));
    events.reserve(s.phases.size());
  }

  Ready prepare(const Phase& phase, std::size_t number) const {
    check_phase(phase, number);
    const std::vector<double> times = times_of(phase);
    Ready r{.path = Se3Path(times),
            .keyframes = std::vector<Pose>(times.size()),
            .frames = {},
            .guard = {},
            .grip_patches = {}};
    for (const TipPose& pose : phase.path)
      r.frames.push_back(pose.kind == TipPose::Kind::kFrame ? find_name(model.mujoco(), mjOBJ_SITE, pose.frame, "frame")
                                                            : -1);
    if (phase.until) r.guard.emplace(model.mujoco(), *phase.until);
    if (phase.grip)
      for (const std::string& pair : phase.grip->patches) r.grip_patches.emplace_back(model.mujoco(), pair);
    return r;
  }

  /// Of the tip's keyframes in a phase that begins at `from`; sites are where `d` has them.
  void resolve(std::size_t i, const FrameMotion& from, const mjData* d) {
    const Phase& p = sequence.phases[i];
    Ready& r = ready[i];
    Pose last = from.X_WT;
    for (std::size_t k = 0; k < p.path.size(); ++k) {
      const TipPose& pose = p.path[k];
      const Mat3 R = pose.R.value_or(Mat3::Identity());
      switch (pose.kind) {
        case TipPose::Kind::kWorld: last = {pose.R ? R : last.R, pose.p}; break;
        case TipPose::Kind::kRelativeWorld: last = {R * last.R, last.p + pose.p}; break;
        case TipPose::Kind::kRelativeTip: last = {last.R * R, last.p + last.R * pose.p}; break;
        case TipPose::Kind::kFrame: {
          const Pose X_WF = site_pose(d, r.frames[k]);
          last = {pose.R ? Mat3(X_WF.R * R) : last.R, X_WF * pose.p};
        }
      }
      r.keyframes[k] = last;
    }
    // Nowhere to go: come to rest over the way that a constant deceleration takes.
    if (p.path.empty()) {
      const double t = 0.5 * r.path.duration();
      r.keyframes[0] = {rotation_exp(t * from.w) * last.R, last.p + t * from.v};
    }
    r.path.set(from, r.keyframes);
  }

  static Pose site_pose(const mjData* d, int site) {
    Pose X;
    X.R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->site_xmat + 9 * site);
    X.p = Eigen::Map<const Vec3>(d->site_xpos + 3 * site);
    return X;
  }

  void restart(const mjData* d);
  void plan(const mjData* d);
  void check_reach(std::size_t i, std::size_t keyframe, const IkResult& result, const Pose& wanted);
  template <class Source>
  void before_step(const Source& source, mjData* d, double dt);
  template <class Source>
  void advance_phase(const Source& source, double now, double dt);
  void begin_phase(std::size_t i, double now);
  void end_phase(PhaseEnd by, double now);
  void move_command(double now, double dt);
  template <class Source>
  double update_grip(const Source& source, double now, double dt);

  Sequence sequence;
  Model model;
  Arm arm;
  Gripper gripper;
  InverseKinematics ik;
  StateDynamics dynamics;
  JointTracker tracker;
  std::vector<Ready> ready;
  int start_key = -1;

  // What was played
  std::size_t current = 0;   ///< Phase; ready.size() after the last.
  bool begun = false;        ///< The first phase has.
  double phase_begin = 0.0;  ///< [s]
  double grip_begin = 0.0, grip_now = 0.0;
  FrameMotion command;  ///< At the end of the next step.
  std::vector<double> q, qdot, qddot, last_qdot;
  std::vector<SequenceEvent> events;
};

namespace {

/// Forces of patches and points after step(), or of MuJoCo's contacts after mj_step().
struct PatchSource {
  const Data& data;
  ContactForce operator()(const PatchSelector& s, const Vec3& p) const { return s.measure(data, p); }
  bool operator()(Guard& g, const Vec3& p, double dt) const { return g.update(data, p, dt); }
};
struct PointSource {
  const mjModel* m;
  const mjData* d;
  ContactForce operator()(const PatchSelector& s, const Vec3& p) const { return s.measure(m, d, p); }
  bool operator()(Guard& g, const Vec3& p, double dt) const { return g.update(m, d, p, dt); }
};

}  // namespace

void SequencePlayer::State::restart(const mjData* d) {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = d->qpos[arm.qpos[i]], qdot[i] = qddot[i] = last_qdot[i] = 0.0;
  ik.set_surroundings(d);
  command = {.X_WT = ik.forward(q)};
  gripper.reset(d);
  for (Ready& r : ready)
    if (r.guard) r.guard->reset();
  events.clear();
  current = 0, begun = false, grip_begin = grip_now = 0.0;
}

void SequencePlayer::State::check_reach(std::size_t i, std::size_t keyframe, const IkResult& result,
                                        const Pose& wanted) {
  if (result.distance <= kReachDistance && result.angle <= kReachAngle) return;
  const Phase& p = sequence.phases[i];
  fail(p, i,
       fmt::format("the arm does not reach keyframe {} of {} at ({:.3f}, {:.3f}, {:.3f}) m: its tip stays {:.4f} m and "
                   "{:.2f}° away. "
                   "Move the keyframe, turn it, or add a via pose that leads around joint limits",
                   keyframe + 1, std::max<std::size_t>(1, p.path.size()), wanted.p.x(), wanted.p.y(), wanted.p.z(),
                   result.distance, result.angle / kDegree));
}

/// Follows all paths at their full length, without guards, and throws if a keyframe is out of reach.
void SequencePlayer::State::plan(const mjData* d) {
  restart(d);
  dynamics.update(d);
  FrameMotion at = command;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    if (sequence.phases[i].path.empty()) continue;
    resolve(i, at, dynamics.data());
    const Ready& r = ready[i];
    for (std::size_t k = 0; k < r.keyframes.size(); ++k) {
      const Pose& before = k == 0 ? at.X_WT : r.keyframes[k - 1];
      if (rotation_log(before.R.transpose() * r.keyframes[k].R).norm() > 179.9 * kDegree)
        fail(sequence.phases[i], i,
             fmt::format("keyframe {} turns by 180°, which has no shortest way. Add a via pose between", k + 1));
      const double begin = k == 0 ? 0.0 : sequence.phases[i].path[k - 1].at, end = sequence.phases[i].path[k].at;
      const int samples = std::max(1, static_cast<int>(std::ceil((end - begin) / kPlanStep)));
      IkResult result;
      for (int s = 1; s <= samples; ++s)
        result = ik.solve(r.path.at(begin + (end - begin) * s / samples).X_WT, q,
                          {.max_change = kLargestJointSpeed * (end - begin) / samples});
      check_reach(i, k, result, r.keyframes[k]);
    }
    at = {.X_WT = r.keyframes.back()};
  }
}

void SequencePlayer::State::begin_phase(std::size_t i, double now) {
  current = i, begun = true, phase_begin = now, grip_begin = grip_now;
  if (i == ready.size()) return;
  resolve(i, command, dynamics.data());
  if (ready[i].guard) ready[i].guard->reset();
  if (ready[i].grip_patches.empty()) gripper.stop_measuring();
  events.push_back({.phase = static_cast<int>(i), .begin = now, .end = now - 1.0});
}

void SequencePlayer::State::end_phase(PhaseEnd by, double now) {
  SequenceEvent& event = events.back();
  event.end = now, event.ended_by = by;
  if (ready[current].guard) event.guard_value = ready[current].guard->value();
  begin_phase(current + 1, now);
}

/// Ends the running phase if its guard or its time says so.
template <class Source>
void SequencePlayer::State::advance_phase(const Source& source, double now, double dt) {
  if (!begun) begin_phase(0, now);
  if (current == ready.size()) return;
  const Phase& p = sequence.phases[current];
  const double elapsed = now - phase_begin;
  Guard* guard = ready[current].guard ? &*ready[current].guard : nullptr;
  const bool passed = guard != nullptr && elapsed > kRounding && source(*guard, command.X_WT.p, dt);
  if (passed) end_phase(PhaseEnd::kGuard, now);
  else if (elapsed >= (guard != nullptr ? p.timeout : p.duration) - kRounding)
    end_phase(guard != nullptr ? PhaseEnd::kTimeout : PhaseEnd::kTime, now);
}

/// The path at the end of the step, as joint motion.
void SequencePlayer::State::move_command(double now, double dt) {
  std::swap(last_qdot, qdot);
  if (current < ready.size()) command = ready[current].path.at(now + dt - phase_begin);
  else command = {.X_WT = command.X_WT};
  const IkResult result = ik.solve(command.X_WT, q, {.max_iterations = 20, .max_change = kLargestJointSpeed * dt});
  ik.joint_velocities(command.w, command.v, qdot);
  for (std::size_t i = 0; i < q.size(); ++i) qddot[i] = (qdot[i] - last_qdot[i]) / dt;
  if (events.empty()) return;
  events.back().tip_error = std::max(events.back().tip_error, result.distance);
  events.back().tip_angle = std::max(events.back().tip_angle, result.angle);
}

template <class Source>
double SequencePlayer::State::update_grip(const Source& source, double now, double dt) {
  if (current == ready.size() || !sequence.phases[current].grip) return grip_now;
  const Phase& p = sequence.phases[current];
  const double share = std::min(1.0, (now + dt - phase_begin) / p.duration);
  grip_now = grip_begin + share * (p.grip->force - grip_begin);
  // In the first step of a phase the forces may be of another run: a rollout before this one.
  if (!ready[current].grip_patches.empty() && now > phase_begin + kRounding) {
    double sum = 0.0;
    for (const PatchSelector& s : ready[current].grip_patches) sum += source(s, command.X_WT.p).force.norm();
    gripper.measure(grip_now, sum / static_cast<double>(ready[current].grip_patches.size()), dt);
  }
  return grip_now;
}

// Errors are taken at the start of the step, against what was commanded for it; the acceleration leads to its end.
template <class Source>
void SequencePlayer::State::before_step(const Source& source, mjData* d, double dt) {
  const double now = d->time;
  dynamics.update(d);
  ArmVector q_now = Eigen::Map<const VecX>(q.data(), static_cast<Eigen::Index>(q.size()));
  advance_phase(source, now, dt);
  move_command(now, dt);
  const int cut =
      tracker.track({q_now.data(), q.size()}, last_qdot, qddot, dynamics, d) +
      gripper.apply(update_grip(source, now, dt), dynamics, [&](int dof) { return tracker.inertial_force(dof); }, d);
  if (events.empty()) return;
  SequenceEvent& event = events.back();
  event.saturated += cut > 0;
  for (std::size_t i = 0; i < q.size(); ++i)
    event.tracking_error =
        std::max(event.tracking_error, std::abs(q_now[static_cast<Eigen::Index>(i)] - d->qpos[arm.qpos[i]]));
}

SequencePlayer::SequencePlayer(const Sequence& sequence, const Model& model) {
  try {
    state_ = std::make_unique<State>(sequence, model);
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (sequence.place.empty() || text.starts_with(sequence.place)) throw;
    throw InputError(fmt::format("{}: {}", sequence.place, text));
  }
  Data data(model);
  data.reset(state_->start_key);
  state_->plan(data.d());
  state_->restart(data.d());
}
SequencePlayer::~SequencePlayer() = default;
SequencePlayer::SequencePlayer(SequencePlayer&&) noexcept = default;
SequencePlayer& SequencePlayer::operator=(SequencePlayer&&) noexcept = default;

void SequencePlayer::reset(Data& data) {
  data.reset(state_->start_key);
  state_->restart(data.d());
}

void SequencePlayer::restart(const mjData* d) { state_->restart(d); }

void SequencePlayer::before_step(Data& data, double dt) { state_->before_step(PatchSource{data}, data.d(), dt); }

void SequencePlayer::before_step(mjData* d, double dt) {
  state_->before_step(PointSource{state_->model.mujoco(), d}, d, dt);
}

bool SequencePlayer::finished() const { return state_->current == state_->ready.size(); }
int SequencePlayer::start_keyframe() const { return state_->start_key; }
int SequencePlayer::phase() const { return static_cast<int>(state_->current); }
double SequencePlayer::grip() const { return state_->grip_now; }
const FrameMotion& SequencePlayer::command() const { return state_->command; }
const Sequence& SequencePlayer::sequence() const { return state_->sequence; }
const std::vector<SequenceEvent>& SequencePlayer::events() const { return state_->events; }

std::string describe(const Sequence& sequence, const SequenceEvent& event) {
  std::string line =
      fmt::format("{:7.3f} s  {}", event.begin, sequence.phases[static_cast<std::size_t>(event.phase)].name);
  if (event.end < event.begin) return line + ": running";
  line += fmt::format(": {} after {:.3f} s", to_string(event.ended_by), event.end - event.begin);
  if (sequence.phases[static_cast<std::size_t>(event.phase)].until)
    line += fmt::format(" at {:.3g}", event.guard_value);
  if (event.tip_error > kReachDistance || event.tip_angle > kReachAngle)
    line += fmt::format(", {:.4f} m and {:.2f}° out of reach", event.tip_error, event.tip_angle / kDegree);
  if (event.saturated > 0) line += fmt::format(", motors at their limits in {} steps", event.saturated);
  return line;
}

}  // namespace patchfield
