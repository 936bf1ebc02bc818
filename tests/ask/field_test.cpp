// What a field takes, from each front end, and what it says when it refuses.
#include "wordsway/ask/field.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const FieldInfo kDraws = {.name = "draws", .kind = FieldKind::kWhole, .range = {1, 1000}};
const FieldInfo kRadius = {.name = "radius", .kind = FieldKind::kNumber, .range = {0, 2}};
const FieldInfo kPool = {.name = "pool", .kind = FieldKind::kChoice, .choices = {"cls", "mean"}};

Given written(const std::string& text) {
  return Written{{text}};
}

template <typename Take>
std::string refusal(const Take& take, const FieldInfo& field, const Given& given) {
  try {
    take(field, given);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Field, TakesTextOfAShellAndTypesOfOthersAlike) {
  EXPECT_EQ(take_whole(kDraws, written("20")), 20);
  EXPECT_EQ(take_whole(kDraws, std::int64_t{20}), 20);
  EXPECT_EQ(take_number(kRadius, written("0.5")), 0.5);
  EXPECT_EQ(take_number(kRadius, std::int64_t{1}), 1.0);
  EXPECT_EQ(take_choice(kPool, written("cls")), "cls");
  EXPECT_EQ(take_choice(kPool, std::string("mean")), "mean");
  EXPECT_TRUE(take_flag({.name = "pad", .kind = FieldKind::kFlag}, true));
}

TEST(Field, RefusesWhatLiesOutsideItsRange) {
  EXPECT_EQ(refusal(take_whole, kDraws, written("0")), "{draws} must lie between 1 and 1000, but is '0'");
  EXPECT_EQ(refusal(take_whole, kDraws, std::int64_t{1001}), "{draws} must lie between 1 and 1000, but is 1001");
  for (const double value : {-1e-300, 2.0000001, HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_THAT(refusal(take_number, kRadius, value), HasSubstr("must lie between 0 and 2")) << value;
  for (const char* text : {"", " 1", "1 ", "1x", "0x1", "inf", "nan", "1e999", "½"})
    EXPECT_THAT(refusal(take_number, kRadius, written(text)), HasSubstr("must lie between 0 and 2")) << text;
  EXPECT_THAT(refusal(take_whole, kDraws, written("99999999999999999999")), HasSubstr("between 1 and 1000"));
}

TEST(Field, RefusesAnotherKind) {
  EXPECT_EQ(refusal(take_whole, kDraws, 2.5), "{draws} must be a whole number, but is 2.5");
  EXPECT_EQ(refusal(take_whole, kDraws, true), "{draws} must be a whole number, but is true");
  EXPECT_EQ(refusal(take_number, kRadius, std::string("1")), "{radius} must be a number, but is '1'");
  EXPECT_THAT(refusal(take_text, kPool, std::vector<double>{1, 2}), HasSubstr("a list of 2 values"));
  EXPECT_THAT(refusal(take_flag, {.name = "pad"}, std::int64_t{1}), HasSubstr("true or false"));
  EXPECT_EQ(refusal(take_whole, kDraws, Written{{"1", "2"}}), "{draws} takes one value; got '1,2'");
}

TEST(Field, SuggestsTheNearestChoice) {
  EXPECT_THAT(refusal(take_choice, kPool, written("maen")), HasSubstr("mean"));
}

TEST(Field, ListsAreSplitAtCommasButTextsAreNot) {
  const FieldInfo sizes = {.name = "n", .kind = FieldKind::kWholes, .range = {1, 100}};
  EXPECT_THAT(take_wholes(sizes, Written{{"10,20", "30"}}), ElementsAre(10, 20, 30));
  EXPECT_THAT(take_wholes(sizes, std::int64_t{5}), ElementsAre(5));
  EXPECT_THAT(take_wholes(sizes, std::vector<std::int64_t>{5, 6}), ElementsAre(5, 6));
  EXPECT_THAT(refusal(take_wholes, sizes, written("1,,2")), HasSubstr("has an empty entry"));
  EXPECT_THAT(refusal(take_wholes, sizes, std::vector<std::int64_t>{}), HasSubstr("names nothing"));
  EXPECT_THAT(refusal(take_wholes, sizes, written("1,200")), HasSubstr("between 1 and 100, but is '200'"));
  const FieldInfo texts = {.name = "texts", .kind = FieldKind::kTexts};
  EXPECT_THAT(take_texts(texts, Written{{"one, two", "three"}}), ElementsAre("one, two", "three"));
  EXPECT_THAT(take_texts(texts, std::vector<double>{}), ElementsAre()) << "an empty list has no type";
}

TEST(Field, BytesHaveUnits) {
  const FieldInfo memory = {.name = "memory", .kind = FieldKind::kBytes, .range = {0, 1e300}};
  EXPECT_EQ(take_bytes(memory, written("8G")), 8.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(take_bytes(memory, std::string("1.5kib")), 1536);
  EXPECT_EQ(take_bytes(memory, std::int64_t{100}), 100);
  for (const char* text : {"", "G", "-1G", "8X", "8GG", "0", "inf"})
    EXPECT_THAT(refusal(take_bytes, memory, written(text)), HasSubstr("is not a size such as 500M")) << text;
}

TEST(Field, HasANameInEachFrontEnd) {
  const FieldInfo field = {.name = "no_special", .kind = FieldKind::kFlag, .page_name = "bare"};
  EXPECT_EQ(field.name_in(FrontEnd::kShell), "no_special");
  EXPECT_EQ(field.name_in(FrontEnd::kPython), "special");
  EXPECT_EQ(field.name_in(FrontEnd::kPage), "bare");
}

TEST(Spelled, ReplacesNamesOfFieldsAndLeavesOtherBraces) {
  const std::vector<const FieldInfo*> fields = {&kDraws};
  const auto flag = [](const FieldInfo& field) { return "--" + field.name; };
  EXPECT_EQ(spelled("{draws} is 0; {other} {draws", fields, flag), "--draws is 0; {other} {draws");
  EXPECT_EQ(spelled("{", fields, flag), "{");
  EXPECT_EQ(spelled("{{draws}}", fields, flag), "{--draws}");
}

}  // namespace
}  // namespace wordsway
