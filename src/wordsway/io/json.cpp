#include "wordsway/io/json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/data_text.h"

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

// The bytes of a text for the parser, which copies iterators; all copies share the number of bytes that were taken.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* taken_;
};

// Receives the parser's events; returning false stops it.
class FaultFinder : public nlohmann::json_sax<json> {
 public:
  FaultFinder(std::string_view text, int max_depth) : text_(text), max_depth_(max_depth) {}

  std::optional<JsonFault> find() {
    const char* const end = text_.data() + text_.size();
    json::sax_parse(CountingIterator(text_.data(), &taken_), CountingIterator(end, &taken_), this);
    return fault_;
  }

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
    return stop(fmt::format("the key {} comes twice", json_quoted(name)), key_begin());
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    return stop(fmt::format("it is not valid JSON at byte {}", position), std::max<std::size_t>(position, 1) - 1, true);
  }

 private:
  bool enter() {
    if (static_cast<int>(keys_.size()) == max_depth_) {
      return stop(fmt::format("its JSON is nested more than {} deep", max_depth_), taken_ - 1);
    }
    keys_.emplace_back();
    return true;
  }

  bool leave() {
    keys_.pop_back();
    return true;
  }

  bool stop(std::string what, std::size_t byte, bool is_syntax = false) {
    fault_ = {byte, std::move(what), is_syntax};
    return false;
  }

  // The opening quote of the key whose closing quote was taken last: the last one that is not escaped.
  std::size_t key_begin() const {
    std::size_t at = text_.rfind('"', taken_ - 2);
    while (at > 0 && text_[at - 1] == '\\') at = text_.rfind('"', at - 1);
    return at;
  }

  std::string_view text_;
  std::size_t taken_ = 0;
  int max_depth_;
  std::vector<std::set<std::string>> keys_;  // of each object or array that is open
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view text, int max_depth) {
  return FaultFinder(text, max_depth).find();
}

std::optional<std::string> json_fault(std::string_view text, int max_depth) {
  auto fault = find_json_fault(text, max_depth);
  return fault ? std::optional(std::move(fault->what)) : std::nullopt;
}

std::string json_quoted(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace wordsway
