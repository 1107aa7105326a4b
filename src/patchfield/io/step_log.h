// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A run → one .npz file: states, reports and contact patches as flat columns. docs/cli.md lists all of them.
//
//   states    row i is where logged step i begins; one more row is where the run ended
//   step_*    row i: the report of that step, its ledger of energy, its times
//   patch_*   rows step_patch_start[i] … step_patch_start[i + 1] belong to step i
//   face_*    rows patch_face_start[j] … patch_face_start[j + 1] belong to patch j
//   vertex_*  rows face_vertex_start[k] … face_vertex_start[k + 1] belong to face k
//
// States are those at the *start* of steps because that is where the patches were found: drawn together they match.
// A step whose result is not good (not finite) is not logged; its start is then the last state.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "patchfield/io/npz_writer.h"
#include "patchfield/sim/results.h"
#include "patchfield/sim/step.h"

namespace patchfield {

struct StepLogOptions {
  std::string model = {};  ///< What was simulated: a path, or scene:NAME.
  double time_step = 0.0;  ///< [s]
  int every = 1;           ///< Logs steps 0, every, 2·every, …; > 0.
};

class StepLog {
 public:
  /// Throws InputError if `path` cannot be written.
  StepLog(const std::filesystem::path& path, const Data& data, const StepLogOptions& options);
  ~StepLog();

  /// Around every step, logged or not: before it, and after it if its result is good.
  void begin_step(const Data& data);
  void end_step(const Data& data, const StepReport& report);

  /// Adds the last good state and writes the file. `ended`: why the run ended, in a word.
  void finish(const Data& data, std::string_view ended);

  std::int64_t logged_steps() const;

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

}  // namespace patchfield
