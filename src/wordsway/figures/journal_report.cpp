#include "wordsway/figures/journal_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wordsway/figures/journal_charts.h"
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

// What readers want to know about a point; everything else is in the CSV files beside the page.
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

// Rows of a journal are in the order in which trials ended. Maps keep the order of their first rows; sizes ascend.
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

// Journals of commands that ask a model about texts.

constexpr size_t kMostTableRows = 300;  // nobody reads more

bool is_list_of_numbers(const Value& value) {
  return std::holds_alternative<std::vector<double>>(value) || std::holds_alternative<std::vector<std::int64_t>>(value);
}

// Means if there are trials; otherwise the rows themselves, text by text.
ReportTable rows_table(const std::string& name, std::vector<Record> rows, const std::vector<Record>& points) {
  const bool has_trials = !points.empty() && is_there(rows, "trial");
  const std::vector<Record>& shown = has_trials ? points : rows;
  const auto text = [](const Record& row) { return holds_number(row, "text") ? row.number("text") : 0; };
  std::stable_sort(rows.begin(), rows.end(), [&](const Record& a, const Record& b) { return text(a) < text(b); });
  ReportTable table{has_trials ? "Means over trials ± standard deviations" : "Rows", {}, {}};
  for (const Record& row : shown)
    for (const auto& [field, value] : row.fields())
      if (!is_list_of_numbers(value) && !field.ends_with("_deviation") && is_there(shown, field) &&
          std::find(table.columns.begin(), table.columns.end(), field) == table.columns.end())
        table.columns.push_back(field);
  if (shown.size() > kMostTableRows)
    table.title = fmt::format("{}: the first {} of {}; all of them are in {}", table.title, kMostTableRows,
                              shown.size(), name + (has_trials ? ".points.csv" : ".rows.csv"));
  for (size_t k = 0; k < std::min(shown.size(), kMostTableRows); ++k) {
    std::vector<std::string> cells;
    for (const std::string& column : table.columns) cells.push_back(cell_of(shown[k], column));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string title_of(const JournalIdentity& identity, const std::vector<Record>& points) {
  const std::string& command = identity.command;
  if (is_of_maps(identity))
    return fmt::format("{} {}", command == "generalize" ? "learning a one-word change on" : "word sensitivity of",
                       fmt::join(maps_of(points), ", "));
  const std::string model = identity.config.missing("model") ? "a model" : identity.config.text("model");
  if (command == "words") return "which words matter to " + model;
  if (command == "substitute") return "words replaced by others, for " + model;
  if (command == "layers") return fmt::format("how far each layer of {} follows a moved token", model);
  return fmt::format("{} of {}", command, model);
}

// The contents of a journal's section. Failed rows are in none of these.
struct JournalParts {
  std::vector<Record> rows, points, fits;
  std::vector<ReportPanel> panels;
};

ReportFigure section_of(const std::string& name, const JournalContent& content, JournalParts parts) {
  const JournalIdentity& identity = content.header.identity;
  ReportFigure section;
  section.name = name;
  section.title = fmt::format("{}: {}", name, title_of(identity, parts.points));
  if (!content.verified) section.title += " (rows not verified)";
  section.panels = std::move(parts.panels);
  section.settings = settings_of(content);
  if (!is_of_maps(identity)) {
    if (!parts.rows.empty()) section.tables.push_back(rows_table(name, std::move(parts.rows), parts.points));
    return section;
  }
  if (!parts.fits.empty()) section.tables.push_back(fits_table(parts.fits));
  if (!parts.points.empty()) section.tables.push_back(points_table(parts.points));
  section.settings.emplace_back("seconds of all trials together", fmt::format("{:.4g}", total_seconds(parts.points)));
  return section;
}

}  // namespace

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

std::vector<std::string> distinct_names(const std::vector<std::string>& journals) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& journal : journals) {
    const std::string stem = std::filesystem::path(journal).stem().string();
    std::string name = stem;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = fmt::format("{}-{}", stem, copy);
    names.push_back(name);
  }
  return names;
}

JournalReport report_journal(const std::filesystem::path& journal, const std::string& name,
                             const std::filesystem::path& folder, Bands bands) {
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
  const JournalIdentity& identity = content.header.identity;
  const bool has_points = is_of_maps(identity) || is_there(rows, "trial");
  JournalParts parts{rows,
                     has_points ? summarise_points(all) : std::vector<Record>(),
                     is_of_maps(identity) ? fit_curves(rows) : std::vector<Record>(),
                     {}};
  write_file_atomically(path_of(".rows.csv"), to_csv(all));
  if (has_points) write_file_atomically(path_of(".points.csv"), to_csv(parts.points));
  if (!parts.fits.empty()) write_file_atomically(path_of(".fits.csv"), to_csv(parts.fits));
  for (JournalChart& chart : journal_charts(identity, rows, bands)) {
    write_picture(chart.panel.chart, {.path = path_of(chart.ending), .title = false});
    parts.panels.push_back(std::move(chart.panel));
  }
  result.summary = {{"journal", journal.string()},
                    {"command", identity.command},
                    {"version", content.header.version},
                    {"verified", content.verified},
                    {"rows", static_cast<std::int64_t>(all.size())},
                    {"failed", static_cast<std::int64_t>(all.size() - rows.size())},
                    {"points", static_cast<std::int64_t>(parts.points.size())},
                    {"fits", static_cast<std::int64_t>(parts.fits.size())},
                    {"files", files}};
  result.section = section_of(name, content, std::move(parts));
  return result;
}

}  // namespace wordsway
