// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bodies.h"
#include "compliance.h"
#include "gil.h"
#include "patchfield/io/volume_maker.h"
#include "patchfield/sim/rollout.h"
#include "patchfield/sim/taxels.h"
#include "simulation.h"
#include "words.h"

namespace patchfield::python {
namespace {

using Cells = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using Batch = nb::ndarray<nb::numpy, double, nb::ndim<3>, nb::c_contig>;

/// One patch of a snapshot.
struct PatchView {
  std::shared_ptr<const Snapshot> snapshot;
  int row;

  const PatchResults& patches() const { return snapshot->results.patches; }
  const FaceResults& faces() const { return snapshot->results.faces; }
  const std::string& name(int side) const { return snapshot->geom_names[static_cast<std::size_t>(2 * row + side)]; }
  int num_faces() const { return patches().num_faces[row]; }
  int num_vertices() const { return snapshot->first_vertex[row + 1] - snapshot->first_vertex[row]; }
  template <class T>
  auto face_view(const Column<T>& column) const {
    return view(column, patches().first_face[row], num_faces());
  }
  template <class T>
  auto vertex_view(const Column<T>& column) const {
    return view(column, snapshot->first_vertex[row], num_vertices());
  }
  Integers face_offsets() const {
    return view(snapshot->face_offsets, patches().first_face[row] + row, num_faces() + 1);
  }
};

// Patch ---------------------------------------------------------------------------------------

void bind_patch(nb::module_& m) {
  using P = PatchView;
  nb::class_<P>(
      m, "Patch",
      "The contact between two geoms in one step. Forces are on B, the mean over the step; geometry is that of its "
      "start; world frame. Arrays are read-only views that outlive the simulation.")
      .def_prop_ro(
          "names", [](const P& p) { return std::pair(p.name(0), p.name(1)); }, "Of the geoms A and B.")
      .def_prop_ro(
          "geom_A", [](const P& p) { return p.patches().geom_A[p.row]; }, "Id of geom A.")
      .def_prop_ro(
          "geom_B", [](const P& p) { return p.patches().geom_B[p.row]; }, "Id of geom B.")
      .def_prop_ro("num_faces", &P::num_faces)
      .def_prop_ro(
          "area", [](const P& p) { return p.patches().area[p.row]; }, doc::PatchResults_area)
      .def_prop_ro(
          "waiting_area", [](const P& p) { return p.patches().waiting_area[p.row]; }, doc::PatchResults_waiting_area)
      .def_prop_ro(
          "force", [](const P& p) { return to_numpy(p.patches().force_W[p.row]); }, kCopied, doc::PatchResults_force_W)
      .def_prop_ro(
          "moment", [](const P& p) { return to_numpy(p.patches().moment_P_W[p.row]); }, kCopied,
          "Net moment on B about the centre of pressure [N·m].")
      .def_prop_ro(
          "cop", [](const P& p) { return to_numpy(p.patches().p_WP[p.row]); }, kCopied, doc::PatchResults_p_WP)
      .def_prop_ro(
          "normal_force", [](const P& p) { return p.patches().normal_force[p.row]; }, doc::PatchResults_normal_force)
      .def_prop_ro(
          "dissipation", [](const P& p) { return p.patches().dissipation[p.row]; }, doc::PatchResults_dissipation)
      .def_prop_ro(
          "face_area", [](const P& p) { return p.face_view(p.faces().area); }, doc::FaceResults_area)
      .def_prop_ro(
          "centroid", [](const P& p) { return p.face_view(p.faces().centroid_W); }, doc::FaceResults_centroid_W)
      .def_prop_ro(
          "normal", [](const P& p) { return p.face_view(p.faces().nhat_AB_W); }, doc::FaceResults_nhat_AB_W)
      .def_prop_ro(
          "pressure", [](const P& p) { return p.face_view(p.faces().pressure); }, doc::FaceResults_pressure)
      .def_prop_ro(
          "traction", [](const P& p) { return p.face_view(p.snapshot->traction); },
          "Normal and friction traction on B [Pa]; times face_area they sum to the force.")
      .def_prop_ro(
          "normal_traction", [](const P& p) { return p.face_view(p.faces().normal_traction); },
          doc::FaceResults_normal_traction)
      .def_prop_ro(
          "friction", [](const P& p) { return p.face_view(p.faces().friction_W); }, doc::FaceResults_friction_W)
      .def_prop_ro(
          "slip", [](const P& p) { return p.face_view(p.faces().slip_velocity_W); }, doc::FaceResults_slip_velocity_W)
      .def_prop_ro(
          "sticks", [](const P& p) { return p.face_view(p.faces().sticks); }, doc::FaceResults_sticks)
      .def_prop_ro(
          "vertices", [](const P& p) { return p.vertex_view(p.snapshot->vertex_W); },
          "Corners of the faces, counter-clockwise about the normal [m].")
      .def_prop_ro(
          "vertex_pressure", [](const P& p) { return p.vertex_view(p.snapshot->vertex_pressure); },
          "p of the fields at the corners [Pa].")
      .def_prop_ro("face_offsets", &P::face_offsets, "num_faces + 1 offsets into vertices and vertex_pressure.")
      .def("__repr__", [](const P& p) {
        return fmt::format("Patch({} on {}: {} faces, {:.6g} m², {:.6g} N)", p.name(0), p.name(1), p.num_faces(),
                           p.patches().area[p.row], p.patches().force_W[p.row].norm());
      });
}

std::vector<PatchView> patches_of(Simulation& sim) {
  const std::shared_ptr<const Snapshot> snapshot = sim.snapshot();
  std::vector<PatchView> patches;
  for (int i = 0; i < snapshot->results.patches.size(); ++i) patches.push_back({snapshot, i});
  return patches;
}

// StepReport ----------------------------------------------------------------------------------

void bind_report(nb::module_& m) {
  using R = StepReport;
  nb::class_<R>(m, "StepReport", doc::StepReport)
      .def_ro("patches", &R::patches, doc::StepReport_patches)
      .def_ro("faces", &R::faces, doc::StepReport_faces)
      .def_ro("waiting_faces", &R::waiting_faces, doc::StepReport_waiting_faces)
      .def_ro("points", &R::points, doc::StepReport_points)
      .def_ro("point_contacts", &R::point_contacts, doc::StepReport_point_contacts)
      .def_ro("rows", &R::rows, "Limits, equalities, friction loss, servos with effort limits.")
      .def_ro("dropped_faces", &R::dropped_faces, doc::StepReport_dropped_faces)
      .def_ro("grazing_faces", &R::grazing_faces)
      .def_ro("look_ahead_pairs", &R::look_ahead_pairs, doc::StepReport_look_ahead_pairs)
      .def_ro("split_steps", &R::split_steps, doc::StepReport_split_steps)
      .def_ro("repeated_solves", &R::repeated_solves, doc::StepReport_repeated_solves)
      .def_ro("rescued_pairs", &R::rescued_pairs, doc::StepReport_rescued_pairs)
      .def_ro("solver", &R::solver)
      .def_ro("steps", &R::steps, doc::StepReport_steps)
      .def_ro("rejected_steps", &R::rejected_steps, doc::StepReport_rejected_steps)
      .def_ro("steps_at_minimum", &R::steps_at_minimum, doc::StepReport_steps_at_minimum)
      .def_ro("smallest_step", &R::smallest_step, doc::StepReport_smallest_step)
      .def_ro("largest_error", &R::largest_error, doc::StepReport_largest_error)
      .def_prop_ro(
          "seconds", [](const R& r) { return r.times.total(); }, doc::StageTimes)
      .def_prop_ro(
          "times",
          [](const R& r) {
            nb::dict times;
            times["dynamics"] = r.times.dynamics, times["geometry"] = r.times.geometry;
            times["assembly"] = r.times.assembly, times["solver"] = r.times.solver, times["output"] = r.times.output;
            return times;
          },
          nb::sig("def times(self) -> dict[str, float]"), "Wall-clock time of each stage [s].")
      .def("__repr__", [](const R& r) {
        return fmt::format("StepReport({} patches, {} faces, {} point contacts, {} after {} iterations)", r.patches,
                           r.faces, r.point_contacts, to_string(r.solver.status), r.solver.iterations);
      });
}

// Simulation ----------------------------------------------------------------------------------

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings)
    if (PyErr_WarnEx(PyExc_UserWarning, ("patchfield: " + text).c_str(), 1) != 0) throw nb::python_error();
}

