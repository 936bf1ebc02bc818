#include "wordsway/text/reviews/builtin_reviews.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

std::vector<std::string> review_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool inside = (small >= 'a' && small <= 'z') || small == '\'' || small == '-' || (c & 0x80) != 0;
    if (inside) {
      word += small;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

std::set<std::string> eight_grams(const std::vector<std::string>& words) {
  std::set<std::string> grams;
  for (std::size_t i = 0; i + 8 <= words.size(); ++i) {
    std::string gram;
    for (std::size_t k = i; k < i + 8; ++k) gram += words[k] + ' ';
    grams.insert(gram);
  }
  return grams;
}

double common_share(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto common = std::count_if(a.begin(), a.end(), [&](const auto& gram) { return b.contains(gram); });
  return static_cast<double>(common) / static_cast<double>(std::min(a.size(), b.size()));
}

// 2,000 reviews of 210 words, which are about 260 tokens.
class TwoThousandReviews : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (std::uint64_t i = 0; i < 2000; ++i) reviews().push_back(builtin_review(i, 210));
  }
  static std::vector<Review>& reviews() {
    static std::vector<Review> all;
    return all;
  }
};

TEST_F(TwoThousandReviews, AreDistinctAndBalanced) {
  std::set<std::string> texts;
  int sum = 0;
  for (const Review& review : reviews()) {
    texts.insert(review.text);
    sum += review.label;
  }
  EXPECT_EQ(texts.size(), 2000u);
  EXPECT_EQ(sum, 0);
}

TEST_F(TwoThousandReviews, UseAtLeastTwoThousandWordTypes) {
  std::set<std::string> types;
  for (const Review& review : reviews()) {
    for (auto& word : review_words(review.text)) types.insert(std::move(word));
  }
  EXPECT_GE(types.size(), 2000u);
  RecordProperty("word_types", static_cast<int>(types.size()));
}

TEST_F(TwoThousandReviews, HaveTheLengthThatWasAskedForAndNotMuchMore) {
  for (const Review& review : reviews()) {
    const auto count = review_words(review.text).size();
    EXPECT_GE(count, 210u) << review.text;
    EXPECT_LE(count, 260u) << review.text;
  }
}

TEST_F(TwoThousandReviews, ShareHardlyAnyEightGrams) {
  std::vector<double> shares;
  std::vector<std::set<std::string>> grams;
  for (std::size_t i = 0; i < 150; ++i) grams.push_back(eight_grams(review_words(reviews()[i * 13].text)));
  for (std::size_t a = 0; a < grams.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) shares.push_back(common_share(grams[a], grams[b]));
  }
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  EXPECT_LT(shares[shares.size() / 2], 0.01);
  EXPECT_LT(*std::max_element(shares.begin(), shares.end()), 0.15);
}

TEST_F(TwoThousandReviews, LeaveNoTraceOfTheGrammarInTheText) {
  for (const Review& review : reviews()) {
    EXPECT_EQ(review.text.find_first_of("{}[]|/=!<>_\n"), review.text.find('!')) << review.text;
    EXPECT_EQ(review.text.find("  "), std::string::npos) << review.text;
    EXPECT_TRUE(review.text.front() >= 'A' && review.text.front() <= 'Z') << review.text;
    EXPECT_EQ(review.text.back(), '.') << review.text;
    for (const char* wrong : {" a a", " a e", " an b", " an c", " the a ", " the the ", " a the ", " ,", " ."}) {
      if (std::string(wrong) == " a e" && review.text.find(" a Euro") != std::string::npos) continue;
      EXPECT_EQ(review.text.find(wrong), std::string::npos) << '"' << wrong << "\" in: " << review.text;
    }
  }
}

std::string last_sentence(const std::string& text) {
  const std::size_t end = text.find_last_of(".!?", text.size() - 2);
  return end == std::string::npos ? text : text.substr(end + 1);
}

TEST_F(TwoThousandReviews, BeginEverySentenceWithACapitalAndSayIWithOne) {
  for (const Review& review : reviews()) {
    for (std::size_t i = 0; i + 2 < review.text.size(); ++i) {
      const bool sentence_ends = (review.text[i] == '.' || review.text[i] == '!' || review.text[i] == '?');
      if (!sentence_ends || review.text[i + 1] != ' ') continue;
      EXPECT_FALSE(review.text[i + 2] >= 'a' && review.text[i + 2] <= 'z') << review.text.substr(i, 40);
    }
    for (const char* lone : {" i ", " i'", " i,", " i."}) {
      EXPECT_EQ(review.text.find(lone), std::string::npos) << review.text;
    }
  }
}

