// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield render: pictures and animations of a recording without a display. The page itself draws them, in the
// Chromium that comes with the viewer's packages; apps/viewer/render.mjs drives it.

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "commands.h"
#include "patchfield/core/check.h"

namespace patchfield::cli {
namespace {

struct RenderOptions {
  std::string recording;
  std::string picture, video, frames;
  std::vector<std::string> wishes;
};

constexpr const char* kWishes =
    "What a picture looks like, each as NAME=VALUE: time, from, to, rate, speed, width, height, ground (white, light, "
    "dark, none), labels (0, 1), "
    "camera (corner, front, …, or AZIMUTH,ELEVATION in degrees), zoom, look (patches, all), follow (none, contact, a "
    "body), orbit, arrows (force, "
    "moment, friction, slip), map, range, scale, opacity, hide (bodies), quality, page, patch; docs/viewer.md explains "
    "them";

/// Replaces this process: output, signals and the exit code are then those of the renderer.
int render(const RenderOptions& options) {
  if (options.picture.empty() && options.video.empty() && options.frames.empty())
    throw InputError(
        "nothing to render: give --picture OUT.png, --video OUT.webp (or .gif, .webm, .mp4) or --frames FOLDER");
  const std::filesystem::path script = std::filesystem::path(PATCHFIELD_VIEWER_SOURCES) / "render.mjs";
  if (!std::filesystem::exists(script) || !std::filesystem::exists(PATCHFIELD_NODE))
    throw InputError(
        fmt::format("`patchfield render` needs the viewer's sources and packages in {}, as `make build` leaves them; "
                    "they are not there",
                    PATCHFIELD_VIEWER_SOURCES));
  if (!std::filesystem::exists(options.recording))
    throw InputError(fmt::format("{}: no such file. Make it first: patchfield run MODEL --record {}", options.recording,
                                 options.recording));
  std::vector<std::string> words = {PATCHFIELD_NODE, script.string(), options.recording};
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"--picture", options.picture},
                                    {"--video", options.video},
                                    {"--frames", options.frames}})
    if (!value.empty()) words.insert(words.end(), {name, value});
  words.insert(words.end(), options.wishes.begin(), options.wishes.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(PATCHFIELD_NODE, arguments.data());
  throw InputError(fmt::format("{} cannot be started: {}", PATCHFIELD_NODE, std::strerror(errno)));
}

}  // namespace

void add_render_command(CLI::App& app) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand("render", "Draw a picture or an animation of a recording, without a display");
  command->add_option("RECORDING", options->recording, "A .pfr or .html recording")->required();
  command->add_option("--picture", options->picture, "One picture, PNG")->type_name("FILE");
  command->add_option("--video", options->video, "An animation: .webp, .gif, .webm; .mp4 needs ffmpeg")
      ->type_name("FILE");
  command->add_option("--frames", options->frames, "Numbered PNG pictures")->type_name("FOLDER");
  command->add_option("NAME=VALUE", options->wishes, kWishes);
  command->footer(
      "Example:\n  patchfield run scene:spatula --duration 6 --record out.pfr\n"
      "  patchfield render out.pfr --video out.webp follow=contact orbit=15 arrows=force");
  command->callback([options] { throw CLI::RuntimeError(render(*options)); });
}

}  // namespace patchfield::cli
