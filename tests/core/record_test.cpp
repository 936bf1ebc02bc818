#include "wordsway/core/record.h"

#include <cmath>
#include <new>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/sanitized.h"
#include "wordsway/core/error.h"
#include "wordsway/core/registry.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

TEST(Record, ThatCannotBeCopiedForLackOfMemoryThrows) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs more addresses than this";
  const auto copy_in_no_memory = [] {
    const Record record{{"list", std::vector<double>(1 << 22, 1.0)}};
    const struct rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_AS, &limit);
    try {
      const std::vector<Record> copies(16, record);  // what was freed before may do for some
    } catch (const std::bad_alloc&) {
      _exit(0);
    }
    _exit(1);
  };
  EXPECT_EXIT(copy_in_no_memory(), testing::ExitedWithCode(0), "");
}

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
