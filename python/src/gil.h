// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Long work without the GIL.
//
// Before Python 3.14, a thread that asks for the GIL while the interpreter ends is unwound by pthread_exit, which C++
// turns into std::terminate at the first destructor or catch (...). Such a thread has nothing left to do: it sleeps
// until the process is gone, as Python itself does since 3.14.

#pragma once

#include <cxxabi.h>
#include <unistd.h>

#include <chrono>

#include <nanobind/nanobind.h>

namespace patchfield::python {

/// Gives the GIL back to others for its lifetime.
class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ~ReleasedGil() {
    try {
      PyEval_RestoreThread(state_);
    } catch (abi::__forced_unwind&) {
      for (;;) pause();
    }
  }
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;

 private:
  PyThreadState* state_;
};

/// Asks Python ten times a second whether Ctrl-C was pressed. Made with the GIL, asked without it on the same thread.
class InterruptCheck {
 public:
  InterruptCheck() : on_main_thread_(is_main_thread()) {}

  /// True once a signal handler raised: take the GIL and throw nb::python_error.
  bool operator()() {
    if (!on_main_thread_) return false;  // Python runs signal handlers on the main thread alone
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(100);
    const nanobind::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
  }

 private:
  static bool is_main_thread() {
    const nanobind::module_ threading = nanobind::module_::import_("threading");
    return threading.attr("main_thread")().is(threading.attr("current_thread")());
  }

  bool on_main_thread_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
};

}  // namespace patchfield::python
