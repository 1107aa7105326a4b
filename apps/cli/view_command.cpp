// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield view: shows a recording, or a model that is simulated while one looks, in a browser.

#include <atomic>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "mujoco_messages.h"
#include "patchfield/core/check.h"
#include "patchfield/io/recording_reader.h"
#include "patchfield/io/viewer_page.h"
#include "patchfield/sim/step.h"
#include "run_options.h"
#include "view_protocol.h"
#include "view_server.h"
#include "view_simulation.h"
#include "warnings.h"

namespace patchfield::cli {
namespace {

constexpr std::uint16_t kUsualPort = 8420;

struct ViewOptions {
  RunOptions run;
  std::string host = "127.0.0.1";
  std::optional<std::uint16_t> port;
  bool paused = false;
};

std::uint16_t parse_port(const std::string& text) {
  int port = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc() || stop != end || port < 0 || port > 65535)
    throw InputError(fmt::format("--port {}: give a number from 1 to 65535, or 0 for any that is free", text));
  return static_cast<std::uint16_t>(port);
}

bool is_recording(const std::filesystem::path& path) {
  return path.extension() == ".pfr" || path.extension() == ".part" || path.extension() == ".html" ||
         path.extension() == ".htm";
}

ServerOptions server_options(const ViewOptions& options) {
  return {options.host, options.port.value_or(kUsualPort), !options.port.has_value()};
}

void announce(const ViewServer& server, const std::string& what) {
  fmt::print("{} shows {}. Ctrl-C ends it.\n", server.url(), what);
  std::fflush(stdout);
}

void view_recording(const ViewOptions& options) {
  const RecordingReader reader = RecordingReader::open(options.run.model);
  if (!reader.is_complete())
    fmt::print(stderr, "patchfield: warning: {} ends early, after {} frames: {}\n", options.run.model,
               reader.num_frames(), reader.problem());
  ServerContent content;
  content.page = served_page("file");
  content.recording = reader.bytes();
  ViewServer server(server_options(options), std::move(content));
  announce(server, fmt::format("{}, {} frames", options.run.model, reader.num_frames()));
  server.run();
}

std::unique_ptr<Data> make_data(const ViewOptions& options, LiveOptions& live) {
  const Model model = load_model(options.run);
  std::vector<std::string> warnings = model.warnings();
  for (std::string& warning : take_mujoco_warnings()) warnings.push_back(std::move(warning));
  print_warnings(warnings);
  live.time_step = options.run.time_step.value_or(model.mujoco()->opt.timestep);
  num_steps(1.0, live.time_step);  // refuses a step that is none
  live.keyframe = find_keyframe(options.run, model.mujoco());
  live.title = options.run.model;
  auto data = std::make_unique<Data>(model, options.run.sim);
  data->reset(live.keyframe);
  return data;
}

/// Who may pull is who pulled last; when that one goes, the hand lets go.
class CommandDesk {
 public:
  explicit CommandDesk(LiveSimulation& simulation) : simulation_(simulation) {}

  void take(int client, const std::string& text) {
    const std::optional<LiveCommand> command = parse_command(text);
    if (!command) return;
    switch (command->kind) {
      case CommandKind::kPause: return simulation_.pause(true);
      case CommandKind::kResume: return simulation_.pause(false);
      case CommandKind::kStep: return simulation_.step_once();
      case CommandKind::kReset: return simulation_.reset(command->keyframe);
      case CommandKind::kPull: puller_ = client; return simulation_.pull(command->spring);
      case CommandKind::kRelease: return let_go(client);
    }
  }
  void let_go(int client) {
    if (client == puller_) simulation_.pull(std::nullopt);
  }

 private:
  LiveSimulation& simulation_;
  int puller_ = 0;
};

void view_model(const ViewOptions& options) {
  LiveOptions live;
  auto data = make_data(options, live);
  LiveSimulation simulation(std::move(data), live);
  simulation.pause(options.paused);
  CommandDesk desk(simulation);
  std::atomic<int> clients = 0;

  ServerContent content;
  content.page = served_page("live");
  content.live_header = simulation.header();
  content.on_command = [&](int client, const std::string& text) { desk.take(client, text); };
  content.on_gone = [&](int client) {
    --clients;
    desk.let_go(client);
  };
  ViewServer* network = nullptr;
  // Nothing is missed: time begins when the first browser looks.
  content.on_connected = [&](int) {
    ++clients;
    simulation.start({.frame = [&](std::shared_ptr<const std::string> chunk) { network->send_frame(std::move(chunk)); },
                      .status = [&](const LiveStatus& status) { network->send_status(status_json(status, clients)); }});
  };
  ViewServer server(server_options(options), std::move(content));
  network = &server;
  announce(server, fmt::format("{}, simulated while you look", options.run.model));
  server.run();
  simulation.stop();  // before the server that it talks to
}

void view(const ViewOptions& options) {
  require_viewer_page();
  catch_mujoco_messages();
  if (is_recording(options.run.model)) view_recording(options);
  else view_model(options);
}

}  // namespace

void add_view_command(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "Show a recording, or a model while it is simulated, in a browser");
  command->add_option("FILE|MODEL", options->run.model, "Recording (.pfr, .html), model (as for run) or scene:NAME")
      ->required()
      ->type_name("");
  command
      ->add_option_function<std::string>(
          "--port", [options](const std::string& text) { options->port = parse_port(text); },
          fmt::format("Port; 0 takes any that is free; default {} or the next free one", kUsualPort))
      ->type_name("N");
  command->add_option("--host", options->host, "Address to listen on; default 127.0.0.1: this machine alone")
      ->type_name("ADDRESS");
  command->add_flag("--paused", options->paused, "Wait for play before the first step");
  add_simulation_options(*command, options->run);
  command->callback([options] { view(*options); });
}

}  // namespace patchfield::cli
