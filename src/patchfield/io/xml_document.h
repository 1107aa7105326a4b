// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// XML text → elements that know their file and line, with typed reading.
//
// A document remembers what was asked for. What nobody asked for is reported at the end (report_unread), so that
// no element and no attribute of a model is dropped in silence. Namespaces are part of the names: <drake:capsule> is
// the element "drake:capsule", whether or not xmlns:drake is declared.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <pugixml.hpp>

#include "patchfield/core/types.h"
#include "patchfield/io/diagnostics.h"

namespace patchfield {

class XmlDocument;

/// One element. Cheap to copy; the document must live longer. All readers throw InputError with file and line.
class XmlElement {
 public:
  XmlElement(pugi::xml_node node, XmlDocument* document) : node_(node), document_(document) {}

  std::string_view name() const { return node_.name(); }
  Place place() const;
  /// How messages call it: <link name="arm">.
  std::string label() const;

  /// The first child of that name; a second one stays unread, hence is reported.
  std::optional<XmlElement> child(std::string_view name) const;
  XmlElement required_child(std::string_view name) const;
  std::vector<XmlElement> children(std::string_view name) const;
  /// All children, without counting them as read.
  std::vector<XmlElement> peek_children() const;
  bool has_child(std::string_view name) const;
  void mark_read() const;
  /// Element and all within: known, and dealt with elsewhere.
  void mark_all_read() const;

  std::optional<std::string> attribute(std::string_view name) const;
  std::string required_attribute(std::string_view name) const;
  std::optional<double> number_attribute(std::string_view name) const;
  double required_number_attribute(std::string_view name) const;
  std::optional<Vec3> vector_attribute(std::string_view name) const;

  /// Text between the tags, without surrounding blanks and comments.
  std::string text() const;
  double number() const;
  Vec3 vector() const;
  bool boolean() const;
  std::vector<double> numbers(std::size_t count) const;

  /// Of a child's text, if that child is there.
  std::optional<double> child_number(std::string_view name) const;
  std::optional<bool> child_boolean(std::string_view name) const;
  std::optional<std::string> child_text(std::string_view name) const;

 private:
  pugi::xml_node node_;
  XmlDocument* document_;
};

class XmlDocument {
 public:
  /// Throw InputError: no such file, or text that is not XML, with the line.
  static std::unique_ptr<XmlDocument> load(const std::filesystem::path& file);
  static std::unique_ptr<XmlDocument> parse(std::string text, std::string file);

  XmlElement root();
  const std::string& file() const { return file_; }
  Place place(pugi::xml_node node) const;

  /// Warns about every element and attribute that was never asked for.
  void report_unread(Diagnostics& diagnostics) const;

 private:
  friend class XmlElement;
  XmlDocument() = default;
  int line_at(std::ptrdiff_t offset) const;

  std::string file_, text_;
  std::vector<std::size_t> line_starts_;
  pugi::xml_document tree_;
  std::unordered_set<const void*> read_;  ///< Nodes and attributes, by pugixml's own identity.
};

/// `count` numbers separated by blanks. `what` names them in messages. NaN is refused, infinities pass.
std::vector<double> parse_numbers(std::string_view text, std::size_t count, std::string_view what, const Place& place);

}  // namespace patchfield
