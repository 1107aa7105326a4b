// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_coin_report.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "figures.h"

namespace patchfield::cli {
namespace {

constexpr double kTheory = 0.653;       // of the disc, as the paper gives it
constexpr double kPaperDisc = 0.64426;  // of the fan of 152 by the paper's error-controlled simulation

// Drake 1.51.1, fan of 152, δt 1 ms.
const std::map<double, double> kDrakeTamsi = {
    {0.1, .64245}, {0.5, .64425}, {1.0, .64423}, {2.0, .64420}, {10.0, .64484}};
const std::map<double, double> kDrakeLagged = {
    {0.1, .64186}, {0.5, .64393}, {1.0, .64390}, {2.0, .64393}, {10.0, .64459}};

nlohmann::json by_eps0(const CoinSweep& sweep) {
  nlohmann::json out;
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) out[fmt::format("{:g}", sweep.eps0[i])] = sweep.runs[i].eps;
  return out;
}

/// The run of an ε₀, or none.
const CoinRun* find(const CoinSweep& sweep, double eps0) {
  for (std::size_t i = 0; i < sweep.runs.size(); ++i)
    if (sweep.eps0[i] == eps0) return &sweep.runs[i];
  return nullptr;
}

std::string cell(const CoinSweep& sweep, double eps0, double against) {
  const CoinRun* run = find(sweep, eps0);
  return run == nullptr ? "–" : fmt::format("{:.5f} ({:+.3f} %)", run->eps, 100.0 * (run->eps / against - 1.0));
}

std::string cell(const std::map<double, double>& values, double eps0) {
  const auto found = values.find(eps0);
  return found == values.end() ? "–" : fmt::format("{:.5f}", found->second);
}

Series series(const CoinSweep& sweep, std::string name, Marker marker, int color) {
  Series s{.name = std::move(name), .marker = marker, .color = color};
  s.x = sweep.eps0;
  for (const CoinRun& run : sweep.runs) s.y.push_back(run.eps);
  return s;
}

Plot ratio_plot(const CoinStudy& study) {
  Plot plot{.title = "Where the coin ends: ε* = v/(ωR), whatever it began with",
            .x = {.label = "ε₀ at the start", .log = true, .ticks = {0.1, 0.2, 0.5, 1, 2, 5, 10}},
            .y = {.label = "ε* near rest", .range = {{0.640, 0.656}}}};
  plot.levels = {{kTheory, "disc, theory 0.653", 6},
                 {study.eps_semianalytic_mean,
                  fmt::format("fan of 152, fixed point {:.5f}", study.eps_semianalytic_mean), 6, 36.0}};
  plot.series = {series(study.refined, "TAMSI, faces cut to R/8", Marker::kDiamond, 2),
                 series(study.tamsi, "TAMSI, fan of 152, δt 1 ms", Marker::kCircle, 0),
                 series(study.lagged, "Lagged, fan of 152, δt 1 ms", Marker::kSquare, 1)};
  if (study.continuous.runs.size() > 1)
    plot.series.push_back(series(study.continuous, "continuous model, fan of 152", Marker::kTriangle, 3));
  return plot;
}

/// ε over the speed that is left.
Plot path_plot(const CoinStudy& study) {
  Plot plot{.title = "On the way to rest, faces cut to R/8",
            .x = {.label = "speed left, (v + ωR)/(v₀ + ω₀R)", .log = true},
            .y = {.label = "ε = v/(ωR)", .log = true, .range = {{0.08, 12.0}}, .ticks = {0.1, 0.2, 0.5, 1, 2, 5, 10}}};
  plot.levels = {{kTheory, "0.653", 6}};
  for (std::size_t i = 0; i < study.refined.runs.size(); ++i) {
    Series s{
        .name = fmt::format("ε₀ = {:g}", study.refined.eps0[i]), .marker = Marker::kNone, .color = static_cast<int>(i)};
    s.dashed = i >= 7;
    const std::vector<CoinMotion>& path = study.refined.runs[i].path;
    for (const CoinMotion& m : path) {
      s.x.push_back((m.v + m.wR) / (path.front().v + path.front().wR));
      s.y.push_back(m.eps());
    }
    plot.series.push_back(std::move(s));
  }
  return plot;
}

Plot dt_plot(const CoinStudy& study) {
  Plot plot{.title = "Error over the time step",
            .x = {.label = "δt [s]", .log = true},
            .y = {.label = "relative error of v and ωR", .log = true}};
  plot.series = {{.name = fmt::format("TAMSI, order {:.3f}", study.dt_tamsi.order),
                  .x = study.dt_tamsi.size,
                  .y = study.dt_tamsi.error,
                  .color = 0},
                 {.name = fmt::format("Lagged, order {:.3f}", study.dt_lagged.order),
                  .x = study.dt_lagged.size,
                  .y = study.dt_lagged.error,
                  .marker = Marker::kSquare,
                  .line = false,
                  .color = 1}};
  plot.slopes = {{.order = 1.0, .x = 1e-4, .y = 0.5 * study.dt_tamsi.error.back(), .to_x = 1e-2, .name = "order 1"}};
  return plot;
}

Plot dx_plot(const CoinStudy& study) {
  Plot plot{.title = "Error over the grid",
            .x = {.label = "segments around the rim", .log = true, .ticks = {8, 16, 32, 64, 128}},
            .y = {.label = "relative error of v and ωR", .log = true}};
  Series s{.name = fmt::format("TAMSI, order {:.3f}", study.dx.order), .y = study.dx.error};
  for (const double size : study.dx.size) s.x.push_back(1.0 / size);
  plot.series = {s};
  plot.slopes = {{.order = -2.0, .x = 8, .y = 0.5 * study.dx.error.front(), .to_x = 128, .name = "order 2"}};
  return plot;
}

Plot faces_plot(const CoinStudy& study) {
  const CoinRefinement& r = study.refinement;
  Plot plot{.title = "0.644 is the quadrature: ε* over the number of faces",
            .x =
                {
                    .label = "faces of the coin",
                    .log = true,
                },
            .y = {.label = "ε*", .range = {{0.636, 0.668}}}};
  const std::vector<double> faces(r.faces.begin(), r.faces.end());
  plot.x.ticks = faces;
  plot.levels = {{kTheory, "disc, theory 0.653", 6}};
  plot.series = {{.name = "fixed point, one point per face", .x = faces, .y = r.centroid, .color = 0},
                 {.name = "fixed point, three points per face",
                  .x = faces,
                  .y = r.moments,
                  .marker = Marker::kDiamond,
                  .color = 2}};
  Series simulated{.name = "simulated, all ε₀ (TAMSI)", .marker = Marker::kCircle, .line = false, .color = 1};
  for (const CoinSweep* sweep : {&study.tamsi, &study.refined})
    for (const CoinRun& run : sweep->runs) simulated.x.push_back(run.faces), simulated.y.push_back(run.eps);
  plot.series.push_back(simulated);
  return plot;
}

std::string sap_paragraph(const CoinStudy& study) {
  std::string out =
      "| δt | speed | gap after one step | μ·δt·mean ‖v_t‖ | steps with contact, of 100 | largest lean "
      "|\n|---|---|---|---|---|---|\n";
  for (const CoinGlide& g : study.sap)
    out += fmt::format("| {:g} ms | {:g} m/s | {:.2f} µm | {:.2f} µm | {:.0f} | {:.2f}° |\n", 1e3 * g.dt, g.speed,
                       1e6 * g.gap, 1e6 * g.predicted, 100.0 * g.contact, g.tilt * 180.0 / 3.14159265358979);
  return out;
}

std::string convergence_table(const CoinStudy& study) {
  std::string out = "| δt [s] | TAMSI | Lagged |\n|---|---|---|\n";
  for (std::size_t i = 0; i < study.dt_tamsi.size.size(); ++i)
    out += fmt::format("| {:g} | {:.3e} | {:.3e} |\n", study.dt_tamsi.size[i], study.dt_tamsi.error[i],
                       study.dt_lagged.error[i]);
  out += fmt::format("| order | {:.3f} | {:.3f} |\n\n| segments | TAMSI |\n|---|---|\n", study.dt_tamsi.order,
                     study.dt_lagged.order);
  for (std::size_t i = 0; i < study.dx.size.size(); ++i)
    out += fmt::format("| {:.0f} | {:.3e} |\n", 1.0 / study.dx.size[i], study.dx.error[i]);
  return out + fmt::format("| order | {:.3f} |\n", study.dx.order);
}

}  // namespace

