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

namespace fs = std::filesystem;

constexpr size_t kMostCurves = 8, kMostBars = 24;  // more would look alike

Rows with_field(const Rows& rows, const char* field) {
  Rows result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const Record& r) { return !r.missing(field); });
  return result;
}

// The fields by which points differ: the map, and what of `sizes` and `parameters` is not the same for all.
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

// The parameters that stay the same along a curve: not those that follow n, be it by default or, as in the figure
// `width`, as one multiple of it after the other.
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

ReportPanel against_length(const Rows& rows, const Canvas& canvas) {
  LineChart chart;
  chart.title = "Word sensitivity against context length";
  chart.x_label = "context length n";
  chart.y_label = "word sensitivity S";
  chart.series = curves_against_n(rows, distinguishing(rows, {"d", "moved_tokens"}, parameters_of_curves(rows)));
  chart.reference_slopes = {-0.5};
  write_chart(chart, canvas);
  const auto sensitivities = numbers_of(rows, "sensitivity");
  const bool guided = std::any_of(sensitivities.begin(), sensitivities.end(), [](double value) { return value > 0; });
  return {chart.title,
          with_bands("Means over trials, bands of one standard deviation", canvas.bands) +
              (guided ? "; the dashed line is a decay as 1/√n." : "."),
          canvas.path};
}

std::vector<RowGroup> by_label(const Rows& rows, const std::vector<std::string>& fields) {
  return group_rows(rows, [&](const Record& row) { return std::vector{Record{{"label", point_label(row, fields)}}}; });
}

ReportPanel by_point(const Rows& rows, const Canvas& canvas) {
  const auto points =
      by_label(rows, distinguishing(rows, {"d", "moved_tokens"}, row_parameters(map_registry().names())));
  if (points.size() < 2 || points.size() > kMostBars) return {};
  BarChart chart{"Word sensitivity", "word sensitivity S", {}, {{}}};
  for (const RowGroup& point : points) {
    double sum = 0;
    for (const Record* row : point.rows) sum += row->number("sensitivity");
    chart.labels.push_back(point.identity.text("label"));
    chart.series[0].values.emplace_back(sum / static_cast<double>(point.rows.size()));
  }
  write_bar_chart(chart, canvas);
  return {chart.title, "Means over trials.", canvas.path};
}

// The mean at every position over the rows that reach it, and the deviation.
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
ReportPanel by_position(const Rows& rows, const Canvas& canvas) {
  Rows with_list;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(with_list), [](const Record& row) {
    return std::holds_alternative<std::vector<double>>(*row.find("token_sensitivities"));
  });
  const auto points = by_label(with_list, distinguishing(rows, {"n", "d"}, parameters_of_curves(rows)));
  if (points.empty() || points.size() > kMostCurves) return {};
  LineChart chart;
  chart.title = "Word sensitivity by token position";
  chart.x_label = "token, counted from 0";
  chart.y_label = "word sensitivity of the token";
  chart.log_x = chart.log_y = false;
  for (const RowGroup& point : points) chart.series.push_back(position_curve(point));
  write_chart(chart, canvas);
  return {chart.title, with_bands("Means over trials, bands of one standard deviation.", canvas.bands), canvas.path};
}

ReportPanel by_word(const Rows& rows, const Record& config, const Canvas& canvas) {
  const BarChart chart = words_chart(rows, config.text("model"), config.text("layer"));
  write_bar_chart(chart, canvas);
  return {chart.title, "Each: how far the model's output changes with the word, relative to the output.", canvas.path};
}

ReportPanel by_layer(const Rows& rows, const Canvas& canvas) {
  const LineChart chart = layers_chart("How far each layer follows", curves(rows, "layer", "change", {"direction"}));
  write_chart(chart, canvas);
  return {chart.title, with_bands("Means over trials, bands of one standard deviation.", canvas.bands), canvas.path};
}

}  // namespace

ReportPanel draw_measured(const std::vector<Record>& rows, const Canvas& canvas) {
  const Rows measured = with_field(rows, "sensitivity");
  const size_t lengths = distinct_numbers(measured, "n").size();
  if (lengths == 0) return {};
  return lengths > 1 ? against_length(measured, canvas) : by_point(measured, canvas);
}

std::vector<ReportPanel> draw_journal(const std::string& name, const JournalIdentity& identity,
                                      const std::vector<Record>& rows, const fs::path& folder, Bands bands) {
  const auto canvas = [&](const char* ending) {
    return Canvas{.path = folder / (name + ending), .title = false, .bands = bands};
  };
  if (rows.empty()) return {};
  if (identity.command == "words")  // a chart shows one text
    return distinct_numbers(rows, "text").size() == 1 ? std::vector{by_word(rows, identity.config, canvas(".svg"))}
                                                      : std::vector<ReportPanel>();
  if (identity.command == "layers") return {by_layer(rows, canvas(".svg"))};
  if (!is_of_maps(identity)) return {};
  std::vector<ReportPanel> panels;
  const auto keep = [&](ReportPanel panel) {
    if (!panel.svg.empty()) panels.push_back(std::move(panel));
  };
  const Rows learnt = with_field(rows, "gamma"),
             all_tokens = with_field(with_field(rows, "sensitivity"), "token_sensitivities");
  keep(draw_measured(rows, canvas(".svg")));
  if (!all_tokens.empty()) keep(by_position(all_tokens, canvas(".tokens.svg")));
  if (!learnt.empty()) {
    write_generalization_chart(learnt, canvas(".svg"));
    keep({"Error against γ",
          "Circles: the move was chosen to turn the features against the new sample; crosses: to bring the error down. "
          "Features that barely notice the word cannot get below the dashed curve max(0, 2 − γ)².",
          canvas(".svg").path});
  }
  return panels;
}

bool is_of_maps(const JournalIdentity& identity) {
  return identity.command == "measure" || identity.command == "generalize";
}

}  // namespace wordsway
