// Beyond the paper: does it matter where in the text the word stands?
#include <algorithm>
#include <cmath>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kLeastRatio = 0.8, kMostRatio = 1.25;  // of S in the second half of a text to S in the first
constexpr double kLeastSensitivity = 0.2;               // of a trained model, at its least sensitive position

FigureStudy study(const FigureSetting& setting) {
  const Index trials = setting.by_profile<Index>(2, 3, 10), n = setting.by_profile<Index>(10, 20, 32);
  const Sizes sizes = model_dimensions(setting), lengths = possible_lengths(setting, {n}, trials);
  MeasureConfig random = measure_config(setting);
  random.maps = {"raf", "raf-relu"};
  random.d = {sizes.values.back()};
  random.n = lengths.values;
  random.trials = setting.by_profile<Index>(3, 10, 10);
  random.token = std::nullopt;
  random.data = setting.data;
  ModelStudyConfig model = model_study_config(setting, setting.transformer->config().layers);
  model.n = lengths.values;
  model.trials = trials;
  model.token = std::nullopt;
  std::vector<StudyPart> parts = {{"random", std::make_shared<MeasureStudy>(random)},
                                  {"model", std::make_shared<ModelStudy>(model)}};
  return {std::make_shared<JoinedStudy>("weights", std::move(parts)), sizes.note};
}

// One row for each token.
Rows by_position(const Rows& rows) {
  Rows result;
  for (const Record& row : rows) {
    const Value* value = row.find("token_sensitivities");
    if (value == nullptr || !std::holds_alternative<std::vector<double>>(*value)) continue;
    const auto& each = std::get<std::vector<double>>(*value);
    for (size_t token = 0; token < each.size(); ++token)
      result.push_back({{"weights", row.text("weights")},
                        {"map", row.text("map")},
                        {"n", row.number("n")},
                        {"position", static_cast<std::int64_t>(token)},
                        {"sensitivity", each[token]}});
  }
  return result;
}

LineChart chart(const std::string& title, const Rows& rows) {
  LineChart result;
  result.title = title;
  result.x_label = "position of the word";
  result.y_label = "word sensitivity S";
  result.log_x = result.log_y = false;
  result.series = curves(rows, "position", "sensitivity", {"map"});
  return result;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  const Rows all = by_position(rows);
  return {line_panel(chart("Random attention: every position alike", rows_where(all, "weights", "random"))),
          line_panel(chart("The trained model, last layer", rows_where(all, "weights", "model")))};
}

// S of the second half over S of the first, for one map of random weights.
Interval halves(const Rows& all) {
  std::vector<double> early, late;
  for (const Record& row : rows_where(rows_where(all, "weights", "random"), "map", "raf"))
    (row.number("position") < row.number("n") / 2 ? early : late).push_back(row.number("sensitivity"));
  return ratio_of(late, early);
}

Interval least_position(const Rows& rows) {
  Interval least = mean_of({});
  for (const double position : distinct_numbers(rows, "position")) {
    const Interval found = mean_of(numbers_of(rows_where(rows, "position", position), "sensitivity"));
    if (!std::isfinite(found.value)) return found;  // a position that was not measured might be blind
    if (!(found.value >= least.value)) least = found;
  }
  return {least.value, least.value, least.value};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows all = by_position(rows);
  return {judge_between({"Softmax attention with random weights is about as sensitive to a word late in the text as to "
                         "one early in it.",
                         "beyond the paper; Theorem 3 takes the largest over positions"},
                        "S in the second half over S in the first", halves(all), kLeastRatio, kMostRatio,
                        at_size(rows, "n")),
          judge_above({"The trained model's last layer is sensitive to a word at every position of the text.",
                       "beyond the paper"},
                      "mean S at the least sensitive position", least_position(rows_where(all, "weights", "model")),
                      kLeastSensitivity, at_size(rows, "n"))};
}

}  // namespace

void register_positions(FigureRegistry& registry) {
  registry.add(
      "positions",
      {62, "Sensitivity by position in the text",
       "The paper defines word sensitivity as the largest over positions; its experiments move the first token.",
       "Random attention knows no positions, so only the tokens themselves make a difference. The trained model "
       "does know them.",
       "the words of the texts, as vectors of the model's embedding, and the texts through the model", study, panels,
       verdicts});
}

}  // namespace wordsway
