#include "output/journal_page.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "output/rows.h"
#include "wordsway/study/machine.h"

namespace wordsway::app {
namespace {

// What a reader wants to see of a point; everything else is in the CSV files beside the page.
constexpr const char* kAlways[] = {"map", "n", "d", "train_size", "training", "objective", "penalty"};
constexpr const char* kWhereTheyDiffer[] = {"depth", "width", "activation", "beta", "random", "failed"};
constexpr const char* kMeasured[] = {"trials", "sensitivity", "upper_bound", "predicted", "gamma",
                                     "error",  "alignment",   "condition",   "seconds"};
constexpr const char* kFitColumns[] = {"map", "d", "depth", "width", "beta", "exponent"};

std::vector<std::string> maps_of(const std::vector<Record>& points) {
  std::vector<std::string> maps;
  for (const Record& point : points)
    if (std::find(maps.begin(), maps.end(), point.text("map")) == maps.end()) maps.push_back(point.text("map"));
  return maps;
}

bool is_there(const std::vector<Record>& rows, const char* column) {
  return std::any_of(rows.begin(), rows.end(), [&](const Record& row) { return !row.missing(column); });
}

bool differs(const std::vector<Record>& rows, const char* column) {
  const auto value = [&](const Record& row) { return row.missing(column) ? Value() : *row.find(column); };
  return std::any_of(rows.begin(), rows.end(), [&](const Record& row) { return value(row) != value(rows.front()); });
}

// Journals have their rows in the order in which trials ended: the maps stay in that of their first, sizes ascend.
std::vector<Record> in_order(std::vector<Record> points) {
  const auto maps = maps_of(points);
  const auto place = [&](const Record& point) {
    std::vector<double> key;
    key.push_back(static_cast<double>(std::find(maps.begin(), maps.end(), point.text("map")) - maps.begin()));
    for (const char* field : {"d", "depth", "beta", "n", "train_size"})
      key.push_back(point.missing(field) ? 0 : point.number(field));
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
  for (const char* column : kWhereTheyDiffer)
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
  for (const char* column : kFitColumns)
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

}  // namespace wordsway::app
