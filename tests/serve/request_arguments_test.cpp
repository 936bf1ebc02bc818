#include "serve/request_arguments.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "wordsway/core/error.h"

namespace wordsway::serve {
namespace {

using testing::HasSubstr;

// The sentence of the refusal.
template <typename Act>
std::string refused(const Act& act) {
  try {
    act();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(RequestArguments, AreReadByTheirKinds) {
  const RequestArguments ask(
      R"({"text": "é \"x\"", "n": [3, 4], "one": 5, "beta": 0.5, "on": true, "nothing": null, "mixed": [1, 2.5],
          "names": ["a", "b"], "empty": []})");
  EXPECT_EQ(ask.text("text"), "é \"x\"");
  EXPECT_EQ(ask.value("n"), Given(std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(ask.value("one"), Given(std::int64_t{5}));
  EXPECT_EQ(ask.value("beta"), Given(0.5));
  EXPECT_EQ(ask.value("on"), Given(true));
  EXPECT_EQ(ask.value("mixed"), Given(std::vector<double>{1, 2.5}));
  EXPECT_EQ(ask.value("names"), Given(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(ask.value("empty"), Given(std::vector<double>{}));
  EXPECT_FALSE(ask.value("nothing"));
  EXPECT_FALSE(ask.text("off"));
  ask.finish();
}

TEST(RequestArguments, RefusalsNameTheKeyAndWhatWasExpected) {
  const RequestArguments ask(R"({"text": 3, "object": {"a": 1}, "kinds": ["a", 1]})");
  EXPECT_THAT(refused([&] { ask.text("text"); }), HasSubstr("text must be a text"));
  EXPECT_THAT(refused([&] { ask.value("object"); }), HasSubstr("object: expected a text, a number"));
  EXPECT_THAT(refused([&] { ask.value("kinds"); }), HasSubstr("kinds must be a list of texts or of numbers"));
  std::string many = "[0";
  for (size_t k = 0; k < RequestArguments::kMostEntries; ++k) many += ", 0";
  const RequestArguments long_list("{\"n\": " + many + "]}");
  EXPECT_THAT(refused([&] { long_list.value("n"); }), HasSubstr("n has 65 values; at most 64 are taken"));
}

TEST(RequestArguments, AnUnknownKeyIsRefused) {
  RequestArguments ask(R"({"text": "a", "txet": "b"})");
  ask.text("text");
  EXPECT_THAT(refused([&] { ask.finish(); }), HasSubstr("unknown key \"txet\"; known here are text"));
}

TEST(RequestArguments, TextsAreBounded) {
  RequestArguments ask("{\"text\": \"" + std::string(RequestArguments::kMostTextBytes + 1, 'x') + "\"}");
  EXPECT_THAT(refused([&] { ask.text("text"); }), HasSubstr("at most 131072 are taken"));
}

TEST(RequestArguments, WhatIsNoObjectIsRefused) {
  for (const char* body :
       {"", "[]", "3", "{", "{\"a\": 1, \"a\": 2}", "{\"a\": [[1]]}", "{\"a\": \"\xff\"}", "nul", "{} {}"})
    EXPECT_NE(refused([&] { RequestArguments ask{std::string_view(body)}; }), "") << body;
}

// The seeds of the fuzz target: those named good_* are read, those named bad_* are refused.
TEST(RequestArguments, TheCorpusOfTheFuzzerRuns) {
  int seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() / "fuzz/corpus/request")) {
    const std::string name = entry.path().filename().string(), body = test::read_bytes(entry.path());
    const bool accepted = refused([&] { RequestArguments ask{std::string_view(body)}; }).empty();
    EXPECT_FALSE(accepted && name.starts_with("bad_")) << name;
    EXPECT_FALSE(!accepted && name.starts_with("good_")) << name;
    ++seeds;
  }
  EXPECT_GE(seeds, 5);
}

}  // namespace
}  // namespace wordsway::serve
