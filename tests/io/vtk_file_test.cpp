// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Legacy VTK: every variant written comes back to the bit, and what others write is read.

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {
namespace {

std::string complaint(const std::string& bytes) {
  try {
    parse_vtk(bytes, "pad.vtk");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Vtk, WhatIsWrittenIsReadToTheBit) {
  TetMesh mesh = box_grid({0.1, 0.2, 0.3}, 2, 1, 1);
  std::vector<double> pressures;
  for (Vec3& v : mesh.vertices) v = v / 3.0, pressures.push_back(1e7 * v.squaredNorm() / 7.0);
  for (const bool binary : {false, true})
    for (const bool offsets : {false, true})
      for (const bool with_pressures : {false, true}) {
        const auto p = with_pressures ? pressures : std::vector<double>{};
        const VolumeFile file = parse_vtk(format_vtk(mesh, p, {binary, offsets}), "pad.vtk");
        EXPECT_EQ(file.mesh.vertices, mesh.vertices);
        EXPECT_EQ(file.mesh.tets, mesh.tets);
        EXPECT_EQ(file.vertex_pressures, p);
        EXPECT_FALSE(file.was_flipped);
      }
}

/// An ASCII file of one or two tetrahedra; pieces can be replaced.
std::string ascii(const std::string& cells = "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", const std::string& rest = "") {
  return "# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n"
         "0 0 0 1 0 0\n0 1 0  0 0 1\n1 1 1\n\nMETADATA\nINFORMATION 1\nNAME X LOCATION Y\n\n" +
         cells + rest;
}

// Binary numbers whose first bytes look like a line's end, a space, or a word.
TEST(Vtk, BinaryBytesAreNotTakenForText) {
  TetMesh mesh;
  for (int i = 0; i < 16; ++i) mesh.vertices.push_back({0.1 * i, 0.01 * i * i, 0.001 * i * i * i});
  mesh.vertices[0] = {2.0e-260, 1e-90, 3e-260};  // 0x0A… and 0x20… as the first byte of a double
  for (const int first : {10, 9, 3}) mesh.tets.push_back({first, first + 1, first + 2, first + 3});
  for (int t = 0; t < 3; ++t)
    if (signed_volume(mesh, t) < 0.0) std::swap(mesh.tets[t][2], mesh.tets[t][3]);
  for (const bool offsets : {false, true}) {
    const VolumeFile file = parse_vtk(format_vtk(mesh, {}, {.binary = true, .offsets = offsets}), "pad.vtk");
    EXPECT_EQ(file.mesh.vertices, mesh.vertices);
    EXPECT_EQ(file.mesh.tets, mesh.tets);
  }
}

TEST(Vtk, OtherArraysArePassedOverAndThePressureIsFound) {
  const std::string rest =
      "CELL_DATA 1\nSCALARS pressure float\nLOOKUP_TABLE default\n9\nPOINT_DATA 5\nSCALARS id int 1\nLOOKUP_TABLE "
      "default\n"
      "1 2 3 4 5\nVECTORS v double\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nFIELD FieldData 3\ntemperature 1 5 float\n7 7 7 7 "
      "7\n"
      "Hydro_Pressure 1 5 double\n0 1 2 3 4\ncolour 3 5 unsigned_char\n1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n";
  const VolumeFile file = parse_vtk(ascii("CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", rest), "pad.vtk");
  EXPECT_EQ(file.pressure_name, "Hydro_Pressure");
  EXPECT_EQ(file.vertex_pressures, (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(parse_vtk(ascii(), "pad.vtk").vertex_pressures.empty());
}

TEST(Vtk, MirroredFilesAreTurnedAndMixturesAreNot) {
  const VolumeFile mirrored = parse_vtk(ascii("CELLS 1 5\n4 0 2 1 3\nCELL_TYPES 1\n10\n"), "pad.vtk");
  EXPECT_TRUE(mirrored.was_flipped);
  EXPECT_GT(signed_volume(mirrored.mesh, 0), 0.0);
  const std::string text = complaint(ascii("CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10 10\n"));
  const std::string other = complaint(ascii("CELLS 2 10\n4 0 1 2 3\n4 1 2 4 3\nCELL_TYPES 2\n10 10\n"));
  const std::string& bad = text.empty() ? other : text;
  EXPECT_TRUE(text.empty() != other.empty());
  EXPECT_TRUE(has(bad, "pad.vtk:16: tetrahedron 1 has negative volume")) << bad;
}

TEST(Vtk, ErrorsNameFileAndLine) {
  const std::string hexahedron = complaint(
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n0 0 0 1 0 0 1 1 0 0 1 0\n"
      "0 0 1 1 0 1 1 1 1 0 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n");
  EXPECT_TRUE(has(hexahedron, "pad.vtk:11: cell 0 is of type 12 (hexahedron)")) << hexahedron;
  const std::string claim =
      complaint("# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 2000000000 double\n0 0 0\n");
  EXPECT_TRUE(has(claim, "pad.vtk:5: 6000000000 numbers are announced, but only")) << claim;
  const std::string binary =
      complaint("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 2000000000 double\n0 0 0\n");
  EXPECT_TRUE(has(binary, "numbers of 8 bytes are announced")) << binary;
  EXPECT_TRUE(has(complaint(ascii("CELLS 1 5\n4 0 1 2 9\nCELL_TYPES 1\n10\n")), "pad.vtk:15: cell 0 names point 9"));
  EXPECT_TRUE(has(complaint(ascii("CELLS 1 5\n7 0 1 2 3\nCELL_TYPES 1\n10\n")), "does not fit"));
  EXPECT_TRUE(has(complaint(ascii("CELLS 1 5\n4 0 1 2")), "5 numbers are announced"));
  EXPECT_TRUE(has(complaint(ascii("CELLS 1 5\n4 0 1 2 3\n")), "1 cells, but 0 cell types"));
  std::string huge = ascii();
  huge.replace(huge.find("0 0 1\n1 1 1"), 5, "0 0 1e300");
  EXPECT_TRUE(has(complaint(huge), "below 1e12 m")) << complaint(huge);
  EXPECT_TRUE(has(complaint("<VTKFile/>"), "pad.vtk:1: "));
  EXPECT_TRUE(has(complaint(""), "legacy"));
  EXPECT_TRUE(has(complaint("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"), "DATASET POLYDATA"));
  EXPECT_TRUE(
      has(complaint(ascii("CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", "NONSENSE\n")), "pad.vtk:18: \"NONSENSE\""));
}

}  // namespace
}  // namespace patchfield
