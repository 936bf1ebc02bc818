// Parameters by themselves, and what follows from the declarations of several maps.
#include "wordsway/maps/parameter.h"

#include <cmath>

#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/declared_parameters.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Parameter sharpness() {
  return number_parameter("sharpness", 1.5, {.least = 0, .most = 10}, "How sharp");
}

Parameter rank() {
  return whole_parameter("rank", SizeDefault{"n + d", [](Index n, Index d) { return n + d; }}, {.least = 2}, "Rank");
}

Parameter mask() {
  return name_parameter("mask", "causal", {"none", "causal"}, "Mask");
}

std::string parameter_refusal(const Parameter& parameter, const ParameterValue& value) {
  try {
    parameter.checked(value);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Parameter, IsItsDefaultUntilItIsGiven) {
  MapOptions options;
  options.n = 3;
  options.d = 4;
  EXPECT_EQ(sharpness().number(options), 1.5);
  EXPECT_EQ(rank().whole(options), 7);
  EXPECT_EQ(mask().text(options), "causal");
  options.set("sharpness", 2.5).set("rank", 9).set("mask", "none");
  EXPECT_EQ(sharpness().number(options), 2.5);
  EXPECT_EQ(rank().whole(options), 9);
  EXPECT_EQ(mask().text(options), "none");
}

TEST(Parameter, TakesBothEndsOfItsRangeAndNothingBeyond) {
  EXPECT_EQ(parameter_refusal(sharpness(), 0.0), "");
  EXPECT_EQ(parameter_refusal(sharpness(), 10.0), "");
  EXPECT_EQ(parameter_refusal(sharpness(), 10.5), "sharpness must be between 0 and 10; got 10.5");
  EXPECT_EQ(parameter_refusal(sharpness(), -1e-3), "sharpness must be between 0 and 10; got -0.001");
  EXPECT_EQ(parameter_refusal(rank(), std::int64_t{2}), "");
  EXPECT_EQ(parameter_refusal(rank(), std::int64_t{1}), "rank must be at least 2; got 1");
  EXPECT_EQ(parameter_refusal(mask(), "full"), "unknown mask 'full'; there are: none, causal");
}

// An infinity would lie within a range without an end.
TEST(Parameter, IsFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_THAT(parameter_refusal(sharpness(), bad), HasSubstr("must be between"));
    EXPECT_THAT(parameter_refusal(rank(), bad), HasSubstr("must be at least 2"));
    EXPECT_THAT(parameter_refusal(number_parameter("shift", 0, {}, "Shift"), bad),
                HasSubstr("shift must be any number"));
  }
}

TEST(Parameter, KeepsToItsType) {
  EXPECT_EQ(sharpness().checked(std::int64_t{3}), ParameterValue(3.0)) << "a whole number is a number";
  EXPECT_EQ(parameter_refusal(rank(), 2.5), "rank must be a whole number; got 2.5");
  EXPECT_NE(parameter_refusal(rank(), "3"), "");
  EXPECT_NE(parameter_refusal(mask(), 1.0), "");
  EXPECT_THROW(rank().number({}), InternalError);
  EXPECT_THROW(sharpness().whole({}), InternalError);
  EXPECT_THROW(sharpness().text({}), InternalError);
}

TEST(Parameter, ShowsARowItsOwnType) {
  EXPECT_EQ(row_value(sharpness(), std::int64_t{3}), Value(3.0));
  EXPECT_EQ(row_value(rank(), std::int64_t{3}), Value(std::int64_t{3}));
  EXPECT_EQ(row_list(sharpness(), {std::int64_t{3}, 0.5}), Value(std::vector<double>{3, 0.5}));
  EXPECT_EQ(row_list(mask(), {"none"}), Value(std::vector<std::string>{"none"}));
}

TEST(Parameter, SaysItsDefaultAndRangeAsAUserWouldWriteThem) {
  EXPECT_EQ(sharpness().default_text(), "1.5");
  EXPECT_EQ(rank().default_text(), "n + d");
  EXPECT_EQ(mask().default_text(), "causal");
  EXPECT_EQ(rank().range_text(), "at least 2");
  EXPECT_EQ(mask().range_text(), "none, causal");
}

TEST(MapEntryPage, ListsTheParametersWithRangeAndDefault) {
  MapEntry entry{MethodNumber(1)};
  entry.description = "formula     none";
  EXPECT_EQ(entry.page(), "formula     none\nparameters  none");
  entry.parameters = {sharpness(), mask()};
  EXPECT_EQ(entry.page(),
            "formula     none\n"
            "parameters  --sharpness: How sharp; between 0 and 10 (1.5)\n"
            "            --mask: Mask; none, causal (causal)");
}

TEST(MapEntryCheck, ComesBeforeDefaultsThatDependOnSizes) {
  MapEntry entry{MethodNumber(1)};
  entry.parameters = {rank()};
  entry.check = [](const MapOptions&) { throw UsageError("too large"); };
  EXPECT_THROW(entry.describe({}), UsageError);
}

// --- of several maps ---

TEST(DeclaredParameters, KeepTheKeysOfTheFirstVersionInFront) {
  EXPECT_THAT(row_parameters({}), ElementsAre("depth", "width", "activation", "beta"));
  EXPECT_THAT(row_parameters({"raf"}), ElementsAre("depth", "width", "activation", "beta"));
  EXPECT_THAT(listed_parameters({"raf"}), ElementsAre("beta", "depth", "width", "activation"));
}

TEST(DeclaredParameters, KnowWhichMapsTheyBelongTo) {
  EXPECT_NO_THROW(check_has_meaning("beta", {"rf", "raf"}, "--beta"));
  try {
    check_has_meaning("beta", {"rf", "drf"}, "--beta");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "--beta has no meaning for rf, drf");
  }
  EXPECT_THROW(declared_parameter("sharpnes"), UsageError);
}

TEST(DeclaredParameters, HaveACommonDefaultUnlessItDependsOnTheSize) {
  EXPECT_EQ(common_default("beta", {"raf", "rf"}), ParameterValue(1.0));
  EXPECT_EQ(common_default("depth", {"raf"}), ParameterValue(std::int64_t{1})) << "no map of these has it";
  EXPECT_EQ(common_default("width", {"rf"}), std::nullopt);
  EXPECT_EQ(default_text("width"), "n·d");
  EXPECT_EQ(default_text("activation"), "relu");
}

TEST(DeclaredParameters, AreCombinedWithNamesSlowestAndTheLastFastest) {
  ParameterLists lists;
  lists["beta"] = parameter_list<double>({1, 2});
  lists["activation"] = parameter_list<std::string>({"gelu", "relu"});
  lists["depth"] = parameter_list<Index>({2, 3});
  lists["width"] = {};  // nothing listed: the default
  std::vector<std::string> order;
  for (const MapOptions& options : all_combinations({}, lists)) {
    EXPECT_FALSE(options.has("width"));
    order.push_back(std::get<std::string>(options.given.at("activation")) + " " +
                    std::to_string(std::get<std::int64_t>(options.given.at("depth"))) + " " +
                    std::to_string(static_cast<int>(std::get<double>(options.given.at("beta")))));
  }
  EXPECT_THAT(order, ElementsAre("gelu 2 1", "gelu 2 2", "gelu 3 1", "gelu 3 2", "relu 2 1", "relu 2 2", "relu 3 1",
                                 "relu 3 2"));
}

}  // namespace
}  // namespace wordsway
