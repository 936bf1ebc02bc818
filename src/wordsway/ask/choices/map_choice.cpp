#include "wordsway/ask/choices/map_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

std::vector<ParameterValue> taken(const Parameter& parameter, const FieldInfo& field, const Given& given) {
  switch (parameter.type()) {
    case Parameter::Type::kNumber:
      return parameter_list(take_numbers(field, given));
    case Parameter::Type::kWhole:
      return parameter_list(take_wholes(field, given));
    case Parameter::Type::kName:
      return parameter_list(take_names(field, given));
  }
  throw InternalError("a parameter without a type");
}

FieldKind kind_of(const Parameter& parameter) {
  switch (parameter.type()) {
    case Parameter::Type::kNumber:
      return FieldKind::kNumbers;
    case Parameter::Type::kWhole:
      return FieldKind::kWholes;
    case Parameter::Type::kName:
      return FieldKind::kNames;
  }
  throw InternalError("a parameter without a type");
}

FieldInfo field_of(const std::string& name, MapChoice::Takes takes) {
  const Parameter& parameter = declared_parameter(name);
  FieldInfo field;
  field.name = name;
  field.kind = kind_of(parameter);
  field.help = parameter.help();
  if (takes == MapChoice::Takes::kList) field.help += ", comma-separated";
  if (parameter.type() == Parameter::Type::kName) {
    field.choices = choices(name);
    field.strict = false;  // the parameter itself refuses other names and says which map takes which
    field.help += fmt::format(": {}", fmt::join(field.choices, ", "));
  }
  field.shown_default = default_text(name);
  field.has_shown_default = true;
  return field;
}

std::string joined(const std::vector<ParameterValue>& values) {
  std::string text;
  for (const ParameterValue& value : values)
    text += (text.empty() ? "" : ",") + std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
  return text;
}

}  // namespace

void MapChoice::describe(Fields<MapChoice>& fields, Takes takes) {
  fields.names("map", &MapChoice::maps, {}, "Maps, comma-separated: see 'wordsway list maps'")
      .choices(map_registry().names(), false)
      .first_in_python();
  for (const std::string& name : listed_parameters(map_registry().names()))
    fields.custom(
        field_of(name, takes),
        [name](const FieldInfo& field, MapChoice& choice, const Given& given) {
          choice.parameters[name] = taken(declared_parameter(name), field, given);
        },
        [](const MapChoice&) { return std::string(); });
  fields.text("random", &MapChoice::random, "How random matrices are kept: dense, streamed or deferred")
      .by_default("each map's own choice");
  fields.check([takes](const MapChoice& choice) {
    choice.check();
    if (takes == Takes::kOne) choice.values();
  });
}

void MapChoice::check() const {
  for (const std::string& map : maps) map_registry().get(map);
  for (const auto& [name, values] : parameters) {
    check_has_meaning(name, maps, "{" + name + "}");
    for (const std::string& map : maps)
      if (const Parameter* parameter = map_registry().get(map).parameter(name))
        for (const ParameterValue& value : values) parameter->checked(value);
  }
}

ParameterValues MapChoice::values() const {
  ParameterValues result;
  for (const auto& [name, list] : parameters) {
    if (list.size() != 1) throw UsageError(fmt::format("{{{}}} takes one value; got '{}'", name, joined(list)));
    result[name] = list.front();
  }
  return result;
}

}  // namespace wordsway
