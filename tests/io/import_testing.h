// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of the importers share.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/io/load_model.h"

namespace patchfield {

struct DeleteMjData {
  void operator()(mjData* d) const { mj_deleteData(d); }
};

/// An imported model with its state.
struct Imported {
  MjModelPtr m;
  std::unique_ptr<mjData, DeleteMjData> d;
  std::string warnings;  ///< One per line.

  explicit Imported(ImportedModel imported) : m(std::move(imported.mujoco)), d(mj_makeData(m.get())) {
    for (const Diagnostic& warning : imported.warnings) warnings += to_string(warning) + "\n";
    mj_forward(m.get(), d.get());
  }

  int id(mjtObj type, const std::string& name) const { return mj_name2id(m.get(), type, name.c_str()); }
  int joint(const std::string& name) const { return id(mjOBJ_JOINT, name); }
  int geom(const std::string& name) const { return id(mjOBJ_GEOM, name); }
  int body(const std::string& name) const { return id(mjOBJ_BODY, name); }
  double& q(const std::string& name) { return d->qpos[m->jnt_qposadr[joint(name)]]; }
  void update() { mj_forward(m.get(), d.get()); }

  Pose body_pose(const std::string& name) const { return pose(d->xpos + 3 * body(name), d->xmat + 9 * body(name)); }
  Pose site_pose(const std::string& name) const {
    const int site = id(mjOBJ_SITE, name);
    return pose(d->site_xpos + 3 * site, d->site_xmat + 9 * site);
  }
  static Pose pose(const mjtNum* p, const mjtNum* R) {
    return {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R), Eigen::Map<const Vec3>(p)};
  }
  std::string text(const std::string& name) const {
    const int i = id(mjOBJ_TEXT, name);
    return i < 0 ? "(none)" : m->text_data + m->text_adr[i];
  }
  bool excludes(const std::string& a, const std::string& b) const {
    const int low = std::min(body(a), body(b)), high = std::max(body(a), body(b));
    for (int i = 0; i < m->nexclude; ++i)
      if (m->exclude_signature[i] == (low << 16) + high) return true;
    return false;
  }
};

inline Imported import_text(const std::string& text, const std::string& file, const LoadOptions& options = {}) {
  return Imported(import_model_text(text, file, options));
}

/// The model is refused, and the message has all these words.
inline void expect_refused(const std::string& text, const std::string& file, const std::vector<std::string>& words) {
  try {
    import_model_text(text, file);
    FAIL() << "accepted:\n" << text;
  } catch (const InputError& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " is not in: " << error.what();
  }
}

inline double distance(const Pose& A, const Pose& B) {
  return std::max((A.p - B.p).cwiseAbs().maxCoeff(), (A.R - B.R).cwiseAbs().maxCoeff());
}

/// R_z(y) R_y(p) R_x(r), entry by entry.
inline Mat3 rpy(double r, double p, double y) {
  const double cr = std::cos(r), sr = std::sin(r), cp = std::cos(p), sp = std::sin(p), cy = std::cos(y),
               sy = std::sin(y);
  Mat3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

}  // namespace patchfield
