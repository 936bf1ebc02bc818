#include "wordsway/io/json.h"

#include <cmath>
#include <set>
#include <vector>

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

namespace {

using nlohmann::json;

// Receives the parser's events; returning false stops it.
class FaultFinder : public nlohmann::json_sax<json> {
 public:
  explicit FaultFinder(int max_depth) : max_depth_(max_depth) {}

  const std::optional<std::string>& fault() const { return fault_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& name) override {
    if (keys_.back().insert(name).second) return true;
    return stop(fmt::format("the key {} comes twice", json_quoted(name)));
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    return stop(fmt::format("it is not valid JSON at byte {}", position));
  }

 private:
  bool enter() {
    if (static_cast<int>(keys_.size()) == max_depth_) {
      return stop(fmt::format("its JSON is nested more than {} deep", max_depth_));
    }
    keys_.emplace_back();
    return true;
  }

  bool leave() {
    keys_.pop_back();
    return true;
  }

  bool stop(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  int max_depth_;
  std::vector<std::set<std::string>> keys_;  // of each object or array that is open
  std::optional<std::string> fault_;
};

}  // namespace

std::optional<std::string> json_fault(std::string_view text, int max_depth) {
  FaultFinder finder(max_depth);
  json::sax_parse(text.begin(), text.end(), &finder);
  return finder.fault();
}

std::string json_quoted(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace wordsway
