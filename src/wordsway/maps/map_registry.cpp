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

}  // namespace wordsway