TEST_F(TwoThousandReviews, LeaveNoMarkOfPunctuationTwiceAndNoGapBeforeOne) {
  for (const Review& review : reviews()) {
    for (const char* wrong : {",,", "..", ";;", ",.", ".,", ";.", " ;", " ?", " :", "''", "--", " '", "- "}) {
      EXPECT_EQ(review.text.find(wrong), std::string::npos) << '"' << wrong << "\" in: " << review.text;
    }
  }
}

/// How much more often a word stands in praise than in blame, as a logarithm, learnt from the reviews given.
std::map<std::string, double> word_weights(std::span<const Review> reviews) {
  std::map<std::string, std::array<double, 2>> counts;
  for (const Review& review : reviews) {
    for (const std::string& word : review_words(review.text)) counts[word][review.label > 0 ? 0 : 1] += 1;
  }
  std::map<std::string, double> weights;
  for (const auto& [word, count] : counts) weights[word] = std::log((count[0] + 1) / (count[1] + 1));
  return weights;
}

TEST_F(TwoThousandReviews, HaveLabelsThatTheirWordsTell) {
  const auto weights = word_weights(std::span(reviews()).first(1600));
  int right = 0;
  for (const Review& review : std::span(reviews()).last(400)) {
    double score = 0;
    for (const std::string& word : review_words(review.text)) {
      if (const auto found = weights.find(word); found != weights.end()) score += found->second;
    }
    right += (score > 0) == (review.label > 0);
  }
  EXPECT_GT(right, 340) << "of 400";
}

TEST(BuiltinReviews, OfOneNumberBeginAndEndAlikeWhateverTheirLength) {
  for (std::uint64_t index = 0; index < 30; ++index) {
    const std::string brief = builtin_review(index, 60).text;
    const std::string full = builtin_review(index, 300).text;
    EXPECT_EQ(last_sentence(brief), last_sentence(full)) << "the verdict";
    EXPECT_EQ(brief.substr(0, 30), full.substr(0, 30)) << "the opening";
    EXPECT_LT(brief.size(), full.size());
  }
}

TEST(BuiltinReviews, OfNeighbouringNumbersHaveNothingToDoWithEachOther) {
  std::set<std::string> openings;
  for (std::uint64_t index = 0; index < 200; ++index) openings.insert(builtin_review(index, 60).text.substr(0, 60));
  EXPECT_GT(openings.size(), 190u);
}

TEST(BuiltinReviews, CanBeAsShortAsTwentyWordsAndAsLongAsFourHundred) {
  for (const Index words : {20, 50, 100, 400}) {
    for (std::uint64_t index = 0; index < 50; ++index) {
      const auto count = static_cast<Index>(review_words(builtin_review(index, words).text).size());
      EXPECT_GE(count, words);
      EXPECT_LE(count, words + 60);
    }
  }
}

TEST(BuiltinReviews, DependOnTheirNumberAlone) {
  const auto far = builtin_review(1'000'000'007, 100);
  EXPECT_EQ(far.label, -1);
  std::vector<std::future<Review>> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(std::async(std::launch::async, [] { return builtin_review(1'000'000'007, 100); }));
  }
  for (auto& other : others) EXPECT_EQ(other.get().text, far.text);
}

TEST(BuiltinReviews, SayMoreForTheirLabelThanAgainstIt) {
  const std::array good{"loved", "wonderful", "brilliant", "charm", "warmth", "superb", "recommended", "delightful"};
  const std::array bad{"hated", "terrible", "dull", "laziness", "boring", "awful", "avoid", "pointless"};
  const auto count = [](int label, const auto& list) {
    int found = 0;
    for (std::uint64_t i = label > 0 ? 0 : 1; i < 1000; i += 2) {
      for (const auto& word : review_words(builtin_review(i, 200).text))
        found += static_cast<int>(std::count(list.begin(), list.end(), word));
    }
    return found;
  };
  EXPECT_GT(count(1, good), count(-1, good) * 3 / 2);
  EXPECT_GT(count(-1, bad), count(1, bad) * 3 / 2);
  EXPECT_GT(count(-1, good), 0) << "praise in bad reviews: they are not one-sided";
}

TEST(BuiltinReviews, OfNoWordsOrOfTooManyAreRefused) {
  EXPECT_THROW(builtin_review(0, 0), UsageError);
  EXPECT_THROW(builtin_review(0, kLongestReview + 1), UsageError);
}

}  // namespace
}  // namespace wordsway
