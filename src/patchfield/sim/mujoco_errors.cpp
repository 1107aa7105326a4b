// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/mujoco_errors.h"

#include <csetjmp>
#include <cstdio>

#include <fmt/format.h>

// The hook that MuJoCo's own Python bindings use; its public twin mju_setLogHandler is for all threads at once.
// Private to MuJoCo, hence tied to the version that we are built with (FindMuJoCo.cmake,
// python/patchfield/__init__.py).
extern "C" mjfLogHandler _mjPRIVATE_setTlsLogHandler(mjfLogHandler handler);  // NOLINT(readability-identifier-naming)
extern "C" mjfLogHandler _mjPRIVATE_getGlobalLogHandler(void);                // NOLINT(readability-identifier-naming)

namespace patchfield {
namespace {

/// Where an error of this thread goes, and its text. Guards nest.
struct Exit {
  std::jmp_buf where;
  char text[1100];
  Exit* outer;
};
thread_local Exit* innermost = nullptr;

void on_message(const mjLogMessage* message) {
  if (message->level != mjLOG_ERROR) return _mjPRIVATE_getGlobalLogHandler()(message);
  std::snprintf(innermost->text, sizeof(innermost->text), "%s", message->subject);
  std::longjmp(innermost->where, 1);
}

/// Puts the handler in place and takes it away, whichever way the work ends.
class Handler {
 public:
  explicit Handler(Exit& exit) : before_(_mjPRIVATE_setTlsLogHandler(on_message)) {
    exit.outer = innermost;
    innermost = &exit;
  }
  ~Handler() {
    innermost = innermost->outer;
    _mjPRIVATE_setTlsLogHandler(before_);
  }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  mjfLogHandler before_;
};

}  // namespace

void guard_mujoco(mjData* d, void (*work)(const void* context), const void* context) {
  Exit exit;
  const Handler handler(exit);
  const auto pstack = d->pstack, pbase = d->pbase;
  // NOLINTNEXTLINE(modernize-avoid-setjmp-longjmp): the header says why
  if (setjmp(exit.where) == 0) return work(context);
  d->pstack = pstack, d->pbase = pbase;
  throw MuJoCoError(fmt::format("MuJoCo: {}", exit.text));
}

}  // namespace patchfield
