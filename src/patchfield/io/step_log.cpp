// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/step_log.h"

#include "patchfield/core/check.h"
#include "patchfield/sim/ledger.h"

namespace patchfield {
namespace {

using Reals = NpzColumn<double>;
using Ints = NpzColumn<std::int32_t>;
using Longs = NpzColumn<std::int64_t>;
using Flags = NpzColumn<bool>;

/// Vectors lie in memory as rows of three numbers.
const double* numbers(const Column<Vec3>& column) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return column.empty() ? nullptr : column[0].data();
}

/// The same words as on the command line.
const char* name_of(Tessellation tessellation) {
  return tessellation == Tessellation::kPolygon ? "polygon" : "triangle";
}

/// The state of MuJoCo's data, as MuJoCo names it.
struct State {
  double time = 0.0;
  std::vector<double> qpos, qvel, act, ctrl;

  void copy(const mjModel* m, const mjData* d) {
    time = d->time;
    qpos.assign(d->qpos, d->qpos + m->nq);
    qvel.assign(d->qvel, d->qvel + m->nv);
    act.assign(d->act, d->act + m->na);
    ctrl.assign(d->ctrl, d->ctrl + m->nu);
  }
};

struct StateColumns {
  StateColumns(NpzWriter& w, const mjModel* m)
      : time(w.add_column<double>("time")), qpos(w.add_column<double>("qpos", {m->nq})),
        qvel(w.add_column<double>("qvel", {m->nv})), act(w.add_column<double>("act", {m->na})),
        ctrl(w.add_column<double>("ctrl", {m->nu})) {}
  Reals time, qpos, qvel, act, ctrl;

  void append(NpzWriter& w, const State& s) const {
    w.append(time, s.time);
    w.append(qpos, s.qpos.data(), 1), w.append(qvel, s.qvel.data(), 1);
    w.append(act, s.act.data(), 1), w.append(ctrl, s.ctrl.data(), 1);
  }
};

/// A table whose columns are named next to the member they hold, so that the list stands in one place.
template <class Row, class T>
class Table {
 public:
  struct Entry {
    const char* name;
    T (*get)(const Row&);
  };
  Table(NpzWriter& w, const std::vector<Entry>& entries) : entries_(entries) {
    for (const Entry& entry : entries_) columns_.push_back(w.add_column<T>(std::string("step_") + entry.name));
  }
  void append(NpzWriter& w, const Row& row) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) w.append(columns_[i], entries_[i].get(row));
  }

 private:
  std::vector<Entry> entries_;
  std::vector<NpzColumn<T>> columns_;
};

using R = StepReport;
const std::vector<Table<R, std::int32_t>::Entry> kCounts = {
    {"patches", [](const R& r) { return r.patches; }},
    {"faces", [](const R& r) { return r.faces; }},
    {"waiting_faces", [](const R& r) { return r.waiting_faces; }},
    {"points", [](const R& r) { return r.points; }},
    {"point_contacts", [](const R& r) { return r.point_contacts; }},
    {"rows", [](const R& r) { return r.rows; }},
    {"dropped_faces", [](const R& r) { return r.dropped_faces; }},
    {"grazing_faces", [](const R& r) { return r.grazing_faces; }},
    {"look_ahead_pairs", [](const R& r) { return r.look_ahead_pairs; }},
    {"split_steps", [](const R& r) { return r.split_steps; }},
    {"repeated_solves", [](const R& r) { return r.repeated_solves; }},
    {"rescued_pairs", [](const R& r) { return r.rescued_pairs; }},
    {"status", [](const R& r) { return static_cast<std::int32_t>(r.solver.status); }},
    {"iterations", [](const R& r) { return r.solver.iterations; }},
    {"total_iterations", [](const R& r) { return r.solver.total_iterations; }},
    {"line_search_evaluations", [](const R& r) { return r.solver.line_search_evaluations; }},
    {"islands", [](const R& r) { return r.solver.islands; }},
    {"unconverged_islands", [](const R& r) { return r.solver.unconverged_islands; }},
    {"substeps", [](const R& r) { return r.solver.substeps; }},
    {"fallbacks", [](const R& r) { return r.solver.fallbacks; }},
    {"inner_steps", [](const R& r) { return r.steps; }},
    {"rejected_steps", [](const R& r) { return r.rejected_steps; }},
    {"steps_at_minimum", [](const R& r) { return r.steps_at_minimum; }},
};
const std::vector<Table<R, double>::Entry> kReals = {
    {"residual", [](const R& r) { return r.solver.residual; }},
    {"cost", [](const R& r) { return r.solver.cost; }},
    {"smallest_step", [](const R& r) { return r.smallest_step; }},
    {"largest_error", [](const R& r) { return r.largest_error; }},
    {"seconds_dynamics", [](const R& r) { return r.times.dynamics; }},
    {"seconds_geometry", [](const R& r) { return r.times.geometry; }},
    {"seconds_assembly", [](const R& r) { return r.times.assembly; }},
    {"seconds_solver", [](const R& r) { return r.times.solver; }},
    {"seconds_output", [](const R& r) { return r.times.output; }},
};
using L = EnergyLedger;
const std::vector<Table<L, double>::Entry> kLedger = {
    {"kinetic_start", [](const L& l) { return l.kinetic_start; }},
    {"kinetic_end", [](const L& l) { return l.kinetic_end; }},
    {"potential_start", [](const L& l) { return l.potential_start; }},
    {"work_bias", [](const L& l) { return l.work_bias; }},
    {"work_passive", [](const L& l) { return l.work_passive; }},
    {"work_actuators", [](const L& l) { return l.work_actuators; }},
    {"work_applied", [](const L& l) { return l.work_applied; }},
    {"work_contact", [](const L& l) { return l.work_contact; }},
    {"work_rows", [](const L& l) { return l.work_rows; }},
    {"lost_friction", [](const L& l) { return l.lost_friction; }},
    {"lost_normal", [](const L& l) { return l.lost_normal; }},
    {"lost_damping", [](const L& l) { return l.lost_damping; }},
};

