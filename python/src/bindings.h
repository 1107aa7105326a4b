// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The Python module patchfield._core, one function per folder of src/patchfield.
//
// Names, units and signs are those of C++. Docstrings come from the headers (tools/header_docs.py → header_docs.h).

#pragma once

#include <nanobind/nanobind.h>

#include "header_docs.h"

namespace patchfield::python {

namespace nb = nanobind;

void bind_core(nb::module_& m);      ///< Exceptions.
void bind_geometry(nb::module_& m);  ///< Shapes, Compliant, Rigid, contact_surface.
void bind_solver(nb::module_& m);    ///< SolverOptions, SolverReport.
void bind_sim(nb::module_& m);       ///< Simulation, StepReport, Patch, TaxelGrid, taxels.
void bind_control(nb::module_& m);   ///< Sequence, SequenceEvent.
void bind_io(nb::module_& m);        ///< Models and scenes.

}  // namespace patchfield::python
