#include "layers/include_graph.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace wordsway::test {
namespace {

// From the bottom up, as in CONTRIBUTING.md, "Layers". A module may include itself and the modules of all lower levels.
const std::vector<std::set<std::string>> kLevels = {
    {"core"},
    {"random", "io"},
    {"maps", "text", "ascent", "draw"},
    {"sensitivity", "learning", "model"},
    {"cuda"},
    {"data", "audit"},
    {"run"},
    {"study"},
    {"figures"},
    {"ask"},
    {"app"},
};

// The index of the module's level, or -1 where it has none.
int level_of(const std::string& module) {
  for (size_t level = 0; level < kLevels.size(); ++level) {
    if (kLevels[level].contains(module)) return static_cast<int>(level);
  }
  return -1;
}

// These see the interfaces of maps/ only, never a concrete map, so that they work for any map and any model.
const std::set<std::string> kInterfaceOnly = {"sensitivity", "learning"};
const std::set<std::string> kMapInterfaces = {"wordsway/maps/feature_map.h", "wordsway/maps/learner_view.h",
                                              "wordsway/maps/map_registry.h", "wordsway/maps/parameter.h"};

bool begins_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

// "wordsway/maps/x.h" -> "maps", "app/main.cpp" -> "app", "wordsway/x.h" -> "".
std::string module_of(const std::string& file) {
  if (begins_with(file, "app/")) return "app";
  const std::string inside = file.substr(std::string("wordsway/").size());
  const auto slash = inside.find('/');
  return slash == std::string::npos ? "" : inside.substr(0, slash);
}

std::string violation_of(const IncludeEdge& edge) {
  const std::string what = edge.file + " includes " + edge.included + ": ";
  const bool of_library = begins_with(edge.included, "wordsway/");
  if (!of_library && edge.quoted && begins_with(edge.file, "wordsway/")) {
    return what + "the library names its headers from the root, as \"wordsway/...\"";
  }
  if (!of_library) return "";
  if (edge.file == "wordsway/wordsway.h") return "";  // lists what users get
  const std::string from = module_of(edge.file), to = module_of(edge.included);
  for (const std::string& module : {from, to}) {
    if (level_of(module) < 0) return what + "the folder '" + module + "' has no layer in CONTRIBUTING.md";
  }
  if (from == to) return "";
  if (level_of(to) >= level_of(from)) return what + from + " must not depend on " + to;
  if (to == "maps" && kInterfaceOnly.contains(from) && !kMapInterfaces.contains(edge.included)) {
    return what + from + " sees only the interfaces of maps, never a concrete map";
  }
  return "";
}

// The folder of a file. The interfaces of maps/ are a room of their own: maps are below them as well as beside them.
std::string room_of(const std::string& file) {
  if (kMapInterfaces.contains(file)) return "wordsway/maps (interfaces)";
  return file.substr(0, file.rfind('/'));
}

// The path as the file includes it: the program names its headers from app/.
std::string path_of(const IncludeEdge& edge) {
  return begins_with(edge.file, "app/") && !begins_with(edge.included, "wordsway/") ? "app/" + edge.included
                                                                                    : edge.included;
}

// Depth-first walk; a file met again while it is still being walked closes a cycle.
class CycleFinder {
 public:
  explicit CycleFinder(const std::vector<IncludeEdge>& edges) {
    for (const auto& edge : edges) next_[edge.file].push_back(edge.included);
  }

  std::vector<std::string> find() {
    for (const auto& [file, included] : next_) walk(file);
    return found_;
  }

 private:
  void walk(const std::string& file) {
    const auto open = std::find(path_.begin(), path_.end(), file);
    if (open != path_.end()) {
      std::string cycle;
      for (auto step = open; step != path_.end(); ++step) cycle += *step + " -> ";
      found_.push_back(cycle + file);
      return;
    }
    if (!next_.contains(file) || !walked_.insert(file).second) return;
    path_.push_back(file);
    for (const auto& included : next_.at(file)) walk(included);
    path_.pop_back();
  }

  std::map<std::string, std::vector<std::string>> next_;
  std::set<std::string> walked_;
  std::vector<std::string> path_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<IncludeEdge> read_includes(const std::filesystem::path& folder, const std::string& prefix) {
  static const std::regex include(R"rx(^\s*#\s*include\s*([<"])([^">]+)[">].*)rx");
  std::vector<IncludeEdge> edges;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
    const std::string file = prefix + "/" + entry.path().lexically_relative(folder).generic_string();
    std::ifstream lines(entry.path());
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_match(line, match, include)) edges.push_back({file, match[2], match[1] == "\""});
    }
  }
  return edges;
}

std::vector<std::string> layer_violations(const std::vector<IncludeEdge>& edges) {
  std::vector<std::string> violations;
  for (const auto& edge : edges) {
    if (const std::string violation = violation_of(edge); !violation.empty()) violations.push_back(violation);
  }
  return violations;
}

std::vector<std::string> include_cycles(const std::vector<IncludeEdge>& edges) {
  return CycleFinder(edges).find();
}

std::vector<std::string> two_way_edges(const std::vector<IncludeEdge>& edges) {
  std::map<std::pair<std::string, std::string>, std::string> first;  // from a room to another: the edge met first
  for (const auto& edge : edges) {
    if (!edge.quoted) continue;
    const std::string from = room_of(edge.file), to = room_of(path_of(edge));
    if (from != to) first.emplace(std::pair(from, to), edge.file + " includes " + edge.included);
  }
  std::vector<std::string> found;
  for (const auto& [rooms, edge] : first) {
    const auto back = first.find({rooms.second, rooms.first});
    if (rooms.first < rooms.second && back != first.end()) {
      found.push_back(rooms.first + " and " + rooms.second + " need each other: " + edge + ", " + back->second);
    }
  }
  return found;
}

std::vector<std::string> leaked_third_party_headers(const std::vector<IncludeEdge>& edges) {
  static const std::regex third_party(
      R"((nlohmann|fmt|Random123|CLI|oneapi|openmpi)/.*|(mpi|utf8proc|dnnl.*|zlib|lzma|httplib)\.hp*)");
  std::vector<std::string> leaks;
  for (const auto& edge : edges) {
    const bool header_of_library = begins_with(edge.file, "wordsway/") && edge.file.ends_with(".h");
    if (header_of_library && std::regex_match(edge.included, third_party)) {
      leaks.push_back(edge.file + " includes <" + edge.included + ">: third-party headers belong in a .cpp");
    }
  }
  return leaks;
}

}  // namespace wordsway::test
