// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/continuous.h"

#include <cmath>
#include <exception>
#include <vector>

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/continuous_dynamics.h"

// SUNDIALS 6 added a context to every constructor, and 7 a communicator type to the context.
#if SUNDIALS_VERSION_MAJOR >= 6
#define PATCHFIELD_SUN(context) , context
#else
#define PATCHFIELD_SUN(context)
#endif

namespace patchfield {
namespace {

// How much better than the local error Newton's method must be (CVODE's own is 0.1). A stiff patch has an overlap of
// 10⁻¹⁰ m, far below any sensible tolerance for positions: what keeps its force right is not the error test, but that
// the implicit equations are solved well.
constexpr double kNewtonCoefficient = 1e-5;

void check_options(const ContinuousOptions& o) {
  if (!(o.accuracy > 0.0 && o.accuracy <= 0.1))
    throw InputError(fmt::format("accuracy {}: give one above 0 and up to 0.1; 1e-4 is usual", o.accuracy));
  if (!(o.stiction_speed > 0.0 && std::isfinite(o.stiction_speed)))
    throw InputError(fmt::format("stiction speed {} m/s must be positive; 1e-4 is usual", o.stiction_speed));
  if (o.max_steps < 1) throw InputError(fmt::format("max_steps {}: at least one step is needed", o.max_steps));
}

/// CVODE's objects, freed in the right order.
class CvodeMemory {
 public:
  explicit CvodeMemory(int n) {
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context_);
#elif SUNDIALS_VERSION_MAJOR == 6
    SUNContext_Create(nullptr, &context_);
#endif
    y = N_VNew_Serial(n PATCHFIELD_SUN(context_));
    matrix = SUNDenseMatrix(n, n PATCHFIELD_SUN(context_));
    solver = SUNLinSol_Dense(y, matrix PATCHFIELD_SUN(context_));
    cvode = CVodeCreate(CV_BDF PATCHFIELD_SUN(context_));
    PATCHFIELD_ASSERT(y != nullptr && matrix != nullptr && solver != nullptr && cvode != nullptr);
  }
  ~CvodeMemory() {
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
#if SUNDIALS_VERSION_MAJOR >= 6
    SUNContext_Free(&context_);
#endif
  }
  CvodeMemory(const CvodeMemory&) = delete;
  CvodeMemory& operator=(const CvodeMemory&) = delete;

#if SUNDIALS_VERSION_MAJOR >= 6
 private:
  SUNContext context_ = nullptr;

 public:
#endif
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* cvode = nullptr;
};

const double* values(N_Vector v) { return N_VGetArrayPointer(v); }
double* mutable_values(N_Vector v) { return N_VGetArrayPointer(v); }

}  // namespace

struct ContinuousSimulation::Integrator {
  Integrator(const Model& model, const ContinuousOptions& options_)
      : options(options_), dynamics(model, options_), memory(dynamics.size()) {
    dynamics.read_state(mutable_values(memory.y));
    const int failed = CVodeInit(memory.cvode, &Integrator::derivative, dynamics.data().d()->time, memory.y) |
                       CVodeWFtolerances(memory.cvode, &Integrator::weights) | CVodeSetUserData(memory.cvode, this) |
                       CVodeSetLinearSolver(memory.cvode, memory.solver, memory.matrix) |
                       CVodeSetJacFn(memory.cvode, &Integrator::jacobian) |
                       CVodeSetMaxNumSteps(memory.cvode, options.max_steps) |
                       CVodeSetNonlinConvCoef(memory.cvode, kNewtonCoefficient);
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrHandlerFn(memory.cvode, &Integrator::keep_message, this);
#endif
    PATCHFIELD_ASSERT(failed == 0);
  }

  // CVODE calls these from C, where no exception may pass: > 0 asks for a shorter step, < 0 ends the integration.
  template <class Work>
  static int guarded(void* self, const Work& work) {
    auto& integrator = *static_cast<Integrator*>(self);
    try {
      return work(integrator) ? 0 : 1;
    } catch (...) {
      integrator.thrown = std::current_exception();
      return -1;
    }
  }
  static int derivative(double t, N_Vector y, N_Vector ydot, void* self) {
    return guarded(self, [&](Integrator& i) { return i.dynamics.derivative(t, values(y), mutable_values(ydot)); });
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    return guarded(self, [&](Integrator& i) { return i.dynamics.jacobian(t, values(y), SUNDenseMatrix_Data(J)); });
  }
  static int weights(N_Vector y, N_Vector weight, void* self) {
    auto& integrator = *static_cast<Integrator*>(self);
    double* w = mutable_values(weight);
    integrator.dynamics.tolerances(values(y), w);
    for (int i = 0; i < integrator.dynamics.size(); ++i) {
      if (!std::isfinite(w[i])) return -1;
      w[i] = 1.0 / w[i];
    }
    return 0;
  }
  static void keep_message(int code, const char*, const char*, char* text, void* self) {
    if (code < 0) static_cast<Integrator*>(self)->message = text;
  }

  void restart() {
    dynamics.read_state(mutable_values(memory.y));
    PATCHFIELD_ASSERT(CVodeReInit(memory.cvode, dynamics.data().d()->time, memory.y) == CV_SUCCESS);
  }

  ContinuousReport advance(double time) {
    const double start = dynamics.data().d()->time;
    if (!(time > start && std::isfinite(time)))
      throw InputError(fmt::format("advance to {} s: the simulation is at {} s already", time, start));
    double reached = start;
    message.clear();
    const int status = CVode(memory.cvode, time, memory.y, &reached, CV_NORMAL);
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
    std::vector<double> rates(static_cast<std::size_t>(dynamics.size()));
    dynamics.derivative(reached, values(memory.y), rates.data());
    return {status >= 0, status >= 0 ? "" : message, reached};
  }

  ContinuousOptions options;
  ContinuousDynamics dynamics;
  CvodeMemory memory;
  std::string message;
  std::exception_ptr thrown;
};

ContinuousSimulation::ContinuousSimulation(const Model& model, const ContinuousOptions& options) {
  check_options(options);
  integrator_ = std::make_unique<Integrator>(model, options);
}

ContinuousSimulation::~ContinuousSimulation() = default;
ContinuousSimulation::ContinuousSimulation(ContinuousSimulation&&) noexcept = default;
ContinuousSimulation& ContinuousSimulation::operator=(ContinuousSimulation&&) noexcept = default;

Data& ContinuousSimulation::data() { return integrator_->dynamics.data(); }
const Data& ContinuousSimulation::data() const { return integrator_->dynamics.data(); }
void ContinuousSimulation::restart() { integrator_->restart(); }
ContinuousReport ContinuousSimulation::advance(double time) { return integrator_->advance(time); }

ContinuousStatistics ContinuousSimulation::statistics() const {
  void* cvode = integrator_->memory.cvode;
  ContinuousStatistics s;
  CVodeGetNumSteps(cvode, &s.steps);
  CVodeGetNumRhsEvals(cvode, &s.evaluations);
  CVodeGetNumJacEvals(cvode, &s.jacobians);
  CVodeGetNumNonlinSolvIters(cvode, &s.newton_iterations);
  CVodeGetNumNonlinSolvConvFails(cvode, &s.newton_failures);
  CVodeGetNumErrTestFails(cvode, &s.error_test_failures);
  CVodeGetLastStep(cvode, &s.last_step);
  CVodeGetLastOrder(cvode, &s.last_order);
  return s;
}

}  // namespace patchfield
