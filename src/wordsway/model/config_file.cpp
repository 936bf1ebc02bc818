#include "wordsway/model/config_file.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr std::uintmax_t kMostBytes = 16 << 20;

}  // namespace

ConfigFile::ConfigFile(std::filesystem::path path, JsonView object)
    : path_(std::move(path)), object_(std::move(object)) {
  if (!object_.is_object()) object_.fail(fmt::format("expected a JSON object, found {}", object_.shown()));
}

ConfigFile::ConfigFile(const std::filesystem::path& path) : ConfigFile(path, JsonView::read(path, kMostBytes)) {}

ConfigFile ConfigFile::translated(const std::filesystem::path& path, std::string_view json, KeyNames names) {
  ConfigFile result(path, JsonView::parse(json, path.string()));
  result.names_ = std::make_shared<const KeyNames>(std::move(names));
  return result;
}

std::vector<ConfigFile> ConfigFile::list(const std::filesystem::path& path) {
  const JsonView root = JsonView::read(path, kMostBytes);
  if (!root.is_array()) root.fail(fmt::format("expected a JSON array, found {}", root.shown()));
  std::vector<ConfigFile> result;
  for (const JsonView& element : root.elements()) result.push_back(ConfigFile(path, element));
  return result;
}

void ConfigFile::refuse(const std::string& key, const std::string& problem) const {
  const bool renamed = names_ && names_->contains(key);
  throw DataError(fmt::format("{}: '{}' {}", path_.string(), renamed ? names_->at(key) : key, problem));
}

bool ConfigFile::has(const std::string& key) const {
  return object_[key].exists();
}

bool ConfigFile::is_null(const std::string& key) const {
  return object_[key].is_null();
}

Index ConfigFile::integer(const std::string& key, Index least, Index most) const {
  if (!has(key)) refuse(key, "is missing");
  const JsonView value = object_[key];
  if (!value.is_integer() || value.integer() < least || value.integer() > most)
    refuse(key, fmt::format("must be an integer from {} to {}, but is {}", least, most, value.shown()));
  return value.integer();
}

Index ConfigFile::integer_or(const std::string& key, Index fallback, Index least, Index most) const {
  return has(key) ? integer(key, least, most) : fallback;
}

double ConfigFile::number(const std::string& key, double least, double most) const {
  if (!has(key)) refuse(key, "is missing");
  const JsonView value = object_[key];
  if (!value.is_number() || !(value.number() >= least && value.number() <= most))
    refuse(key, fmt::format("must be a number from {} to {}, but is {}", least, most, value.shown()));
  return value.number();
}

double ConfigFile::number_or(const std::string& key, double fallback, double least, double most) const {
  return has(key) ? number(key, least, most) : fallback;
}

std::string ConfigFile::text(const std::string& key) const {
  if (!has(key)) refuse(key, "is missing");
  const JsonView value = object_[key];
  if (!value.is_string()) refuse(key, fmt::format("must be a string, but is {}", value.shown()));
  return value.string();
}

std::string ConfigFile::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

bool ConfigFile::flag_or(const std::string& key, bool fallback) const {
  if (!has(key)) return fallback;
  const JsonView value = object_[key];
  if (!value.is_boolean()) refuse(key, fmt::format("must be true or false, but is {}", value.shown()));
  return value.boolean();
}

std::vector<std::string> ConfigFile::texts(const std::string& key, std::size_t most) const {
  const JsonView list = object_[key];
  if (!list.is_array()) refuse(key, fmt::format("must be a list of strings, but is {}", list.shown()));
  std::vector<std::string> result;
  for (const JsonView& element : list.elements()) {
    if (!element.is_string()) refuse(key, fmt::format("must hold strings, but holds {}", element.shown()));
    if (result.size() == most) refuse(key, fmt::format("must hold at most {} strings", most));
    result.push_back(element.string());
  }
  return result;
}

std::vector<std::string> ConfigFile::text_or_texts(const std::string& key, std::size_t most) const {
  if (object_[key].is_string()) return {text(key)};
  return texts(key, most);
}

std::optional<ConfigFile> ConfigFile::object(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  if (!object_[key].is_object()) refuse(key, fmt::format("must be an object, but is {}", object_[key].shown()));
  ConfigFile result(path_, object_[key]);
  result.names_ = names_;
  return result;
}

std::vector<std::pair<std::string, std::string>> ConfigFile::text_members(const std::string& key) const {
  std::vector<std::pair<std::string, std::string>> result;
  if (!has(key)) return result;
  if (!object_[key].is_object()) refuse(key, fmt::format("must be an object, but is {}", object_[key].shown()));
  for (const auto& [name, value] : object_[key].members()) {
    if (value.exists() && !value.is_string())
      refuse(key, fmt::format("must hold strings, but '{}' is {}", name, value.shown()));
    result.emplace_back(name, value.string_or(""));
  }
  return result;
}

}  // namespace wordsway
