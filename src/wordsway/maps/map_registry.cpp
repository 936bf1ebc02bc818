#include "wordsway/maps/map_registry.h"

namespace wordsway {

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
