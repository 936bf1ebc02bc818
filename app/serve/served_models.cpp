#include "serve/served_models.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

// The last part of a path, in UTF-8 whatever bytes it has.
std::string base_name(const std::filesystem::path& path) {
  std::filesystem::path last = path.filename();
  if (last.empty() || last == "." || last == "..") last = path.parent_path().filename();
  std::string name;
  for (const char32_t code : unicode::decode(last.string())) unicode::append_utf8(name, code);
  return name.empty() ? "model" : name;
}

// The sentence with the name in place of the path.
std::string without_path(std::string sentence, const ModelPlace& place) {
  const std::string path = place.path.string();
  for (size_t at = sentence.find(path); at != std::string::npos; at = sentence.find(path, at + place.name.size()))
    sentence.replace(at, path.size(), place.name);
  return sentence;
}

std::shared_ptr<const Model> load(const ModelPlace& place) {
  try {
    return std::make_shared<const Model>(load_model(place.path, place.device));
  } catch (const DataError& error) {
    throw DataError(without_path(error.what(), place));
  } catch (const FileError& error) {
    throw FileError(without_path(error.what(), place));
  }
}

}  // namespace

std::vector<ModelPlace> named_places(const std::vector<std::filesystem::path>& paths, std::vector<ModelPlace> taken,
                                     const Device& device) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(taken, name, &ModelPlace::name) != taken.end();
  };
  for (const std::filesystem::path& path : paths) {
    const std::string base = base_name(path);
    std::string name = base;
    for (int number = 2; is_taken(name); ++number) name = fmt::format("{}-{}", base, number);
    taken.push_back({name, path, device});
  }
  return taken;
}

ServedModels::ServedModels(std::vector<ModelPlace> places) {
  for (ModelPlace& place : places) {
    slots_.push_back(std::make_unique<Slot>());
    slots_.back()->place = std::move(place);
  }
}

std::vector<std::string> ServedModels::names() const {
  std::vector<std::string> names;
  for (const auto& slot : slots_) names.push_back(slot->place.name);
  return names;
}

const ServedModels::Slot& ServedModels::slot(const std::string& name) const {
  for (const auto& slot : slots_)
    if (slot->place.name == name) return *slot;
  throw UsageError(
      fmt::format("there is no model {}; there are {}", json_quoted(name.substr(0, 60)), fmt::join(names(), ", ")));
}

void ServedModels::check(const std::string& name) const {
  slot(name);
}

std::shared_ptr<const Model> ServedModels::loaded(const std::string& name) const {
  const Slot& found = slot(name);
  const std::lock_guard lock(found.mutex);
  return found.model;
}

std::shared_ptr<const Model> ServedModels::get(const std::string& name) const {
  const Slot& found = slot(name);
  const std::lock_guard once(found.loading);
  if (auto model = loaded(name)) return model;
  auto model = load(found.place);
  const std::lock_guard lock(found.mutex);
  found.model = model;
  return model;
}

}  // namespace wordsway::serve
