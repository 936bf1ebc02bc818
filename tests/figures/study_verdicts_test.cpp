// The verdicts of a figure on the grid that its own study has, in every profile: rows of its tasks that show the effect
// are enough for each statement to hold, and rows without it are not.
#include <map>

#include <gmock/gmock.h>

#include "figures/builtin_setting.h"
#include "figures/made_up_rows.h"

namespace wordsway::test {
namespace {

using testing::ElementsAre;

constexpr Profile kProfiles[] = {Profile::kQuick, Profile::kDefault, Profile::kFull};

// The rows of one task, from its key.
using MakeRows = std::function<Rows(const Record& key)>;

// The keys of all tasks; a grid is asked for often and made once.
const Rows& keys_of(const std::string& figure, Profile profile) {
  static std::map<std::pair<std::string, Profile>, Rows> made;
  Rows& keys = made[{figure, profile}];
  if (!keys.empty()) return keys;
  const auto study = figure_registry().get(figure).study(builtin_setting(profile)).study;
  for (Index task = 0; task < study->size(); ++task) keys.push_back(study->key(task));
  return keys;
}

std::vector<bool> judged_on_grid(const std::string& figure, Profile profile, const MakeRows& make) {
  Rows rows;
  for (const Record& key : keys_of(figure, profile)) rows = joined(std::move(rows), make(key));
  return judged(figure, rows);
}

double noise_of(const Record& key) {
  return jitter(static_cast<std::int64_t>(key.number("trial")));
}

MakeRows sensitivity(const std::function<double(const Record& key)>& value) {
  return [value](const Record& key) {
    Record row = key;
    row.set("sensitivity", noise_of(key) * value(key));
    return Rows{row};
  };
}

double falling_curve(const Record& key) {
  return 1.2 * std::pow(key.number("n"), -0.55);
}
double constant_curve(const Record& /*key*/) {
  return 2.5;
}

TEST(StudyVerdicts, OnRandomFeaturesNeedTheDecayWithNAndNothingElse) {
  const auto grows_with_d = [](const Record& key) { return falling_curve(key) * std::sqrt(key.number("d")); };
  for (const Profile profile : kProfiles) {
    const auto judge = [&](const auto& value) {
      return judged_on_grid("random-features", profile, sensitivity(value));
    };
    EXPECT_THAT(judge(falling_curve), ElementsAre(true, true));
    EXPECT_THAT(judge(constant_curve), ElementsAre(false, true));
    EXPECT_THAT(judge(grows_with_d), ElementsAre(true, false));
  }
}

TEST(StudyVerdicts, OnDeepRandomFeaturesSeeAllDepths) {
  const auto grows = [](const Record& key) { return falling_curve(key) * std::pow(1.5, key.number("depth")); };
  const auto deepest_stays = [](const Record& key) { return key.number("depth") > 3 ? 0.2 : falling_curve(key); };
  for (const Profile profile : kProfiles) {
    const auto judge = [&](const auto& value) {
      return judged_on_grid("deep-random-features", profile, sensitivity(value));
    };
    EXPECT_THAT(judge(falling_curve), ElementsAre(true, true));
    EXPECT_THAT(judge(grows), ElementsAre(true, false));
    EXPECT_FALSE(judge(deepest_stays).front());
  }
}

TEST(StudyVerdicts, TellTheSoftmaxFromReluAtTheLargestDimension) {
  for (const Profile profile : kProfiles) {
    EXPECT_THAT(judged_on_grid("raf", profile, sensitivity(constant_curve)), ElementsAre(true, true));
    EXPECT_THAT(judged_on_grid("raf", profile, sensitivity(falling_curve)), ElementsAre(false, false));
    EXPECT_THAT(judged_on_grid("raf-relu", profile, sensitivity(falling_curve)), ElementsAre(true));
    EXPECT_THAT(judged_on_grid("raf-relu", profile, sensitivity(constant_curve)), ElementsAre(false));
  }
}

TEST(StudyVerdicts, OnNormalisersNameTheOneThatKeepsUp) {
  const auto rest_falls = [](const Record& key) {
    return key.text("map") == "raf" ? constant_curve(key) : falling_curve(key);
  };
  const auto one_keeps_up = [](const Record& key) {
    return key.text("map") == "raf" || key.text("map") == "raf-elu" ? constant_curve(key) : falling_curve(key);
  };
  EXPECT_THAT(judged_on_grid("normalisers", Profile::kQuick, sensitivity(rest_falls)), ElementsAre(true));
  EXPECT_THAT(judged_on_grid("normalisers", Profile::kQuick, sensitivity(one_keeps_up)), ElementsAre(false));
  const Rows rows = joined(measured("raf", {10, 30, 100}, {64}, [](double, double) { return 2.5; }),
                           measured("raf-elu", {10, 30, 100}, {64}, [](double, double) { return 2; }));
  EXPECT_THAT(figure_registry().get("normalisers").verdicts(rows).front().measured, testing::HasSubstr("raf-elu"));
}

TEST(StudyVerdicts, OnTemperatureNeedBothEnds) {
  const auto theory = [](const Record& key) {
    return key.number("beta") < 1 ? falling_curve(key) : constant_curve(key);
  };
  for (const Profile profile : kProfiles) {
    const auto judge = [&](const auto& value) { return judged_on_grid("temperature", profile, sensitivity(value)); };
    EXPECT_THAT(judge(theory), ElementsAre(true, true));
    EXPECT_THAT(judge(constant_curve), ElementsAre(false, true));
    EXPECT_THAT(judge(falling_curve), ElementsAre(true, false));
  }
}

TEST(StudyVerdicts, OnWidthCompareWithAWidthThatIsInTheGrid) {
  const auto wider_sees_more = [](const Record& key) {
    return falling_curve(key) * std::sqrt(key.number("width") / (key.number("n") * key.number("d")));
  };
  for (const Profile profile : kProfiles) {
    const auto judge = [&](const auto& value) { return judged_on_grid("width", profile, sensitivity(value)); };
    EXPECT_THAT(judge(falling_curve), ElementsAre(true, true));
    EXPECT_THAT(judge(constant_curve), ElementsAre(false, true));
    EXPECT_THAT(judge(wider_sees_more), ElementsAre(true, false));
  }
}

TEST(StudyVerdicts, OnTheSpikeMapHaveTextsFarLongerThanTheSmallestDimension) {
  const auto theory = [](const Record& key) { return std::sqrt(std::min(1.0, key.number("d") / key.number("n"))); };
  for (const Profile profile : kProfiles) {
    const auto judge = [&](const auto& value) { return judged_on_grid("spike-map", profile, sensitivity(value)); };
    EXPECT_THAT(judge(theory), ElementsAre(true, true));
    EXPECT_THAT(judge(constant_curve), ElementsAre(false, true));
    EXPECT_THAT(judge(falling_curve), ElementsAre(true, false));
  }
}

TEST(StudyVerdicts, OnTheSpikeMapAreNotSpoiltByDataThatAreMoreSensitive) {
  const auto by_spike = [](const Record& key) {
    return (1 + 5 * std::stod(key.text("spike"))) * std::sqrt(std::min(1.0, key.number("d") / key.number("n")));
  };
  EXPECT_THAT(judged_on_grid("spike-map", Profile::kQuick, sensitivity(by_spike)), ElementsAre(true, true));
}

TEST(StudyVerdicts, OnTheModelItselfNeedItsWholeDepthAndLength) {
  const auto fades = [](const Record& key) { return std::pow(0.5, key.number("layer")); };
  for (const Profile profile : kProfiles) {
    EXPECT_THAT(judged_on_grid("model-depth", profile, sensitivity(constant_curve)), ElementsAre(true, true));
    EXPECT_THAT(judged_on_grid("model-depth", profile, sensitivity(fades)), ElementsAre(false, false));
    EXPECT_THAT(judged_on_grid("model-length", profile, sensitivity(constant_curve)), ElementsAre(true));
    EXPECT_THAT(judged_on_grid("model-length", profile, sensitivity(falling_curve)), ElementsAre(false));
  }
}

// S of the first half of the positions is 1; of the others what is given for these weights.
MakeRows by_position(double late_random, double late_model) {
  return [=](const Record& key) {
    const auto n = static_cast<size_t>(key.number("n"));
    std::vector<double> each(n, noise_of(key));
    for (size_t k = n / 2; k < n; ++k) each[k] *= key.text("weights") == "random" ? late_random : late_model;
    return with({key}, "token_sensitivities", each);
  };
}

TEST(StudyVerdicts, OnPositionsHaveRandomAndTrainedWeights) {
  for (const Profile profile : kProfiles) {
    EXPECT_THAT(judged_on_grid("positions", profile, by_position(1, 1)), ElementsAre(true, true));
    EXPECT_THAT(judged_on_grid("positions", profile, by_position(0.5, 1)), ElementsAre(false, true));
    EXPECT_THAT(judged_on_grid("positions", profile, by_position(1.5, 1)), ElementsAre(false, true));
    EXPECT_THAT(judged_on_grid("positions", profile, by_position(1, 0.1)), ElementsAre(true, false));
  }
}

struct LearntAt {
  double error, gamma, alignment;
};

// A row for every training and objective, as the study of learning gives them; `penalties` for the error alone.
MakeRows learning_rows(const std::vector<double>& penalties, const std::function<LearntAt(const Record& key)>& value) {
  return [=](const Record& key) {
    Rows rows;
    const LearntAt found = value(key);
    for (const char* training : {"fine-tune", "retrain"})
      for (const double penalty : penalties) {
        Record row = key;
        row.merge({{"training", training},
                   {"objective", penalty < 0 ? "align" : "error"},
                   {"penalty", penalty < 0 ? Value() : Value(penalty)},
                   {"error", noise_of(key) * found.error},
                   {"gamma", found.gamma},
                   {"alignment", noise_of(key) * found.alignment}});
        rows.push_back(std::move(row));
      }
    return rows;
  };
}

LearntAt as_theory_says(const Record& key) {
  const std::string& map = key.text("map");
  if (map == "rf" || map == "drf") return {3.9, 0.02, 0.97};
  if (map == "raf") return {0.01, 0.3, -0.8};
  return key.number("n") > 100 ? LearntAt{2.5, 0.4, 0.8} : LearntAt{0.5, 0.5, 0.3};
}

TEST(StudyVerdicts, OnLearningHaveEveryMapAndBothLengths) {
  const auto all_learn = [](const Record& /*key*/) { return LearntAt{0.01, 0.3, -0.8}; };
  const auto none_learns = [](const Record& /*key*/) { return LearntAt{3.9, 0.02, 0.97}; };
  for (const Profile profile : kProfiles) {
    const auto judge = [&](const auto& value) {
      return judged_on_grid("generalization", profile, learning_rows({-1, 0}, value));
    };
    EXPECT_THAT(judge(as_theory_says), ElementsAre(true, true, true, true));
    EXPECT_THAT(judge(all_learn), ElementsAre(false, true, false, false));
    EXPECT_THAT(judge(none_learns), ElementsAre(true, false, false, false));
  }
}

TEST(StudyVerdicts, OnPenaltiesAndDeepFeaturesFlipWithoutTheirEffect) {
  const auto none_learns = [](const Record& /*key*/) { return LearntAt{3.9, 0.02, 0.97}; };
  const auto all_learn = [](const Record& /*key*/) { return LearntAt{0.01, 0.3, -0.8}; };
  for (const Profile profile : kProfiles) {
    const auto penalty = [&](const auto& value) {
      return judged_on_grid("penalty", profile, learning_rows({1, 0.1, 0.01}, value));
    };
    EXPECT_THAT(penalty(as_theory_says), ElementsAre(true, true));
    EXPECT_THAT(penalty(none_learns), ElementsAre(false, false));
    EXPECT_THAT(penalty(all_learn), ElementsAre(true, false));
    const auto deep = [&](const auto& value) {
      return judged_on_grid("deep-generalization", profile, learning_rows({-1, 0}, value));
    };
    EXPECT_THAT(deep(as_theory_says), ElementsAre(true));
    EXPECT_THAT(deep(all_learn), ElementsAre(false));
  }
}

TEST(StudyVerdicts, OnPenaltiesLookAtThePenaltyOfOneAlone) {
  const auto rows = [](const Record& key) {
    Rows made = learning_rows({1, 0.1, 0.01}, as_theory_says)(key);
    for (Record& row : made)
      if (row.number("penalty") != 1) row.set("error", 100.0);
    return made;
  };
  EXPECT_THAT(judged_on_grid("penalty", Profile::kQuick, rows), ElementsAre(true, true));
}

// Changes of five layers: all directions begin alike, noise stays where it is.
MakeRows through_layers(double ascent, double attract) {
  return [=](const Record& key) {
    Rows rows;
    const std::string& direction = key.text("direction");
    const double later = direction == "noise" ? 0.1 : direction == "ascent" ? ascent : attract;
    for (const std::int64_t layer : {0, 1, 2, 3, 4}) {
      Record row = key;
      row.set("layer", layer);
      row.set("change", noise_of(key) * (layer == 0 ? 0.1 : later));
      rows.push_back(std::move(row));
    }
    return rows;
  };
}

TEST(StudyVerdicts, OnLayersHaveDrawsOfNoiseAndBothDirections) {
  for (const Profile profile : kProfiles) {
    EXPECT_THAT(judged_on_grid("layers", profile, through_layers(1.2, 0.7)), ElementsAre(true, true, true));
    EXPECT_THAT(judged_on_grid("layers", profile, through_layers(1.2, 0.11)), ElementsAre(true, false, true));
    EXPECT_THAT(judged_on_grid("layers", profile, through_layers(0.1, 0.7)), ElementsAre(false, true, false));
  }
}

TEST(StudyVerdicts, OnLayersAskForEveryLayer) {
  const auto blind_in_the_middle = [](const Record& key) {
    Rows rows = through_layers(1.2, 0.7)(key);
    if (key.text("direction") == "attract") rows[2].set("change", 0.1);
    return rows;
  };
  EXPECT_THAT(judged_on_grid("layers", Profile::kQuick, blind_in_the_middle), ElementsAre(true, false, true));
}

}  // namespace
}  // namespace wordsway::test