void init_simulation(Simulation* self, ModelArgument model, std::optional<double> time_step,
                     const std::variant<std::string, const SolverOptions*>& solver, nb::object compliance, int threads,
                     const std::string& tessellation, const std::string& quadrature, const std::string& pressure_rate,
                     double max_face_size, const std::string& rigid_rigid, double default_modulus, bool body_forces,
                     double accuracy, double min_step, double max_step, const std::string& contacts,
                     const std::string& friction_rule) {
  ModelOptions model_options;
  model_options.rigid_rigid = choose("rigid_rigid", rigid_rigid, kRigidRigid);
  model_options.default_modulus = default_modulus;
  model_options.make_volume = VolumeMaker();
  model_options.geoms_by_id = read_compliance(model.pointer, compliance);
  model_options.friction_rule = choose("friction_rule", friction_rule, kFrictionRules);
  SimOptions options;
  if (const auto* given = std::get_if<const SolverOptions*>(&solver)) options.solver = **given;
  else options.solver.kind = choose("solver", std::get<std::string>(solver), kSolvers);
  options.accuracy = accuracy, options.min_step = min_step, options.max_step = max_step;
  check_options(options);
  options.surface = {choose("tessellation", tessellation, kTessellations), max_face_size};
  if (!(max_face_size >= 0.0)) throw InputError(fmt::format("max_face_size={}: give 0 or more [m]", max_face_size));
  options.quadrature = choose("quadrature", quadrature, kQuadratures);
  options.pressure_rate = choose("pressure_rate", pressure_rate, kPressureRates);
  const ThreadPool checked(threads);  // says so if there cannot be as many
  options.threads = threads;
  options.body_forces = body_forces;
  options.contacts = choose("contacts", contacts, kContactOutputs);
  if (time_step && !(*time_step > 0.0))
    throw InputError(
        fmt::format("time_step={}: give seconds above 0, or leave it out for the model's own", *time_step));
  new (self) Simulation(std::move(model), model_options, options, time_step.value_or(0.0));
  try {
    warn(self->model().warnings());
  } catch (...) {  // a warning that is an error: there is no object then
    self->~Simulation();
    throw;
  }
}

