#include <string>

#include <gtest/gtest.h>

#include "wordsway/io/data_text.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

TEST(JsonFault, FindsNoneInValidText) {
  for (const char* text : {"{}", "1", " [1, -2.5e3, null, true, \"x\"] ", R"({"a": {"k": 1}, "b": {"k": 2}})"}) {
    EXPECT_EQ(json_fault(text, 2), std::nullopt) << text;
  }
}

TEST(JsonFault, FindsBrokenText) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "{} x", "nul", "\"\xff\"", "1e999"}) {
    EXPECT_NE(json_fault(text, 2), std::nullopt) << text;
  }
  EXPECT_EQ(json_fault("[1,]", 2), "it is not valid JSON at byte 4");
}

TEST(JsonFault, FindsAKeyThatComesTwiceAtAnyDepth) {
  EXPECT_EQ(json_fault(R"({"a": 1, "b": 2, "a": 3})", 2), "the key \"a\" comes twice");
  EXPECT_EQ(json_fault(R"({"x": [{"b": 1, "b": 1}]})", 3), "the key \"b\" comes twice");
}

TEST(JsonFault, SaysWhereAKeyBeginsThatComesTwice) {
  const auto place = [](std::string_view text, int depth = 3) { return find_json_fault(text, depth)->byte; };
  EXPECT_EQ(place(R"({"a": 1, "a": 2})"), 9u);
  EXPECT_EQ(place(R"({"a":1,"a":2})"), 7u);
  EXPECT_EQ(place("{\"a\": 1,\n \"a\" : 2}"), 10u);
  EXPECT_EQ(place(R"({"\"a\"": 1, "\"a\"": 2})"), 13u);
  EXPECT_EQ(place(R"({"a\\": 1, "a\\": 2})"), 11u);
  EXPECT_EQ(place(R"({"x": [{"b": 1, "b": 1}]})"), 16u);
  EXPECT_EQ(place("[[1]]", 1), 1u);
  EXPECT_EQ(place("[1,]"), 3u);
  EXPECT_EQ(place(""), 0u);
}

TEST(JsonFault, LimitsTheDepth) {
  EXPECT_EQ(json_fault("[[1]]", 2), std::nullopt);
  EXPECT_EQ(json_fault("[[[1]]]", 2), "its JSON is nested more than 2 deep");
}

TEST(JsonFault, SurvivesAMillionOpenBrackets) {
  EXPECT_NE(json_fault(std::string(1'000'000, '['), 100), std::nullopt);
  EXPECT_NE(json_fault(std::string(1'000'000, '['), 10'000'000), std::nullopt);
}

TEST(JsonQuoted, EscapesWhatWouldBreakAMessage) {
  EXPECT_EQ(json_quoted("a\n\"b\""), R"("a\n\"b\"")");
  EXPECT_EQ(json_quoted("größe"), "\"größe\"");
}

}  // namespace
}  // namespace wordsway
