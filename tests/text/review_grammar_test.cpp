#include <array>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/text/reviews/grammar.h"
#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

Grammar grammar_of(std::span<const Rule> rules) {
  return Grammar(std::array{rules});
}

std::string write_one(std::span<const Rule> rules, std::string_view rule, int polarity, std::uint64_t seed = 1) {
  const Grammar grammar = grammar_of(rules);
  return Writer(grammar, Stream(seed)).write(rule, polarity);
}

TEST(ReviewGrammar, ExpandsRulesByPolarityAndTurnsItRound) {
  const Rule rules[] = {{"say", "{word}, not {!word}"}, {"word+", "good"}, {"word-", "bad"}};
  EXPECT_EQ(write_one(rules, "say", 1), "good, not bad");
  EXPECT_EQ(write_one(rules, "say", -1), "bad, not good");
}

TEST(ReviewGrammar, RepeatsWhatWasBound) {
  const Rule rules[] = {{"say", "{=name} {=name} {=name}"}, {"name", "a|b|c|d|e|f|g|h"}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = write_one(rules, "say", 1, seed);
    EXPECT_EQ(text[0], text[2]);
    EXPECT_EQ(text[0], text[4]);
  }
}

TEST(ReviewGrammar, ChoosesInsideBracketsAndNestsThem) {
  const Rule rules[] = {{"say", "x[/ {y}/ [y/y]] z"}, {"y", "y"}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = write_one(rules, "say", 1, seed);
    EXPECT_TRUE(text == "x z" || text == "x y z") << text;
  }
}

TEST(ReviewGrammar, RefusesUnknownRulesDoubleRulesAndOpenBrackets) {
  const Rule unknown[] = {{"say", "{word}"}};
  EXPECT_THROW(write_one(unknown, "say", 1), UsageError);
  EXPECT_THROW(write_one(unknown, "other", 1), UsageError);
  const Rule open[] = {{"say", "[word"}};
  EXPECT_THROW(write_one(open, "say", 1), UsageError);
  const Rule twice[] = {{"say", "a"}, {"say", "b"}};
  EXPECT_THROW(grammar_of(twice), UsageError);
}

TEST(ReviewGrammar, RepairsCapitalsAndArticles) {
  EXPECT_EQ(finish_text("a old man. i  saw it! a hour, a unique cat; isn't i'm"),
            "An old man. I saw it! An hour, a unique cat; isn't I'm");
}

TEST(ReviewGrammar, HasEveryRuleItRefersToForBothPolaritiesAndGenders) {
  const std::array tables{name_rules(),    film_rules(),     plot_rules(),      acting_rules(),
                          scene_rules(),   craft_rules(),    sound_rules(),     opinion_rules(),
                          verdict_rules(), contrast_rules(), digression_rules()};
  const Grammar grammar(tables);
  for (const auto& [name, options] : grammar.rules()) {
    for (const std::string& option : options) {
      EXPECT_FALSE(option.empty()) << name;
      for (std::size_t open = option.find('{'); open != std::string::npos; open = option.find('{', open + 1)) {
        std::string reference = option.substr(open + 1, option.find('}', open) - open - 1);
        if (reference.starts_with('!') || reference.starts_with('=')) reference.erase(0, 1);
        for (const int polarity : {1, -1}) {
          for (const char gender : {'m', 'f'}) {
            EXPECT_NO_THROW(grammar.options(reference, polarity, gender)) << reference << " in " << name;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace wordsway::reviews
