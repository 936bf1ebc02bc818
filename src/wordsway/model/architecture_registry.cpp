#include "wordsway/model/architecture_registry.h"

#include <algorithm>

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

namespace {

template <typename Wanted, typename Name>
std::vector<std::string> names_where(Wanted wanted, Name name) {
  std::vector<std::string> names;
  for (const std::string& type : architecture_registry().names())
    if (const ArchitectureEntry& entry = architecture_registry().get(type); entry.same_as.empty() && wanted(entry))
      names.push_back(name(entry));
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool is_in_gguf(const ArchitectureEntry& entry) {
  return entry.gguf.has_value();
}

std::string title_of(const ArchitectureEntry& entry) {
  return entry.title;
}

}  // namespace

std::vector<std::string> decoder_titles() {
  return names_where([](const ArchitectureEntry& entry) { return entry.is_decoder; }, title_of);
}

std::vector<std::string> gguf_titles() {
  return names_where(is_in_gguf, title_of);
}

std::vector<std::string> gguf_architectures() {
  return names_where(is_in_gguf, [](const ArchitectureEntry& entry) { return entry.gguf->architecture; });
}

}  // namespace wordsway
