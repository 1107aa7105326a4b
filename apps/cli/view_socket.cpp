// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The WebSocket half of the server: one object per browser that looks at a live simulation.

#include "view_state.h"

#include <boost/beast/websocket.hpp>

namespace patchfield::cli {
namespace {

namespace websocket = beast::websocket;

class SocketSession : public LiveClient, public std::enable_shared_from_this<SocketSession> {
 public:
  SocketSession(SharedState state, beast::tcp_stream stream, Ticket ticket)
      : state_(std::move(state)), socket_(std::move(stream)), ticket_(std::move(ticket)),
        number_(++state_->last_client) {}

  ~SocketSession() override {
    state_->clients.erase(this);
    if (open_ && state_->content.on_gone) state_->content.on_gone(number_);
  }

  void accept(const Request& request) {
    // A browser that vanished without a word is dropped when it does not answer pings. One that draws slowly answers
    // late, too: it stops reading meanwhile.
    socket_.set_option(websocket::stream_base::timeout{std::chrono::seconds(10), std::chrono::seconds(120), true});
    socket_.read_message_max(kMostCommand);
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (!error) self->begin();
    });
  }

  void send_frame(const Message& chunk) override {
    next_frame_ = chunk;  // an older one that still waits is dropped
    write();
  }
  void send_status(const Message& text) override {
    next_status_ = text;
    write();
  }

 private:
  void begin() {
    open_ = true;
    state_->clients.insert(this);
    if (state_->content.on_connected) state_->content.on_connected(number_);
    header_waits_ = true;
    next_frame_ = state_->last_frame, next_status_ = state_->last_status;
    write();
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error)
        return;  // closed, cut, malformed or too large: Beast has said so to the other side; the last one out ends us
      if (!self->socket_.got_text()) return;
      if (self->state_->content.on_command)
        self->state_->content.on_command(self->number_, beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  /// One message at a time; header first, then the newest status and the newest frame.
  void write() {
    if (writing_ || !open_) return;
    bool binary = true;
    if (header_waits_) sent_ = Message(state_, &state_->content.live_header), header_waits_ = false;
    else if (next_status_) sent_ = std::exchange(next_status_, nullptr), binary = false;
    else if (next_frame_) sent_ = std::exchange(next_frame_, nullptr);
    else return;
    writing_ = true;
    socket_.binary(binary);
    socket_.async_write(net::buffer(*sent_), [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->writing_ = false;
      if (error) self->state_->clients.erase(self.get());
      else self->write();
    });
  }

  SharedState state_;
  websocket::stream<beast::tcp_stream> socket_;
  Ticket ticket_;
  int number_;
  beast::flat_buffer buffer_;
  bool open_ = false, header_waits_ = false, writing_ = false;
  Message next_frame_, next_status_, sent_;
};

}  // namespace

void serve_socket(SharedState state, beast::tcp_stream stream, const Request& request, Ticket ticket) {
  std::make_shared<SocketSession>(std::move(state), std::move(stream), std::move(ticket))->accept(request);
}

}  // namespace patchfield::cli
