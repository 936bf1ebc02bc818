#include "wordsway/text/pairs/builtin_pairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/text/pairs/pair_templates.h"

namespace wordsway {
namespace {

using pairs::PairClass;
using pairs::PairTemplate;

using WordList = std::vector<std::string>;

// What stands between white space.
WordList pair_words(const std::string& text) {
  WordList words(1);
  for (const char c : text) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// The words in small letters without punctuation.
WordList plain_words_of(const std::string& text) {
  WordList words = pair_words(text);
  for (std::string& word : words) {
    std::erase_if(word, [](char c) { return std::string_view(".,?!:").find(c) != std::string_view::npos; });
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  }
  return words;
}

// The places at which the words of two texts differ, as pairs of words.
std::vector<std::pair<std::string, std::string>> turned_words(const TextPair& pair) {
  const WordList anchor = plain_words_of(pair.anchor), changed = plain_words_of(pair.changed);
  std::vector<std::pair<std::string, std::string>> turned;
  for (std::size_t i = 0; i < std::min(anchor.size(), changed.size()); ++i) {
    if (anchor[i] != changed[i]) turned.emplace_back(std::min(anchor[i], changed[i]), std::max(anchor[i], changed[i]));
  }
  return turned;
}

// The share of the anchor's words that its control has too.
double shared_words(const TextPair& pair) {
  WordList anchor = plain_words_of(pair.anchor), control = plain_words_of(pair.control.value()), common;
  std::sort(anchor.begin(), anchor.end());
  std::sort(control.begin(), control.end());
  std::set_intersection(anchor.begin(), anchor.end(), control.begin(), control.end(), std::back_inserter(common));
  return static_cast<double>(common.size()) / static_cast<double>(anchor.size());
}

std::vector<std::string> texts_of(const TextPair& pair) {
  return {pair.anchor, pair.changed, pair.control.value()};
}

// The mark at the end of a text; a blank when there is none.
char end_mark(const std::string& text) {
  return std::string_view(".?!").find(text.back()) == std::string_view::npos ? ' ' : text.back();
}

TEST(BuiltinPairs, AreTwoHundredOfEachClassInTheOrderOfTheClasses) {
  EXPECT_THAT(builtin_pair_classes(),
              testing::ElementsAre("negation", "antonym", "state", "number", "unit", "quantifier", "comparison", "time",
                                   "direction", "modality", "entity", "condition", "neutral", "role-swap"));
  ASSERT_EQ(builtin_pairs().size(), builtin_pair_classes().size() * kBuiltinPairsPerClass);
  for (std::size_t i = 0; i < builtin_pairs().size(); ++i) {
    EXPECT_EQ(builtin_pairs()[i].class_name, builtin_pair_classes()[i / kBuiltinPairsPerClass]);
    EXPECT_FALSE(builtin_pairs()[i].line.has_value());
  }
}

TEST(BuiltinPairs, DifferInOneWordUnlessTheySwapRoles) {
  for (const TextPair& pair : builtin_pairs()) {
    const WordList anchor = pair_words(pair.anchor), changed = pair_words(pair.changed);
    ASSERT_EQ(anchor.size(), changed.size()) << pair.anchor << " / " << pair.changed;
    int differing = 0;
    for (std::size_t i = 0; i < anchor.size(); ++i) differing += anchor[i] != changed[i];
    if (pair.class_name == "role-swap") {
      EXPECT_GE(differing, 2) << pair.anchor << " / " << pair.changed;
    } else {
      EXPECT_EQ(differing, 1) << pair.anchor << " / " << pair.changed;
    }
  }
}

TEST(BuiltinPairs, ThatSwapRolesHaveTheSameWords) {
  for (const TextPair& pair : builtin_pairs()) {
    if (pair.class_name != "role-swap") continue;
    EXPECT_THAT(plain_words_of(pair.changed), testing::UnorderedElementsAreArray(plain_words_of(pair.anchor)));
    EXPECT_NE(plain_words_of(pair.changed), plain_words_of(pair.anchor));
  }
}

TEST(BuiltinPairs, HaveControlsInMostlyOtherWords) {
  double sum = 0;
  for (const TextPair& pair : builtin_pairs()) {
    ASSERT_TRUE(pair.control.has_value());
    EXPECT_NE(*pair.control, pair.anchor);
    EXPECT_NE(*pair.control, pair.changed);
    EXPECT_LE(shared_words(pair), 0.701) << pair.anchor << " / " << *pair.control;
    sum += shared_words(pair);
  }
  EXPECT_LT(sum / static_cast<double>(builtin_pairs().size()), 0.47);
}

TEST(BuiltinPairs, NeverUseATextTwice) {
  std::set<std::string> texts;
  for (const TextPair& pair : builtin_pairs()) {
    EXPECT_TRUE(texts.insert(pair.anchor).second) << pair.anchor;
    EXPECT_TRUE(texts.insert(pair.changed).second) << pair.changed;
  }
}

TEST(BuiltinPairs, AreShort) {
  double sum = 0;
  for (const TextPair& pair : builtin_pairs()) {
    for (const std::string& text : texts_of(pair)) {
      const std::size_t words = pair_words(text).size();
      EXPECT_GE(words, 4u) << text;
      EXPECT_LE(words, 20u) << text;
      sum += static_cast<double>(words);
    }
  }
  EXPECT_LE(sum / static_cast<double>(3 * builtin_pairs().size()), 10.5);
}

TEST(BuiltinPairs, AreWrittenAsTextsAre) {
  for (const TextPair& pair : builtin_pairs()) {
    EXPECT_EQ(end_mark(pair.anchor), end_mark(pair.changed)) << pair.anchor;
    for (const std::string& text : texts_of(pair)) {
      EXPECT_TRUE((text.front() >= 'A' && text.front() <= 'Z') || (text.front() >= '0' && text.front() <= '9')) << text;
      EXPECT_EQ(text.find_first_of("<>{}[]/=|\"\t\n"), std::string::npos) << text;
      EXPECT_EQ(std::string_view(",;:- ").find(text.back()), std::string_view::npos) << text;
      for (const char* wrong :
           {"  ", " ,", " .", ",,", "..", "s's ", " a a", " a e", " a i", " a o", " an b", "Euros"}) {
        EXPECT_EQ(text.find(wrong), std::string::npos) << '"' << wrong << "\" in: " << text;
      }
    }
  }
}

TEST(BuiltinPairs, TurnManyDifferentWords) {
  std::map<std::string, std::set<std::pair<std::string, std::string>>> turned;
  for (const TextPair& pair : builtin_pairs()) {
    for (const auto& words : turned_words(pair)) turned[pair.class_name].insert(words);
  }
  EXPECT_GE(turned["antonym"].size(), 60u);
  EXPECT_GE(turned["neutral"].size(), 50u);
  for (const auto& [class_name, words] : turned) EXPECT_GE(words.size(), 10u) << class_name;
}

TEST(BuiltinPairs, AreTheSameAsEver) {
  EXPECT_EQ(builtin_pairs_digest(), "xxh3:ec8b79c1ce6b4c7366a6000574a99fd2")
      << "the set has changed: say so in the change log";
  EXPECT_EQ(builtin_pairs_digest(), builtin_pairs_digest());
}

TEST(PairTemplates, OfEveryClassAreManyAndFromAllEightDomains) {
  for (const PairClass& kind : pairs::pair_classes()) {
    EXPECT_GE(kind.templates.size(), 24u) << kind.name;
    EXPECT_LE(kind.templates.size(), kBuiltinPairsPerClass / 2) << "so that each is used from both sides";
    std::set<std::string_view> domains;
    for (const PairTemplate& one : kind.templates) domains.insert(one.domain);
    EXPECT_THAT(domains, testing::UnorderedElementsAre("support", "banking", "medicine", "operations", "calendar",
                                                       "shopping", "law", "film"))
        << kind.name;
  }
}

TEST(PairTemplates, AreAllDifferent) {
  std::set<std::string_view> anchors, controls;
  for (const PairClass& kind : pairs::pair_classes()) {
    for (const PairTemplate& one : kind.templates) {
      EXPECT_TRUE(anchors.insert(one.anchor).second) << one.anchor;
      EXPECT_TRUE(controls.insert(one.control).second) << one.control;
    }
  }
}

TEST(PairTemplates, AreUsedFromBothSidesAlike) {
  for (const PairClass& kind : pairs::pair_classes()) {
    const std::size_t templates = kind.templates.size();
    int sum = 0;
    for (std::size_t number = 0; number < kBuiltinPairsPerClass; ++number) {
      sum += pairs::side_of(number, templates);
      EXPECT_NE(pairs::side_of(number, templates), pairs::side_of(number + templates, templates)) << kind.name;
    }
    EXPECT_NEAR(2 * sum, kBuiltinPairsPerClass, 2) << kind.name;
  }
}

// A template filled without any rules.
TextPair fill_plainly(const PairTemplate& one, int side) {
  const grammar::Grammar none({});
  grammar::Writer writer(none, Stream(1));
  return pairs::fill(one, side, writer);
}

TEST(PairTemplates, GiveTheAnchorOneSideAndTheChangedTextTheOther) {
  const PairTemplate one{"film", "it is <good/bad>.", "<i like/nobody likes> it <so/>."};
  EXPECT_EQ(fill_plainly(one, 0).anchor, "It is good.");
  EXPECT_EQ(fill_plainly(one, 0).changed, "It is bad.");
  EXPECT_EQ(fill_plainly(one, 0).control, "I like it so.");
  EXPECT_EQ(fill_plainly(one, 1).anchor, "It is bad.");
  EXPECT_EQ(fill_plainly(one, 1).changed, "It is good.");
  EXPECT_EQ(fill_plainly({"film", "it is <good/bad>.", "<i like/nobody likes> it."}, 1).control, "Nobody likes it.");
}

TEST(PairTemplates, WithWrongMarksAreRefused) {
  EXPECT_THROW(fill_plainly({"film", "it is <good.", "fine"}, 0), UsageError);
  EXPECT_THROW(fill_plainly({"film", "it is <good>.", "fine"}, 0), UsageError);
  EXPECT_THROW(fill_plainly({"film", "it is good.", "<fine> or/"}, 0), UsageError);
  EXPECT_THROW(fill_plainly({"film", "it is {=unknown}.", "fine"}, 0), UsageError);
}

TEST(BuiltinPairs, AreShownInTheDocs) {
  const std::string page = test::read_bytes(test::source_folder() / "docs/pairs.md");
  for (size_t k = 0; k < builtin_pairs().size(); k += 40) {
    const TextPair& pair = builtin_pairs()[k];
    EXPECT_THAT(page, testing::HasSubstr("| " + pair.anchor + " | " + pair.changed + " | " + *pair.control + " |"));
  }
}

}  // namespace
}  // namespace wordsway
