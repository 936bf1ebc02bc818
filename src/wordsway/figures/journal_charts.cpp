#include "wordsway/figures/journal_charts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/figures/row_selection.h"
#include "wordsway/io/row_text.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/study/measure_rows.h"
#include "wordsway/study/row_groups.h"

namespace wordsway {
namespace {

constexpr size_t kMostCurves = 8, kMostBars = 24;  // more would look alike

Rows with_field(const Rows& rows, const char* field) {
  Rows result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const Record& r) { return !r.missing(field); });
  return result;
}

// The fields that tell points apart: the map, and those of `sizes` and `parameters` that are not the same for all rows.
std::vector<std::string> distinguishing(const Rows& rows, const std::vector<std::string>& sizes,
                                        const std::vector<std::string>& parameters) {
  std::vector<std::string> fields = {"map"};
  for (const auto* candidates : {&sizes, &parameters})
    for (const std::string& field : *candidates) {
      const auto differs = [&](const Record& row) {
        return !row.missing(field) && !rows.front().missing(field) && *row.find(field) != *rows.front().find(field);
      };
      if (std::any_of(rows.begin(), rows.end(), differs)) fields.emplace_back(field);
    }
  return fields;
}

bool has_many_values(const Rows& rows, const std::string& name) {
  std::set<std::string> values;
  for (const Record& row : rows)
    if (!row.missing(name)) values.insert(table_cell(*row.find(name)));
  return values.size() > kMostCurves;
}

// The parameters that stay the same along a curve. Those that follow n do not: by default, or as in the figure `width`,
// which tries several multiples of n.
std::vector<std::string> parameters_of_curves(const Rows& rows) {
  std::vector<std::string> names = row_parameters(map_registry().names());
  std::erase_if(names, [&](const std::string& name) {
    return declared_parameter(name).default_follows_size() && (follows_size(rows, name) || has_many_values(rows, name));
  });
  return names;
}

std::string point_label(const Record& row, const std::vector<std::string>& fields) {
  std::string label;
  for (const std::string& field : fields) {
    if (row.missing(field)) continue;
    label += fmt::format("{}{}{}", label.empty() ? "" : ", ", field == "map" ? "" : field + " = ",
                         table_cell(*row.find(field)));
  }
  return label;
}

ReportPanel against_length(const Rows& rows, Bands bands) {
  LineChart chart;
  chart.title = "Word sensitivity against context length";
  chart.x_label = "context length n";
  chart.y_label = "word sensitivity S";
  chart.series = curves_against_n(rows, distinguishing(rows, {"d", "moved_tokens"}, parameters_of_curves(rows)));
  chart.reference_slopes = {-0.5};
  const auto sensitivities = numbers_of(rows, "sensitivity");
  const bool guided = std::any_of(sensitivities.begin(), sensitivities.end(), [](double value) { return value > 0; });
  return {chart.title,
          with_bands("Means over trials, bands of one standard deviation", bands) +
              (guided ? "; the dashed line is a decay as 1/√n." : "."),
          chart_of(chart, bands)};
}

std::vector<RowGroup> by_label(const Rows& rows, const std::vector<std::string>& fields) {
  return group_rows(rows, [&](const Record& row) { return std::vector{Record{{"label", point_label(row, fields)}}}; });
}

std::optional<ReportPanel> by_point(const Rows& rows) {
  const auto points =
      by_label(rows, distinguishing(rows, {"d", "moved_tokens"}, row_parameters(map_registry().names())));
  if (points.size() < 2 || points.size() > kMostBars) return std::nullopt;
  BarChart chart{"Word sensitivity", "word sensitivity S", {}, {{}}};
  for (const RowGroup& point : points) {
    double sum = 0;
    for (const Record* row : point.rows) sum += row->number("sensitivity");
    chart.labels.push_back(point.identity.text("label"));
    chart.series[0].values.emplace_back(sum / static_cast<double>(point.rows.size()));
  }
  return ReportPanel{chart.title, "Means over trials.", chart_of(chart)};
}

