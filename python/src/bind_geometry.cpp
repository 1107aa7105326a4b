// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bodies.h"
#include "file_path.h"
#include "gil.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"
#include "patchfield/io/mesh_file.h"
#include "patchfield/io/subprocess.h"
#include "patchfield/io/volume_maker.h"
#include "words.h"

namespace patchfield::python {
namespace {

using OptionalNumber = std::optional<double>;

void bind_shapes(nb::module_& m) {
  nb::class_<Sphere>(m, "Sphere", doc::Sphere)
      .def(nb::init<double>(), nb::arg("radius"))
      .def_ro("radius", &Sphere::radius, doc::Sphere_radius);
  nb::class_<Box>(m, "Box", doc::Box)
      .def(nb::init<double, double, double>(), nb::arg("x"), nb::arg("y"), nb::arg("z"))
      .def_ro("x", &Box::x, doc::Box_x)
      .def_ro("y", &Box::y, doc::Box_y)
      .def_ro("z", &Box::z, doc::Box_z);
  nb::class_<Cylinder>(m, "Cylinder", doc::Cylinder)
      .def(nb::init<double, double>(), nb::arg("radius"), nb::arg("length"))
      .def_ro("radius", &Cylinder::radius, doc::Cylinder_radius)
      .def_ro("length", &Cylinder::length, doc::Cylinder_length);
  nb::class_<Capsule>(m, "Capsule", doc::Capsule)
      .def(nb::init<double, double>(), nb::arg("radius"), nb::arg("length"))
      .def_ro("radius", &Capsule::radius, doc::Capsule_radius)
      .def_ro("length", &Capsule::length, doc::Capsule_length);
  nb::class_<Ellipsoid>(m, "Ellipsoid", doc::Ellipsoid)
      .def(nb::init<double, double, double>(), nb::arg("a"), nb::arg("b"), nb::arg("c"))
      .def_ro("a", &Ellipsoid::a, doc::Ellipsoid_a)
      .def_ro("b", &Ellipsoid::b, doc::Ellipsoid_b)
      .def_ro("c", &Ellipsoid::c, doc::Ellipsoid_c);
  nb::class_<HalfSpace>(m, "HalfSpace", doc::HalfSpace).def(nb::init<>());
}

/// Points of a mesh without a copy; the mesh stays alive.
Vectors view_points(const std::vector<Vec3>& points) {
  return Vectors(points.empty() ? nullptr : points.front().data(), {points.size(), 3});
}
template <std::size_t N>
auto view_indices(const std::vector<std::array<int, N>>& indices) {
  return nb::ndarray<nb::numpy, const int, nb::shape<-1, static_cast<nb::ssize_t>(N)>, nb::c_contig>(
      indices.empty() ? nullptr : indices.front().data(), {indices.size(), N});
}

void bind_meshes(nb::module_& m) {
  // Files come first: an array can be made of anything.
  nb::class_<ConvexHull>(m, "ConvexHull", doc::ConvexHull)
      .def(
          "__init__",
          [](ConvexHull* self, const FilePath& file) { new (self) ConvexHull{read_surface_mesh(file).vertices}; },
          nb::arg("file"), "Of the vertices of a mesh file (.obj, .stl, .gltf, .glb, .dae).")
      .def(
          "__init__",
          [](ConvexHull* self, const ArrayLike& points) { new (self) ConvexHull{read_points(points, "points")}; },
          nb::arg("points"), "Points n × 3 [m].")
      .def_prop_ro("points", [](const ConvexHull& self) { return view_points(self.points); }, "n × 3 [m]");
  nb::class_<TriangleMesh>(m, "TriangleMesh", doc::TriangleMesh)
      .def(
          "__init__",
          [](TriangleMesh* self, const FilePath& file) { new (self) TriangleMesh(read_surface_mesh(file)); },
          nb::arg("file"), doc::read_surface_mesh)
      .def(
          "__init__",
          [](TriangleMesh* self, const ArrayLike& vertices, const ArrayLike& triangles) {
            TriangleMesh mesh{read_points(vertices, "vertices"), read_indices<3>(triangles, "triangles")};
            validate(mesh);
            new (self) TriangleMesh(std::move(mesh));
          },
          nb::arg("vertices"), nb::arg("triangles"), "Vertices n × 3 [m], triangles m × 3 of their indices.")
      .def_prop_ro(
          "vertices", [](const TriangleMesh& self) { return view_points(self.vertices); }, "n × 3 [m]")
      .def_prop_ro("triangles", [](const TriangleMesh& self) { return view_indices(self.triangles); }, "m × 3");
  nb::class_<TetMesh>(m, "TetMesh", doc::TetMesh)
      .def(
          "__init__", [](TetMesh* self, const FilePath& file) { new (self) TetMesh(read_vtk_volume(file).mesh); },
          nb::arg("file"), "Tetrahedra of a legacy VTK file; its pressures are left out.")
      .def(
          "__init__",
          [](TetMesh* self, const ArrayLike& vertices, const ArrayLike& tets) {
            TetMesh mesh{read_points(vertices, "vertices"), read_indices<4>(tets, "tets")};
            validate(mesh);
            orient(mesh);
            new (self) TetMesh(std::move(mesh));
          },
          nb::arg("vertices"), nb::arg("tets"),
          "Vertices n × 3 [m], tets m × 4 of their indices. A mirrored mesh is turned around.")
      .def_prop_ro(
          "vertices", [](const TetMesh& self) { return view_points(self.vertices); }, "n × 3 [m]")
      .def_prop_ro("tets", [](const TetMesh& self) { return view_indices(self.tets); }, "m × 4");
}

constexpr const char* kCompliantDoc =
    "A compliant body: Compliant(shape, modulus, …) for contact_surface(), Compliant(modulus, …) for a geom of a model "
    "in Simulation(compliance=…).";
constexpr const char* kRigidDoc =
    "A rigid body: Rigid(shape) for contact_surface(), Rigid(mu=…) for a geom of a model in Simulation(compliance=…).";

/// A surface of triangles has no inside to press: fill it with tetrahedra, as models do (docs/meshing.md).
Shape filled(const Shape& shape, std::optional<double> resolution) {
  const auto* surface = std::get_if<TriangleMesh>(&shape);
  if (surface == nullptr) return shape;
  InterruptCheck interrupted;
  try {
    const ReleasedGil released;
    const InterruptScope scope([&] { return interrupted(); });
    return VolumeMaker().fill(*surface, resolution, "TriangleMesh");
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

void init_compliant_shape(Compliant* self, const Shape& shape, double modulus, OptionalNumber resolution, double margin,
                          double slab_thickness, OptionalNumber foundation_depth,
                          const std::optional<ArrayLike>& vertex_pressures) {
  Compliance compliance;
  compliance.modulus = modulus, compliance.margin = margin, compliance.slab_thickness = slab_thickness;
  compliance.resolution = resolution;
  compliance.foundation_depth = foundation_depth;
  if (vertex_pressures) {
    const DoubleArray p = read_array(*vertex_pressures, "vertex_pressures", {1});
    compliance.vertex_pressures.assign(p.values.begin(), p.values.end());
  }
  new (self) Compliant{{Geometry::compliant(filled(shape, resolution), compliance), {}, nb::cast(shape), {}}};
  nb::dict& arguments = self->arguments;
  arguments["modulus"] = modulus, arguments["margin"] = margin, arguments["slab_thickness"] = slab_thickness;
  if (resolution) arguments["resolution"] = *resolution;
  if (foundation_depth) arguments["foundation_depth"] = *foundation_depth;
  if (vertex_pressures) arguments["vertex_pressures"] = nb::cast(compliance.vertex_pressures);
}

void init_compliant_geom(Compliant* self, double modulus, OptionalNumber resolution, OptionalNumber margin,
                         OptionalNumber slab_thickness, OptionalNumber foundation_depth, OptionalNumber mu,
                         OptionalNumber relaxation_time, OptionalNumber hunt_crossley, bool hull,
                         const std::optional<FilePath>& volume) {
  GeomSettings settings;
  settings.compliant = true, settings.hull = hull, settings.modulus = modulus, settings.resolution = resolution;
  settings.margin = margin, settings.slab_thickness = slab_thickness, settings.foundation_depth = foundation_depth;
  settings.mu = mu, settings.relaxation_time = relaxation_time, settings.hunt_crossley = hunt_crossley;
  if (volume) settings.volume = std::filesystem::absolute(volume->path).string();
  check_geom_settings(settings, "Compliant");
  new (self) Compliant{{std::nullopt, settings, {}, arguments_of(settings)}};
}

void init_rigid_geom(Rigid* self, OptionalNumber mu, OptionalNumber relaxation_time, OptionalNumber hunt_crossley,
                     OptionalNumber resolution, bool hull) {
  GeomSettings settings;
  settings.mu = mu, settings.relaxation_time = relaxation_time, settings.hunt_crossley = hunt_crossley;
  settings.resolution = resolution, settings.hull = hull;
  check_geom_settings(settings, "Rigid");
  new (self) Rigid{{std::nullopt, settings, {}, arguments_of(settings)}};
}

nb::object shape_of(const Body& body) { return body.shape.is_valid() ? body.shape : nb::none(); }
constexpr const char* kShapeDoc = "The shape that it was made of, or None.";
constexpr const char* kArgumentsDoc = "The keyword arguments that it was made with, beside the shape.";

void bind_bodies(nb::module_& m) {
  const auto none = nb::none();
  nb::class_<Compliant>(m, "Compliant", kCompliantDoc)
      .def("__init__", &init_compliant_shape, nb::arg("shape"), nb::arg("modulus") = 1e7, nb::kw_only(),
           nb::arg("resolution") = none, nb::arg("margin") = 0.0, nb::arg("slab_thickness") = 1.0,
           nb::arg("foundation_depth") = none, nb::arg("vertex_pressures") = none, doc::Compliance)
      .def("__init__", &init_compliant_geom, nb::arg("modulus") = 1e7, nb::kw_only(), nb::arg("resolution") = none,
           nb::arg("margin") = none, nb::arg("slab_thickness") = none, nb::arg("foundation_depth") = none,
           nb::arg("mu") = none, nb::arg("relaxation_time") = none, nb::arg("hunt_crossley") = none,
           nb::arg("hull") = false, nb::arg("volume") = none, doc::GeomSettings)
      .def_prop_ro(
          "shape", [](const Compliant& b) { return shape_of(b); }, kShapeDoc)
      .def_prop_ro(
          "arguments", [](const Compliant& b) { return nb::dict(b.arguments); },
          nb::sig("def arguments(self) -> dict[str, object]"), kArgumentsDoc);
  nb::class_<Rigid>(m, "Rigid", kRigidDoc)
      .def(
          "__init__",
          [](Rigid* self, const Shape& shape, OptionalNumber resolution) {
            new (self) Rigid{{Geometry::rigid(shape, resolution), {}, nb::cast(shape), {}}};
            if (resolution) self->arguments["resolution"] = *resolution;
          },
          nb::arg("shape"), nb::kw_only(), nb::arg("resolution") = none)
      .def("__init__", &init_rigid_geom, nb::kw_only(), nb::arg("mu") = none, nb::arg("relaxation_time") = none,
           nb::arg("hunt_crossley") = none, nb::arg("resolution") = none, nb::arg("hull") = false, doc::GeomSettings)
      .def_prop_ro(
          "shape", [](const Rigid& b) { return shape_of(b); }, kShapeDoc)
      .def_prop_ro(
          "arguments", [](const Rigid& b) { return nb::dict(b.arguments); },
          nb::sig("def arguments(self) -> dict[str, object]"), kArgumentsDoc);
}

const Geometry& geometry_of(const std::variant<const Compliant*, const Rigid*>& body, const char* name) {
  const Body& b = *std::visit([](const auto* x) { return static_cast<const Body*>(x); }, body);
  if (!b.geometry)
    throw InputError(
        fmt::format("{}: this body has no shape; make it as Compliant(pf.Sphere(0.05), modulus=1e6) or "
                    "Rigid(pf.Box(1, 1, 1))",
                    name));
  return *b.geometry;
}

ContactSurface make_surface(const std::variant<const Compliant*, const Rigid*>& A, const ArrayLike& X_WA,
                            const std::variant<const Compliant*, const Rigid*>& B, const ArrayLike& X_WB,
                            const std::string& tessellation, double max_face_size) {
  SurfaceOptions options{choose("tessellation", tessellation, kTessellations), max_face_size};
  if (!(max_face_size >= 0.0)) throw InputError(fmt::format("max_face_size={}: give 0 or more [m]", max_face_size));
  const Geometry &a = geometry_of(A, "A"), &b = geometry_of(B, "B");
  const Pose pose_A = read_pose(X_WA, "X_WA"), pose_B = read_pose(X_WB, "X_WB");
  ContactSurface surface;
  {
    const ReleasedGil released;
    surface = contact_surface(a, pose_A, b, pose_B, options);
  }
  if (surface.status == SurfaceStatus::kNoPressureField)
    throw InputError("both bodies are rigid, so there is no pressure to balance: make one of them Compliant");
  if (surface.status == SurfaceStatus::kUnbounded)
    throw InputError("two half spaces: the contact surface would have no end");
  return surface;
}

void bind_surface(nb::module_& m) {
  using S = ContactSurface;
  nb::class_<S>(m, "ContactSurface", "The contact surface between two bodies, as columns of planar convex faces.")
      .def_prop_ro("num_faces", &S::num_faces)
      .def_prop_ro("area", &S::total_area, "Of the faces that press [m²].")
      .def_prop_ro("waiting_area", &S::waiting_area, "Of the faces in the skirt of a margin [m²].")
      .def_prop_ro(
          "force_on_B", [](const S& s) { return to_numpy(s.force_on_B_W()); }, kCopied,
          doc::ContactSurface_force_on_B_W)
      .def_prop_ro(
          "moment_on_B_about_origin", [](const S& s) { return to_numpy(s.moment_on_B_about_W()); }, kCopied,
          doc::ContactSurface_moment_on_B_about_W)
      .def_prop_ro(
          "center_of_pressure", [](const S& s) { return to_numpy(s.center_of_pressure_W()); }, kCopied,
          doc::ContactSurface_center_of_pressure_W)
      .def_prop_ro(
          "face_area", [](const S& s) { return view(s.area); }, doc::ContactSurface_area)
      .def_prop_ro(
          "centroid", [](const S& s) { return view(s.centroid_W); }, doc::ContactSurface_centroid_W)
      .def_prop_ro(
          "normal", [](const S& s) { return view(s.nhat_AB_W); }, doc::ContactSurface_nhat_AB_W)
      .def_prop_ro(
          "pressure", [](const S& s) { return view(s.pressure); }, doc::ContactSurface_pressure)
      .def_prop_ro(
          "grad_pA", [](const S& s) { return view(s.grad_pA_W); }, doc::ContactSurface_grad_pA_W)
      .def_prop_ro(
          "grad_pB", [](const S& s) { return view(s.grad_pB_W); }, doc::ContactSurface_grad_pB_W)
      .def_prop_ro(
          "vertices", [](const S& s) { return view(s.vertex_W); }, doc::ContactSurface_vertex_W)
      .def_prop_ro(
          "vertex_pressure", [](const S& s) { return view(s.vertex_pressure); }, "p at the vertices [Pa].")
      .def_prop_ro(
          "face_offsets", [](const S& s) { return view(s.face_start); }, doc::ContactSurface_face_start)
      .def_prop_ro(
          "dropped_faces", [](const S& s) { return s.dropped.total(); }, doc::DroppedFaces)
      .def("__repr__", [](const S& s) {
        return fmt::format("ContactSurface({} faces, {:.6g} m², {:.6g} N)", s.num_faces(), s.total_area(),
                           s.force_on_B_W().norm());
      });
  m.def("contact_surface", &make_surface, nb::arg("A"), nb::arg("X_WA"), nb::arg("B"), nb::arg("X_WB"),
        nb::arg("tessellation") = "polygon", nb::arg("max_face_size") = 0.0,
        "Where A and B, at the poses X_WA and X_WB (4 × 4), balance their pressures. At least one is Compliant.");
}

}  // namespace

void bind_geometry(nb::module_& m) {
  bind_shapes(m);
  bind_meshes(m);
  bind_bodies(m);
  bind_surface(m);
}

}  // namespace patchfield::python
