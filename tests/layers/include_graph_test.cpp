#include "layers/include_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/places.h"

namespace wordsway::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<IncludeEdge> includes_of_the_source_tree() {
  const std::filesystem::path root = test::source_folder();
  auto edges = read_includes(root / "src/wordsway", "wordsway");
  const auto app = read_includes(root / "app", "app");
  edges.insert(edges.end(), app.begin(), app.end());
  return edges;
}

TEST(SourceTree, IsReadAtAll) {
  const auto edges = includes_of_the_source_tree();
  const auto is_known = [](const IncludeEdge& edge) {
    return edge.file == "wordsway/core/parallel.h" && edge.included == "wordsway/core/matrix.h" && edge.quoted;
  };
  EXPECT_EQ(std::count_if(edges.begin(), edges.end(), is_known), 1);
}

TEST(SourceTree, KeepsTheDirectionOfTheLayers) {
  EXPECT_THAT(layer_violations(includes_of_the_source_tree()), IsEmpty());
}

TEST(SourceTree, HasNoIncludeCycle) {
  EXPECT_THAT(include_cycles(includes_of_the_source_tree()), IsEmpty());
}

TEST(SourceTree, HasNoTwoFoldersThatNeedEachOther) {
  EXPECT_THAT(two_way_edges(includes_of_the_source_tree()), IsEmpty());
}

TEST(SourceTree, ShowsNoThirdPartyHeaderButEigen) {
  EXPECT_THAT(leaked_third_party_headers(includes_of_the_source_tree()), IsEmpty());
}

TEST(LayerViolations, AllowsLowerLayersAndTheOwnFolder) {
  EXPECT_THAT(layer_violations({{"wordsway/maps/a.cpp", "wordsway/random/stream.h"},
                                {"wordsway/maps/a.cpp", "wordsway/maps/b.h"},
                                {"wordsway/sensitivity/a.cpp", "wordsway/maps/feature_map.h"},
                                {"wordsway/model/a.cpp", "wordsway/maps/any_map.h"},
                                {"wordsway/core/a.cpp", "vector", false},
                                {"app/main.cpp", "commands/measure.h"},
                                {"app/commands/list.cpp", "wordsway/maps/map_registry.h"}}),
              IsEmpty());
}

TEST(LayerViolations, RefusesAnEdgeUpwards) {
  EXPECT_THAT(layer_violations({{"wordsway/core/a.h", "wordsway/random/stream.h"}}),
              ElementsAre(HasSubstr("core must not depend on random")));
  EXPECT_THAT(layer_violations({{"wordsway/study/a.h", "wordsway/figures/b.h"}}),
              ElementsAre(HasSubstr("study must not depend on figures")));
}

TEST(LayerViolations, RefusesAnEdgeBetweenNeighbours) {
  for (const std::string other : {"text", "ascent"}) {
    EXPECT_THAT(layer_violations({{"wordsway/maps/a.h", "wordsway/" + other + "/b.h"}}), SizeIs(1)) << other;
  }
  EXPECT_THAT(layer_violations({{"wordsway/learning/a.h", "wordsway/sensitivity/b.h"}}), SizeIs(1));
  EXPECT_THAT(layer_violations({{"wordsway/random/a.h", "wordsway/io/b.h"}}), SizeIs(1));
}

TEST(LayerViolations, RefusesAConcreteMapInSensitivityAndLearning) {
  for (const std::string module : {"sensitivity", "learning"}) {
    EXPECT_THAT(layer_violations({{"wordsway/" + module + "/a.cpp", "wordsway/maps/softmax_attention.h"}}),
                ElementsAre(HasSubstr("never a concrete map")));
    EXPECT_THAT(layer_violations({{"wordsway/" + module + "/a.cpp", "wordsway/model/engine.h"}}), SizeIs(1));
  }
}

TEST(LayerViolations, LetsOneHeaderListThemAllAndNobodyIncludeIt) {
  EXPECT_THAT(layer_violations({{"wordsway/wordsway.h", "wordsway/study/a.h"}}), IsEmpty());
  EXPECT_THAT(layer_violations({{"wordsway/study/a.h", "wordsway/wordsway.h"}}), SizeIs(1));
}

