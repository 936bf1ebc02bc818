// What every map owes the parameters it declares. A new parameter is tested by existing.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/declared_parameters.h"

namespace wordsway {
namespace {

constexpr Index kParameterTokens = 4, kParameterDimension = 3;

MapOptions small_options() {
  MapOptions options;
  options.n = kParameterTokens;
  options.d = kParameterDimension;
  options.random = "dense";
  return options;
}

Matrix features_of(const MapEntry& entry, const MapOptions& options) {
  return entry.draw(options, Stream(5))
      ->at(sphere_sample(Stream(3), kParameterTokens, kParameterDimension))
      ->features();
}

bool accepts(const Parameter& parameter, const ParameterValue& value) {
  try {
    parameter.checked(value);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

// Values other than the default that the parameter accepts.
std::vector<ParameterValue> other_values(const Parameter& parameter) {
  std::vector<ParameterValue> candidates;
  if (parameter.type() == Parameter::Type::kName) candidates = parameter_list(parameter.names());
  if (parameter.type() == Parameter::Type::kNumber) candidates = parameter_list<double>({0, 0.1, 0.5, 2, 3, 10, -1});
  if (parameter.type() == Parameter::Type::kWhole) candidates = parameter_list<Index>({0, 1, 2, 3, 4, 10, -1});
  std::erase_if(candidates, [&](const ParameterValue& value) {
    return !accepts(parameter, value) || value == parameter.default_value(kParameterTokens, kParameterDimension);
  });
  return candidates;
}

class ParameterConformance : public testing::TestWithParam<std::string> {
 protected:
  const MapEntry& entry_ = map_registry().get(GetParam());
};

TEST_P(ParameterConformance, AgreesWithOtherMapsThatHaveTheSameParameter) {
  for (const Parameter& parameter : entry_.parameters) {
    const Parameter& shared = declared_parameter(parameter.name());
    EXPECT_EQ(parameter.type(), shared.type()) << parameter.name();
    EXPECT_EQ(parameter.help(), shared.help()) << parameter.name();
  }
}

TEST_P(ParameterConformance, HasNamesThatFitFlagsAndKeysAndAreNotTaken) {
  const std::vector<std::string> taken = {
      "map",   "n",       "d", "random", "trial", "seed",   "token", "seconds", "data",   "radius",   "layer", "starts",
      "steps", "weights", "x", "help",   "model", "format", "quiet", "threads", "trials", "training", "out",   "input"};
  std::vector<std::string> seen;
  for (const Parameter& parameter : entry_.parameters) {
    const std::string& name = parameter.name();
    EXPECT_TRUE(!name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) << name;
    EXPECT_EQ(std::count(taken.begin(), taken.end(), name), 0) << name;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), name), 0) << name << " is declared twice";
    EXPECT_FALSE(parameter.help().empty()) << name;
    EXPECT_EQ(parameter.help().find('\n'), std::string::npos) << name;
    seen.push_back(name);
  }
}

TEST_P(ParameterConformance, ItsDefaultsAreInTheirRanges) {
  for (const Parameter& parameter : entry_.parameters)
    for (const Index n : {Index{1}, Index{1000}}) EXPECT_TRUE(accepts(parameter, parameter.default_value(n, 1)));
}

// A parameter that is declared but never read would be in rows and on the command line, and do nothing.
TEST_P(ParameterConformance, EveryParameterMakesADifference) {
  for (const Parameter& parameter : entry_.parameters) {
    const MapOptions plain = small_options();
    const Matrix features = features_of(entry_, plain);
    const auto others = other_values(parameter);
    ASSERT_FALSE(others.empty()) << parameter.name();
    const bool differs = std::any_of(others.begin(), others.end(), [&](const ParameterValue& value) {
      MapOptions options = plain;
      options.given[parameter.name()] = value;
      const Matrix changed = features_of(entry_, options);
      return changed.rows() != features.rows() || changed != features;
    });
    EXPECT_TRUE(differs) << parameter.name();
  }
}

TEST_P(ParameterConformance, ParametersOfOtherMapsAreIgnored) {
  const Matrix features = features_of(entry_, small_options());
  for (const std::string& name : row_parameters(map_registry().names())) {
    if (entry_.parameter(name) != nullptr) continue;
    for (const ParameterValue& value : other_values(declared_parameter(name))) {
      MapOptions options = small_options();
      options.given[name] = value;
      EXPECT_EQ(features_of(entry_, options), features) << name;
      EXPECT_EQ(entry_.describe(options), entry_.describe(small_options())) << name;
    }
  }
}

TEST_P(ParameterConformance, ValuesOutOfRangeAreRefusedEverywhere) {
  const Matrix weights = entry_.draw(small_options(), Stream(5))->weights();
  for (const Parameter& parameter : entry_.parameters)
    for (const ParameterValue& bad :
         {ParameterValue(std::nan("")), ParameterValue(HUGE_VAL), ParameterValue("no such name")}) {
      MapOptions options = small_options();
      options.given[parameter.name()] = bad;
      EXPECT_THROW(entry_.describe(options), UsageError) << parameter.name();
      EXPECT_THROW(entry_.draw(options, Stream(1)), UsageError) << parameter.name();
      EXPECT_THROW(entry_.with_weights(options, weights), UsageError) << parameter.name();
    }
}

TEST_P(ParameterConformance, RefusesWaysToHoldWeightsThatItDoesNotHave) {
  MapOptions options = small_options();
  for (const std::string& way : entry_.random_ways) {
    options.random = way;
    EXPECT_EQ(entry_.describe(options).text("random"), way);
    EXPECT_NO_THROW(entry_.draw(options, Stream(1)));
  }
  options.random = "on paper";
  EXPECT_THROW(entry_.describe(options), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Maps, ParameterConformance, testing::ValuesIn(map_registry().names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace wordsway
