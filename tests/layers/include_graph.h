// The include graph of the source tree and the rules it must keep (CONTRIBUTING.md, "Layers").
//
// Files are named as #include names them: "wordsway/core/matrix.h"; files of the program are "app/main.cpp".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wordsway::test {

/// `file` contains an #include of `included`; `quoted` tells "..." from <...>.
struct IncludeEdge {
  std::string file;
  std::string included;
  bool quoted = true;
};

/// All #include lines of the .h and .cpp files below `folder`, whose files are named `prefix`/relative path.
std::vector<IncludeEdge> read_includes(const std::filesystem::path& folder, const std::string& prefix);

/// One sentence for every edge that goes against the direction of the layers, names a folder that has no layer, or
/// hides from this check by a relative path. Empty when the rules are kept.
std::vector<std::string> layer_violations(const std::vector<IncludeEdge>& edges);

/// One sentence, "a -> b -> a", for every cycle of includes met in a depth-first walk. Empty when there is none.
std::vector<std::string> include_cycles(const std::vector<IncludeEdge>& edges);

/// One sentence for every two folders of which each includes a header of the other. Empty when there are none.
std::vector<std::string> two_way_edges(const std::vector<IncludeEdge>& edges);

/// One sentence for every third-party header other than Eigen's that a header of the library shows to its users.
std::vector<std::string> leaked_third_party_headers(const std::vector<IncludeEdge>& edges);

}  // namespace wordsway::test
