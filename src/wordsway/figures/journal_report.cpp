#include "wordsway/figures/journal_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/row_selection.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/row_text.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/run/machine.h"
#include "wordsway/run/study.h"
#include "wordsway/study/measure_rows.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/summary.h"

namespace wordsway {

namespace {

// What a reader wants to see of a point; everything else is in the CSV files beside the page.
constexpr const char* kAlways[] = {"map", "n", "d", "train_size", "training", "objective", "penalty"};
constexpr const char* kMeasured[] = {"trials",    "sensitivity",       "upper_bound", "predicted",
                                     "typical",   "worst_word_change", "gamma",       "error",
                                     "alignment", "condition",         "seconds"};

std::vector<std::string> all_parameters() {
  return row_parameters(map_registry().names());
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

std::vector<std::string> maps_of(const std::vector<Record>& points) {
  std::vector<std::string> maps;
  for (const Record& point : points)
    if (std::find(maps.begin(), maps.end(), point.text("map")) == maps.end()) maps.push_back(point.text("map"));
  return maps;
}

bool is_there(const std::vector<Record>& rows, const std::string& column) {
  return std::any_of(rows.begin(), rows.end(), [&](const Record& row) { return !row.missing(column); });
}

bool differs(const std::vector<Record>& rows, const std::string& column) {
  const auto value = [&](const Record& row) { return row.missing(column) ? Value() : *row.find(column); };
  return std::any_of(rows.begin(), rows.end(), [&](const Record& row) { return value(row) != value(rows.front()); });
}

// Journals have their rows in the order in which trials ended: the maps stay in that of their first, sizes ascend.
std::vector<Record> in_order(std::vector<Record> points) {
  const auto maps = maps_of(points);
  std::vector<std::string> fields = {"d"};
  for (const std::string& name : all_parameters())
    if (const Parameter& parameter = declared_parameter(name);
        parameter.type() != Parameter::Type::kName && !parameter.default_follows_size())
      fields.push_back(name);
  fields = joined(std::move(fields), {"n", "train_size"});
  const auto place = [&](const Record& point) {
    std::vector<double> key;
    key.push_back(static_cast<double>(std::find(maps.begin(), maps.end(), point.text("map")) - maps.begin()));
    for (const std::string& field : fields) key.push_back(point.missing(field) ? 0 : point.number(field));
    return key;
  };
  std::stable_sort(points.begin(), points.end(), [&](const Record& a, const Record& b) { return place(a) < place(b); });
  return points;
}

std::string cell_of(const Record& row, const std::string& column) {
  if (row.missing(column)) return "";
  const std::string cell = table_cell(*row.find(column)), deviation = column + "_deviation";
  return row.missing(deviation) || column == "seconds" ? cell : fmt::format("{} ± {:.2g}", cell, row.number(deviation));
}

ReportTable points_table(const std::vector<Record>& points) {
  ReportTable table{"Points: means over trials ± standard deviations", {}, {}};
  for (const char* column : kAlways)
    if (is_there(points, column)) table.columns.emplace_back(column);
  for (const std::string& column : joined(all_parameters(), {"random", "failed"}))
    if (differs(points, column)) table.columns.emplace_back(column);
  for (const char* column : kMeasured)
    if (is_there(points, column)) table.columns.emplace_back(column);
  for (const Record& point : in_order(points)) {
    std::vector<std::string> row;
    for (const std::string& column : table.columns) row.push_back(cell_of(point, column));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable fits_table(const std::vector<Record>& fits) {
  ReportTable table{"Exponents: S ∝ n^exponent", {}, {}};
  for (const std::string& column : joined(joined({"map", "d"}, all_parameters()), {"exponent"}))
    if (is_there(fits, column)) table.columns.emplace_back(column);
  for (const Record& fit : fits) {
    std::vector<std::string> row;
    for (const std::string& column : table.columns) row.push_back(cell_of(fit, column));
    row.push_back(fmt::format("[{:.3f}, {:.3f}]", fit.number("exponent_low"), fit.number("exponent_high")));
    table.rows.push_back(std::move(row));
  }
  table.columns.emplace_back("95% interval");
  return table;
}

std::vector<std::pair<std::string, std::string>> settings_of(const JournalContent& content) {
  const JournalHeader& header = content.header;
  std::vector<std::pair<std::string, std::string>> settings = {{"command", header.identity.command}};
  for (const auto& [name, value] : header.identity.config.fields())
    if (!header.identity.config.missing(name)) settings.emplace_back(name, table_cell(value));
  settings.emplace_back("fingerprint", header.fingerprint.empty() ? "-" : header.fingerprint);
  settings.emplace_back("rows verified", content.verified
                                             ? "yes, every row by its checksum"
                                             : "no: an older wordsway wrote this journal without checksums");
  settings.emplace_back("version", header.version);
  for (const Record* record : {&header.build, &header.machine})
    for (const auto& [name, value] : record->fields())
      if (name == "memory_bytes" && !record->missing(name)) {
        settings.emplace_back("memory", fmt::format("{:.1f} GiB", record->number(name) / 1073741824.0));
      } else {
        settings.emplace_back(name, table_cell(value));
      }
  return settings;
}

double total_seconds(const std::vector<Record>& points) {
  double sum = 0;
  for (const Record& point : points)
    if (!point.missing("seconds")) sum += point.number("seconds") * point.number("trials");
  return sum;
}

}  // namespace

ReportFigure journal_section(const std::string& name, const JournalContent& content, const std::vector<Record>& points,
                             const std::vector<Record>& fits, std::vector<ReportPanel> panels) {
  ReportFigure section;
  section.name = name;
  section.title = fmt::format(
      "{}: {} {}", name,
      content.header.identity.command == "generalize" ? "learning a one-word change on" : "word sensitivity of",
      fmt::join(maps_of(points), ", "));
  if (!content.verified) section.title += " (rows not verified)";
  section.panels = std::move(panels);
  if (!fits.empty()) section.tables.push_back(fits_table(fits));
  if (!points.empty()) section.tables.push_back(points_table(points));
  section.settings = settings_of(content);
  section.settings.emplace_back("seconds of all trials together", fmt::format("{:.4g}", total_seconds(points)));
  return section;
}

Report journal_report(std::vector<ReportFigure> sections, const std::vector<std::string>& journals) {
  Report report;
  report.title = "Word sensitivity, measured";
  report.subtitle = journals.size() == 1 ? "One run, from its journal alone."
                                         : fmt::format("{} runs, from their journals alone.", journals.size());
  report.figures = std::move(sections);
  report.settings = {{"journals", fmt::format("{}", fmt::join(journals, ", "))},
                     {"report made by", "wordsway " + version()}};
  return report;
}

namespace {

namespace fs = std::filesystem;

using Rows = std::vector<Record>;

constexpr int kWidth = 560, kHeight = 400;
constexpr size_t kMostCurves = 8, kMostBars = 24;  // more would look alike

Rows with_field(const Rows& rows, const char* field) {
  Rows result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const Record& r) { return !r.missing(field); });
  return result;
}

// The fields by which points differ: the map, and what is not the same for all.
std::vector<std::string> distinguishing(const Rows& rows, const std::vector<std::string>& candidates) {
  std::vector<std::string> fields = {"map"};
  for (const std::string& field : candidates) {
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
  std::vector<std::string> names = all_parameters();
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

ReportPanel against_length(const Rows& rows, const fs::path& path) {
  LineChart chart;
  chart.title = "Word sensitivity against context length";
  chart.x_label = "context length n";
  chart.y_label = "word sensitivity S";
  chart.series = curves_against_n(rows, distinguishing(rows, joined({"d"}, parameters_of_curves(rows))));
  chart.reference_slopes = {-0.5};
  write_chart(chart, {path, kWidth, kHeight});
  const auto sensitivities = numbers(rows, "sensitivity");
  const bool guided = std::any_of(sensitivities.begin(), sensitivities.end(), [](double value) { return value > 0; });
  return {chart.title,
          std::string("Means over trials, bands of one standard deviation") +
              (guided ? "; the dashed line is a decay as 1/√n." : "."),
          path};
}

ReportPanel by_point(const Rows& rows, const fs::path& path) {
  const auto fields = distinguishing(rows, joined({"d"}, all_parameters()));
  std::vector<std::string> labels;
  std::map<std::string, std::pair<double, double>> sums;
  for (const Record& row : rows) {
    const std::string label = point_label(row, fields);
    if (!sums.contains(label)) labels.push_back(label);
    sums[label].first += row.number("sensitivity");
    sums[label].second += 1;
  }
  if (labels.size() < 2 || labels.size() > kMostBars) return {};
  BarChart chart{"Word sensitivity", "word sensitivity S", labels, {{}}};
  for (const std::string& label : labels) chart.series[0].values.emplace_back(sums[label].first / sums[label].second);
  write_bar_chart(chart, {path, kWidth, kHeight});
  return {chart.title, "Means over trials.", path};
}

// Rows of --token all: one curve for each point, means over its trials.
ReportPanel by_position(const Rows& rows, const fs::path& path) {
  const auto fields = distinguishing(rows, joined({"n", "d"}, parameters_of_curves(rows)));
  std::vector<std::string> labels;
  std::map<std::string, std::vector<const std::vector<double>*>> curves;
  for (const Record& row : rows) {
    const auto* values = std::get_if<std::vector<double>>(row.find("token_sensitivities"));
    if (values == nullptr) continue;
    const std::string label = point_label(row, fields);
    if (!curves.contains(label)) labels.push_back(label);
    curves[label].push_back(values);
  }
  if (labels.empty() || labels.size() > kMostCurves) return {};
  LineChart chart;
  chart.title = "Word sensitivity by token position";
  chart.x_label = "token, counted from 0";
  chart.y_label = "word sensitivity of the token";
  chart.log_x = chart.log_y = false;
  for (const std::string& label : labels) {
    Series series{label, {}, {}, {}};
    size_t longest = 0;
    for (const auto* values : curves[label]) longest = std::max(longest, values->size());
    for (size_t t = 0; t < longest; ++t) {
      double sum = 0, squares = 0, count = 0;
      for (const auto* values : curves[label])
        if (t < values->size() && std::isfinite((*values)[t])) {
          ++count;
          sum += (*values)[t];
          squares += (*values)[t] * (*values)[t];
        }
      series.x.push_back(static_cast<double>(t));
      series.y.push_back(sum / count);
      series.deviation.push_back(count > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1))) : 0);
    }
    chart.series.push_back(std::move(series));
  }
  write_chart(chart, {path, kWidth, kHeight});
  return {chart.title, "Means over trials, bands of one standard deviation.", path};
}

}  // namespace

std::vector<ReportPanel> draw_journal(const std::string& name, const Rows& rows, const fs::path& folder) {
  std::vector<ReportPanel> panels;
  const auto keep = [&](ReportPanel panel) {
    if (!panel.svg.empty()) panels.push_back(std::move(panel));
  };
  const Rows measured = with_field(rows, "sensitivity"), learnt = with_field(rows, "gamma"),
             all_tokens = with_field(measured, "token_sensitivities");
  std::set<double> lengths;
  for (const Record& row : measured) lengths.insert(row.number("n"));
  const fs::path path = folder / (name + ".svg");
  if (lengths.size() > 1) keep(against_length(measured, path));
  if (lengths.size() == 1) keep(by_point(measured, path));
  if (!all_tokens.empty()) keep(by_position(all_tokens, folder / (name + ".tokens.svg")));
  if (!learnt.empty()) {
    write_generalization_chart(learnt, path);
    keep({"Error against γ",
          "Circles: the move was chosen to turn the features against the new sample; crosses: to bring the error down. "
          "Features that barely notice the word cannot get below the dashed curve max(0, 2 − γ)².",
          path});
  }
  return panels;
}

// Journals of the same name from different folders must not write over each other.
std::vector<std::string> distinct_names(const std::vector<std::string>& journals) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& journal : journals) {
    const std::string stem = fs::path(journal).stem().string();
    std::string name = stem;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = fmt::format("{}-{}", stem, copy);
    names.push_back(name);
  }
  return names;
}

