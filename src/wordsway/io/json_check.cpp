#include "wordsway/io/json_check.h"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wordsway {
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
