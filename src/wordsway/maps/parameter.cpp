#include "wordsway/maps/parameter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

std::string written(const ParameterValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.4g}", *number);
  return std::get<std::string>(value);
}

std::string described(const ParameterRange& range) {
  if (std::isinf(range.least) && std::isinf(range.most)) return "any number";
  if (std::isinf(range.most)) return fmt::format("at least {:g}", range.least);
  if (std::isinf(range.least)) return fmt::format("at most {:g}", range.most);
  return fmt::format("between {:g} and {:g}", range.least, range.most);
}

// Any number as a double, NaN for a name. Sizes are far below 2^53, the limit of exact integers in a double.
double as_double(const ParameterValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nan("");
}

template <typename T>
std::vector<T> parts(const std::vector<ParameterValue>& values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const ParameterValue& value : values) result.push_back(std::get<T>(value));
  return result;
}

}  // namespace

Parameter::Parameter(std::string name, Type type, std::string help)
    : name_(std::move(name)), type_(type), help_(std::move(help)) {}

ParameterValue Parameter::default_value(Index n, Index d) const {
  return at_size_ != nullptr ? ParameterValue(static_cast<std::int64_t>(at_size_(n, d))) : default_;
}

std::string Parameter::range_text() const {
  return type_ == Type::kName ? fmt::format("{}", fmt::join(names_, ", ")) : described(range_);
}

ParameterValue Parameter::checked(const ParameterValue& value) const {
  if (type_ == Type::kName) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || std::find(names_.begin(), names_.end(), *text) == names_.end())
      throw UsageError(fmt::format("unknown {} '{}'; there are: {}", name_, written(value), fmt::join(names_, ", ")));
    return value;
  }
  const double number = as_double(value);
  if (!std::isfinite(number) || number < range_.least || number > range_.most)
    throw UsageError(fmt::format("{} must be {}; got {}", name_, described(range_), written(value)));
  if (type_ == Type::kNumber) return number;
  if (!std::holds_alternative<std::int64_t>(value))
    throw UsageError(fmt::format("{} must be a whole number; got {}", name_, written(value)));
  return value;
}

ParameterValue Parameter::of(const MapOptions& options) const {
  const auto found = options.given.find(name_);
  return checked(found != options.given.end() ? found->second : default_value(options.n, options.d));
}

double Parameter::number(const MapOptions& options) const {
  ensure(type_ == Type::kNumber, "the parameter is not a number");
  return std::get<double>(of(options));
}

Index Parameter::whole(const MapOptions& options) const {
  ensure(type_ == Type::kWhole, "the parameter is not a whole number");
  return static_cast<Index>(std::get<std::int64_t>(of(options)));
}

std::string Parameter::text(const MapOptions& options) const {
  ensure(type_ == Type::kName, "the parameter is not a name");
  return std::get<std::string>(of(options));
}

Parameter number_parameter(std::string name, double by_default, ParameterRange range, std::string help) {
  Parameter parameter(std::move(name), Parameter::Type::kNumber, std::move(help));
  parameter.range_ = range;
  parameter.default_ = by_default;
  parameter.default_text_ = fmt::format("{:g}", by_default);
  return parameter;
}

Parameter whole_parameter(std::string name, Index by_default, ParameterRange range, std::string help) {
  Parameter parameter(std::move(name), Parameter::Type::kWhole, std::move(help));
  parameter.range_ = range;
  parameter.default_ = static_cast<std::int64_t>(by_default);
  parameter.default_text_ = std::to_string(by_default);
  return parameter;
}

Parameter whole_parameter(std::string name, const SizeDefault& by_default, ParameterRange range, std::string help) {
  Parameter parameter(std::move(name), Parameter::Type::kWhole, std::move(help));
  parameter.range_ = range;
  parameter.at_size_ = by_default.value;
  parameter.default_text_ = by_default.text;
  return parameter;
}

Parameter name_parameter(std::string name, std::string by_default, std::vector<std::string> names, std::string help) {
  Parameter parameter(std::move(name), Parameter::Type::kName, std::move(help));
  parameter.names_ = std::move(names);
  parameter.default_text_ = by_default;
  parameter.default_ = std::move(by_default);
  return parameter;
}

Value row_value(const Parameter& parameter, const ParameterValue& value) {
  if (parameter.type() == Parameter::Type::kNumber) return as_double(value);
  return std::visit([](const auto& held) { return Value(held); }, value);
}

Value row_list(const Parameter& parameter, const std::vector<ParameterValue>& values) {
  if (parameter.type() == Parameter::Type::kWhole) return parts<std::int64_t>(values);
  if (parameter.type() == Parameter::Type::kName) return parts<std::string>(values);
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const ParameterValue& value : values) numbers.push_back(as_double(value));
  return numbers;
}

}  // namespace wordsway
