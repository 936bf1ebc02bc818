#include "wordsway/io/json.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <typename T, typename Write>
std::string list(const std::vector<T>& values, Write write) {
  std::string result = "[";
  for (size_t k = 0; k < values.size(); ++k) result += (k == 0 ? "" : ", ") + write(values[k]);
  return result + "]";
}

struct ToJson {
  std::string operator()(Missing) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return shortest(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const std::vector<double>& values) const { return list(values, *this); }
  std::string operator()(const std::vector<std::int64_t>& values) const { return list(values, *this); }
  std::string operator()(const std::vector<std::string>& values) const { return list(values, *this); }
};

Value list_from_json(const nlohmann::ordered_json& json) {
  const auto all = [&](auto predicate) { return std::all_of(json.begin(), json.end(), predicate); };
  if (all([](const auto& item) { return item.is_string(); }) && !json.empty())
    return json.get<std::vector<std::string>>();
  if (all([](const auto& item) { return item.is_number_integer(); }) && !json.empty())
    return json.get<std::vector<std::int64_t>>();
  if (!all([](const auto& item) { return item.is_number() || item.is_null(); }))
    throw DataError("a list in a row must hold numbers or texts only");
  std::vector<double> values;
  for (const auto& item : json) values.push_back(item.is_null() ? std::nan("") : item.get<double>());
  return values;
}

Value value_from_json(const nlohmann::ordered_json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return json.get<double>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return list_from_json(json);
  throw DataError("a row must be a flat JSON object; it holds another object");
}

}  // namespace

std::string shortest(double value) {
  if (!std::isfinite(value)) return "null";
  std::string text = fmt::format("{}", value);
  // A whole double keeps its point, so that it reads back as a double.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string value_to_json(const Value& value) {
  return std::visit(ToJson(), value);
}

std::string to_json(const Record& record) {
  std::string result = "{";
  for (const auto& [name, value] : record.fields()) {
    if (result.size() > 1) result += ", ";
    result += quoted(name) + ": " + std::visit(ToJson(), value);
  }
  return result + "}";
}

Record record_from_json(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw DataError("a row must be a JSON object");
  Record record;
  for (const auto& [name, value] : json.items()) record.set(name, value_from_json(value));
  return record;
}

}  // namespace wordsway
