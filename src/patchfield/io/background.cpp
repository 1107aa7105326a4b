// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/background.h"

#include <utility>

namespace patchfield {

Background::Background(std::size_t capacity) : capacity_(capacity), thread_([this] { work(); }) {}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Background::run(std::size_t bytes, std::function<void()> task) {
  std::unique_lock lock(mutex_);
  // One that is too large for any place goes when it is alone.
  changed_.wait(lock, [&] { return held_ == 0 || held_ + bytes <= capacity_; });
  rethrow();
  tasks_.push_back({bytes, std::move(task)});
  held_ += bytes;
  changed_.notify_all();
}

void Background::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return tasks_.empty() && !busy_; });
  rethrow();
}

void Background::rethrow() {
  if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
}

void Background::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !tasks_.empty() || ending_; });
    if (tasks_.empty()) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr trouble;
    try {
      task.work();
    } catch (...) {
      trouble = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    held_ -= task.bytes;
    if (trouble) {
      trouble_ = trouble;
      tasks_.clear();
      held_ = 0;
    }
    changed_.notify_all();
  }
}

}  // namespace patchfield
