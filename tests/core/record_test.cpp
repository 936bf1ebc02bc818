#include "wordsway/core/record.h"

#include <cmath>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/core/registry.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

TEST(Record, KeepsTheOrderAndReplacesInPlace) {
  Record record{{"b", std::int64_t{1}}, {"a", 2.5}};
  record.set("b", "text");
  record.set("c", {});
  ASSERT_EQ(record.fields().size(), 3u);
  EXPECT_EQ(record.fields()[0].first, "b");
  EXPECT_EQ(record.text("b"), "text");
  EXPECT_TRUE(record.missing("c"));
  EXPECT_TRUE(record.missing("nowhere"));
  EXPECT_THROW(record.number("b"), DataError);
  EXPECT_THROW(record.text("a"), DataError);
}

TEST(RecordAsJson, ComesBackEqual) {
  const Record record{{"null", {}},
                      {"yes", true},
                      {"count", std::int64_t{-42}},
                      {"whole", 3.0},
                      {"tenth", 0.1},
                      {"tiny", 4.9e-324},
                      {"text", "a \"b\"\n\tß \\"},
                      {"list", std::vector<double>{1.0, 0.30000000000000004}},
                      {"integers", std::vector<std::int64_t>{1, 2}},
                      {"names", std::vector<std::string>{"x", "y"}}};
  EXPECT_EQ(record_from_json(to_json(record)), record);
}

TEST(RecordAsJson, WritesWhatIsNotFiniteAsNull) {
  EXPECT_EQ(to_json({{"a", std::nan("")}, {"b", HUGE_VAL}}), R"({"a": null, "b": null})");
}

TEST(RecordAsJson, RefusesWhatIsNotAFlatObject) {
  for (const char* text : {"", "[1]", "3", "{\"a\": {\"b\": 1}}", "{\"a\": [[1]]}", "{\"a\": 1", "{\"a\": [1, \"b\"]}"})
    EXPECT_THROW(record_from_json(text), DataError) << text;
}

TEST(Registry, NamesWhatThereIsWhenANameIsUnknown) {
  Registry<int> registry("thing");
  registry.add("b", 2);
  registry.add("a", 1);
  EXPECT_EQ(registry.get("a"), 1);
  EXPECT_THROW(registry.add("a", 3), InternalError);
  try {
    registry.get("c");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unknown thing 'c'; there are: a, b");
  }
}

}  // namespace
}  // namespace wordsway
