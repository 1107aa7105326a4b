// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield export: a scene as the MJCF file that it is, or any model as SDF with what SDF cannot say.

#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "patchfield/core/check.h"
#include "patchfield/io/output_file.h"
#include "patchfield/io/sdf_writer.h"
#include "run_options.h"
#include "scenes/scenes.h"

namespace patchfield::cli {
namespace {

struct ExportOptions {
  RunOptions run;
  std::string output, format;
};

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) fail_disk(path, "writing");
}

/// The format that was asked for, or that of the file's name.
std::string format_of(const ExportOptions& options) {
  const std::string ending = std::filesystem::path(options.output).extension().string();
  const std::string format = !options.format.empty()                 ? options.format
                             : ending == ".sdf"                      ? "sdf"
                             : ending == ".xml" || ending == ".mjcf" ? "mjcf"
                                                                     : "";
  if (format != "mjcf" && format != "sdf")
    throw InputError(fmt::format("--format {}: choose mjcf or sdf, or a file name that ends in .xml or .sdf",
                                 options.format.empty() ? "is missing" : options.format));
  return format;
}

void export_mjcf(const ExportOptions& options) {
  constexpr std::string_view kPrefix = "scene:";
  if (!options.run.model.starts_with(kPrefix))
    throw InputError(
        fmt::format("{}: only scenes (scene:NAME) are exported as MJCF; this is a file already", options.run.model));
  load_model(options.run);  // refuses unknown names with the list of known ones
  write_text(options.output, scenes::by_name(std::string_view(options.run.model).substr(kPrefix.size())));
}

void export_sdf(const ExportOptions& options) {
  const std::filesystem::path path(options.output);
  const SdfExport sdf = write_sdf(load_model(options.run), path.stem().string());
  write_text(path, sdf.text);
  for (const auto& [name, obj] : sdf.meshes) write_text(path.parent_path() / name, obj);
  if (options.run.quiet) return;
  fmt::print("What the SDF does not say:\n");
  for (const std::string& line : sdf.unsaid) fmt::print("  - {}\n", line);
}

void run(const ExportOptions& options) {
  const std::string format = format_of(options);
  checked_output_path(options.output, "model.sdf");
  if (format == "sdf") export_sdf(options);
  else export_mjcf(options);
  if (!options.run.quiet) fmt::print("{} → {}\n", options.run.model, options.output);
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Write a scene as MJCF, or a model as SDF for Drake and others");
  command->add_option("MODEL", o->run.model, "Model file, or scene:NAME")->required()->type_name("");
  command->add_option("OUTPUT", o->output, "File to write; meshes go beside it")->required()->type_name("");
  command->add_option("--format", o->format, "Default: by the ending of OUTPUT")->type_name("mjcf|sdf");
  command->add_flag("--quiet", o->run.quiet, "Print nothing but warnings and errors");
  add_model_options(*command, o->run);
  command->callback([o] { run(*o); });
}

}  // namespace patchfield::cli