JournalReport report_journal(const fs::path& journal, const std::string& name, const fs::path& folder) {
  const JournalContent content = read_journal(journal);
  JournalReport result;
  if (content.torn) result.remarks.push_back(journal.string() + ": the last line is incomplete and was left out");
  if (!content.verified)
    result.remarks.push_back(journal.string() +
                             ": an older wordsway wrote it without checksums, so its rows are not verified");
  std::vector<Record> all, rows;
  for (const JournalRow& row : content.rows) {
    all.push_back(row.record);
    if (!is_failed(row.record)) rows.push_back(row.record);
  }
  std::vector<std::string> files;
  const auto path_of = [&](const char* kind) {
    files.push_back(name + kind);
    return folder / files.back();
  };
  const auto points = summarise_points(all);
  const auto fits = fit_curves(rows);
  write_file_atomically(path_of(".rows.csv"), to_csv(all));
  write_file_atomically(path_of(".points.csv"), to_csv(points));
  if (!fits.empty()) write_file_atomically(path_of(".fits.csv"), to_csv(fits));
  const auto panels = draw_journal(name, rows, folder);
  for (const ReportPanel& panel : panels) files.push_back(panel.svg.filename().string());
  result.summary = {{"journal", journal.string()},
                    {"command", content.header.identity.command},
                    {"version", content.header.version},
                    {"verified", content.verified},
                    {"rows", static_cast<std::int64_t>(all.size())},
                    {"failed", static_cast<std::int64_t>(all.size() - rows.size())},
                    {"points", static_cast<std::int64_t>(points.size())},
                    {"fits", static_cast<std::int64_t>(fits.size())},
                    {"files", files}};
  result.section = journal_section(name, content, points, fits, panels);
  return result;
}

}  // namespace wordsway