/// What rollout() is asked for, one row per rollout.
struct RolloutInput {
  long num_rollouts = 0, num_steps = 0;
  DoubleArray states, controls;
  std::vector<double> repeated_states, repeated_controls;
  std::span<const double> initial, inputs;
};

std::vector<double> repeat(std::span<const double> row, long n) {
  std::vector<double> all;
  for (long i = 0; i < n; ++i) all.insert(all.end(), row.begin(), row.end());
  return all;
}

/// states (N, S) or (S); controls (N, T, U), (T, U) or none: one row serves all.
void read_rollout(const Model& model, const ArrayLike& states, const std::optional<ArrayLike>& controls,
                  std::optional<int> nstep, RolloutInput& out) {
  const long S = rollout_state_size(model), U = static_cast<long>(model.mujoco()->nu);
  out.states = read_array(states, "states", {1, 2});
  if (out.states.shape.back() != S)
    throw InputError(
        fmt::format("states: {} numbers each; a full physics state of this model has {} (mujoco.mj_stateSize)",
                    out.states.shape.back(), S));
  long N = out.states.shape.size() == 2 ? out.states.shape[0] : 1, T = nstep.value_or(-1);
  if (controls) {
    out.controls = read_array(*controls, "controls", {2, 3});
    const std::vector<long>& shape = out.controls.shape;
    if (shape.back() != U)
      throw InputError(fmt::format("controls: {} numbers each; the model has {} (model.nu)", shape.back(), U));
    T = shape[shape.size() - 2];
    if (nstep && *nstep != T) throw InputError(fmt::format("nstep={}, but controls are for {} steps", *nstep, T));
    const long rows = shape.size() == 3 ? shape[0] : 1;
    if (rows != N && rows != 1 && N != 1)
      throw InputError(fmt::format("{} states and {} rows of controls: give as many of both, or one for all", N, rows));
    N = std::max(N, rows);
  }
  if (T < 0) throw InputError("give controls (N, T, nu), or nstep for a rollout without them");
  constexpr long kMost = 2'000'000'000;
  if (N > kMost || T > kMost) throw InputError("too many rollouts or steps for one call");
  out.num_rollouts = N, out.num_steps = T;
  out.initial = out.states.values, out.inputs = out.controls.values;
  if (static_cast<long>(out.initial.size()) != N * S) out.initial = out.repeated_states = repeat(out.initial, N);
  if (controls && static_cast<long>(out.inputs.size()) != N * T * U)
    out.inputs = out.repeated_controls = repeat(out.inputs, N);
}

