// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/spec_geoms.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "patchfield/geometry/convex_hull.h"
#include "patchfield/io/mesh_file.h"

namespace patchfield {
namespace {

constexpr int kVisualGroup = 2, kHiddenCollisionGroup = 3;
/// SDF's default collide_bitmask: meets everything that has a bit at all.
constexpr int kAllBits = 0xffff;

/// "arm::" of "arm::hand".
std::string scope_of(const std::string& name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? "" : name.substr(0, colons + 2);
}

bool is_vtk(const LinkShape& shape) {
  const MeshFile* mesh = std::get_if<MeshFile>(&shape);
  return mesh != nullptr && mesh->file.extension() == ".vtk";
}

/// MuJoCo wants a hull with volume even where only the triangles count. A flat surface gets a vertex behind it that no
/// triangle uses, a thousandth of its size away.
void thicken_if_flat(TriangleMesh& surface) {
  Vec3 center = Vec3::Zero();
  for (const Vec3& v : surface.vertices) center += v / static_cast<double>(surface.vertices.size());
  Mat3 spread = Mat3::Zero();
  for (const Vec3& v : surface.vertices) spread += (v - center) * (v - center).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
  // Coordinates become floats, of 7 digits.
  const double thickness = std::sqrt(std::max(axes.eigenvalues()[0], 0.0)), size = std::sqrt(axes.eigenvalues()[2]);
  if (surface.vertices.size() > 3 && thickness > 1e-5 * size) return;
  Vec3 normal = axes.eigenvectors().col(0);
  const auto& t = surface.triangles.front();
  const auto vertex = [&](int i) { return surface.vertices[static_cast<std::size_t>(i)]; };
  if ((vertex(t[1]) - vertex(t[0])).cross(vertex(t[2]) - vertex(t[0])).dot(normal) < 0.0) normal = -normal;
  surface.vertices.push_back(center - 1e-3 * size * normal);
}

void set_size(mjsGeom* geom, mjtGeom type, double x, double y = 0.0, double z = 0.0) {
  geom->type = type;
  geom->size[0] = x, geom->size[1] = y, geom->size[2] = z;
}

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace

void copy(const Vec3& from, double* to) { std::copy(from.data(), from.data() + 3, to); }

void copy_rotation(const Mat3& R, double* quat) {
  const Eigen::Quaterniond q(R);
  quat[0] = q.w(), quat[1] = q.x(), quat[2] = q.y(), quat[3] = q.z();
}

GeomWriter::GeomWriter(mjSpec* spec, const Assembly& assembly, Diagnostics& diagnostics)
    : spec_(spec), diagnostics_(diagnostics) {
  for (const Link& link : assembly.links)
    for (const Collision& collision : link.collisions) ++name_count_[scope_of(link.name) + collision.name];
}

std::string GeomWriter::unique(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", wanted, i);
  return name;
}

/// The collision's own name where that is the only one of its kind in the model, else with the link's before it.
std::string GeomWriter::geom_name(const Link& link, const Collision& collision) {
  if (collision.name.empty()) return unique(link.name + "_collision", geom_names_);
  const std::string scoped = scope_of(link.name) + collision.name;
  return unique(name_count_[scoped] == 1 ? scoped : link.name + "/" + collision.name, geom_names_);
}

void GeomWriter::write(const Link& link, bool moves, mjsBody* body) {
  for (const Collision& collision : link.collisions) write_collision(link, collision, moves, body);
  for (const Visual& visual : link.visuals) write_visual(visual, body);
}

void GeomWriter::write_collision(const Link& link, const Collision& collision, bool moves, mjsBody* body) {
  if (moves && std::holds_alternative<PlanePatch>(collision.shape))
    fail(collision.place,
         "link \"{}\" moves and has a plane: planes stand still here. Make the model static, or use a large box",
         link.name);
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  set_shape(collision.shape, collision.X_LG, collision.place, geom);
  const std::string name = geom_name(link, collision);
  mjs_setName(geom->element, name.c_str());
  mjs_setString(geom->info, to_string(collision.place).c_str());
  geom->contype = geom->conaffinity = collision.mask.value_or(kAllBits);
  geom->friction[0] = collision.mu;
  geom->group = link.visuals.empty() ? 0 : kHiddenCollisionGroup;
  geom->density = collision.density.value_or(1000.0);
  if (link.inertia_from_shapes && geom->type == mjGEOM_MESH)  // then it must be closed
    assets_.at(mjs_getString(geom->meshname))->inertia = mjMESH_INERTIA_EXACT;
  if (!collision.contact) return;
  GeomSettings said = *collision.contact;
  if (said.compliant && is_vtk(collision.shape) && !said.hull)
    said.volume = std::filesystem::absolute(std::get<MeshFile>(collision.shape).file).string();
  mjsText* text = mjs_addText(spec_);
  mjs_setName(text->element, (std::string(kTextPrefix) + name).c_str());
  mjs_setString(text->data, to_text(said).c_str());
}

void GeomWriter::write_visual(const Visual& visual, mjsBody* body) {
  try {
    // Only with a mesh that can be read is there anything to show.
    const MeshFile* mesh = std::get_if<MeshFile>(&visual.shape);
    if (mesh != nullptr) mesh_asset(*mesh, visual.place);
  } catch (const InputError& error) {
    diagnostics_.warn(visual.place, "this visual is not shown: {}", without_place(error, visual.place));
    return;
  }
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  set_shape(visual.shape, visual.X_LG, visual.place, geom);
  mjs_setString(geom->info, to_string(visual.place).c_str());
  geom->contype = geom->conaffinity = 0;
  geom->group = kVisualGroup;
  geom->mass = 0.0;
  std::copy(visual.rgba.begin(), visual.rgba.end(), geom->rgba);
}

void GeomWriter::set_shape(const LinkShape& shape, const Pose& X_LG, const Place& place, mjsGeom* geom) {
  const auto set_mesh = [&](const std::string& name) {
    geom->type = mjGEOM_MESH;
    mjs_setString(geom->meshname, name.c_str());
  };
  std::visit(Overloaded{
                 [&](const Sphere& s) { set_size(geom, mjGEOM_SPHERE, s.radius); },
                 [&](const Box& b) { set_size(geom, mjGEOM_BOX, b.x / 2, b.y / 2, b.z / 2); },
                 [&](const Cylinder& c) { set_size(geom, mjGEOM_CYLINDER, c.radius, c.length / 2); },
                 [&](const Capsule& c) { set_size(geom, mjGEOM_CAPSULE, c.radius, c.length / 2); },
                 [&](const Ellipsoid& e) { set_size(geom, mjGEOM_ELLIPSOID, e.a, e.b, e.c); },
                 [&](const PlanePatch& p) { set_size(geom, mjGEOM_PLANE, p.x / 2, p.y / 2, 0.05); },
                 [&](const ConvexHull& hull) { set_mesh(hull_asset(hull)); },
                 [&](const MeshFile& mesh) { set_mesh(mesh_asset(mesh, place)); },
             },
             shape);
  copy(X_LG.p, geom->pos);
  copy_rotation(X_LG.R, geom->quat);
}

mjsMesh* GeomWriter::add_mesh(const TriangleMesh& mesh, const std::string& name, const Vec3& scale) {
  std::vector<float> vertices;
  std::vector<int> faces;
  for (const Vec3& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) vertices.push_back(static_cast<float>(v[i]));
  for (const auto& triangle : mesh.triangles) faces.insert(faces.end(), triangle.begin(), triangle.end());
  mjsMesh* asset = assets_[name] = mjs_addMesh(spec_, nullptr);
  mjs_setName(asset->element, name.c_str());
  mjs_setFloat(asset->uservert, vertices.data(), static_cast<int>(vertices.size()));
  mjs_setInt(asset->userface, faces.data(), static_cast<int>(faces.size()));
  copy(scale, asset->scale);
  // Surfaces may be open, so a volume need not exist; masses come from the links.
  asset->inertia = mjMESH_INERTIA_SHELL;
  return asset;
}

std::string GeomWriter::mesh_asset(const MeshFile& mesh, const Place& place) {
  const auto key = std::tuple(mesh.file.string(), mesh.scale.x(), mesh.scale.y(), mesh.scale.z());
  if (const auto known = meshes_.find(key); known != meshes_.end()) return known->second;
  TriangleMesh surface;
  try {
    surface = read_surface_mesh(mesh.file);
  } catch (const InputError& error) {
    fail(place, "the mesh cannot be used: {}", error.what());
  }
  if (surface.vertices.size() < 3 || surface.triangles.empty())
    fail(place, "the mesh {} has no triangles", mesh.file.string());
  thicken_if_flat(surface);
  const std::string name = unique(mesh.file.stem().string(), mesh_names_);
  mjs_setString(add_mesh(surface, name, mesh.scale)->info, to_string(place).c_str());
  return meshes_[key] = name;
}

std::string GeomWriter::hull_asset(const ConvexHull& hull) {
  const std::string name = unique("hull", mesh_names_);
  add_mesh(triangulated(convex_hull(hull.points)), name, Vec3::Ones());
  return name;
}

}  // namespace patchfield
