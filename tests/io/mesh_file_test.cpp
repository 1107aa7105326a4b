// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Readers of surfaces: what is in the file comes out, and bad files give one sentence with file and line.

#include "patchfield/io/mesh_file.h"

#include <cstring>
#include <fstream>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {
namespace {

/// The message of the InputError that `action` throws; empty if it throws none.
template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* kTetObj = R"(# a tetrahedron of volume 1/6
o thing
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 0 1 0
v 0 0 +1.
vn 0 0 1
vt 0.5 0.5
f 1/1/1 3/1/1 2/1/1
f 1//1 2//1 4//1
f -4 -1 -2
f 2 3 \
  4
)";

TEST(ParseObj, AllWaysToNameACorner) {
  const TriangleMesh mesh = parse_obj(kTetObj, "a.obj");
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(enclosed_volume(mesh), 1.0 / 6.0, 1e-15);
}

TEST(ParseObj, PolygonsAndWindowsLines) {
  const TriangleMesh quad = parse_obj("v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nf 1 2 3 4\r\n", "a.obj");
  EXPECT_EQ(quad.triangles.size(), 2u);
  EXPECT_NEAR(area(quad), 1.0, 1e-15);
}

TEST(ParseObj, ErrorsNameFileAndLine) {
  const auto says = [](const char* text) { return complaint([&] { parse_obj(text, "cup.obj"); }); };
  EXPECT_TRUE(has(says("v 0 0 0\nv 1 0\n"), "cup.obj:2: ")) << says("v 0 0 0\nv 1 0\n");
  EXPECT_TRUE(has(says("v 0 0 0\nv 1 x 0\n"), "\"x\" where coordinate y"));
  EXPECT_TRUE(has(says("v 0 0 nan\n"), "cup.obj:1: "));
  EXPECT_TRUE(has(says("v 0 0 0\n\nf 1 2 9\n"), "cup.obj:3: face names vertex 2"));
  EXPECT_TRUE(has(says("v 0 0 0\nf 1 1\n"), "cup.obj:2: face with 2 corners"));
  EXPECT_TRUE(has(says("f 1 0 1\n"), "corner \"0\""));
  EXPECT_TRUE(has(says("v 0 0 0\n"), "no triangles"));
  EXPECT_TRUE(has(says(""), "no triangles"));
}

std::string binary_stl(std::uint32_t claimed, int held) {
  std::string bytes(80, ' ');
  bytes.append(reinterpret_cast<const char*>(&claimed), 4);
  for (int t = 0; t < held; ++t) {
    const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, static_cast<float>(t)};
    bytes.append(reinterpret_cast<const char*>(numbers), sizeof(numbers)).append(2, '\0');
  }
  return bytes;
}

TEST(ParseStl, BinaryAndAscii) {
  EXPECT_EQ(parse_stl(binary_stl(3, 3), "a.stl").triangles.size(), 3u);
  std::string trap = binary_stl(2, 2);
  trap.replace(0, 5, "solid");
  EXPECT_EQ(parse_stl(trap, "a.stl").triangles.size(), 2u) << "binary, though it begins with solid";
  const TriangleMesh ascii = parse_stl(
      "solid a b\n facet normal 0 0 1\n  outer loop\n vertex 0 0 0\n vertex 1e0 0 0\n vertex 0 1 0\n endloop\n "
      "endfacet\n"
      "endsolid\n",
      "a.stl");
  EXPECT_EQ(ascii.triangles.size(), 1u);
  EXPECT_NEAR(area(ascii), 0.5, 1e-15);
}

