// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "view_server.h"

#include <atomic>
#include <csignal>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "view_state.h"

namespace patchfield::cli {
namespace {

using net::ip::tcp;

/// Frames that the network's thread has not taken yet; more are dropped.
constexpr int kMostWaiting = 4;
constexpr int kPortsTried = 20;

tcp::endpoint resolve(net::io_context& io, const std::string& host, std::uint16_t port) {
  beast::error_code error;
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(host, std::to_string(port), error);
  if (error || found.empty())
    throw InputError(fmt::format(
        "--host {}: no such address on this machine. 127.0.0.1 is for this machine alone, 0.0.0.0 for all", host));
  return found.begin()->endpoint();
}

/// Opens the acceptor; an error code says why not.
beast::error_code listen(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  beast::error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
  if (error) {
    beast::error_code ignored;
    acceptor.close(ignored);
  }
  return error;
}

}  // namespace

/// Sessions live in handlers that the io_context keeps, and refer to the state: so the state must not own the
/// io_context.
struct ViewServer::Network {
  explicit Network(ServerContent content) : state(std::make_shared<State>(std::move(content))) {}

  void accept_next() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted) return;
      // Out of descriptors or the like: the next one may do better. Beyond the limit the socket is closed unheard.
      if (!error && state->connections < kMostConnections)
        serve_http(state, std::move(socket), std::make_shared<ConnectionTicket>(state));
      accept_next();
    });
  }

  net::io_context io{1};
  tcp::acceptor acceptor{io};
  net::signal_set signals{io};
  SharedState state;
  std::atomic<int> waiting = 0;  ///< Frames on their way from the simulation's thread.
};

ViewServer::ViewServer(const ServerOptions& options, ServerContent content)
    : network_(std::make_unique<Network>(std::move(content))) {
  network_->state->host = options.host;
  beast::error_code error;
  const int ports = options.try_next_ports ? kPortsTried : 1;
  for (int i = 0; i < ports; ++i) {
    error =
        listen(network_->acceptor, resolve(network_->io, options.host, static_cast<std::uint16_t>(options.port + i)));
    if (error != net::error::address_in_use) break;
  }
  if (error == net::error::address_in_use)
    throw InputError(fmt::format(
        "port {} is taken: end the other program, or give another --port (0: any that is free)", options.port));
  if (error)
    throw InputError(fmt::format("cannot listen on {} port {}: {}. Give another --host or --port", options.host,
                                 options.port, error.message()));
  network_->state->port = network_->acceptor.local_endpoint().port();
}

ViewServer::~ViewServer() = default;

std::string ViewServer::url() const {
  const bool six = network_->state->host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", six ? "[" + network_->state->host + "]" : network_->state->host,
                     network_->state->port);
}

void ViewServer::run() {
  for (const int signal : {SIGINT, SIGTERM}) network_->signals.add(signal);
  network_->signals.async_wait([this](beast::error_code error, int) {
    if (!error) stop();
  });
  network_->accept_next();
  network_->io.run();
}

void ViewServer::stop() { network_->io.stop(); }

void ViewServer::send_frame(std::shared_ptr<const std::string> chunk) {
  if (network_->waiting.fetch_add(1) >= kMostWaiting) {
    --network_->waiting;
    return;
  }
  net::post(network_->io, [network = network_.get(), frame = std::move(chunk)] {
    --network->waiting;
    network->state->last_frame = frame;
    for (LiveClient* client : network->state->clients) client->send_frame(frame);
  });
}

void ViewServer::send_status(const std::string& text) {
  net::post(network_->io, [state = network_->state, message = std::make_shared<const std::string>(text)] {
    state->last_status = message;
    for (LiveClient* client : state->clients) client->send_status(message);
  });
}

}  // namespace patchfield::cli
