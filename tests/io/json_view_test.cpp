#include "wordsway/io/json_view.h"

#include <fstream>
#include <optional>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::ThrowsMessage;

JsonView parse_view(std::string_view bytes) {
  return JsonView::parse(bytes, "f.json");
}

const char* const kDocument =
    R"({"a": {"b": [1, {"c": "text"}]}, "none": null, "half": 0.5, "yes": true, "big": 1e16})";

TEST(JsonView, AValueKnowsItsPlace) {
  const JsonView root = parse_view(kDocument);
  EXPECT_EQ(root.where(), "f.json");
  EXPECT_EQ(root["a"]["b"].elements()[1]["c"].where(), "f.json: a.b[1].c");
  EXPECT_EQ(root["nobody"].where(), "f.json: nobody");
  EXPECT_EQ(parse_view("[[7]]").elements()[0].elements()[0].where(), "f.json: [0][0]");
  for (const auto& [key, value] : root["a"].members()) EXPECT_EQ(value.where(), "f.json: a." + key);
}

TEST(JsonView, ErrorsNameThePlaceWhatWasExpectedAndWhatIsThere) {
  const JsonView root = parse_view(kDocument);
  EXPECT_THAT([&] { root["a"].string(); }, ThrowsMessage<DataError>("f.json: a: expected a string, got object"));
  EXPECT_THAT([&] { root["a"]["b"].members(); },
              ThrowsMessage<DataError>("f.json: a.b: expected an object, got array"));
  EXPECT_THAT([&] { root["half"].elements(); },
              ThrowsMessage<DataError>("f.json: half: expected an array, got a number"));
  EXPECT_THAT([&] { root["half"].integer(); },
              ThrowsMessage<DataError>("f.json: half: expected an integer, got a number"));
  EXPECT_THAT([&] { root["none"].boolean(); },
              ThrowsMessage<DataError>("f.json: none: expected true or false, got null"));
  EXPECT_THAT([&] { root["x"]["y"]; }, ThrowsMessage<DataError>("f.json: x: missing; expected an object"));
  EXPECT_THAT([&] { root["yes"].number(); }, ThrowsMessage<DataError>("f.json: yes: expected a number, got boolean"));
  EXPECT_THAT([&] { root["a"].fail("is odd"); }, ThrowsMessage<DataError>("f.json: a: is odd"));
}

TEST(JsonView, NullAndMissingDoNotExistAndGiveTheFallback) {
  const JsonView root = parse_view(kDocument);
  for (const char* key : {"none", "nobody"}) {
    EXPECT_FALSE(root[key].exists() || root[key].is_object() || root[key].is_array() || root[key].is_string());
    EXPECT_EQ(root[key].string_or("else"), "else");
    EXPECT_TRUE(root[key].boolean_or(true));
  }
  EXPECT_TRUE(root["yes"].boolean_or(false));
  EXPECT_THROW(root["half"].string_or("else"), DataError) << "a fallback is not for what is wrong";
}

TEST(JsonView, IntegersMayBeWrittenAsFloatsButMustBeExact) {
  EXPECT_EQ(parse_view("-3").integer(), -3);
  EXPECT_EQ(parse_view("2e3").integer(), 2000);
  EXPECT_EQ(parse_view("9007199254740992").integer(), std::int64_t{1} << 53);
  EXPECT_THROW(parse_view(kDocument)["big"].integer(), DataError);
  EXPECT_THROW(parse_view("18446744073709551615").integer(), DataError);
}

TEST(JsonView, WhatIsNotJsonIsNamedWithTheByte) {
  EXPECT_THAT([] { parse_view("{\"a\": 1,}"); }, ThrowsMessage<DataError>("f.json: not valid JSON at byte 9"));
  EXPECT_THAT([] { parse_view("[1e999]"); },
              ThrowsMessage<DataError>("f.json: holds a number that no double can hold"));
  for (const char* broken : {"", "{", "nul", "{\"a\" 1}", "[1] 2", "\"\xFF\""}) {
    EXPECT_THROW(parse_view(broken), DataError) << broken;
  }
}

TEST(JsonView, AValueKeepsItsDocumentAlive) {
  std::optional<JsonView> inner;
  {
    const JsonView root = parse_view(kDocument);
    inner = root["a"]["b"].elements()[1];
  }
  EXPECT_EQ((*inner)["c"].string(), "text");
}

TEST(JsonView, AFileIsCalledByItsPath) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("v.json")) << "[]";
  EXPECT_EQ(JsonView::read(folder.path("v.json")).where(), folder.path("v.json").string());
  EXPECT_THROW(JsonView::read(folder.path("nothing.json")), FileError);
}

}  // namespace
}  // namespace wordsway
