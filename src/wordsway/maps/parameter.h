// The parameters of maps, by name.
//
// A map declares its parameters in its MapEntry (map_registry.h) and reads them with number(), whole() or text(). All
// else follows from the declaration: the flags of `measure` and `generalize` with their help, the keys of rows, the
// columns of tables, what tells curves apart, and the map's page in `wordsway list maps --long`.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"

namespace wordsway {

using ParameterValue = std::variant<std::int64_t, double, std::string>;
/// One value of a parameter, or the list of values that a study goes through.
using ParameterValues = std::map<std::string, ParameterValue>;
using ParameterLists = std::map<std::string, std::vector<ParameterValue>>;

/// The options of a map.
struct MapOptions {
  Index n = 0;               // tokens
  Index d = 0;               // coordinates of a token
  ParameterValues given;     // by name; a map ignores those that it does not declare
  std::string random;        // how the weights are held: dense, streamed, deferred; empty: the map's own choice
  bool keep_weights = true;  // false: deferred weights of a token may be let go with its view; no weights() then
  Index moves = 0;           // of a token besides those of a search; for memory_bytes
  Index moved_tokens = 1;    // tokens that move together; for memory_bytes

  MapOptions& set(const std::string& name, const std::string& value) { return assign(name, value); }
  MapOptions& set(const std::string& name, double value) { return assign(name, value); }
  template <std::integral T>
  MapOptions& set(const std::string& name, T value) {
    return assign(name, static_cast<std::int64_t>(value));
  }
  bool has(const std::string& name) const { return given.contains(name); }

 private:
  MapOptions& assign(const std::string& name, ParameterValue value) {
    given[name] = std::move(value);
    return *this;
  }
};

/// The numbers that a parameter accepts, both ends included.
struct ParameterRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// A default that depends on the size of the sample: how a user would write it, and its value.
struct SizeDefault {
  std::string text;  // "n·d"
  Index (*value)(Index n, Index d);
};

/// Immutable; made by the functions below. Maps that declare a parameter of the same name must agree on its type and
/// help, because they share its flag (tests/conformance); range, names and default are each map's own.
class Parameter {
 public:
  enum class Type { kNumber, kWhole, kName };

  const std::string& name() const { return name_; }
  Type type() const { return type_; }
  const std::string& help() const { return help_; }
  const std::vector<std::string>& names() const { return names_; }  // of kName, else empty

  /// As a user would write it: "1", "n·d".
  const std::string& default_text() const { return default_text_; }
  bool default_follows_size() const { return at_size_ != nullptr; }
  ParameterValue default_value(Index n, Index d) const;

  /// The accepted values, for a map's page: "from 0 to 1e+100", "at least 1", "gelu, identity, relu, tanh".
  std::string range_text() const;

  /// The value, of the parameter's type. Throws UsageError when it is out of range or no such name exists.
  ParameterValue checked(const ParameterValue& value) const;

  /// The value that was given, or the default; checked.
  ParameterValue of(const MapOptions& options) const;

  // The value by type; asking for the wrong type is a bug in the map (InternalError).
  double number(const MapOptions& options) const;
  Index whole(const MapOptions& options) const;
  std::string text(const MapOptions& options) const;

 private:
  friend Parameter number_parameter(std::string, double, ParameterRange, std::string);
  friend Parameter whole_parameter(std::string, Index, ParameterRange, std::string);
  friend Parameter whole_parameter(std::string, const SizeDefault&, ParameterRange, std::string);
  friend Parameter name_parameter(std::string, std::string, std::vector<std::string>, std::string);

  Parameter(std::string name, Type type, std::string help);

  std::string name_;
  Type type_;
  std::string help_;
  ParameterRange range_;
  std::vector<std::string> names_;
  ParameterValue default_;
  Index (*at_size_)(Index n, Index d) = nullptr;
  std::string default_text_;
};

/// `help` is one line for the flag, without the default: the command line adds that.
Parameter number_parameter(std::string name, double by_default, ParameterRange range, std::string help);
Parameter whole_parameter(std::string name, Index by_default, ParameterRange range, std::string help);
Parameter whole_parameter(std::string name, const SizeDefault& by_default, ParameterRange range, std::string help);
Parameter name_parameter(std::string name, std::string by_default, std::vector<std::string> names, std::string help);

/// A list of values for a study.
template <typename T>
std::vector<ParameterValue> parameter_list(const std::vector<T>& values) {
  return std::vector<ParameterValue>(values.begin(), values.end());
}

/// The parameter as the field of a row: a value, or a list of values of the parameter's type.
Value row_value(const Parameter& parameter, const ParameterValue& value);
Value row_list(const Parameter& parameter, const std::vector<ParameterValue>& values);

}  // namespace wordsway