// Mean and standard deviation at every position, over the rows that are long enough.
Series position_curve(const RowGroup& group) {
  Series series{group.identity.text("label"), {}, {}, {}};
  std::vector<const std::vector<double>*> trials;
  size_t longest = 0;
  for (const Record* row : group.rows) {
    trials.push_back(std::get_if<std::vector<double>>(row->find("token_sensitivities")));
    longest = std::max(longest, trials.back()->size());
  }
  for (size_t t = 0; t < longest; ++t) {
    double sum = 0, squares = 0, count = 0;
    for (const auto* values : trials)
      if (t < values->size() && std::isfinite((*values)[t])) {
        ++count;
        sum += (*values)[t];
        squares += (*values)[t] * (*values)[t];
      }
    series.x.push_back(static_cast<double>(t));
    series.y.push_back(sum / count);
    series.deviation.push_back(count > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1))) : 0);
  }
  return series;
}

// Rows of --token all: one curve for each point, means over its trials.
std::optional<ReportPanel> by_position(const Rows& rows, Bands bands) {
  Rows with_list;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(with_list), [](const Record& row) {
    return std::holds_alternative<std::vector<double>>(*row.find("token_sensitivities"));
  });
  const auto points = by_label(with_list, distinguishing(rows, {"n", "d"}, parameters_of_curves(rows)));
  if (points.empty() || points.size() > kMostCurves) return std::nullopt;
  LineChart chart;
  chart.title = "Word sensitivity by token position";
  chart.x_label = "token, counted from 0";
  chart.y_label = "word sensitivity of the token";
  chart.log_x = chart.log_y = false;
  for (const RowGroup& point : points) chart.series.push_back(position_curve(point));
  return ReportPanel{chart.title, with_bands("Means over trials, bands of one standard deviation.", bands),
                     chart_of(chart, bands)};
}

ReportPanel by_word(const Rows& rows, const Record& config) {
  const BarChart chart = words_chart(rows, config.text("model"), config.text("layer"));
  return {chart.title, "How far the model's output changes with each word, relative to the output.", chart_of(chart)};
}

ReportPanel by_layer(const Rows& rows, Bands bands) {
  const LineChart chart = layers_chart("How far each layer follows", curves(rows, "layer", "change", {"direction"}));
  return {chart.title, with_bands("Means over trials, bands of one standard deviation.", bands),
          chart_of(chart, bands)};
}

}  // namespace

std::optional<ReportPanel> measured_chart(const std::vector<Record>& rows, Bands bands) {
  const Rows measured = with_field(rows, "sensitivity");
  const size_t lengths = distinct_numbers(measured, "n").size();
  if (lengths == 0) return std::nullopt;
  return lengths > 1 ? against_length(measured, bands) : by_point(measured);
}

std::vector<JournalChart> journal_charts(const JournalIdentity& identity, const std::vector<Record>& rows,
                                         Bands bands) {
  if (rows.empty()) return {};
  std::vector<JournalChart> charts;
  const auto keep = [&](const char* ending, std::optional<ReportPanel> panel) {
    if (panel) charts.push_back({ending, std::move(*panel)});
  };
  // A chart shows the words of one text.
  if (identity.command == "words" && distinct_numbers(rows, "text").size() == 1)
    keep(".svg", by_word(rows, identity.config));
  if (identity.command == "layers") keep(".svg", by_layer(rows, bands));
  if (!is_of_maps(identity)) return charts;
  const Rows learnt = with_field(rows, "gamma"),
             all_tokens = with_field(with_field(rows, "sensitivity"), "token_sensitivities");
  keep(".svg", measured_chart(rows, bands));
  if (!all_tokens.empty()) keep(".tokens.svg", by_position(all_tokens, bands));
  if (!learnt.empty())
    keep(".svg",
         ReportPanel{"Error against γ",
                     "Rings: the move was chosen to turn the features against the new sample; crosses: to bring "
                     "the error down. Features that barely notice the word cannot get below the dashed curve "
                     "max(0, 2 − γ)².",
                     generalization_chart(learnt)});
  return charts;
}

bool is_of_maps(const JournalIdentity& identity) {
  return identity.command == "measure" || identity.command == "generalize";
}

}  // namespace wordsway
