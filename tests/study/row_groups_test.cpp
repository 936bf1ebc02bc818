#include "wordsway/study/row_groups.h"

#include <gmock/gmock.h>

namespace wordsway {
namespace {

using testing::ElementsAre;

std::vector<Record> made_up_rows() {
  return {{{"map", "raf"}, {"n", std::int64_t{5}}, {"S", 0.5}},
          {{"map", "rf"}, {"n", std::int64_t{5}}, {"S", 0.1}},
          {{"map", "raf"}, {"S", 0.25}},
          {{"map", "raf"}, {"n", std::int64_t{5}}, {"S", 0.75}}};
}

TEST(RowGroups, KeepTheOrderOfFirstAppearanceAndTellMissingFromGiven) {
  const auto rows = made_up_rows();
  const auto groups = group_rows(rows, [](const Record& row) { return std::vector{fields_of(row, {"map", "n"})}; });
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0].identity, (Record{{"map", "raf"}, {"n", std::int64_t{5}}}));
  EXPECT_THAT(groups[0].rows, ElementsAre(&rows[0], &rows[3]));
  EXPECT_THAT(groups[1].rows, ElementsAre(&rows[1]));
  EXPECT_EQ(groups[2].identity, (Record{{"map", "raf"}, {"n", Value()}}));
  EXPECT_THAT(groups[2].rows, ElementsAre(&rows[2]));
}

TEST(RowGroups, ARowMayBelongToNoneOrSeveral) {
  const auto rows = made_up_rows();
  const auto groups = group_rows(rows, [](const Record& row) -> std::vector<Record> {
    if (row.missing("n")) return {};
    return {{{"all", true}}, fields_of(row, {"map"})};
  });
  ASSERT_EQ(groups.size(), 3);
  EXPECT_THAT(groups[0].rows, ElementsAre(&rows[0], &rows[1], &rows[3]));
  EXPECT_THAT(groups[1].rows, ElementsAre(&rows[0], &rows[3]));
  EXPECT_THAT(groups[2].rows, ElementsAre(&rows[1]));
}

}  // namespace
}  // namespace wordsway
