#include "options/builtin_data.h"

#include <cstdlib>
#include <vector>

#include "wordsway/core/error.h"

namespace wordsway::app {

std::vector<std::string> normaliser_models() {
  std::vector<std::string> names;
  for (const char* normaliser : {"softmax-0.25", "softmax-1", "softmax-4", "sigmoid", "relu", "square"})
    for (const char* seed : {"1", "2"}) names.push_back(std::string(normaliser) + "-seed-" + seed);
  return names;
}

std::string builtin_folder_named(const std::string& name) {
  if (name == kBuiltinEncoder || name == kBuiltinDecoder) return name;
  for (const std::string& model : normaliser_models())
    if (name == "builtin-" + model) return "normalisers/" + model;
  return {};
}

std::filesystem::path builtin_model_folder(const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  if (const char* data = std::getenv("WORDSWAY_DATA")) places.push_back(fs::path(data) / "models" / name);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) places.push_back(program.parent_path().parent_path() / "share" / "wordsway" / "models" / name);
  places.push_back(fs::path(WORDSWAY_SOURCE_MODELS) / name);
  std::string looked;
  for (const fs::path& place : places) {
    if (fs::exists(place / "config.json", ignored)) return place;
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  throw FileError("the built-in model '" + name + "' was not found; looked in " + looked +
                  " (set WORDSWAY_DATA, or give -m)");
}

}  // namespace wordsway::app
