#include "wordsway/model/architecture_registry.h"

namespace wordsway {

void register_all_architectures(ArchitectureRegistry& registry);  // written by the build

const ArchitectureRegistry& architecture_registry() {
  static const ArchitectureRegistry registry = [] {
    ArchitectureRegistry architectures("architecture");
    register_all_architectures(architectures);
    return architectures;
  }();
  return registry;
}

}  // namespace wordsway
