#include "wordsway/model/config_file.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"

namespace wordsway {

using Json = nlohmann::json;

struct ConfigFile::Content {
  Json json;
};

namespace {

constexpr std::uintmax_t kMostBytes = 16 << 20;

Json read_json(const std::filesystem::path& path) {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(path, problem);
  if (problem) throw FileError(fmt::format("{}: cannot be read: {}", path.string(), problem.message()));
  if (size > kMostBytes) {
    throw DataError(
        fmt::format("{}: has {} bytes, too many for a configuration (at most {})", path.string(), size, kMostBytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::string content(size, '\0');
  if (!file.read(content.data(), static_cast<std::streamsize>(size))) {
    throw FileError(fmt::format("{}: cannot be read", path.string()));
  }
  Json json = Json::parse(content, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw DataError(fmt::format("{}: is not valid JSON", path.string()));
  return json;
}

// Values in messages are cut: a hostile file may hold megabytes in one.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace

ConfigFile::ConfigFile(std::filesystem::path path, std::shared_ptr<const Content> content)
    : path_(std::move(path)), content_(std::move(content)) {
  if (!content_->json.is_object()) {
    throw DataError(fmt::format("{}: expected a JSON object, found {}", path_.string(), content_->json.type_name()));
  }
}

ConfigFile::ConfigFile(const std::filesystem::path& path)
    : ConfigFile(path, std::make_shared<Content>(Content{read_json(path)})) {}

std::vector<ConfigFile> ConfigFile::list(const std::filesystem::path& path) {
  const Json json = read_json(path);
  if (!json.is_array()) {
    throw DataError(fmt::format("{}: expected a JSON array, found {}", path.string(), json.type_name()));
  }
  std::vector<ConfigFile> result;
  for (const Json& element : json) {
    result.push_back(ConfigFile(path, std::make_shared<Content>(Content{element})));
  }
  return result;
}

void ConfigFile::refuse(const std::string& key, const std::string& problem) const {
  throw DataError(fmt::format("{}: '{}' {}", path_.string(), key, problem));
}

bool ConfigFile::has(const std::string& key) const {
  const auto found = content_->json.find(key);
  return found != content_->json.end() && !found->is_null();
}

Index ConfigFile::integer(const std::string& key, Index least, Index most) const {
  if (!has(key)) refuse(key, "is missing");
  const Json& value = content_->json[key];
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) &&
                    value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) refuse(key, fmt::format("must be an integer from {} to {}, but is {}", least, most, shown(value)));
  return value.get<Index>();
}

Index ConfigFile::integer_or(const std::string& key, Index fallback, Index least, Index most) const {
  return has(key) ? integer(key, least, most) : fallback;
}

double ConfigFile::number_or(const std::string& key, double fallback, double least, double most) const {
  if (!has(key)) return fallback;
  const Json& value = content_->json[key];
  const bool fits = value.is_number() && value.get<double>() >= least && value.get<double>() <= most;
  if (!fits) refuse(key, fmt::format("must be a number from {} to {}, but is {}", least, most, shown(value)));
  return value.get<double>();
}

std::string ConfigFile::text(const std::string& key) const {
  if (!has(key)) refuse(key, "is missing");
  const Json& value = content_->json[key];
  if (!value.is_string()) refuse(key, fmt::format("must be a string, but is {}", shown(value)));
  return value.get<std::string>();
}

std::string ConfigFile::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

bool ConfigFile::flag_or(const std::string& key, bool fallback) const {
  if (!has(key)) return fallback;
  const Json& value = content_->json[key];
  if (!value.is_boolean()) refuse(key, fmt::format("must be true or false, but is {}", shown(value)));
  return value.get<bool>();
}

}  // namespace wordsway
