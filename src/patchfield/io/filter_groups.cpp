// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/filter_groups.h"

#include <map>
#include <set>

namespace patchfield {
namespace {

using Groups = std::map<std::string, std::vector<const FilterGroup*>>;

/// Links of the group and of the groups in it. A group may be spread over several elements.
std::set<int> members_of(const std::string& name, const Groups& groups, const Assembly& assembly) {
  std::set<int> links;
  std::set<std::string> seen = {name};
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const std::string current = open.back();
    open.pop_back();
    for (const FilterGroup* group : groups.at(current)) {
      for (const std::string& member : group->links) {
        const int link = assembly.find_link(member);
        if (link == kNoLink)
          fail(group->place, "collision filter group \"{}\": there is no link \"{}\"", group->name, member);
        links.insert(link);
      }
      for (const std::string& inner : group->member_groups) {
        if (!groups.contains(inner))
          fail(group->place, "collision filter group \"{}\": there is no group \"{}\"", group->name, inner);
        if (seen.insert(inner).second) open.push_back(inner);
      }
    }
  }
  return links;
}

}  // namespace

void apply_filter_groups(const std::vector<FilterGroup>& groups, Assembly& assembly) {
  Groups by_name;
  for (const FilterGroup& group : groups) by_name[group.name].push_back(&group);
  std::map<std::string, std::set<int>> members;
  for (const auto& entry : by_name) members[entry.first] = members_of(entry.first, by_name, assembly);
  for (const FilterGroup& group : groups)
    for (const std::string& other : group.ignored) {
      if (!members.contains(other))
        fail(group.place, "collision filter group \"{}\" ignores \"{}\", and there is no such group", group.name,
             other);
      for (const int a : members[group.name])
        for (const int b : members[other])
          if (a != b) assembly.filtered.emplace_back(a, b);
    }
}

}  // namespace patchfield
