// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/tetrahedralize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/inner_vertices.h"
#include "patchfield/geometry/mesh_quality.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/tessellate.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/subprocess.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

/// Reads surface and writes tetrahedra as plain numbers: two counts, then vertices, then corners.
/// fTetWild leaves files in the current folder: that is the temporary one.
/// Whatever ends the program that asked, ends the mesher: 1 is PR_SET_PDEATHSIG.
constexpr const char* kScript = R"(
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9)
source, target, edge, tolerance = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
os.chdir(os.path.dirname(source))
try:
    import numpy, wildmeshing
except ImportError as error:
    print(error)
    sys.exit(3)
data = open(source, "rb").read()
nv, nt = numpy.frombuffer(data, "<i8", 2)
vertices = numpy.frombuffer(data, "<f8", 3 * nv, 16).reshape(nv, 3)
triangles = numpy.frombuffer(data, "<i4", 3 * nt, 16 + 24 * nv).reshape(nt, 3)
mesher = wildmeshing.Tetrahedralizer(edge_length_r=edge, epsilon=tolerance, max_threads=1)
mesher.set_log_level(6)
mesher.set_mesh(vertices, triangles)
mesher.tetrahedralize()
v, t = mesher.get_tet_mesh()[:2]
with open(target, "wb") as out:
    out.write(numpy.array([len(v), len(t)], "<i8").tobytes())
    out.write(numpy.ascontiguousarray(v, "<f8").tobytes())
    out.write(numpy.ascontiguousarray(t, "<i4").tobytes())
)";
constexpr int kNoMesher = 3;  // the script's exit code

constexpr const char* kCure =
    "Run pip install wildmeshing, or make venv in Patchfield's folder, or set PATCHFIELD_PYTHON to a Python that has "
    "it; or "
    "give the tetrahedra as a VTK file, use the convex hull, or declare the body rigid.";

/// A folder that goes away with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "patchfield-mesh-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw InputError(fmt::format("{}: cannot be made. Is TMPDIR writable?", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

template <class T>
void append(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string to_bytes(const TriangleMesh& mesh) {
  std::string bytes;
  append(static_cast<std::int64_t>(mesh.vertices.size()), bytes);
  append(static_cast<std::int64_t>(mesh.triangles.size()), bytes);
  for (const Vec3& v : mesh.vertices)
    for (const double x : v) append(x, bytes);
  for (const auto& t : mesh.triangles)
    for (const std::int32_t corner : t) append(corner, bytes);
  return bytes;
}

TetMesh from_bytes(const std::string& bytes) {
  std::int64_t counts[2];
  PATCHFIELD_ASSERT(bytes.size() >= sizeof(counts));
  std::memcpy(counts, bytes.data(), sizeof(counts));
  PATCHFIELD_ASSERT(bytes.size() ==
                    16 + 24 * static_cast<std::size_t>(counts[0]) + 16 * static_cast<std::size_t>(counts[1]));
  TetMesh mesh;
  mesh.vertices.resize(static_cast<std::size_t>(counts[0]));
  mesh.tets.resize(static_cast<std::size_t>(counts[1]));
  const char* at = bytes.data() + sizeof(counts);
  for (Vec3& v : mesh.vertices) std::memcpy(v.data(), at, 24), at += 24;
  for (auto& t : mesh.tets) std::memcpy(t.data(), at, 16), at += 16;
  return mesh;
}

fs::path find_python(const fs::path& chosen) {
  if (!chosen.empty()) return chosen;
  const char* variable = std::getenv("PATCHFIELD_PYTHON");
  return variable != nullptr && *variable != '\0' ? variable : PATCHFIELD_BUILD_PYTHON;
}

/// The library that makes the mesher's random numbers the same each time: of the Python package, or of the build.
fs::path find_seed() {
  const char* variable = std::getenv("PATCHFIELD_MESHER_SEED");
  return variable != nullptr && *variable != '\0' ? variable : PATCHFIELD_MESHER_SEED;
}

std::string last_line(const fs::path& log) {
  std::error_code error;
  if (!fs::exists(log, error)) return "";
  std::string text = read_file_bytes(log);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text.substr(text.rfind('\n') + 1).substr(0, 200);
}

TetMesh run_mesher(const TriangleMesh& surface, double edge, double tolerance, const TetrahedralizeOptions& options,
                   const std::string& name) {
  const fs::path python = find_python(options.python);
  std::error_code error;
  if (!fs::exists(python, error))
    throw InputError(
        fmt::format("{}: filling a surface with tetrahedra needs Python with the package wildmeshing, but "
                    "there is no {}. {}",
                    name, python.string(), kCure));
  std::fprintf(stderr, "patchfield: %s: filling %zu triangles with tetrahedra, which takes seconds to minutes\n",
               name.c_str(), surface.triangles.size());
  const TemporaryFolder folder;
  write_file_bytes(folder / "surface", to_bytes(surface));
  std::vector<std::string> environment{"PYTHONNOUSERSITE=1"};
  if (const fs::path seed = find_seed(); fs::exists(seed, error)) environment.push_back("LD_PRELOAD=" + seed.string());
  const SubprocessResult run = run_subprocess({python.string(), "-c", kScript, folder / "surface", folder / "tets",
                                               fmt::format("{}", edge), fmt::format("{}", tolerance)},
                                              environment, folder / "log", options.timeout);
  if (run.timed_out)
    throw InputError(
        fmt::format("{}: the mesher did not finish its {} triangles within {} s. Give a larger resolution "
                    "or a simpler surface.",
                    name, surface.triangles.size(), options.timeout));
  if (run.exit_code == kNoMesher || run.exit_code == -1)
    throw InputError(fmt::format("{}: the mesher cannot run in {}: {}. {}", name, python.string(),
                                 last_line(folder / "log"), kCure));
  if (run.exit_code != 0)
    throw InputError(fmt::format("{}: the mesher failed with exit code {} ({}). Simplify or repair the surface.", name,
                                 run.exit_code, last_line(folder / "log")));
  return from_bytes(read_file_bytes(folder / "tets"));
}

/// fTetWild's tetrahedra come out mirrored, sometimes in part; those without volume and vertices without use go.
void tidy_up(TetMesh& mesh) {
  std::vector<std::array<int, 4>> good;
  for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t) {
    const int sign = orientation(mesh, t);
    if (sign < 0) std::swap(mesh.tets[t][2], mesh.tets[t][3]);
    if (sign != 0) good.push_back(mesh.tets[t]);
  }
  std::vector<int> number(mesh.vertices.size(), -1);
  std::vector<Vec3> used;
  for (auto& t : good)
    for (int& v : t) {
      if (number[v] < 0) number[v] = static_cast<int>(used.size()), used.push_back(mesh.vertices[v]);
      v = number[v];
    }
  mesh = {std::move(used), std::move(good)};
}

