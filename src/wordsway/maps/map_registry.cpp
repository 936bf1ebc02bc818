#include "wordsway/maps/map_registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

const Parameter* MapEntry::parameter(const std::string& name) const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name() == name; });
  return found != parameters.end() ? &*found : nullptr;
}

std::string MapEntry::random_of(const MapOptions& options) const {
  if (options.random.empty()) return random_ways.front();
  if (std::find(random_ways.begin(), random_ways.end(), options.random) == random_ways.end())
    throw UsageError(
        fmt::format("this map holds its weights {}; got '{}'", fmt::join(random_ways, " or "), options.random));
  return options.random;
}

Record MapEntry::describe(const MapOptions& options) const {
  if (check) check(options);
  Record record;
  for (const Parameter& parameter : parameters)
    record.set(parameter.name(), row_value(parameter, parameter.of(options)));
  record.set("random", random_of(options));
  return record;
}

std::string MapEntry::page() const {
  std::string page = description;
  const char* label = "parameters";
  for (const Parameter& parameter : parameters) {
    page += fmt::format("\n{:<12}--{}: {}; {} ({})", label, parameter.name(), parameter.help(), parameter.range_text(),
                        parameter.default_text());
    label = "";
  }
  return parameters.empty() ? page + "\nparameters  none" : page;
}

template class Registry<MapEntry>;

void register_all_maps(MapRegistry& registry);  // written by the build

const MapRegistry& map_registry() {
  static const MapRegistry registry = [] {
    MapRegistry maps("map");
    register_all_maps(maps);
    return maps;
  }();
  return registry;
}

Record methods_of(const std::vector<std::string>& maps) {
  Record methods;
  for (const std::string& map : maps)
    methods.set("method of " + map, std::int64_t{map_registry().get(map).method.value});
  return methods;
}

}  // namespace wordsway
