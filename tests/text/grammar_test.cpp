#include "wordsway/text/grammar/grammar.h"

#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"

namespace wordsway::grammar {
namespace {

Grammar grammar_of(std::span<const Rule> rules) {
  return Grammar(std::array{rules});
}

std::string write_one(std::span<const Rule> rules, std::string_view rule, int polarity, std::uint64_t seed = 1) {
  const Grammar grammar = grammar_of(rules);
  return Writer(grammar, Stream(seed)).write(rule, polarity);
}

TEST(Grammar, ExpandsRulesByPolarityAndTurnsItRound) {
  const Rule rules[] = {{"say", "{word}, not {!word}"}, {"word+", "good"}, {"word-", "bad"}};
  EXPECT_EQ(write_one(rules, "say", 1), "good, not bad");
  EXPECT_EQ(write_one(rules, "say", -1), "bad, not good");
}

TEST(Grammar, RepeatsWhatWasBound) {
  const Rule rules[] = {{"say", "{=name} {=name} {=name}"}, {"name", "a|b|c|d|e|f|g|h"}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = write_one(rules, "say", 1, seed);
    EXPECT_EQ(text[0], text[2]);
    EXPECT_EQ(text[0], text[4]);
  }
}

TEST(Grammar, ChoosesInsideBracketsAndNestsThem) {
  const Rule rules[] = {{"say", "x[/ {y}/ [y/y]] z"}, {"y", "y"}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = write_one(rules, "say", 1, seed);
    EXPECT_TRUE(text == "x z" || text == "x y z") << text;
  }
}

TEST(Grammar, RefusesUnknownRulesDoubleRulesAndOpenBrackets) {
  const Rule unknown[] = {{"say", "{word}"}};
  EXPECT_THROW(write_one(unknown, "say", 1), UsageError);
  EXPECT_THROW(write_one(unknown, "other", 1), UsageError);
  const Rule open[] = {{"say", "[word"}};
  EXPECT_THROW(write_one(open, "say", 1), UsageError);
  const Rule twice[] = {{"say", "a"}, {"say", "b"}};
  EXPECT_THROW(grammar_of(twice), UsageError);
}

TEST(Grammar, RepairsCapitalsAndArticles) {
  EXPECT_EQ(finish_text("a old man. i  saw it! a hour, a unique cat; isn't i'm"),
            "An old man. I saw it! An hour, a unique cat; isn't I'm");
}

TEST(Grammar, BarsAndSlashesInsideBracketsDoNotSeparateOptionsOutside) {
  const Rule rules[] = {{"say", "[a/b] x\n   y|[c/{d}]"}, {"d", "d"}};
  const Grammar grammar = grammar_of(rules);
  EXPECT_EQ(grammar.rules().at("say"), (std::vector<std::string>{"[a/b] x y", "[c/{d}]"}));
}

TEST(Grammar, EveryOptionIsReachedAboutEquallyOften) {
  const Rule rules[] = {{"say", "a|b|c|d"}};
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) ++counts[write_one(rules, "say", 1, seed)];
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [option, count] : counts) EXPECT_NEAR(count, 1000, 150) << option;
}

TEST(Grammar, ATextAvoidsWhatItHasSaidWhileOthersAreLeft) {
  const Rule rules[] = {{"say", "a|b|c|d|e|f|g|h|i|j"}};
  const Grammar grammar = grammar_of(rules);
  int repeats = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Writer writer(grammar, Stream(seed));
    std::set<std::string> said;
    for (int i = 0; i < 5; ++i) repeats += !said.insert(writer.write("say", 1)).second;
  }
  EXPECT_LT(repeats, 10) << "without avoiding there would be some 200";
}

TEST(Grammar, TheGenderOfATextIsTheSameThroughoutAndDrawnFairly) {
  const Rule rules[] = {{"say", "{he} {he} {he}"}, {"he:m", "he"}, {"he:f", "she"}};
  int women = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = write_one(rules, "say", 1, seed);
    EXPECT_TRUE(text == "he he he" || text == "she she she") << text;
    women += text.starts_with("she");
  }
  EXPECT_NEAR(women, 500, 80);
}

TEST(Grammar, ThePolarityGoesDownToTheLeavesAndTurnsBackWhenTurnedTwice) {
  const Rule rules[] = {{"say", "{middle} {!middle}"}, {"middle", "{word}{!word}"}, {"word+", "+"}, {"word-", "-"}};
  EXPECT_EQ(write_one(rules, "say", 1), "+- -+");
  EXPECT_EQ(write_one(rules, "say", -1), "-+ +-");
}

TEST(Grammar, ARuleForBothPolaritiesWinsOverOneForEach) {
  const Rule rules[] = {{"word", "plain"}, {"word+", "good"}, {"word-", "bad"}};
  const Grammar grammar = grammar_of(rules);
  EXPECT_EQ(grammar.options("word", 1, 'm').front(), "plain");
  EXPECT_EQ(grammar.options("word-", 1, 'm').front(), "bad");
}

TEST(Grammar, FinishedTextsStaySoWhenFinishedAgain) {
  for (const char* raw : {"a old man. i saw a hour", "what? a apple!  it is i'm", "  x  .  y ", "", "an egg"}) {
    EXPECT_EQ(finish_text(finish_text(raw)), finish_text(raw));
  }
  EXPECT_EQ(finish_text(""), "");
  EXPECT_EQ(finish_text("data a bee, a uninspired film"), "Data a bee, an uninspired film") << "only the article";
  EXPECT_EQ(finish_text("1984. \"so\" he said"), "1984. \"So\" he said");
}

}  // namespace
}  // namespace wordsway::grammar