struct PatchColumns {
  explicit PatchColumns(NpzWriter& w)
      : geom_A(w.add_column<std::int32_t>("patch_geom_A")), geom_B(w.add_column<std::int32_t>("patch_geom_B")),
        area(w.add_column<double>("patch_area")), waiting_area(w.add_column<double>("patch_waiting_area")),
        force(w.add_column<double>("patch_force", {3})), moment(w.add_column<double>("patch_moment", {3})),
        cop(w.add_column<double>("patch_cop", {3})), normal_force(w.add_column<double>("patch_normal_force")),
        dissipation(w.add_column<double>("patch_dissipation")) {}
  Ints geom_A, geom_B;
  Reals area, waiting_area, force, moment, cop, normal_force, dissipation;

  void append(NpzWriter& w, const PatchResults& p) const {
    const int n = p.size();
    w.append(geom_A, p.geom_A.data(), n), w.append(geom_B, p.geom_B.data(), n);
    w.append(area, p.area.data(), n), w.append(waiting_area, p.waiting_area.data(), n);
    w.append(force, numbers(p.force_W), n), w.append(moment, numbers(p.moment_P_W), n);
    w.append(cop, numbers(p.p_WP), n);
    w.append(normal_force, p.normal_force.data(), n), w.append(dissipation, p.dissipation.data(), n);
  }
};

struct FaceColumns {
  explicit FaceColumns(NpzWriter& w)
      : area(w.add_column<double>("face_area")), pressure(w.add_column<double>("face_pressure")),
        normal_traction(w.add_column<double>("face_normal_traction")),
        friction(w.add_column<double>("face_friction", {3})), slip(w.add_column<double>("face_slip_velocity", {3})),
        sticks(w.add_column<bool>("face_sticks")), centroid(w.add_column<double>("face_centroid", {3})),
        normal(w.add_column<double>("face_normal", {3})), dissipation(w.add_column<double>("face_dissipation")),
        vertex(w.add_column<double>("vertex_position", {3})), vertex_pressure(w.add_column<double>("vertex_pressure")) {
  }
  Reals area, pressure, normal_traction, friction, slip;
  Flags sticks;
  Reals centroid, normal, dissipation, vertex, vertex_pressure;

  void append(NpzWriter& w, const FaceResults& f) const {
    const int n = f.size();
    w.append(area, f.area.data(), n), w.append(pressure, f.pressure.data(), n);
    w.append(normal_traction, f.normal_traction.data(), n);
    w.append(friction, numbers(f.friction_W), n), w.append(slip, numbers(f.slip_velocity_W), n);
    static_assert(sizeof(bool) == 1);  // the column holds 0 and 1, so its bytes are those of bools
    w.append(sticks, reinterpret_cast<const bool*>(f.sticks.data()), n);
    w.append(centroid, numbers(f.centroid_W), n), w.append(normal, numbers(f.nhat_AB_W), n);
    w.append(dissipation, f.dissipation.data(), n);
  }
};

}  // namespace

struct StepLog::Columns {
  Columns(const std::filesystem::path& path, const Data& data, const StepLogOptions& options_)
      : options(options_), writer(path), states(writer, data.m()),
        step_index(writer.add_column<std::int64_t>("step_index")), counts(writer, kCounts), reals(writer, kReals),
        ledger(writer, kLedger), patches(writer), faces(writer),
        step_patch_start(writer.add_column<std::int64_t>("step_patch_start")),
        patch_face_start(writer.add_column<std::int64_t>("patch_face_start")),
        face_vertex_start(writer.add_column<std::int64_t>("face_vertex_start")) {
    for (const Longs& offsets : {step_patch_start, patch_face_start, face_vertex_start}) writer.append(offsets, 0);
  }

  void collect_vertices(const Data& data);
  void append_patches(const Data& data);
  void describe(const Data& data, std::string_view ended);

