// wordsway report: tables, charts and a page from journals alone.
#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "options/output_paths.h"
#include "output/journal_page.h"
#include "output/rows.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/journal.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/summary.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  CommonOptions common;
  std::vector<std::string> journals;
  std::string out;
};

// Journals of the same name from different folders must not write over each other.
std::vector<std::string> names_of(const std::vector<std::string>& journals) {
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

struct JournalReport {
  Record summary;  // what the journal holds and which files were written
  ReportFigure section;
};

JournalReport report_journal(const std::string& journal, const std::string& name, const ReportOptions& options) {
  const JournalContent content = read_journal(journal);
  if (content.torn) say(options.common, journal + ": the last line is incomplete and was left out");
  if (!content.verified)
    say(options.common, journal + ": an older wordsway wrote it without checksums, so its rows are not verified");
  std::vector<Record> all, rows;
  for (const JournalRow& row : content.rows) {
    all.push_back(row.record);
    if (!is_failed(row.record)) rows.push_back(row.record);
  }
  std::vector<std::string> files;
  const auto path_of = [&](const char* kind) {
    files.push_back(name + kind);
    return fs::path(options.out) / files.back();
  };
  const auto points = summarise_points(all);
  const auto fits = fit_curves(rows);
  write_file_atomically(path_of(".rows.csv"), to_csv(all));
  write_file_atomically(path_of(".points.csv"), to_csv(points));
  if (!fits.empty()) write_file_atomically(path_of(".fits.csv"), to_csv(fits));
  const auto panels = draw_journal(name, rows, options.out);
  for (const ReportPanel& panel : panels) files.push_back(panel.svg.filename().string());
  Record summary{{"journal", journal},
                 {"command", content.header.identity.command},
                 {"version", content.header.version},
                 {"verified", content.verified},
                 {"rows", static_cast<std::int64_t>(all.size())},
                 {"failed", static_cast<std::int64_t>(all.size() - rows.size())},
                 {"points", static_cast<std::int64_t>(points.size())},
                 {"fits", static_cast<std::int64_t>(fits.size())},
                 {"files", files}};
  return {summary, journal_section(name, content, points, fits, panels)};
}

void report(const ReportOptions& options) {
  check_output_folder(options.out);
  make_folder(options.out);
  const auto names = names_of(options.journals);
  std::vector<Record> summary;
  std::vector<ReportFigure> sections;
  for (size_t k = 0; k < names.size(); ++k) {
    JournalReport found = report_journal(options.journals[k], names[k], options);
    summary.push_back(std::move(found.summary));
    sections.push_back(std::move(found.section));
  }
  const fs::path page = fs::path(options.out) / "report.html";
  write_file_atomically(page, report_html(journal_report(std::move(sections), options.journals)));
  say(options.common, "-> " + page.string());
  print_out(format_rows(summary, options.common.format));
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Make a page, tables and charts from journals (--out of other commands)");
  command->add_option("JOURNAL", options->journals, "Journals, FILE.jsonl")->required();
  command->add_option("-o,--out", options->out, "Folder to write to")->required();
  add_common_options(*command, options->common);
  add_examples(
      *command,
      "  wordsway report run.jsonl -o report\n"
      "      report.html, and beside it run.rows.csv, run.points.csv (means and deviations), run.fits.csv, run.svg\n"
      "  wordsway report monday.jsonl tuesday.jsonl -o report --format json");
  command->callback([options] { report(*options); });
}

}  // namespace wordsway::app
