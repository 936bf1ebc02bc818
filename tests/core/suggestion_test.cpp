#include "wordsway/core/suggestion.h"

#include <vector>

#include <gtest/gtest.h>

namespace wordsway {
namespace {

using Names = std::vector<std::string>;

TEST(Suggestion, CountsChangesOfLetters) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("measure", "measure"), 0U);
  EXPECT_EQ(edit_distance("mesure", "measure"), 1U) << "one is missing";
  EXPECT_EQ(edit_distance("meassure", "measure"), 1U) << "one is too many";
  EXPECT_EQ(edit_distance("meazure", "measure"), 1U) << "one is another";
  EXPECT_EQ(edit_distance("maesure", "measure"), 1U) << "two are exchanged";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
}

TEST(Suggestion, IsTheClosestName) {
  const Names names = {"raf", "raf-relu", "raf-elu", "rf", "drf"};
  EXPECT_EQ(closest_name("raff", names), "raf");
  EXPECT_EQ(closest_name("raf-rleu", names), "raf-relu");
  EXPECT_EQ(closest_name("RAF-RELU", names), "raf-relu");
  EXPECT_EQ(closest_name("fr", names), "rf");
}

TEST(Suggestion, IsTheNameThatBeginsSo) {
  EXPECT_EQ(closest_name("gen", Names({"generalize", "measure"})), "generalize");
  EXPECT_EQ(closest_name("gen", Names({"generalize", "generate"})), std::nullopt) << "which of the two?";
  EXPECT_EQ(closest_name("re", Names({"report"})), std::nullopt);
}

TEST(Suggestion, IsNotMadeForNamesFarFromAll) {
  EXPECT_EQ(closest_name("c", Names({"a", "b"})), std::nullopt);
  EXPECT_EQ(closest_name("banana", Names({"measure", "words"})), std::nullopt);
  EXPECT_EQ(closest_name("", Names({"measure"})), std::nullopt);
  EXPECT_EQ(closest_name("x", Names()), std::nullopt);
  EXPECT_EQ(closest_name(std::string(1'000'000, 'x'), Names({"measure"})), std::nullopt);
}

TEST(Suggestion, IsTheEndOfTheSentence) {
  EXPECT_EQ(unknown_name("map", "rafe", Names({"raf", "drf"})),
            "unknown map 'rafe'; there are: raf, drf; did you mean 'raf'?");
  EXPECT_EQ(unknown_name("map", "softmax", Names({"raf", "drf"})), "unknown map 'softmax'; there are: raf, drf");
}

}  // namespace
}  // namespace wordsway