  StepLogOptions options;
  NpzWriter writer;
  StateColumns states;
  Longs step_index;
  Table<StepReport, std::int32_t> counts;
  Table<StepReport, double> reals;
  Table<EnergyLedger, double> ledger;
  PatchColumns patches;
  FaceColumns faces;
  Longs step_patch_start, patch_face_start, face_vertex_start;

  State start;  ///< Of the step under way.
  bool under_way = false;
  std::int64_t steps = 0;  ///< Taken, logged or not.
  std::int64_t logged_steps = 0;
  std::int64_t num_patches = 0, num_faces = 0, num_vertices = 0;
  StepResults results;
  Column<Vec3> vertices;  ///< Of this step's faces …
  Column<double> pressures;
  Column<std::int64_t> vertex_ends, face_ends;  ///< … and where the next face and the next patch begin.
};

/// Gathers the polygons of all faces, so that each column grows by one call per step.
void StepLog::Columns::collect_vertices(const Data& data) {
  vertices.clear(), pressures.clear(), vertex_ends.clear();
  for (int k = 0; k < results.faces.size(); ++k) {
    const int slot = results.patches.slot[results.faces.patch[k]], face = results.faces.face[k];
    const ContactSurface& surface = data.patches[static_cast<std::size_t>(slot)]->surface;
    for (int v = surface.face_start[face]; v < surface.face_start[face + 1]; ++v) {
      vertices.push_back(surface.vertex_W[v]);
      pressures.push_back(surface.vertex_pressure[v]);
    }
    vertex_ends.push_back(num_vertices + vertices.size());
  }
}

void StepLog::Columns::append_patches(const Data& data) {
  collect_results(data, results);
  collect_vertices(data);
  const PatchResults& p = results.patches;
  face_ends.clear();
  for (int j = 0; j < p.size(); ++j) face_ends.push_back(num_faces + p.first_face[j] + p.num_faces[j]);
  num_patches += p.size(), num_faces += results.faces.size(), num_vertices += vertices.size();

  patches.append(writer, p);
  faces.append(writer, results.faces);
  writer.append(faces.vertex, numbers(vertices), vertices.size());
  writer.append(faces.vertex_pressure, pressures.data(), pressures.size());
  writer.append(step_patch_start, num_patches);
  writer.append(patch_face_start, face_ends.data(), face_ends.size());
  writer.append(face_vertex_start, vertex_ends.data(), vertex_ends.size());
}

/// What a reader needs to understand the columns.
void StepLog::Columns::describe(const Data& data, std::string_view ended) {
  std::vector<std::string> names;
  for (int g = 0; g < data.model.num_geoms(); ++g) names.push_back(data.model.geom(g).name);
  std::vector<std::string> statuses;
  for (int s = 0; s <= static_cast<int>(SolverStatus::kBadInput); ++s)
    statuses.emplace_back(to_string(static_cast<SolverStatus>(s)));
  writer.add_texts("geom_names", names);
  writer.add_texts("status_names", statuses);
  writer.add_text("model", options.model);
  writer.add_text("solver", to_string(data.options.solver.kind));
  writer.add_text("tessellation", name_of(data.options.surface.tessellation));
  writer.add_text("quadrature", to_string(data.options.quadrature));
  writer.add_text("pressure_rate", to_string(data.options.pressure_rate));
  writer.add_text("ended", std::string(ended));
  writer.add_scalar("max_face_size", data.options.surface.max_face_size);
  writer.add_scalar("time_step", options.time_step);
  writer.add_scalar("accuracy", data.options.accuracy);
  writer.add_scalar("log_every", static_cast<std::int64_t>(options.every));
  writer.add_scalar("num_steps", steps);
}

StepLog::StepLog(const std::filesystem::path& path, const Data& data, const StepLogOptions& options) {
  if (options.every < 1) throw InputError("the log must hold every 1st, 2nd, 3rd, … step: give a number of 1 or more");
  columns_ = std::make_unique<Columns>(path, data, options);
}

StepLog::~StepLog() = default;

std::int64_t StepLog::logged_steps() const { return columns_->logged_steps; }

void StepLog::begin_step(const Data& data) {
  columns_->start.copy(data.m(), data.d());
  columns_->under_way = true;
}

void StepLog::end_step(const Data& data, const StepReport& report) {
  Columns& c = *columns_;
  PATCHFIELD_ASSERT(c.under_way);
  c.under_way = false;
  const std::int64_t index = c.steps++;
  if (index % c.options.every != 0) return;
  c.states.append(c.writer, c.start);
  c.writer.append(c.step_index, index);
  c.counts.append(c.writer, report);
  c.reals.append(c.writer, report);
  c.ledger.append(c.writer, energy_ledger(data));
  c.append_patches(data);
  ++c.logged_steps;
}

void StepLog::finish(const Data& data, std::string_view ended) {
  Columns& c = *columns_;
  if (!c.under_way) c.start.copy(data.m(), data.d());
  c.states.append(c.writer, c.start);
  c.describe(data, ended);
  c.writer.finish();
}

}  // namespace patchfield
