#include "options/parameters.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/numbers.h"
#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

std::vector<ParameterValue> parse(const Parameter& parameter, const std::string& text) {
  const std::string flag = "--" + parameter.name();
  switch (parameter.type()) {
    case Parameter::Type::kNumber:
      return parameter_list(parse_numbers(text, flag));
    case Parameter::Type::kWhole:
      return parameter_list(parse_sizes(text, flag));
    case Parameter::Type::kName:
      return parameter_list(parse_names(text, flag));
  }
  throw InternalError("a parameter without a type");
}

// The study would check this as well, but only after the data have been read.
void check_range(const std::string& name, const std::vector<ParameterValue>& values, const MapNames& maps) {
  for (const std::string& map : maps)
    if (const Parameter* parameter = map_registry().get(map).parameter(name))
      for (const ParameterValue& value : values) parameter->checked(value);
}

std::string help_of(const Parameter& parameter, ParameterOptions::Takes takes) {
  std::string help = parameter.help();
  if (takes == ParameterOptions::Takes::kList) help += ", comma-separated";
  if (parameter.type() == Parameter::Type::kName)
    help += fmt::format(": {}", fmt::join(choices(parameter.name()), ", "));
  return help;
}

}  // namespace

void ParameterOptions::add_to(CLI::App& command, Takes takes) {
  for (const std::string& name : listed_parameters(map_registry().names())) {
    const Parameter& parameter = declared_parameter(name);
    CLI::Option* option = command.add_option_function<std::string>(
        "--" + name, [this, name](const std::string& text) { texts_[name] = text; }, help_of(parameter, takes));
    option->default_str(default_text(name));
    if (parameter.type() == Parameter::Type::kName) option->check(such_as(choices(name)));
    if (takes == Takes::kOne && parameter.type() == Parameter::Type::kNumber) option->check(finite_number(name));
  }
}

ParameterLists ParameterOptions::lists(const MapNames& maps) const {
  ParameterLists lists;
  for (const auto& [name, text] : texts_) {
    check_has_meaning(name, maps, "--" + name);
    lists[name] = parse(declared_parameter(name), text);
    check_range(name, lists[name], maps);
  }
  return lists;
}

ParameterValues ParameterOptions::values(const MapNames& maps) const {
  ParameterValues values;
  for (const auto& [name, list] : lists(maps)) {
    if (list.size() != 1) throw UsageError(fmt::format("--{} takes one value; got '{}'", name, texts_.at(name)));
    values[name] = list.front();
  }
  return values;
}

}  // namespace wordsway::app
