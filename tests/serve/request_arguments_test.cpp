#include "serve/request_arguments.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "wordsway/core/error.h"

namespace wordsway::serve {
namespace {

using testing::ElementsAre;
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
  RequestArguments ask(
      R"({"text": "é \"x\"", "n": [3, 4], "one": 5, "beta": 0.5, "on": true, "nothing": null, "layer": 3})");
  EXPECT_EQ(ask.text("text"), "é \"x\"");
  EXPECT_THAT(ask.wholes("n", 1, 9, 5), ElementsAre(3, 4));
  EXPECT_THAT(ask.wholes("one", 1, 9, 5), ElementsAre(5));
  EXPECT_THAT(ask.numbers("beta", 5), ElementsAre(0.5));
  EXPECT_TRUE(ask.flag("on"));
  EXPECT_FALSE(ask.flag("off"));
  EXPECT_FALSE(ask.text("nothing"));
  EXPECT_EQ(ask.text_or_number("layer"), "3");
  EXPECT_EQ(ask.seed(), 1);
  ask.finish();
}

TEST(RequestArguments, RefusalsNameTheKeyAndWhatWasExpected) {
  RequestArguments ask(R"({"text": 3, "n": [0], "ball": "big", "token": 1.5, "many": [1, 2, 3]})");
  EXPECT_THAT(refused([&] { ask.text("text"); }), HasSubstr("text: expected a string, got a number"));
  EXPECT_THAT(refused([&] { ask.required_text("prompt"); }), HasSubstr("\"prompt\""));
  EXPECT_THAT(refused([&] { ask.wholes("n", 1, 9, 5); }), HasSubstr("n must be from 1 to 9; got 0"));
  EXPECT_THAT(refused([&] { ask.one_of("ball", {"none", "full"}); }), HasSubstr("none, full; got \"big\""));
  EXPECT_THAT(refused([&] { ask.whole("token", 0, 9); }), HasSubstr("token: expected an integer"));
  EXPECT_THAT(refused([&] { ask.numbers("many", 2); }), HasSubstr("many has 3 values"));
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