void require_positive(const std::optional<double>& value, const char* what, const std::string& name) {
  if (value && !(*value > 0.0 && std::isfinite(*value)))
    throw InputError(fmt::format("{}: {} = {} m must be positive and finite.", name, what, *value));
}

[[noreturn]] void fail_empty(const TriangleMesh& surface, const std::string& name) {
  const SurfaceQuality quality = measure(surface);
  throw InputError(fmt::format(
      "{}: its {} triangles enclose no volume ({} of their edges have no neighbour), so there is nothing to "
      "fill. Close the holes, or declare the body rigid.",
      name, surface.triangles.size(), quality.num_open_edges));
}

}  // namespace

std::string mesher_version() { return "wildmeshing 0.4.1, Patchfield 1"; }

TetMesh tetrahedralize(const TriangleMesh& surface, const TetrahedralizeOptions& options, const std::string& name,
                       TetrahedralizeReport* report) {
  validate(surface, name);
  require_positive(options.resolution, "resolution", name);
  require_positive(options.tolerance, "tolerance", name);
  const double size = diagonal(surface);
  if (!(size > 0.0)) fail_empty(surface, name);
  TetrahedralizeReport made;
  made.resolution = options.resolution.value_or(default_resolution(surface).value());
  made.tolerance = options.tolerance.value_or(std::min(size / 1000.0, made.resolution / 40.0));

  TriangleMesh outward = surface;
  made.was_inside_out = enclosed_volume(surface) < 0.0;
  if (made.was_inside_out)
    for (auto& t : outward.triangles) std::swap(t[1], t[2]);

  TetMesh mesh = run_mesher(outward, made.resolution / size, made.tolerance / size, options, name);
  tidy_up(mesh);
  if (mesh.tets.empty()) fail_empty(surface, name);
  made.flat = flatten_faces(outward, 2.0 * made.tolerance, mesh);
  made.num_added_inside = add_inner_vertices(mesh);
  for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t) PATCHFIELD_ASSERT(signed_volume(mesh, t) > 0.0);
  if (report != nullptr) *report = made;
  return mesh;
}

}  // namespace patchfield
