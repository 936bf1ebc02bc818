#include "wordsway/maps/declared_parameters.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr const char* kOfEveryRow[] = {"depth", "width", "activation", "beta"};

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

MapNames maps_with(const std::string& name, const MapNames& maps) {
  MapNames result;
  std::copy_if(maps.begin(), maps.end(), std::back_inserter(result),
               [&](const std::string& map) { return map_registry().get(map).parameter(name) != nullptr; });
  return result;
}

bool is_of_names(const std::string& name) {
  return declared_parameter(name).type() == Parameter::Type::kName;
}

}  // namespace

std::vector<std::string> row_parameters(const MapNames& maps) {
  std::vector<std::string> names(std::begin(kOfEveryRow), std::end(kOfEveryRow));
  for (const std::string& map : maps)
    for (const Parameter& parameter : map_registry().get(map).parameters) add_once(names, parameter.name());
  return names;
}

std::vector<std::string> listed_parameters(const MapNames& maps) {
  std::vector<std::string> names = row_parameters(maps);
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return declared_parameter(a).type() < declared_parameter(b).type();
  });
  return names;
}

const Parameter& declared_parameter(const std::string& name) {
  const MapNames maps = maps_with(name, map_registry().names());
  if (maps.empty()) throw UsageError("no map has a parameter '" + name + "'");
  return *map_registry().get(maps.front()).parameter(name);
}

void check_has_meaning(const std::string& name, const MapNames& maps, const std::string& shown) {
  if (maps_with(name, maps).empty())
    throw UsageError(fmt::format("{} has no meaning for {}", shown, fmt::join(maps, ", ")));
}

std::optional<ParameterValue> common_default(const std::string& name, const MapNames& maps) {
  MapNames owners = maps_with(name, maps);
  if (owners.empty()) owners = maps_with(name, map_registry().names());
  std::optional<ParameterValue> common;
  for (const std::string& map : owners) {
    const Parameter& parameter = *map_registry().get(map).parameter(name);
    if (parameter.default_follows_size()) return std::nullopt;
    const ParameterValue value = parameter.default_value(0, 0);
    if (common && *common != value) return std::nullopt;
    common = value;
  }
  return common;
}

std::string default_text(const std::string& name) {
  const MapNames maps = maps_with(name, map_registry().names());
  std::vector<std::string> texts, named;
  for (const std::string& map : maps) {
    const std::string& text = map_registry().get(map).parameter(name)->default_text();
    add_once(texts, text);
    named.push_back(fmt::format("{} ({})", text, map));
  }
  return texts.size() == 1 ? texts.front() : fmt::format("{}", fmt::join(named, ", "));
}

std::vector<std::string> choices(const std::string& name) {
  std::vector<std::string> names;
  for (const std::string& map : maps_with(name, map_registry().names()))
    for (const std::string& choice : map_registry().get(map).parameter(name)->names()) add_once(names, choice);
  return names;
}

std::vector<MapOptions> all_combinations(const MapOptions& base, const ParameterLists& lists) {
  std::vector<std::string> order = row_parameters(map_registry().names());
  std::stable_partition(order.begin(), order.end(), is_of_names);
  std::vector<MapOptions> grid = {base};
  for (const std::string& name : order) {
    const auto list = lists.find(name);
    if (list == lists.end() || list->second.empty()) continue;
    std::vector<MapOptions> wider;
    for (const MapOptions& options : grid)
      for (const ParameterValue& value : list->second) wider.emplace_back(options).given[name] = value;
    grid = std::move(wider);
  }
  return grid;
}

}  // namespace wordsway
