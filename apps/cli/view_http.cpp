// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The HTTP half of the server: three addresses, read-only, checked.

#include "view_state.h"

#include <boost/beast/websocket/rfc6455.hpp>

namespace patchfield::cli {
namespace {

using net::ip::tcp;
using Response = http::response<http::span_body<const char>>;

constexpr auto kTimeout = std::chrono::seconds(20);
constexpr std::uint32_t kMostHeader = 8192;

/// Host without its port, "[::1]:8420" → "[::1]".
std::string_view host_name(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return colon == std::string_view::npos || host.ends_with(']') ? host : host.substr(0, colon);
}

/// A page of somewhere else may resolve its own name to this address and then ask in that name; so only names of this
/// machine are answered. With a wildcard address those are all its numbers, localhost and its own name.
bool is_number_or_own_name(std::string_view name) {
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  boost::system::error_code error;
  net::ip::make_address(std::string(name), error);
  if (!error || name == "localhost") return true;
  const std::string own = net::ip::host_name(error);
  return !error && !own.empty() && (name == own || name == own + ".local");
}

bool host_is_ours(const ViewServer::State& state, const Request& request) {
  const std::string_view name = host_name({request[http::field::host].data(), request[http::field::host].size()});
  if (state.host == "0.0.0.0" || state.host == "::") return is_number_or_own_name(name);
  return name == "127.0.0.1" || name == "localhost" || name == "[::1]" || name == state.host ||
         name == "[" + state.host + "]";
}

/// Browsers tell which page opens a WebSocket; only our own may. Programs that are no browsers send no Origin.
bool origin_is_ours(const Request& request) {
  const auto origin = request[http::field::origin], host = request[http::field::host];
  return request.find(http::field::origin) == request.end() || origin == "http://" + std::string(host);
}

/// Something came that is no request; nothing coming any more is no error.
bool is_malformed(const beast::error_code& error) {
  return error.category() == http::make_error_code(http::error::bad_target).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(SharedState state, tcp::socket socket, Ticket ticket)
      : state_(std::move(state)), stream_(std::move(socket)), ticket_(std::move(ticket)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(0);
    stream_.expires_after(kTimeout);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->answer(self->parser_->release());
      else if (is_malformed(error))
        self->refuse(Request(), http::status::bad_request, "This request is not understood.\n");
    });
  }

 private:
  void answer(const Request& request) {
    if (!host_is_ours(*state_, request))
      return refuse(request, http::status::misdirected_request, "This server answers to its own name only.\n");
    if (beast::websocket::is_upgrade(request)) return upgrade(request);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(request, http::status::method_not_allowed, "Only GET and HEAD.\n");
    if (request.target() == "/")
      return reply(request, http::status::ok, "text/html; charset=utf-8", state_->content.page);
    if (request.target() == "/recording.pfr" && !state_->content.recording.empty())
      return reply(request, http::status::ok, "application/octet-stream", state_->content.recording);
    refuse(request, http::status::not_found, "There is nothing here. The viewer is at /\n");
  }

  void upgrade(const Request& request) {
    if (request.target() != "/live" || state_->content.live_header.empty())
      return refuse(request, http::status::not_found, "There is no live simulation here.\n");
    if (!origin_is_ours(request))
      return refuse(request, http::status::forbidden, "Only the viewer's own page may look.\n");
    stream_.expires_never();  // the WebSocket has timers of its own
    serve_socket(state_, std::move(stream_), request, std::move(ticket_));
  }

  void refuse(const Request& request, http::status status, std::string_view text) {
    reply(request, status, "text/plain; charset=utf-8", text);
  }

  /// `body` must outlive the answer: content of the server, or a literal.
  void reply(const Request& request, http::status status, std::string_view type, std::string_view body) {
    response_.emplace(status, request.version() == 0 ? 11 : request.version());
    Response& r = *response_;
    r.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    r.set(http::field::cache_control, "no-store");
    // The page is one file and talks to nobody but this server.
    r.set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' data: blob: ws:; frame-ancestors 'none'");
    r.set("X-Content-Type-Options", "nosniff");
    r.set("Referrer-Policy", "no-referrer");
    r.set("Cross-Origin-Resource-Policy", "same-origin");
    const bool bad = http::to_status_class(status) != http::status_class::successful;
    r.keep_alive(request.keep_alive() && !bad);
    r.content_length(body.size());
    if (request.method() != http::verb::head) r.body() = {body.data(), body.size()};
    write();
  }

  void write() {
    stream_.expires_after(kTimeout);
    const auto done = [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error && self->response_->keep_alive()) return self->read();
      beast::error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    };
    http::async_write(stream_, *response_, done);
  }

  SharedState state_;
  beast::tcp_stream stream_;
  Ticket ticket_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<Response> response_;
};

}  // namespace

void serve_http(SharedState state, tcp::socket socket, Ticket ticket) {
  std::make_shared<HttpSession>(std::move(state), std::move(socket), std::move(ticket))->read();
}

}  // namespace patchfield::cli
