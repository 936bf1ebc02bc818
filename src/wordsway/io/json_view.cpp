#include "wordsway/io/json_view.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"

namespace wordsway {
namespace {

using Json = nlohmann::json;

const Json& as_json(const void* node) {
  return *static_cast<const Json*>(node);
}

}  // namespace

struct JsonView::Document {
  std::string name;
  Json root;
};

JsonView JsonView::parse(std::string_view bytes, std::string name) {
  auto document = std::make_shared<Document>();
  document->name = std::move(name);
  try {
    document->root = Json::parse(bytes);
  } catch (const Json::parse_error& error) {
    throw DataError(fmt::format("{}: not valid JSON at byte {}", document->name, error.byte));
  } catch (const Json::out_of_range&) {
    throw DataError(fmt::format("{}: holds a number that no double can hold", document->name));
  }
  JsonView view;
  view.node_ = &document->root;
  view.document_ = std::move(document);
  return view;
}

JsonView JsonView::read(const std::filesystem::path& file, std::uintmax_t most_bytes) {
  return parse(read_small_file(file, most_bytes), file.string());
}

bool JsonView::is_null() const {
  return node_ != nullptr && as_json(node_).is_null();
}

bool JsonView::exists() const {
  return node_ != nullptr && !as_json(node_).is_null();
}
bool JsonView::is_array() const {
  return exists() && as_json(node_).is_array();
}
bool JsonView::is_object() const {
  return exists() && as_json(node_).is_object();
}
bool JsonView::is_string() const {
  return exists() && as_json(node_).is_string();
}

bool JsonView::is_boolean() const {
  return exists() && as_json(node_).is_boolean();
}
bool JsonView::is_number() const {
  return exists() && as_json(node_).is_number();
}
bool JsonView::is_integer() const {
  // Above 2^53 a double no longer tells integers apart, and nothing we read is that large.
  return is_number() && number() == std::floor(number()) && std::abs(number()) <= 0x1p53;
}

std::string JsonView::shown() const {
  constexpr size_t kMost = 60;
  if (node_ == nullptr) return "missing";
  const std::string text = as_json(node_).dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost - 3) + "...";
}

JsonView JsonView::member(std::string path, const void* node) const {
  JsonView view;
  view.document_ = document_;
  view.node_ = node;
  view.path_ = std::move(path);
  return view;
}

JsonView JsonView::operator[](std::string_view key) const {
  if (!is_object()) wrong_type("an object");
  const Json& object = as_json(node_);
  const auto found = object.find(key);
  std::string path = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  return member(std::move(path), found == object.end() ? nullptr : &*found);
}

std::vector<JsonView> JsonView::elements() const {
  if (!is_array()) wrong_type("an array");
  std::vector<JsonView> result;
  for (const Json& element : as_json(node_))
    result.push_back(member(fmt::format("{}[{}]", path_, result.size()), &element));
  return result;
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
  if (!is_object()) wrong_type("an object");
  std::vector<std::pair<std::string, JsonView>> result;
  for (const auto& [key, value] : as_json(node_).items()) {
    result.emplace_back(key, member(path_.empty() ? key : path_ + "." + key, &value));
  }
  return result;
}

std::string JsonView::string() const {
  if (!is_string()) wrong_type("a string");
  return as_json(node_).get<std::string>();
}

bool JsonView::boolean() const {
  if (!is_boolean()) wrong_type("true or false");
  return as_json(node_).get<bool>();
}

double JsonView::number() const {
  if (!is_number()) wrong_type("a number");
  return as_json(node_).get<double>();
}

std::int64_t JsonView::integer() const {
  if (!is_integer()) wrong_type(is_number() ? "an integer" : "a number");
  return static_cast<std::int64_t>(number());
}

std::string JsonView::where() const {
  return path_.empty() ? document_->name : document_->name + ": " + path_;
}

void JsonView::fail(std::string_view what) const {
  throw DataError(fmt::format("{}: {}", where(), what));
}

void JsonView::wrong_type(std::string_view expected) const {
  if (node_ == nullptr) fail(fmt::format("missing; expected {}", expected));
  fail(fmt::format("expected {}, got {}", expected,
                   as_json(node_).is_number() ? "a number" : as_json(node_).type_name()));
}

}  // namespace wordsway
