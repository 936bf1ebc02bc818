#include "wordsway/ask/collected_parts.h"

#include <gtest/gtest.h>

namespace wordsway {
namespace {

Part part_of(std::int64_t number) {
  Part part;
  part.rows = [number] { return std::vector<Record>{{{"text", number}}}; };
  part.object = [number] { return "{\"part\": " + std::to_string(number) + "}"; };
  return part;
}

const auto kAllColumns = [](std::vector<Record> rows) { return rows; };

TEST(CollectedParts, KeepTheirOrderWhateverTheOrderTheyComeIn) {
  CollectedParts parts;
  EXPECT_FALSE(parts.any_expected());
  parts.begin({});
  EXPECT_TRUE(parts.any_expected());
  for (const int number : {2, 0, 1}) parts.add(static_cast<size_t>(number), part_of(number));
  ASSERT_EQ(parts.rows().size(), 3);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(parts.rows()[static_cast<size_t>(k)].number("text"), k);
}

TEST(CollectedParts, APartThatComesAgainReplacesTheEarlierOne) {
  CollectedParts parts;
  parts.begin({});
  parts.add(0, part_of(5));
  parts.add(0, part_of(6));
  ASSERT_EQ(parts.rows().size(), 1);
  EXPECT_EQ(parts.rows().front().number("text"), 6);
}

TEST(CollectedParts, OneObjectStandsByItselfAndSeveralAreAList) {
  CollectedParts parts;
  parts.begin({.as_objects = true});
  parts.add(0, part_of(0));
  EXPECT_EQ(parts.json(), "{\"part\": 0}");
  parts.add(1, part_of(1));
  EXPECT_EQ(parts.json(), "[{\"part\": 0}, {\"part\": 1}]");
}

TEST(CollectedParts, TablesAreOneForEachPartOrOneForAll) {
  for (const bool one_table : {false, true}) {
    CollectedParts parts;
    parts.begin({.one_table = one_table});
    parts.add(0, part_of(0));
    parts.add(1, part_of(1));
    const std::string table = parts.table(kAllColumns);
    size_t headers = 0;
    for (size_t at = table.find("text"); at != std::string::npos; at = table.find("text", at + 1)) ++headers;
    EXPECT_EQ(headers, one_table ? 1 : 2) << table;
  }
}

}  // namespace
}  // namespace wordsway
