// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_tasks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

namespace patchfield::cli {
namespace {

class Bar {
 public:
  explicit Bar(double total) : total_(total), on_(isatty(STDERR_FILENO) != 0) {}
  ~Bar() {
    if (on_) fmt::print(stderr, "\r\033[K");
  }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

  void began(const std::string& name) {
    const std::lock_guard lock(mutex_);
    name_ = name;
    draw();
  }
  void ended(double cost) {
    const std::lock_guard lock(mutex_);
    done_ += cost;
    draw();
  }

 private:
  void draw() const {
    if (!on_) return;
    const double share = done_ / total_;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::string left = share > 0.05 ? fmt::format("   {:.0f} s left", elapsed * (1.0 / share - 1.0)) : "";
    const auto filled = static_cast<std::size_t>(20.0 * share);
    fmt::print(stderr, "\r\033[K[{:<20}] {:3.0f} %   {}{}", std::string(filled, '='), 100.0 * share, name_, left);
    std::fflush(stderr);
  }

  double total_, done_ = 0.0;
  bool on_;
  std::string name_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void run_tasks(std::vector<StudyTask> tasks, int threads) {
  std::sort(tasks.begin(), tasks.end(), [](const auto& a, const auto& b) { return a.cost > b.cost; });
  double total = 0.0;
  for (const StudyTask& task : tasks) total += task.cost;
  Bar bar(total);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr thrown;
  std::mutex mutex;
  // Plain threads rather than the simulation's pool: few and long tasks, and a pool would want equal ones.
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      bar.began(tasks[i].name);
      try {
        tasks[i].run();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!thrown) thrown = std::current_exception();
        next = tasks.size();
      }
      bar.ended(tasks[i].cost);
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  workers.clear();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace patchfield::cli
