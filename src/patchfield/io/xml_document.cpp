// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/xml_document.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "patchfield/io/file_bytes.h"

namespace patchfield {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

pugi::xml_node find_child(pugi::xml_node node, std::string_view name) {
  for (pugi::xml_node child : node.children())
    if (child.name() == name) return child;
  return {};
}

pugi::xml_attribute find_attribute(pugi::xml_node node, std::string_view name) {
  for (pugi::xml_attribute attribute : node.attributes())
    if (attribute.name() == name) return attribute;
  return {};
}

bool declares_namespace(std::string_view attribute) { return attribute == "xmlns" || attribute.starts_with("xmlns:"); }

}  // namespace

std::vector<double> parse_numbers(std::string_view text, std::size_t count, std::string_view what, const Place& place) {
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (word.size() > 1 && word.front() == '+') word.remove_prefix(1);
    double value = 0.0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || std::isnan(value))
      fail(place, "{}: \"{}\" is not a number", what, word);
    numbers.push_back(value);
    at = text.find_first_not_of(kBlank, end);
  }
  if (numbers.size() != count)
    fail(place, "{} has {} number{} and needs {}", what, numbers.size(), numbers.size() == 1 ? "" : "s", count);
  return numbers;
}

Place XmlElement::place() const { return document_->place(node_); }

std::string XmlElement::label() const {
  const pugi::xml_attribute name = find_attribute(node_, "name");
  return name ? fmt::format("<{} name=\"{}\">", node_.name(), name.value()) : fmt::format("<{}>", node_.name());
}

void XmlElement::mark_read() const { document_->read_.insert(node_.internal_object()); }

void XmlElement::mark_all_read() const {
  // By a list, not by recursion: files decide how deep elements nest.
  std::vector<pugi::xml_node> open = {node_};
  while (!open.empty()) {
    const pugi::xml_node node = open.back();
    open.pop_back();
    document_->read_.insert(node.internal_object());
    for (pugi::xml_attribute attribute : node.attributes()) document_->read_.insert(attribute.internal_object());
    for (pugi::xml_node child : node.children()) open.push_back(child);
  }
}

std::optional<XmlElement> XmlElement::child(std::string_view name) const {
  const pugi::xml_node found = find_child(node_, name);
  if (!found) return std::nullopt;
  const XmlElement element(found, document_);
  element.mark_read();
  return element;
}

XmlElement XmlElement::required_child(std::string_view name) const {
  const std::optional<XmlElement> found = child(name);
  if (!found) fail(place(), "{} needs a <{}>", label(), name);
  return *found;
}

std::vector<XmlElement> XmlElement::children(std::string_view name) const {
  std::vector<XmlElement> all;
  for (const XmlElement& element : peek_children()) {
    if (element.name() != name) continue;
    element.mark_read();
    all.push_back(element);
  }
  return all;
}

std::vector<XmlElement> XmlElement::peek_children() const {
  std::vector<XmlElement> all;
  for (pugi::xml_node child : node_.children())
    if (child.type() == pugi::node_element) all.emplace_back(child, document_);
  return all;
}

bool XmlElement::has_child(std::string_view name) const { return static_cast<bool>(find_child(node_, name)); }

std::optional<std::string> XmlElement::attribute(std::string_view name) const {
  const pugi::xml_attribute found = find_attribute(node_, name);
  if (!found) return std::nullopt;
  document_->read_.insert(found.internal_object());
  return std::string(found.value());
}

std::string XmlElement::required_attribute(std::string_view name) const {
  std::optional<std::string> found = attribute(name);
  if (!found) fail(place(), "{} needs the attribute {}=\"…\"", label(), name);
  return *std::move(found);
}

std::optional<double> XmlElement::number_attribute(std::string_view name) const {
  const std::optional<std::string> found = attribute(name);
  if (!found) return std::nullopt;
  return parse_numbers(*found, 1, fmt::format("{} of {}", name, label()), place()).front();
}

double XmlElement::required_number_attribute(std::string_view name) const {
  required_attribute(name);
  return *number_attribute(name);
}