std::pair<Batch, Batch> run_rollout(Simulation& sim, const ArrayLike& states, const std::optional<ArrayLike>& controls,
                                    std::optional<int> nstep, int threads) {
  RolloutInput input;
  read_rollout(sim.model(), states, controls, nstep, input);
  check_callbacks(false);
  const auto n = static_cast<std::size_t>(input.num_rollouts), t = static_cast<std::size_t>(input.num_steps);
  const auto s = static_cast<std::size_t>(rollout_state_size(sim.model()));
  const auto d = static_cast<std::size_t>(sim.model().mujoco()->nsensordata);
  double *out = nullptr, *sensors = nullptr;
  Batch out_states = make_array<Batch>({n, t, s}, out), out_sensors = make_array<Batch>({n, t, d}, sensors);
  RolloutArrays arrays;
  arrays.num_rollouts = static_cast<int>(n), arrays.num_steps = static_cast<int>(t);
  arrays.initial = input.initial, arrays.controls = input.inputs;
  arrays.states = {out, n * t * s}, arrays.sensordata = {sensors, n * t * d};
  RolloutReport report;
  InterruptCheck interrupted;
  {
    const ReleasedGil released;
    report = rollout(sim.model(), sim.options(), {sim.time_step(), threads, [&] { return interrupted(); }}, arrays);
  }
  if (report.stopped) throw nb::python_error();
  sim.set_rollout_report(report);
  return {out_states, out_sensors};
}

nb::dict options_of(const Simulation& sim) {
  const SimOptions& o = sim.options();
  const ModelOptions& m = sim.model_options();
  nb::dict out;
  if (sim.own_time_step() > 0.0) out["time_step"] = sim.own_time_step();
  out["solver"] = nb::cast(o.solver);
  if (!m.geoms_by_id.empty()) out["compliance"] = compliance_of(m.geoms_by_id);
  const SimOptions usual;
  const ModelOptions usual_model;
  if (o.threads != usual.threads) out["threads"] = o.threads;
  if (o.surface.tessellation != usual.surface.tessellation)
    out["tessellation"] = word_of(o.surface.tessellation, kTessellations);
  if (o.quadrature != usual.quadrature) out["quadrature"] = word_of(o.quadrature, kQuadratures);
  if (o.pressure_rate != usual.pressure_rate) out["pressure_rate"] = word_of(o.pressure_rate, kPressureRates);
  if (o.surface.max_face_size != 0.0) out["max_face_size"] = o.surface.max_face_size;
  if (m.rigid_rigid != usual_model.rigid_rigid) out["rigid_rigid"] = word_of(m.rigid_rigid, kRigidRigid);
  if (m.default_modulus != usual_model.default_modulus) out["default_modulus"] = m.default_modulus;
  if (!o.body_forces) out["body_forces"] = false;
  if (o.accuracy != usual.accuracy) out["accuracy"] = o.accuracy;
  if (o.min_step != usual.min_step) out["min_step"] = o.min_step;
  if (o.max_step != usual.max_step) out["max_step"] = o.max_step;
  if (o.contacts != usual.contacts) out["contacts"] = word_of(o.contacts, kContactOutputs);
  if (m.friction_rule != usual_model.friction_rule) out["friction_rule"] = word_of(m.friction_rule, kFrictionRules);
  return out;
}

