#include "shell/builtin_models.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

// The possible folders of a built-in model, in order of preference. A program with models beside it is installed, so a
// package without some of them behaves the same on the machine that built it as on any other.
std::vector<fs::path> places_of(const std::string& folder) {
  std::vector<fs::path> places;
  if (const char* data = std::getenv("WORDSWAY_DATA")) places.push_back(fs::path(data) / "models" / folder);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share" / "wordsway" / "models";
  if (!program.empty()) places.push_back(installed / folder);
  if (program.empty() || !fs::exists(installed, ignored)) places.push_back(fs::path(WORDSWAY_SOURCE_MODELS) / folder);
  return places;
}

bool is_model(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "config.json", ignored);
}

}  // namespace

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

fs::path builtin_model_folder(const std::string& name) {
  std::string looked;
  for (const fs::path& place : places_of(name)) {
    if (is_model(place)) return place;
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  throw FileError("the built-in model '" + name + "' was not found; looked in " + looked +
                  " (set WORDSWAY_DATA, or give -m)");
}

bool has_builtin_model(const std::string& name) {
  return std::ranges::any_of(places_of(builtin_folder_named(name)), is_model);
}

std::string normalisers_missing() {
  for (const std::string& name : normaliser_models())
    if (!has_builtin_model("builtin-" + name))
      return "its twelve small encoders do not come with this package; the source tree has them in models/normalisers, "
             "and $WORDSWAY_DATA/models is looked at too";
  return {};
}

}  // namespace wordsway::app
