#include "shell/models.h"

#include "shell/builtin_models.h"

namespace wordsway::app {

std::filesystem::path model_folder(const std::string& name) {
  if (name.empty()) return builtin_model_folder();
  if (const std::string builtin = builtin_folder_named(name); !builtin.empty()) return builtin_model_folder(builtin);
  check_not_hub_name(name, "give -m");
  return name;
}

Model open_model(const std::string& name, const Device& device) {
  return load_model(model_folder(name), device);
}

}  // namespace wordsway::app