void bind_simulation(nb::module_& m) {
  using S = Simulation;
  nb::class_<S>(m, "Simulation",
                "Steps a model of MuJoCo with contact patches. Keeps the model alive; steps any MjData of it.")
      .def(
          "__init__", &init_simulation, nb::arg("model"), nb::arg("time_step") = nb::none(),
          nb::arg("solver") = "lagged", nb::kw_only(), nb::arg("compliance") = nb::none(), nb::arg("threads") = 1,
          nb::arg("tessellation") = "polygon", nb::arg("quadrature") = "automatic",
          nb::arg("pressure_rate") = "convected", nb::arg("max_face_size") = 0.0, nb::arg("rigid_rigid") = "point",
          nb::arg("default_modulus") = 1e7, nb::arg("body_forces") = true, nb::arg("accuracy") = 0.0,
          nb::arg("min_step") = SimOptions{}.min_step, nb::arg("max_step") = 0.0, nb::arg("contacts") = "patches",
          nb::arg("friction_rule") = "automatic",
          "compliance: {geom: Compliant(…) or Rigid(…)}, which wins over the model's own texts. A geom is named by its "
          "name, its id, \"body:NAME\", \"re:PATTERN\" (of geom names) or \"*\"; the most particular wins. One "
          "Compliant serves all geoms; a function is called with each geom id and may return None. time_step [s]: "
          "None takes the model's. pressure_rate: \"convected\" follows the pressure where the patch moves, \"paper\" "
          "at "
          "points fixed in space. threads: the result does not depend on it. body_forces: fill cfrc_ext, cfrc_int and "
          "cacc in each step. accuracy [m]: error control, each time step is taken in as many steps as keep the error "
          "of each below it, between min_step and max_step [s] long; 0: one step. contacts: \"data\" puts each patch "
          "into data.contact as well, with its force. "
          "friction_rule: \"mujoco\" (priority, else the larger), \"harmonic\", or by the format of the model.")
      .def(
          "step", [](S& self, DataArgument data, int nstep) { return self.step(data.pointer, nstep); }, nb::arg("data"),
          nb::arg("nstep") = 1, "In place of mj_step: advances data by nstep time steps, with the GIL released.")
      .def(
          "forward", [](S& self, DataArgument data) { return self.forward(data.pointer); }, nb::arg("data"),
          "In place of mj_forward: forces, accelerations and sensors of the present state, patches included, without a "
          "step.")
      .def(
          "step1", [](S& self, DataArgument data) { self.step1(data.pointer); }, nb::arg("data"),
          "In place of mj_step1: everything that depends on positions and velocities alone, patches included. Set "
          "controls and forces from it, then call step2.")
      .def(
          "step2", [](S& self, DataArgument data) { return self.step2(data.pointer); }, nb::arg("data"),
          "In place of mj_step2: forces, then the step. If the state is not the one that step1 saw, its part is done "
          "again.")
      .def("rollout", &run_rollout, nb::arg("states"), nb::arg("controls") = nb::none(), nb::kw_only(),
           nb::arg("nstep") = nb::none(), nb::arg("threads") = 1,
           "Many simulations at once, with the GIL released: from states (N, S), MuJoCo's full physics states, with "
           "controls (N, T, nu), to the states (N, T, S) and the sensordata (N, T, nsensordata) after each step. One "
           "state or one row of controls serves all. The same bits for any number of threads. Rows whose state stops "
           "being finite are NaN from there on.")
      .def_prop_ro("patches", &patches_of, "Of the last step, sorted by their geoms.")
      .def_prop_ro(
          "report", [](const S& self) { return self.report(); }, "Of the last step.")
      .def_prop_ro("model", &S::model_object, nb::sig("def model(self) -> mujoco.MjModel"))
      .def_prop_ro(
          "accuracy", [](const S& self) { return self.options().accuracy; },
          "Largest estimated error of a step [m]; 0: no error control.")
      .def_prop_rw("time_step", &S::time_step, &S::set_time_step, "[s]; set to 0 for the model's own.")
      .def_prop_ro(
          "solver", [](const S& self) { return self.options().solver; }, "A copy of the options in use.")
      .def_prop_ro(
          "warnings", [](const S& self) { return self.model().warnings(); }, doc::Model_warnings)
      .def(
          "is_compliant",
          [](const S& self, const std::variant<int, std::string>& geom) {
            const mjModel* model = self.model().mujoco();
            const auto* name = std::get_if<std::string>(&geom);
            const int g = name != nullptr ? mj_name2id(model, mjOBJ_GEOM, name->c_str()) : std::get<int>(geom);
            if (g < 0 || g >= model->ngeom)
              throw nb::key_error(("no geom " + (name != nullptr ? *name : std::to_string(g))).c_str());
            return self.model().geom(g).compliant;
          },
          nb::arg("geom"), "By name or id.")
      .def_prop_ro("options", &options_of, nb::sig("def options(self) -> dict[str, object]"),
                   "The keyword arguments that make this simulation again, beside the model.")
      .def_prop_ro(
          "rollout_report",
          [](const S& self) {
            nb::dict out;
            out["diverged"] = self.rollout_report().diverged, out["unconverged"] = self.rollout_report().unconverged;
            return out;
          },
          nb::sig("def rollout_report(self) -> dict[str, int]"),
          "Of the last rollout: how many rows stopped being finite, and how many steps did not converge.")
      .def("copy", &S::copy, "A simulation of the same model for another thread; meshes are shared.");
}

// Taxels --------------------------------------------------------------------------------------

