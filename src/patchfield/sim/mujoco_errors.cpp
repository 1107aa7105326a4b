// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/mujoco_errors.h"

#include <fmt/format.h>

// The hook that MuJoCo's own Python bindings use; its public twin mju_setLogHandler is for all threads at once.
// Private to MuJoCo, hence tied to the version that we are built with (FindMuJoCo.cmake,
// python/patchfield/__init__.py).
extern "C" mjfLogHandler _mjPRIVATE_setTlsLogHandler(mjfLogHandler handler);  // NOLINT(readability-identifier-naming)
extern "C" mjfLogHandler _mjPRIVATE_getGlobalLogHandler(void);                // NOLINT(readability-identifier-naming)

namespace patchfield {
namespace {

void on_message(const mjLogMessage* message) {
  if (message->level == mjLOG_ERROR)
    throw MuJoCoError(fmt::format("MuJoCo: {}{}{}", message->func != nullptr ? message->func : "",
                                  message->func != nullptr ? ": " : "", message->subject));
  _mjPRIVATE_getGlobalLogHandler()(message);
}

}  // namespace

MuJoCoErrorGuard::MuJoCoErrorGuard(mjData* d)
    : d_(d), pstack_(d->pstack), pbase_(d->pbase), before_(_mjPRIVATE_setTlsLogHandler(on_message)) {}

MuJoCoErrorGuard::~MuJoCoErrorGuard() {
  d_->pstack = pstack_, d_->pbase = pbase_;
  _mjPRIVATE_setTlsLogHandler(before_);
}

}  // namespace patchfield
