// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/data.h"

#include <algorithm>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

std::shared_ptr<mjData> make_data(const mjModel* m) {
  mjData* d = mj_makeData(m);
  if (d == nullptr)
    throw InputError("MuJoCo could not allocate the data of this model: it is too large for the memory");
  return {d, [](mjData* p) { mj_deleteData(p); }};
}

/// A pointer that owns nothing: an alias of no one's control block, so it allocates nothing either.
std::shared_ptr<mjData> borrow_data(mjData* d) {
  if (d == nullptr) throw InputError("mjData is null: make one with mj_makeData(model) first");
  return {std::shared_ptr<void>(), d};
}

bool reads_body_forces(const mjModel* m) {
  for (int i = 0; i < m->nsensor; ++i) {
    const int type = m->sensor_type[i];
    if (type == mjSENS_ACCELEROMETER || type == mjSENS_FORCE || type == mjSENS_TORQUE || type == mjSENS_FRAMELINACC ||
        type == mjSENS_FRAMEANGACC || type == mjSENS_USER || type == mjSENS_PLUGIN)
      return true;
  }
  return false;
}

/// Sensors that go through mjData.contact. Touch sensors would, too, but they feel each point of a patch
/// (write_back.cpp).
bool reads_contacts(const mjModel* m) {
  return std::any_of(m->sensor_type, m->sensor_type + m->nsensor, [](int type) {
    return type == mjSENS_CONTACT || type == mjSENS_TACTILE || type == mjSENS_USER || type == mjSENS_PLUGIN;
  });
}

}  // namespace

void check_options(const SimOptions& o) {
  check_options(o.solver);
  if (!(o.accuracy >= 0.0 && o.accuracy <= kLargestAccuracy))
    throw InputError(fmt::format("accuracy = {}: give metres above 0 and up to {}, such as 1e-3, or 0 for fixed steps",
                                 o.accuracy, kLargestAccuracy));
  if (!(o.min_step > 0.0 && o.min_step <= kLargestStep))
    throw InputError(
        fmt::format("min_step = {}: give seconds above 0 and up to {}; 1e-5 is usual", o.min_step, kLargestStep));
  if (!(o.max_step == 0.0 || (o.max_step >= o.min_step && o.max_step <= kLargestStep)))
    throw InputError(
        fmt::format("max_step = {}: give seconds from min_step = {} to {}, or 0 for steps up to the whole interval",
                    o.max_step, o.min_step, kLargestStep));
}

ScratchPool::ScratchPool(int n) {
  for (int i = 0; i < n; ++i) entries_.push_back(std::make_unique<Entry>());
}

Data::Data(const Model& model_, const SimOptions& options_) : Data(model_, nullptr, options_) {}

Data::Data(const Model& model_, mjData* borrowed, const SimOptions& options_)
    : model(model_), options(options_),
      mujoco(borrowed != nullptr ? borrow_data(borrowed) : make_data(model_.mujoco())), threads(options_.threads),
      surface_scratch(options_.threads), needs_body_forces(options_.body_forces || reads_body_forces(model_.mujoco())),
      lists_contacts(model_.has_patches() &&
                     (options_.contacts == ContactOutput::kData || reads_contacts(model_.mujoco()))) {
  check_options(options);
  find_shared_joints(*this);
}

void Data::borrow(mjData* other) {
  std::shared_ptr<mjData> borrowed = borrow_data(other);
  // Sizes follow from the compiled structure, of which both carry the signature.
  if (other->signature != m()->signature)
    throw InputError("this mjData belongs to another model: make one with mj_makeData of the model that is simulated");
  if (other != d()) prepared.clear();
  mujoco = std::move(borrowed);
}

void Data::reset(int key) {
  if (key >= m()->nkey)
    throw InputError(fmt::format("keyframe {}: the model has {} keyframes, numbered from 0", key, m()->nkey));
  if (key >= 0) mj_resetDataKeyframe(m(), d(), key);
  else mj_resetData(m(), d());
}

}  // namespace patchfield