nlohmann::json coin_json(const CoinStudy& study) {
  nlohmann::json out;
  out["eps_star"] = {{"tamsi", by_eps0(study.tamsi)}, {"lagged", by_eps0(study.lagged)}};
  out["eps_continuous"] = study.eps_continuous;
  out["eps_continuous_by_eps0"] = by_eps0(study.continuous);
  out["eps_semianalytic"] = study.eps_semianalytic;
  out["eps_semianalytic_mean"] = study.eps_semianalytic_mean;
  out["eps_disc"] = study.eps_disc;
  out["triangles"] = {{"eps_continuous", study.eps_triangles_continuous},
                      {"eps_semianalytic", study.eps_triangles_semianalytic}};
  out["eps_refined"] = by_eps0(study.refined);
  out["eps_refined_lagged"] = by_eps0(study.refined_lagged);
  out["faces_refined"] = study.refined.runs.front().faces;
  out["points_refined"] = study.refined.runs.front().points;
  out["order_dt"] = study.dt_tamsi.order;
  out["order_dt_lagged"] = study.dt_lagged.order;
  out["order_dx"] = study.dx.order;
  out["error_dt"] = {{"dt", study.dt_tamsi.size}, {"tamsi", study.dt_tamsi.error}, {"lagged", study.dt_lagged.error}};
  out["error_dx"] = {{"size", study.dx.size}, {"tamsi", study.dx.error}};
  for (const auto& [name, sweep] : {std::pair{"tamsi", &study.tamsi}, std::pair{"lagged", &study.lagged}}) {
    double cpu = 0.0;
    long steps = 0, trouble = 0;
    for (const CoinRun& run : sweep->runs)
      cpu += run.cpu_seconds, steps += run.steps, trouble += run.unconverged + run.fallbacks;
    out["us_per_step"][name] = 1e6 * cpu / static_cast<double>(steps);
    out["unconverged"][name] = trouble;
  }
  for (const CoinGlide& g : study.sap)
    out["sap"].push_back({{"dt", g.dt},
                          {"speed", g.speed},
                          {"gap", g.gap},
                          {"predicted", g.predicted},
                          {"tilt", g.tilt},
                          {"contact", g.contact}});
  return out;
}

