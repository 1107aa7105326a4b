// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/volume_maker.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/mesh_file.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

/// Two independent FNV-1a hashes, 128 bits together: two surfaces of one name would be one body's shape on another.
class ContentHash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) {
      a_ = (a_ ^ bytes[i]) * 0x100000001b3ULL;
      b_ = (b_ ^ (bytes[i] + 0x9eULL)) * 0x9E3779B97F4A7C15ULL;
      b_ ^= b_ >> 29;
    }
  }
  template <class T>
  void add_all(const std::vector<T>& values) {
    const std::uint64_t size = values.size();
    add(&size, sizeof(size));
    add(values.data(), values.size() * sizeof(T));
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

 private:
  std::uint64_t a_ = 0xcbf29ce484222325ULL, b_ = 0x2545F4914F6CDD1DULL;
};

std::string cache_key(const TriangleMesh& surface, const TetrahedralizeOptions& options) {
  ContentHash hash;
  hash.add_all(surface.vertices);
  hash.add_all(surface.triangles);
  for (const double value : {options.resolution.value_or(0.0), options.tolerance.value_or(0.0)})
    hash.add(&value, sizeof(value));
  const std::string version = mesher_version();
  hash.add(version.data(), version.size());
  return hash.text();
}

fs::path checksum_file(const fs::path& file) { return file.string() + ".sum"; }

std::string checksum(const fs::path& file) {
  const std::string bytes = read_file_bytes(file);
  ContentHash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.text();
}

std::optional<TetMesh> read_cached(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  try {
    // Files of older versions have no checksum.
    if (fs::exists(checksum_file(file), error) && read_file_bytes(checksum_file(file)) != checksum(file))
      return std::nullopt;
    return read_vtk_volume(file).mesh;
  } catch (const InputError&) {
    return std::nullopt;  // cut off or from somewhere else: it is made anew
  }
}

void write_cached(const fs::path& file, const TetMesh& mesh) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  try {
    fs::remove(checksum_file(file), error);
    write_vtk(file, mesh, {}, {.binary = true});
    write_file_bytes(checksum_file(file), checksum(file));
  } catch (const std::exception& failure) {
    // The mesh is good all the same.
    std::fprintf(stderr, "patchfield: the tetrahedra are not kept for the next time: %s\n", failure.what());
  }
}

/// MuJoCo's vertices are single precision and have been rotated: what was one plane is not quite one.
TriangleMesh clean_surface(const TriangleMesh& surface) {
  constexpr double kSinglePrecision = 4e-7;
  double largest = 0.0;
  for (const Vec3& v : surface.vertices) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  TriangleMesh clean = surface;
  align_coordinates(kSinglePrecision * largest, clean);
  return welded(clean);
}

}  // namespace

fs::path default_mesh_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "patchfield" / "meshes";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "patchfield" / "meshes";
  return {};
}

TetMesh VolumeMaker::fill(const TriangleMesh& surface, std::optional<double> resolution,
                          const std::string& name) const {
  TetrahedralizeOptions options = options_;
  if (resolution) options.resolution = resolution;
  if (cache_.empty()) return tetrahedralize(surface, options, name);
  const fs::path file = cache_ / (cache_key(surface, options) + ".vtk");
  if (std::optional<TetMesh> cached = read_cached(file)) return *std::move(cached);
  TetMesh mesh = tetrahedralize(surface, options, name);
  write_cached(file, mesh);
  return mesh;
}

Volume VolumeMaker::operator()(const VolumeRequest& request) const {
  if (request.file.empty()) return {fill(clean_surface(request.surface), request.resolution, "its mesh"), {}};
  VolumeFile file = read_vtk_volume(request.file);
  return {scaled(request.scale, std::move(file.mesh)), std::move(file.vertex_pressures)};
}

}  // namespace patchfield
