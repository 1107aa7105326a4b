// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace patchfield::cli {
namespace {

bool can_redraw() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

int terminal_width() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// "3 s", "2:05", "1:02:05"
std::string duration_text(double seconds) {
  if (!(seconds < 360000.0)) return "long";
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

Progress::Progress(double total, bool wanted) : total_(total), on_(wanted && can_redraw()) {}

void Progress::update(double done) {
  if (!on_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  draw(done, std::chrono::duration<double>(now - start_).count());
}

void Progress::draw(double done, double elapsed) {
  const double part = std::clamp(done / total_, 0.0, 1.0);
  const std::string numbers =
      fmt::format(" {:3.0f} %   {:.2f} of {:g} s   ×{:.3g}   {} left", 100.0 * part, done, total_, done / elapsed,
                  duration_text(elapsed * (1.0 - part) / std::max(part, 1e-12)));
  // A line that wraps could not be erased: the bar takes what the numbers leave, and numbers alone are cut.
  const int width = terminal_width() - 1, room = std::min(40, width - static_cast<int>(numbers.size()) - 2);
  const int full = static_cast<int>(part * room);
  const std::string line = room >= 5 ? fmt::format("[{:=<{}}{: <{}}]{}", "", full, "", room - full, numbers)
                                     : fmt::format("{:3.0f} %", 100.0 * part);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace patchfield::cli
