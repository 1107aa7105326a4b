// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "compliance.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bodies.h"
#include "patchfield/core/check.h"
#include "patchfield/model/geom_shapes.h"
#include "patchfield/model/pair_table.h"

namespace patchfield::python {
namespace {

namespace nb = nanobind;
using Settings = std::map<int, GeomSettings>;

std::string python_type(nb::handle object) { return nb::cast<std::string>(object.type().attr("__name__")); }

GeomSettings settings_of(nb::handle value, const std::string& where) {
  const Body* body = nullptr;
  if (nb::isinstance<Compliant>(value)) body = nb::cast<const Compliant*>(value);
  else if (nb::isinstance<Rigid>(value)) body = nb::cast<const Rigid*>(value);
  else
    throw nb::type_error(
        fmt::format("compliance of {}: give a Compliant or a Rigid, not {}", where, python_type(value)).c_str());
  if (body->geometry)
    throw InputError(fmt::format(
        "compliance of {}: a geom has its shape already; leave it out, as in Compliant(1e5) or Rigid(mu=0.5)", where));
  return body->settings;
}

bool collides(const mjModel* m, int g) {
  for (int other = 0; other < m->ngeom; ++other)
    if (other != g && may_collide(m, std::min(g, other), std::max(g, other))) return true;
  return false;
}

/// "Its bodies are: …", at most twenty.
std::string names_of(const mjModel* m, int type, int n, const char* kind) {
  std::string list;
  for (int i = 0, listed = 0; i < n && listed < 20; ++i) {
    const char* name = mj_id2name(m, type, i);
    if (name == nullptr || *name == '\0') continue;
    list += (listed++ > 0 ? ", " : "") + std::string(name);
  }
  return list.empty() ? fmt::format("None of its {} has a name: use an id, \"body:NAME\" or \"*\"", kind)
                      : fmt::format("Its named {} are: {}", kind, list);
}

enum Rank { kAll, kPattern, kBody, kGeom };  // how particular a selector is

struct Selected {
  Rank rank;
  std::vector<int> geoms;
};

Selected by_body(const mjModel* m, const std::string& name) {
  const int body = mj_name2id(m, mjOBJ_BODY, name.c_str());
  if (body < 0)
    throw InputError(fmt::format("compliance of \"body:{}\": the model has no such body. {}", name,
                                 names_of(m, mjOBJ_BODY, static_cast<int>(m->nbody), "bodies")));
  Selected out{kBody, {}};
  for (int g = m->body_geomadr[body]; g >= 0 && g < m->body_geomadr[body] + m->body_geomnum[body]; ++g)
    if (collides(m, g)) out.geoms.push_back(g);
  if (out.geoms.empty())
    throw InputError(fmt::format("compliance of \"body:{}\": none of its {} geoms collides with anything", name,
                                 m->body_geomnum[body]));
  return out;
}

Selected by_pattern(const mjModel* m, const std::string& pattern) {
  const nb::object match = nb::module_::import_("re").attr("compile")(pattern).attr("fullmatch");
  Selected out{kPattern, {}};
  for (int g = 0; g < m->ngeom; ++g) {
    const char* name = mj_id2name(m, mjOBJ_GEOM, g);
    if (name != nullptr && *name != '\0' && !match(name).is_none() && collides(m, g)) out.geoms.push_back(g);
  }
  if (out.geoms.empty())
    throw InputError(fmt::format("compliance of \"re:{}\": the pattern matches no geom that collides. {}", pattern,
                                 names_of(m, mjOBJ_GEOM, static_cast<int>(m->ngeom), "geoms")));
  return out;
}

Selected all_geoms(const mjModel* m) {
  Selected out{kAll, {}};
  for (int g = 0; g < m->ngeom; ++g)
    if (has_shape(m, g) && collides(m, g)) out.geoms.push_back(g);
  return out;
}

Selected by_id(const mjModel* m, long g) {
  if (g < 0 || g >= m->ngeom)
    throw InputError(fmt::format("compliance of geom {}: the model has {}, numbered from 0", g, m->ngeom));
  return {kGeom, {static_cast<int>(g)}};
}

Selected by_text(const mjModel* m, const std::string& text) {
  const int g = mj_name2id(m, mjOBJ_GEOM, text.c_str());
  if (g >= 0) return {kGeom, {g}};
  if (text == "*") return all_geoms(m);
  if (text.starts_with("body:")) return by_body(m, text.substr(5));
  if (text.starts_with("re:")) return by_pattern(m, text.substr(3));
  throw InputError(fmt::format("settings of geom \"{}\": the model has no geom named \"{}\". {}", text, text,
                               names_of(m, mjOBJ_GEOM, static_cast<int>(m->ngeom), "geoms")));
}

Settings from_mapping(const mjModel* m, const nb::dict& compliance) {
  std::map<int, Rank> ranks;
  Settings out;
  for (const auto& [key, value] : compliance) {
    if (PyBool_Check(key.ptr()) || !(nb::isinstance<nb::str>(key) || nb::isinstance<nb::int_>(key)))
      throw nb::type_error(fmt::format("compliance: keys are names or ids of geoms, not {}", python_type(key)).c_str());
    const bool text = nb::isinstance<nb::str>(key);
    const std::string where =
        text ? fmt::format("\"{}\"", nb::cast<std::string>(key)) : fmt::format("geom {}", nb::cast<long>(key));
    const GeomSettings settings = settings_of(value, where);
    const Selected selected = text ? by_text(m, nb::cast<std::string>(key)) : by_id(m, nb::cast<long>(key));
    for (const int g : selected.geoms) {
      const auto found = ranks.find(g);
      if (found != ranks.end() && found->second > selected.rank) continue;
      if (found != ranks.end() && found->second == selected.rank && !(out[g] == settings))
        throw InputError(
            fmt::format("compliance: geom {} (\"{}\") is named twice, with different settings", g, geom_name(m, g)));
      ranks[g] = selected.rank;
      out[g] = settings;
    }
  }
  return out;
}

Settings from_function(const mjModel* m, nb::handle function) {
  Settings out;
  for (int g = 0; g < m->ngeom; ++g) {
    const nb::object value = function(g);
    if (!value.is_none()) out[g] = settings_of(value, fmt::format("geom {}", g));
  }
  return out;
}

}  // namespace

nb::dict arguments_of(const GeomSettings& settings) {
  nb::dict out;
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) out[name] = *value;
  };
  put("modulus", settings.modulus), put("resolution", settings.resolution), put("margin", settings.margin);
  put("slab_thickness", settings.slab_thickness), put("foundation_depth", settings.foundation_depth);
  put("mu", settings.mu), put("relaxation_time", settings.relaxation_time);
  put("hunt_crossley", settings.hunt_crossley);
  if (settings.hull) out["hull"] = true;
  if (!settings.volume.empty()) out["volume"] = settings.volume;
  return out;
}

nb::dict compliance_of(const Settings& settings) {
  nb::dict out;
  for (const auto& [g, said] : settings) {
    const Body body{std::nullopt, said, {}, arguments_of(said)};
    out[nb::int_(g)] = said.compliant ? nb::cast(Compliant{body}) : nb::cast(Rigid{body});
  }
  return out;
}

Settings read_compliance(const mjModel* m, nb::handle compliance) {
  if (compliance.is_none()) return {};
  if (nb::isinstance<nb::dict>(compliance)) return from_mapping(m, nb::borrow<nb::dict>(compliance));
  if (nb::isinstance<Compliant>(compliance) || nb::isinstance<Rigid>(compliance)) {
    Settings out;
    for (const int g : all_geoms(m).geoms) out[g] = settings_of(compliance, "all geoms");
    return out;
  }
  if (PyCallable_Check(compliance.ptr()) != 0) return from_function(m, compliance);
  throw nb::type_error(
      fmt::format("compliance: give {{geom: Compliant(…) or Rigid(…)}}, one of those for all geoms, or "
                  "a function of the geom id, not {}",
                  python_type(compliance))
          .c_str());
}

}  // namespace patchfield::python
