// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <nanobind/stl/string.h>

#include "bindings.h"
#include "words.h"

namespace patchfield::python {
namespace {

/// Options by their names. Throws TypeError for another name.
void read_options(const nb::kwargs& named, SolverOptions& o) {
  std::size_t known = 0;
  const auto take = [&]<class T>(const char* name, T& field) {
    if (!named.contains(name)) return;
    field = nb::cast<T>(named[name]);
    ++known;
  };
  std::string algebra = word_of(o.linear_algebra, kLinearAlgebra);
  take("linear_algebra", algebra);
  o.linear_algebra = choose("linear_algebra", algebra, kLinearAlgebra);
  take("islands", o.islands), take("max_iterations", o.max_iterations);
  take("relative_tolerance", o.relative_tolerance), take("absolute_tolerance", o.absolute_tolerance);
  take("stiction_speed", o.stiction_speed), take("sigma", o.sigma), take("beta", o.beta);
  take("lag_iterations", o.lag_iterations), take("tamsi_iterations", o.tamsi_iterations);
  take("tamsi_max_turn", o.tamsi_max_turn), take("tamsi_max_substeps", o.tamsi_max_substeps);
  if (known == named.size()) return;
  const std::string given = nb::cast<std::string>(nb::str(named));
  throw nb::type_error(fmt::format("SolverOptions: not all of {} are options", given).c_str());
}

void bind_options(nb::module_& m) {
  using O = SolverOptions;
  nb::class_<O>(m, "SolverOptions", "Which contact solver, and how hard it tries.")
      .def(
          "__init__",
          [](O* self, const std::string& kind, const nb::kwargs& others) {
            O options = default_solver_options();
            options.kind = choose("kind", kind, kSolvers);
            read_options(others, options);
            new (self) O(options);
          },
          nb::arg("kind") = "lagged", nb::arg("options"),
          nb::sig("def __init__(self, kind: str = 'lagged', **options: object) -> None"),
          "Options by name, as in SolverOptions(\"tamsi\", max_iterations=50).")
      .def_prop_rw(
          "kind", [](const O& o) { return word_of(o.kind, kSolvers); },
          [](O& o, const std::string& word) { o.kind = choose("kind", word, kSolvers); }, "tamsi, sap or lagged.")
      .def_prop_rw(
          "linear_algebra", [](const O& o) { return word_of(o.linear_algebra, kLinearAlgebra); },
          [](O& o, const std::string& word) { o.linear_algebra = choose("linear_algebra", word, kLinearAlgebra); },
          "auto, dense or sparse.")
      .def_rw("islands", &O::islands, doc::SolverOptions_islands)
      .def_rw("max_iterations", &O::max_iterations, doc::SolverOptions_max_iterations)
      .def_rw("relative_tolerance", &O::relative_tolerance, doc::SolverOptions_relative_tolerance)
      .def_rw("absolute_tolerance", &O::absolute_tolerance, doc::SolverOptions_absolute_tolerance)
      .def_rw("stiction_speed", &O::stiction_speed, doc::SolverOptions_stiction_speed)
      .def_rw("sigma", &O::sigma, doc::SolverOptions_sigma)
      .def_rw("beta", &O::beta, doc::SolverOptions_beta)
      .def_rw("lag_iterations", &O::lag_iterations, doc::SolverOptions_lag_iterations)
      .def_rw("tamsi_iterations", &O::tamsi_iterations, doc::SolverOptions_tamsi_iterations)
      .def_rw("tamsi_max_turn", &O::tamsi_max_turn, doc::SolverOptions_tamsi_max_turn)
      .def_rw("tamsi_max_substeps", &O::tamsi_max_substeps, doc::SolverOptions_tamsi_max_substeps);
}

void bind_report(nb::module_& m) {
  using R = SolverReport;
  nb::class_<R>(m, "SolverReport", "How the solver fared in one step.")
      .def_prop_ro(
          "status", [](const R& r) { return std::string(to_string(r.status)); }, doc::SolverReport_status)
      .def_prop_ro("converged", [](const R& r) { return r.status == SolverStatus::kConverged; })
      .def_ro("iterations", &R::iterations, doc::SolverReport_iterations)
      .def_ro("total_iterations", &R::total_iterations, doc::SolverReport_total_iterations)
      .def_ro("residual", &R::residual, doc::SolverReport_residual)
      .def_ro("islands", &R::islands, "Groups of trees that share a contact or a row.")
      .def_ro("unconverged_islands", &R::unconverged_islands)
      .def_ro("substeps", &R::substeps, doc::SolverReport_substeps)
      .def_ro("fallbacks", &R::fallbacks, doc::SolverReport_fallbacks);
}

}  // namespace

void bind_solver(nb::module_& m) {
  bind_options(m);
  bind_report(m);
}

}  // namespace patchfield::python
