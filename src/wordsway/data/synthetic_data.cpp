#include "wordsway/data/synthetic_data.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway {

template class Registry<DataLaw>;

void register_all_laws(LawRegistry& registry);  // written by the build

const LawRegistry& law_registry() {
  static const LawRegistry registry = [] {
    LawRegistry laws("data");
    register_all_laws(laws);
    return laws;
  }();
  return registry;
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const std::string& name : law_registry().names()) {
    const auto& parameter = law_registry().get(name).parameter;
    names.push_back(parameter ? fmt::format("{}:{}", name, parameter->name) : name);
  }
  return names;
}

namespace {

double parse_value(const std::string& specification, const std::string& name, const LawParameter& parameter) {
  const std::string text = specification.substr(std::min(name.size() + 1, specification.size()));
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool number = error == std::errc() && stop == end && value >= parameter.least && value <= parameter.most;
  if (number && (!parameter.whole || value == std::floor(value))) return value;
  throw UsageError(fmt::format("'{}': {} in {}:{} must be a {} from {:g} to {:g}", specification, parameter.name, name,
                               parameter.name, parameter.whole ? "whole number" : "number", parameter.least,
                               parameter.most));
}

}  // namespace

NamedLaw parse_law(const std::string& specification) {
  const std::string name = specification.substr(0, specification.find(':'));
  if (!law_registry().contains(name)) {
    std::vector<std::string> known = {"builtin"};
    for (std::string& law : law_names()) known.push_back(std::move(law));
    throw UsageError(unknown_name("data", specification, known));
  }
  const DataLaw& law = law_registry().get(name);
  if (law.parameter) return {&law, parse_value(specification, name, *law.parameter)};
  if (specification != name) throw UsageError(fmt::format("'{}': {} has no parameter", specification, name));
  return {&law};
}

}  // namespace wordsway