TEST(ParseStl, ErrorsSayWhatIsWrong) {
  const auto says = [](const std::string& bytes) { return complaint([&] { parse_stl(bytes, "cup.stl"); }); };
  EXPECT_TRUE(has(says(binary_stl(0, 0)), "cup.stl: the STL file has zero triangles"));
  EXPECT_TRUE(has(says("solid nothing\nendsolid\n"), "zero triangles"));
  EXPECT_TRUE(has(says(binary_stl(2'000'000'000, 2)), "claims 2000000000 triangles, but its 184 bytes hold 2"));
  EXPECT_TRUE(has(says("solid a\n facet\n outer loop\n vertex 0 0 zero\n"), "cup.stl:4: "));
  EXPECT_TRUE(has(says("solid a\nfacet\nvertex 0 0 0\nendfacet\n"), "cup.stl:4: facet with 1 corners"));
  EXPECT_TRUE(has(says("solid a\nfacet\nvertex 0 0 0\n"), "ends within a facet"));
  EXPECT_TRUE(has(says("junk"), "no STL file"));
}

/// A triangle (0,0,0) (1,0,0) (0,1,0) in glTF's frame, as a data URI; `node` and `accessor` may be tampered with.
std::string gltf(const std::string& node, const std::string& accessor = R"("count":3)") {
  return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[)" + node +
         R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
      "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3",)" +
         accessor +
         R"(}],"bufferViews":[{"buffer":0,"byteLength":36}],
      "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
}

std::string no_buffer(const std::string& uri) { throw InputError(uri + ": not expected"); }

TEST(ParseGltf, TurnsYUpToZUpAndAppliesNodes) {
  const TriangleMesh plain = parse_gltf(gltf(R"({"mesh":0})"), "a.gltf", no_buffer);
  ASSERT_EQ(plain.vertices.size(), 3u);
  EXPECT_EQ(plain.vertices[1], Vec3(1, 0, 0)) << "x stays";
  EXPECT_EQ(plain.vertices[2], Vec3(0, 0, 1)) << "y, which is up in glTF, becomes z";

  // Parent: moved by (0, 0, 3). Child: turned by 90° about y (z → x), then scaled by 2.
  const TriangleMesh moved = parse_gltf(gltf(R"({"children":[1],"translation":[0,0,3]},
                         {"mesh":0,"rotation":[0,0.7071067811865476,0,0.7071067811865476],"scale":[2,2,2]})"),
                                        "a.gltf", no_buffer);
  // x → −z by the turn: (1,0,0) → (0,0,−2) → (0,0,1) → z-up (0, −1, 0).
  EXPECT_LT((moved.vertices[1] - Vec3(0, -1, 0)).norm(), 1e-12);
  EXPECT_LT((moved.vertices[2] - Vec3(0, -3, 2)).norm(), 1e-12);

  // A mirror must not turn the surface inside out.
  const TriangleMesh mirrored = parse_gltf(gltf(R"({"mesh":0,"scale":[-1,1,1]})"), "a.gltf", no_buffer);
  const auto normal = [](const TriangleMesh& m) {
    const auto& t = m.triangles[0];
    return Vec3((m.vertices[t[1]] - m.vertices[t[0]]).cross(m.vertices[t[2]] - m.vertices[t[0]]));
  };
  EXPECT_GT(normal(plain).dot(normal(mirrored)), 0.0);
}

TEST(ParseGltf, ErrorsSayWhatIsWrong) {
  const auto says = [](const std::string& text) { return complaint([&] { parse_gltf(text, "a.gltf", no_buffer); }); };
  EXPECT_TRUE(has(says("{\"asset\":"), "line 1"));
  EXPECT_TRUE(has(says("[]"), "not an object"));
  EXPECT_TRUE(has(says(gltf(R"({"mesh":0})", R"("count":2000000000)")), "claims 2000000000 elements"));
  EXPECT_TRUE(has(says(gltf(R"({"mesh":0,"children":[0]})")), "own ancestor"));
  EXPECT_TRUE(has(says(gltf(R"({"mesh":7})")), "a.gltf: "));
  EXPECT_TRUE(has(says(gltf(R"({"mesh":1e22})")), "1e+22 is no count or index"));
  EXPECT_TRUE(has(says(gltf(R"({"mesh":-1})")), "-1 is no count or index"));
  EXPECT_TRUE(has(says(gltf(R"({})")), "no triangles"));
  std::string glb = std::string("glTF\2\0\0\0", 8) + "\xff\xff\xff\x7f" + "\xff\xff\xff\x7fJSON{}";
  EXPECT_TRUE(has(says(glb), "claims 2147483647 bytes where 2 are left"));
}

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& bytes) : path_(testing::TempDir() + name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(ReadSurfaceMesh, WeldsByPlaceAndDropsWhatCollapses) {
  // Two triangles of an STL share two corners; a third has two corners at one place.
  const TemporaryFile file("weld.obj",
                           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -0 0 0\n"
                           "f 1 2 3\nf 4 5 6\nf 1 7 2\n");
  const TriangleMesh mesh = read_surface_mesh(file.path());
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(ReadSurfaceMesh, MissingUnknownAndFolder) {
  EXPECT_TRUE(has(complaint([] { read_surface_mesh("/no/cup.obj"); }), "/no/cup.obj: no such file"));
  EXPECT_TRUE(has(complaint([] { read_surface_mesh("/tmp"); }), "not that of a mesh file"));
  EXPECT_TRUE(is_mesh_file("a/B.STL"));
  EXPECT_FALSE(is_mesh_file("a/b.xml"));
}

// COLLADA goes through assimp: one triangle, in centimetres.
TEST(ReadSurfaceMesh, ColladaWithItsUnit) {
  const TemporaryFile file("one.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 100 0 0 0 100 50</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)");
  const TriangleMesh mesh = read_surface_mesh(file.path());
  ASSERT_EQ(mesh.vertices.size(), 3u);
  double far = 0.0;
  for (const Vec3& v : mesh.vertices) far = std::max(far, (v - Vec3(0, 1, 0.5)).norm());
  EXPECT_NEAR(far, std::sqrt(1 + 1 + 0.25), 1e-6);
}

}  // namespace
}  // namespace patchfield
