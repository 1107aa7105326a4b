// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of the server share (view_server.cpp, view_http.cpp, view_socket.cpp). All of it belongs to the one
// thread that runs the io_context.

#pragma once

#include <optional>
#include <set>
#include <utility>  // Boost 1.74 forgets it where it uses std::exchange

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "view_server.h"

namespace patchfield::cli {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Message = std::shared_ptr<const std::string>;
using Request = http::request<http::empty_body>;

/// A client of the live stream.
class LiveClient {
 public:
  virtual ~LiveClient() = default;
  virtual void send_frame(const Message& chunk) = 0;
  virtual void send_status(const Message& text) = 0;
};

struct ViewServer::State {
  explicit State(ServerContent content_) : content(std::move(content_)) {}

  ServerContent content;
  std::string host;  ///< As the user wrote it.
  std::uint16_t port = 0;
  int connections = 0, last_client = 0;
  std::set<LiveClient*> clients;
  Message last_frame, last_status;  ///< For newcomers.
};

using SharedState = std::shared_ptr<ViewServer::State>;

/// Counts a connection while it lives.
class ConnectionTicket {
 public:
  explicit ConnectionTicket(SharedState state) : state_(std::move(state)) { ++state_->connections; }
  ~ConnectionTicket() { --state_->connections; }
  ConnectionTicket(const ConnectionTicket&) = delete;
  ConnectionTicket& operator=(const ConnectionTicket&) = delete;

 private:
  SharedState state_;
};
using Ticket = std::shared_ptr<ConnectionTicket>;

/// Answers one connection's requests.
void serve_http(SharedState state, net::ip::tcp::socket socket, Ticket ticket);
/// Takes over a connection that asked to become a WebSocket.
void serve_socket(SharedState state, beast::tcp_stream stream, const Request& request, Ticket ticket);

}  // namespace patchfield::cli
