// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The viewer over HTTP and WebSocket, for this machine alone unless told otherwise.
//
//   GET /               the page
//   GET /recording.pfr  the recording, if it is one that is shown
//   GET /live           becomes a WebSocket: header, then frames (binary) and status (text); commands come back as text
//
// Nothing that a browser does or fails to do reaches the simulation but its commands: per client at most one frame and
// one status wait, newer ones replace them, and what comes in is small, checked, or the end of the connection.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace patchfield::cli {

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;       ///< 0: any that is free.
  bool try_next_ports = false;  ///< A port that is taken gives way to the next free one.
};

/// No more clients are served at a time; the next ones get an error.
inline constexpr int kMostConnections = 64;
/// A command is shorter [bytes].
inline constexpr std::size_t kMostCommand = 4096;

struct ServerContent {
  std::string page;
  std::string recording;    ///< Of /recording.pfr; empty: there is none.
  std::string live_header;  ///< First message of a live stream; empty: there is none.
  /// A text from a client, numbered from 1; and its end.
  std::function<void(int client, const std::string& text)> on_command = {};
  std::function<void(int client)> on_connected = {}, on_gone = {};
};

class ViewServer {
 public:
  /// Listens. Throws InputError if that cannot be.
  ViewServer(const ServerOptions& options, ServerContent content);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  std::string url() const;

  /// Serves until stop(), Ctrl-C or SIGTERM.
  void run();
  void stop();

  /// To all clients; from any thread; never waits.
  void send_frame(std::shared_ptr<const std::string> chunk);
  void send_status(const std::string& text);

  struct State;

 private:
  struct Network;
  std::unique_ptr<Network> network_;
};

}  // namespace patchfield::cli