std::string coin_markdown(const CoinStudy& study) {
  std::string out = fmt::format(
      "# The coin, reproduced\n\nFan of 152 triangles, one point each, δt 1 ms. In brackets: off the paper's {:g}. The "
      "last two columns: faces cut to R/8 "
      "({} faces, {} points), off the theory's {:g}.\n\n"
      "| ε₀ | TAMSI | Drake's TAMSI | Lagged | Drake's Lagged | continuous | cut: TAMSI | cut: Lagged "
      "|\n|---|---|---|---|---|---|---|---|\n",
      kPaperDisc, study.refined.runs.front().faces, study.refined.runs.front().points, kTheory);
  for (const double eps0 : kCoinEps0)
    out += fmt::format("| {:g} | {} | {} | {} | {} | {} | {} | {} |\n", eps0, cell(study.tamsi, eps0, kPaperDisc),
                       cell(kDrakeTamsi, eps0), cell(study.lagged, eps0, kPaperDisc), cell(kDrakeLagged, eps0),
                       cell(study.continuous, eps0, kPaperDisc), cell(study.refined, eps0, kTheory),
                       cell(study.refined_lagged, eps0, kTheory));
  out += fmt::format(
      "\n| ε* | here | paper |\n|---|---|---|\n| disc | {:.5f} | {:g} |\n| fan of 152, fixed point as it lies | {:.5f} "
      "| |\n"
      "| fan of 152, fixed point, mean over a turn | {:.5f} | |\n| fan of 152, continuous model | {:.5f} | {:g} |\n"
      "| its triangle tessellation, fixed point | {:.5f} | |\n| its triangle tessellation, continuous model | {:.5f} | "
      "|\n\n",
      study.eps_disc, kTheory, study.eps_semianalytic, study.eps_semianalytic_mean, study.eps_continuous, kPaperDisc,
      study.eps_triangles_semianalytic, study.eps_triangles_continuous);
  return out + convergence_table(study) + "\n" + sap_paragraph(study);
}

bool write_coin_report(const CoinStudy& study, const std::filesystem::path& folder) {
  write_text(folder / "coin.json", coin_json(study).dump(1) + "\n");
  write_text(folder / "coin.md", coin_markdown(study));
  bool rasterised = true;
  for (const auto& [name, plot] : {std::pair{"coin_ratio", ratio_plot(study)}, std::pair{"coin_path", path_plot(study)},
                                   std::pair{"coin_dt", dt_plot(study)}, std::pair{"coin_grid", dx_plot(study)},
                                   std::pair{"coin_faces", faces_plot(study)}}) {
    const std::filesystem::path svg = folder / fmt::format("{}.svg", name), png = folder / fmt::format("{}.png", name);
    write_text(svg, draw_plot(plot));
    rasterised &= rasterise(svg, png);
  }
  return rasterised;
}

}  // namespace patchfield::cli
