// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/mesh_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <assimp/Importer.hpp>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {
namespace {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// Formats without a parser of our own: COLLADA, whose unit assimp applies and whose up axis is left alone, as robot
/// models mean it.
TriangleMesh read_with_assimp(const std::filesystem::path& path) {
  read_file_bytes(path);  // for its messages
  Assimp::Importer importer;
  importer.SetPropertyBool("IMPORT_COLLADA_IGNORE_UP_DIRECTION", true);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene =
      importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_SortByPType);
  if (scene == nullptr) throw InputError(fmt::format("{}: {}", path.string(), importer.GetErrorString()));
  TriangleMesh out;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const int first = static_cast<int>(out.vertices.size());
    for (unsigned v = 0; v < mesh.mNumVertices; ++v)
      out.vertices.push_back({mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z});
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;
      std::array<int, 3> triangle;
      for (int i = 0; i < 3; ++i) triangle[i] = first + static_cast<int>(face.mIndices[i]);
      out.triangles.push_back(triangle);
    }
  }
  return out;
}

struct HashPosition {
  std::size_t operator()(const std::array<double, 3>& x) const {
    std::size_t hash = 0;
    for (const double value : x) hash = hash * 1000003 + std::hash<double>()(value);
    return hash;
  }
};

}  // namespace

TriangleMesh welded(const TriangleMesh& mesh) {
  TriangleMesh out;
  std::unordered_map<std::array<double, 3>, int, HashPosition> seen;
  const auto weld = [&](int v) {
    const Vec3 x = mesh.vertices[v] + Vec3::Zero();  // −0 becomes +0
    const auto [it, is_new] = seen.try_emplace({x[0], x[1], x[2]}, static_cast<int>(out.vertices.size()));
    if (is_new) out.vertices.push_back(x);
    return it->second;
  };
  for (const auto& [i, j, k] : mesh.triangles) {
    const std::array<int, 3> t{weld(i), weld(j), weld(k)};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.triangles.push_back(t);
  }
  return out;
}

bool is_mesh_file(const std::filesystem::path& path) {
  constexpr std::array kExtensions = {".obj", ".stl", ".gltf", ".glb", ".dae", ".vtk"};
  return std::find(kExtensions.begin(), kExtensions.end(), lower_extension(path)) != kExtensions.end();
}

TriangleMesh read_surface_mesh(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path), name = path.string();
  TriangleMesh mesh;
  if (extension == ".vtk") return boundary(read_vtk_volume(path).mesh).surface;
  if (extension == ".obj") mesh = parse_obj(read_file_bytes(path), name);
  else if (extension == ".stl") mesh = parse_stl(read_file_bytes(path), name);
  else if (extension == ".gltf" || extension == ".glb")
    mesh = parse_gltf(read_file_bytes(path), name,
                      [&](const std::string& uri) { return read_file_bytes(path.parent_path() / uri); });
  else if (extension == ".dae") mesh = read_with_assimp(path);
  else
    throw InputError(
        fmt::format("{}: the extension \"{}\" is not that of a mesh file. Known are .obj, .stl, .gltf, "
                    ".glb, .dae and .vtk.",
                    name, extension));
  validate(mesh, name);
  mesh = welded(mesh);
  validate(mesh, name);
  return mesh;
}

VolumeFile read_vtk_volume(const std::filesystem::path& path) {
  return parse_vtk(read_file_bytes(path), path.string());
}

void write_vtk(const std::filesystem::path& path, const TetMesh& mesh, const std::vector<double>& vertex_pressures,
               const VtkOptions& options) {
  write_file_bytes(path, format_vtk(mesh, vertex_pressures, options));
}

}  // namespace patchfield
