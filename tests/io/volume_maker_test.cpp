// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces become tetrahedra, the same ones each time, and are remembered. The mesher itself needs the venv's Python
// with wildmeshing: tests that run it are skipped where that is missing. A stand-in mesher tests the rest.

#include "patchfield/io/volume_maker.h"

#include <fstream>

#include <sys/stat.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_quality.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/press.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/mesh_file.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

class VolumeMakerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / fmt::format("volume-maker-{}", getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// A shell script in the place of Python.
  fs::path stand_in(const std::string& script) const {
    const fs::path path = folder_ / "python";
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    chmod(path.c_str(), 0700);
    return path;
  }

  static std::string complaint(const TetrahedralizeOptions& options, const TriangleMesh& surface) {
    try {
      tetrahedralize(surface, options, "cup.obj");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TriangleMesh plate_surface() { return boundary(box_grid({0.06, 0.05, 0.003}, 1, 1, 1)).surface; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(VolumeMakerTest, MesherTroubleIsToldWithTheCure) {
  const TriangleMesh plate = plate_surface();
  EXPECT_TRUE(has(complaint({.python = "/no/python"}, plate),
                  "there is no /no/python. Run pip install wildmeshing, or make venv"));
  EXPECT_TRUE(has(complaint({.python = stand_in("echo No module named wildmeshing; exit 3")}, plate), "wildmeshing"));
  EXPECT_TRUE(has(complaint({.python = stand_in("echo first; echo out of memory; exit 9")}, plate),
                  "exit code 9 (out of memory)"));
  EXPECT_TRUE(has(complaint({.timeout = 0.2, .python = stand_in("sleep 60 & sleep 60")}, plate), "within 0.2 s"));
  EXPECT_TRUE(has(complaint({.resolution = -1.0}, plate), "resolution = -1 m must be positive"));
  // A mesher that finds nothing inside: an open surface.
  TriangleMesh open = plate;
  open.triangles.resize(1);
  const std::string none = R"(printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' > "$4")";
  EXPECT_TRUE(has(complaint({.python = stand_in(none)}, open), "enclose no volume (3 of their edges"));
}

TEST_F(VolumeMakerTest, VtkFilesAreScaledAndKeepTheirPressures) {
  const TetMesh box = box_grid({0.1, 0.1, 0.1}, 1, 1, 1);
  std::vector<double> pressures(box.vertices.size(), 0.0);
  pressures.back() = 5.0;
  const std::string file = folder_ / "box.vtk";
  write_vtk(file, box, pressures);
  const Volume volume = VolumeMaker()({.geom = "g", .file = file, .scale = {-2, 1, 1}, .surface = {}});
  EXPECT_NEAR(patchfield::volume(volume.mesh), 2e-3, 1e-12) << "mirrored, but positive";
  EXPECT_EQ(volume.vertex_pressures, pressures);
}

/// The venv's mesher, once on the plate; skipped where it is not installed.
class RealMesherTest : public VolumeMakerTest {
 protected:
  void SetUp() override {
    VolumeMakerTest::SetUp();
    static const std::string trouble = mesh_once();
    if (has(trouble, "wildmeshing")) GTEST_SKIP() << trouble;
    ASSERT_EQ(trouble, "");
  }

  static std::string mesh_once() {
    try {
      mesh_ = tetrahedralize(plate_surface(), {.resolution = 0.02}, "plate", &report_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  inline static TetMesh mesh_;
  inline static TetrahedralizeReport report_;
};

TEST_F(RealMesherTest, PlateIsFlatHasAnInsideAndPressesLikeAPlate) {
  EXPECT_EQ(report_.flat.num_faces, 6);
  for (const Vec3& v : boundary(mesh_).surface.vertices)
    EXPECT_LT((Vec3(0.03, 0.025, 0.0015) - v.cwiseAbs()).cwiseAbs().minCoeff(), 1e-16) << v.transpose();
  const TetQuality quality = measure(mesh_);
  EXPECT_EQ(quality.num_voids, 0);
  EXPECT_GT(quality.num_inner_vertices, 10);
  EXPECT_NEAR(quality.volume, 0.06 * 0.05 * 0.003, 1e-12 * quality.volume) << "all edges and corners are there";

  // f = E·δ·S/H but for a rim of 1.5 mm, where the field rises more slowly.
  const double E = 1e6, load = 5.0, expected = load * 1.5e-3 / (E * 0.06 * 0.05);
  const Geometry plate = Geometry::compliant(mesh_, {.modulus = E, .margin = 1e-4});
  EXPECT_NEAR(Press(plate, {0, 0, -1}).depth(load).value(), expected, 0.08 * expected);
}

TEST_F(RealMesherTest, SameBitsAgainAndFromTheCacheWithoutTheMesher) {
  const fs::path cache = folder_ / "cache" / "deep";
  const TetMesh again = VolumeMaker({}, cache).fill(plate_surface(), 0.02, "plate");
  EXPECT_EQ(again.vertices, mesh_.vertices);
  EXPECT_EQ(again.tets, mesh_.tets);
  const VolumeMaker blind({.python = "/no/python"}, cache);
  EXPECT_EQ(blind.fill(plate_surface(), 0.02, "plate").vertices, mesh_.vertices);
  EXPECT_THROW(blind.fill(plate_surface(), 0.019, "plate"), InputError) << "another resolution is another mesh";

  // A file that was cut off is made anew.
  ASSERT_EQ(std::distance(fs::directory_iterator(cache), {}), 2) << "a mesh and its checksum";
  fs::path file;
  for (const auto& entry : fs::directory_iterator(cache))
    if (entry.path().extension() == ".vtk") file = entry.path();
  write_file_bytes(file, read_file_bytes(file).substr(0, 500));
  EXPECT_THROW(blind.fill(plate_surface(), 0.02, "plate"), InputError);
  EXPECT_EQ(VolumeMaker({}, cache).fill(plate_surface(), 0.02, "plate").tets, mesh_.tets);
  EXPECT_EQ(blind.fill(plate_surface(), 0.02, "plate").tets, mesh_.tets);
}

// Inside out, a hole of one triangle, and a second body stuck through it: the volume is that of the union.
TEST_F(RealMesherTest, HolesAndSelfIntersectionsAreFilled) {
  TriangleMesh cross = boundary(box_grid({0.06, 0.02, 0.02}, 3, 1, 1)).surface;
  const TriangleMesh bar = boundary(box_grid({0.02, 0.02, 0.06}, 1, 1, 3)).surface;
  const int offset = static_cast<int>(cross.vertices.size());
  cross.vertices.insert(cross.vertices.end(), bar.vertices.begin(), bar.vertices.end());
  for (const auto& [a, b, c] : bar.triangles) cross.triangles.push_back({a + offset, b + offset, c + offset});
  cross.triangles.erase(cross.triangles.begin());
  for (auto& t : cross.triangles) std::swap(t[0], t[1]);
  TetrahedralizeReport report;
  const TetMesh mesh = tetrahedralize(cross, {.resolution = 0.02}, "cross", &report);
  EXPECT_TRUE(report.was_inside_out);
  const double expected = 5 * 8e-6;  // five cubes of 2 cm
  EXPECT_NEAR(volume(mesh), expected, 0.03 * expected);
}

}  // namespace
}  // namespace patchfield