int geom_index(const Simulation& sim, const std::variant<int, std::string>& geom) {
  const mjModel* m = sim.model().mujoco();
  const int g =
      geom.index() == 0 ? std::get<int>(geom) : mj_name2id(m, mjOBJ_GEOM, std::get<std::string>(geom).c_str());
  if (g >= 0 && g < m->ngeom) return g;
  throw InputError(geom.index() == 0 ? fmt::format("geom {}: the model has {}, numbered from 0", g, m->ngeom)
                                     : fmt::format("the model has no geom named \"{}\"", std::get<std::string>(geom)));
}

TaxelImage image_of(Simulation& sim, const std::variant<int, std::string>& geom,
                    const std::variant<std::pair<int, int>, const TaxelGrid*>& grid) {
  const int g = geom_index(sim, geom);
  const auto* size = std::get_if<std::pair<int, int>>(&grid);
  const TaxelGrid chosen = size != nullptr ? default_taxel_grid(sim.model(), g, size->first, size->second)
                                           : *std::get<const TaxelGrid*>(grid);
  const Data* data = sim.last_data();
  if (data == nullptr) throw InputError("taxels of a simulation that took no step yet: call sim.step(data) first");
  TaxelImage image;
  read_taxels(*data, g, chosen, image);
  return image;
}

void bind_taxels(nb::module_& m) {
  using G = TaxelGrid;
  nb::class_<G>(m, "TaxelGrid", "A flat grid fixed to a geom.")
      .def(
          "__init__",
          [](G* self, int rows, int columns, double width, double height, const std::optional<ArrayLike>& X_GT,
             bool one_sided) {
            new (self) G{rows, columns, width, height, X_GT ? read_pose(*X_GT, "X_GT") : Pose(), one_sided};
          },
          nb::arg("rows"), nb::arg("columns"), nb::arg("width"), nb::arg("height"), nb::arg("X_GT") = nb::none(),
          nb::arg("one_sided") = false)
      .def_ro("rows", &G::rows, doc::TaxelGrid_rows)
      .def_ro("columns", &G::columns, doc::TaxelGrid_columns)
      .def_ro("width", &G::width, doc::TaxelGrid_width)
      .def_ro("height", &G::height, doc::TaxelGrid_height)
      .def_prop_ro(
          "X_GT", [](const G& g) { return to_numpy(g.X_GT); }, kCopied, doc::TaxelGrid_X_GT)
      .def_ro("one_sided", &G::one_sided, doc::TaxelGrid_one_sided);
  using I = TaxelImage;
  const auto cells = [](const I& image, const Column<double>& c) {
    double* values = nullptr;
    Cells out =
        make_array<Cells>({static_cast<std::size_t>(image.rows), static_cast<std::size_t>(image.columns)}, values);
    std::copy(c.begin(), c.end(), values);
    return out;
  };
  nb::class_<I>(m, "TaxelImage", doc::TaxelImage)
      .def_prop_ro(
          "normal", [cells](const I& i) { return cells(i, i.normal); }, kCopied, doc::TaxelImage_normal)
      .def_prop_ro(
          "shear_x", [cells](const I& i) { return cells(i, i.shear_x); }, kCopied, doc::TaxelImage_shear_x)
      .def_prop_ro(
          "shear_y", [cells](const I& i) { return cells(i, i.shear_y); }, kCopied, doc::TaxelImage_shear_y)
      .def_prop_ro("outside", [](const I& i) { return to_numpy(i.outside_T); }, kCopied, doc::TaxelImage_outside_T);
  m.def(
      "taxels", &image_of, nb::arg("sim"), nb::arg("geom"), nb::arg("grid") = std::pair(16, 16),
      "Normal and shear force per cell of a grid on a geom (by name or id), from the last step. grid: a TaxelGrid, or "
      "(rows, columns) over the two longer sides of the geom's box.");
  m.def(
      "default_taxel_grid",
      [](const Simulation& sim, const std::variant<int, std::string>& geom, int rows, int columns) {
        return default_taxel_grid(sim.model(), geom_index(sim, geom), rows, columns);
      },
      nb::arg("sim"), nb::arg("geom"), nb::arg("rows") = 16, nb::arg("columns") = 16, doc::default_taxel_grid);
}

}  // namespace

void bind_sim(nb::module_& m) {
  bind_report(m);
  bind_patch(m);
  bind_simulation(m);
  bind_taxels(m);
}

}  // namespace patchfield::python
