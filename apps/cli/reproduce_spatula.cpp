// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_spatula.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>

#include <fmt/format.h>

#include "patchfield/io/recording.h"
#include "scenes/scenes.h"

namespace patchfield::cli {
namespace {

constexpr double kSampleInterval = 0.04;  // [s]
constexpr double kSettling = 1.0;         // [s] after the grip has closed the spatula may still swing

/// Adds the time of its life, by the wall's clock and of this thread's CPU.
class Timer {
 public:
  Timer(double* wall, double& cpu) : wall_(wall), cpu_(cpu) {}
  ~Timer() {
    cpu_ += cpu_now() - cpu_start_;
    if (wall_ != nullptr) *wall_ += std::chrono::duration<double>(Clock::now() - start_).count();
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  static double cpu_now() {
    timespec t = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

  double* wall_;
  double& cpu_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_ = cpu_now();
};

/// Of the handle's axis, which begins along +x of the world, about the world's y: down is positive. From qpos, since
/// MuJoCo's poses are those of the start of the last step.
double handle_pitch(const Data& data, int handle) {
  const mjModel* m = data.m();
  const int joint = m->body_jntadr[m->geom_bodyid[handle]];
  const mjtNum z[3] = {0.0, 0.0, 1.0};
  mjtNum axis_B[3], axis_W[3];
  mju_rotVecQuat(axis_B, z, m->geom_quat + 4 * handle);
  mju_rotVecQuat(axis_W, axis_B, data.d()->qpos + m->jnt_qposadr[joint] + 3);
  return std::atan2(-axis_W[2], axis_W[0]);
}

/// Pitch over time → what each phase of each period did.
void measure_phases(const SquareWave& grip, SpatulaRun& run) {
  const auto pitch_at = [&](double t) {
    const auto i = static_cast<std::size_t>(std::lround(t / kSampleInterval));
    return run.pitch[std::min(i, run.pitch.size() - 1)];
  };
  const int periods = static_cast<int>(run.setup.duration / grip.period() + 1e-9);
  for (int p = 0; p < periods; ++p) {
    const double begin = p * grip.period(), loose = begin + grip.duty() * grip.period(), end = begin + grip.period();
    run.firm_drift.push_back(pitch_at(loose) - pitch_at(begin + kSettling));
    run.loose_turn.push_back(pitch_at(end) - pitch_at(loose));
  }
}

}  // namespace

SquareWave grip_force() { return {1.0, 16.0, 6.0, 0.75}; }

double SpatulaRun::worst_drift() const {
  double worst = 0.0;
  for (const double drift : firm_drift) worst = std::max(worst, std::abs(drift));
  return worst;
}

std::string name_of(const SpatulaSetup& setup) {
  return fmt::format("{}, {:g} ms, {}", to_string(setup.solver), 1e3 * setup.dt, to_string(setup.tessellation));
}

SpatulaRun run_spatula(const SpatulaSetup& setup, const std::filesystem::path& recording) {
  SimOptions options;
  options.solver.kind = setup.solver;
  options.solver.stiction_speed = setup.stiction_speed;
  options.quadrature = setup.quadrature;
  options.pressure_rate = setup.pressure_rate;
  options.surface.tessellation = setup.tessellation;
  Data data(Model::parse(scenes::spatula()), options);
  data.reset(0);
  const int handle = mj_name2id(data.m(), mjOBJ_GEOM, "handle");
  std::unique_ptr<Recorder> recorder;
  if (!recording.empty())
    recorder = std::make_unique<Recorder>(recording, data, RecorderOptions{.title = "spatula: " + name_of(setup)});

  SpatulaRun run;
  run.setup = setup;
  const SquareWave grip = grip_force();
  const long steps = std::lround(setup.duration / setup.dt);
  const long every = std::max(1L, std::lround(kSampleInterval / setup.dt));
  long faces = 0;
  const double start_pitch = handle_pitch(data, handle);
  for (long i = 0; i <= steps; ++i) {
    const double time = static_cast<double>(i) * setup.dt, force = grip(time);
    const double pitch = handle_pitch(data, handle) - start_pitch;
    if (i % every == 0) run.time.push_back(time), run.grip.push_back(force), run.pitch.push_back(pitch);
    if (i == steps) break;
    data.d()->ctrl[0] = force, data.d()->ctrl[1] = -force;
    const StepReport report = [&] {
      const Timer timer(&run.wall, run.cpu);
      return step(data, setup.dt);
    }();
    faces += report.faces;
    run.unconverged += report.solver.status != SolverStatus::kConverged;
    if (recorder == nullptr) continue;
    const Timer timer(nullptr, run.record_cpu);
    recorder->signal("grip force [N]", force);
    recorder->signal("pitch [°]", pitch * 180.0 / M_PI);
    recorder->after_step(data);
  }
  run.mean_faces = static_cast<double>(faces) / static_cast<double>(steps);
  if (recorder != nullptr) recorder->finish(), run.recording_bytes = recorder->num_bytes();
  measure_phases(grip, run);
  return run;
}

}  // namespace patchfield::cli