std::optional<Vec3> XmlElement::vector_attribute(std::string_view name) const {
  const std::optional<std::string> found = attribute(name);
  if (!found) return std::nullopt;
  const std::vector<double> x = parse_numbers(*found, 3, fmt::format("{} of {}", name, label()), place());
  return Vec3(x[0], x[1], x[2]);
}

std::string XmlElement::text() const {
  std::string all;
  for (pugi::xml_node part : node_.children())
    if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) all += part.value();
  return std::string(trim(all));
}

double XmlElement::number() const { return numbers(1).front(); }

Vec3 XmlElement::vector() const {
  const std::vector<double> x = numbers(3);
  return {x[0], x[1], x[2]};
}

bool XmlElement::boolean() const {
  const std::string word = text();
  if (word == "true" || word == "True" || word == "1") return true;
  if (word == "false" || word == "False" || word == "0") return false;
  fail(place(), "{} says \"{}\"; it must be true or false", label(), word);
}

std::vector<double> XmlElement::numbers(std::size_t count) const {
  return parse_numbers(text(), count, label(), place());
}

std::optional<double> XmlElement::child_number(std::string_view name) const {
  const std::optional<XmlElement> found = child(name);
  return found ? std::optional(found->number()) : std::nullopt;
}

std::optional<bool> XmlElement::child_boolean(std::string_view name) const {
  const std::optional<XmlElement> found = child(name);
  return found ? std::optional(found->boolean()) : std::nullopt;
}

std::optional<std::string> XmlElement::child_text(std::string_view name) const {
  const std::optional<XmlElement> found = child(name);
  return found ? std::optional(found->text()) : std::nullopt;
}

std::unique_ptr<XmlDocument> XmlDocument::load(const std::filesystem::path& file) {
  return parse(read_file_bytes(file), file.string());
}

std::unique_ptr<XmlDocument> XmlDocument::parse(std::string text, std::string file) {
  std::unique_ptr<XmlDocument> document(new XmlDocument());
  document->file_ = std::move(file);
  document->text_ = std::move(text);
  document->line_starts_ = {0};
  for (std::size_t i = 0; i < document->text_.size(); ++i)
    if (document->text_[i] == '\n') document->line_starts_.push_back(i + 1);
  const pugi::xml_parse_result result =
      document->tree_.load_buffer(document->text_.data(), document->text_.size(), pugi::parse_default);
  if (!result)
    fail({document->file_, document->line_at(result.offset)}, "this is not well-formed XML: {}{}", result.description(),
         result.status == pugi::status_no_document_element ? ". Is the file empty?"
                                                           : ". Is a tag not closed, or the file cut off?");
  return document;
}

XmlElement XmlDocument::root() {
  XmlElement element(tree_.document_element(), this);
  element.mark_read();
  return element;
}

int XmlDocument::line_at(std::ptrdiff_t offset) const {
  if (offset < 0) return 0;
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), static_cast<std::size_t>(offset));
  return static_cast<int>(after - line_starts_.begin());
}

Place XmlDocument::place(pugi::xml_node node) const { return {file_, line_at(node.offset_debug())}; }

void XmlDocument::report_unread(Diagnostics& diagnostics) const {
  std::vector<pugi::xml_node> open = {tree_.document_element()};
  while (!open.empty()) {
    const pugi::xml_node node = open.back();
    open.pop_back();
    for (pugi::xml_attribute attribute : node.attributes())
      if (!read_.contains(attribute.internal_object()) && !declares_namespace(attribute.name()))
        diagnostics.warn(place(node), "the attribute {} of <{}> is not read", attribute.name(), node.name());
    // Backwards, so that the list gives them in the order of the file.
    for (pugi::xml_node child = node.last_child(); child; child = child.previous_sibling())
      if (child.type() == pugi::node_element && read_.contains(child.internal_object())) open.push_back(child);
    for (pugi::xml_node child : node.children())
      if (child.type() == pugi::node_element && !read_.contains(child.internal_object()))
        diagnostics.warn(place(child), "<{}> in <{}> is not read", child.name(), node.name());
  }
}

}  // namespace patchfield