TEST(LayerViolations, RefusesAFolderWithoutALayer) {
  EXPECT_THAT(layer_violations({{"wordsway/attic/a.cpp", "wordsway/core/error.h"}}),
              ElementsAre(HasSubstr("'attic' has no layer")));
  EXPECT_THAT(layer_violations({{"wordsway/study/a.cpp", "wordsway/attic/b.h"}}), SizeIs(1));
  EXPECT_THAT(layer_violations({{"wordsway/study/a.cpp", "wordsway/everything.h"}}), SizeIs(1));
}

TEST(LayerViolations, RefusesWhatHidesFromTheCheck) {
  EXPECT_THAT(layer_violations({{"wordsway/core/a.cpp", "../study/grid.h"}}), ElementsAre(HasSubstr("from the root")));
  EXPECT_THAT(layer_violations({{"wordsway/core/a.cpp", "wordsway/study/grid.h", false}}), SizeIs(1));
}

TEST(IncludeCycles, AreFoundAndNamed) {
  const std::vector<IncludeEdge> edges = {{"wordsway/core/a.h", "wordsway/core/b.h"},
                                          {"wordsway/core/b.h", "wordsway/core/c.h"},
                                          {"wordsway/core/c.h", "wordsway/core/b.h"}};
  EXPECT_THAT(include_cycles(edges), ElementsAre("wordsway/core/b.h -> wordsway/core/c.h -> wordsway/core/b.h"));
}

TEST(IncludeCycles, AreNotSeenWhereTwoPathsMeet) {
  EXPECT_THAT(include_cycles({{"a.h", "b.h"}, {"a.h", "c.h"}, {"b.h", "d.h"}, {"c.h", "d.h"}}), IsEmpty());
}

TEST(TwoWayEdges, AreFoundBetweenFolders) {
  EXPECT_THAT(two_way_edges({{"wordsway/text/corpus/a.cpp", "wordsway/text/tokenizer/b.h"},
                             {"wordsway/text/tokenizer/c.cpp", "wordsway/text/corpus/d.h"}}),
              ElementsAre("wordsway/text/corpus and wordsway/text/tokenizer need each other: "
                          "wordsway/text/corpus/a.cpp includes wordsway/text/tokenizer/b.h, "
                          "wordsway/text/tokenizer/c.cpp includes wordsway/text/corpus/d.h"));
  EXPECT_THAT(two_way_edges({{"app/main.cpp", "commands/a.h"}, {"app/commands/a.cpp", "process.h"}}), SizeIs(1));
}

TEST(TwoWayEdges, AreNotOneWay) {
  EXPECT_THAT(two_way_edges({{"wordsway/text/corpus/a.cpp", "wordsway/text/tokenizer/b.h"},
                             {"wordsway/text/tokenizer/c.cpp", "wordsway/text/tokenizer/b.h"},
                             {"wordsway/maps/raf.cpp", "wordsway/maps/attention/attention_map.h"},
                             {"wordsway/maps/attention/attention_map.h", "wordsway/maps/feature_map.h"}}),
              IsEmpty());
}

TEST(LeakedThirdPartyHeaders, AreFoundInHeadersOnly) {
  for (const std::string header : {"nlohmann/json.hpp", "fmt/format.h", "Random123/philox.h", "CLI/CLI.hpp", "mpi.h",
                                   "utf8proc.h", "dnnl.hpp", "dnnl_types.h", "oneapi/dnnl/dnnl.hpp"}) {
    EXPECT_THAT(leaked_third_party_headers({{"wordsway/io/a.h", header, false}}), SizeIs(1)) << header;
    EXPECT_THAT(leaked_third_party_headers({{"wordsway/io/a.h", header, true}}), SizeIs(1)) << header;
    EXPECT_THAT(leaked_third_party_headers({{"wordsway/io/a.cpp", header, false}}), IsEmpty()) << header;
  }
  EXPECT_THAT(leaked_third_party_headers({{"wordsway/io/a.h", "Eigen/Core", false}}), IsEmpty());
}

}  // namespace
}  // namespace wordsway::test
