// wordsway report: tables, charts and a page from journals alone.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/chart.h"
#include "options/common.h"
#include "options/output_paths.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/journal_report.h"
#include "wordsway/figures/print_page.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  CommonOptions common;
  std::vector<std::string> journals;
  std::string out, pdf, bands = "deviation";
};

void report(const ReportOptions& options) {
  check_output_folder(options.out);
  make_folder(options.out);
  const auto names = distinct_names(options.journals);
  std::vector<Record> summary;
  std::vector<ReportFigure> sections;
  for (size_t k = 0; k < names.size(); ++k) {
    JournalReport found = report_journal(options.journals[k], names[k], options.out, parse_bands(options.bands));
    for (const std::string& remark : found.remarks) say(options.common, remark);
    summary.push_back(std::move(found.summary));
    sections.push_back(std::move(found.section));
  }
  const fs::path page = fs::path(options.out) / "report.html";
  write_file_atomically(page, report_html(journal_report(std::move(sections), options.journals)));
  say(options.common, "-> " + page.string());
  if (!options.pdf.empty()) print_page(page, options.pdf);
  print_out(format_rows(summary, options.common.format));
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Make a page, tables and charts from journals (--out of other commands)");
  command->add_option("JOURNAL", options->journals, "Journals, FILE.jsonl")->required();
  command->add_option("-o,--out", options->out, "Folder to write to")->required();
  add_output_option(*command, "--pdf", options->pdf,
                    "Print the page as a PDF, too, with Chromium (without it: no PDF)");
  add_bands_option(*command, options->bands);
  add_common_options(*command, options->common);
  add_examples(
      *command,
      "  wordsway report run.jsonl -o report\n"
      "      report.html, and beside it run.rows.csv, run.points.csv (means and deviations), run.fits.csv, run.svg\n"
      "  wordsway report monday.jsonl tuesday.jsonl -o report --format json");
  command->callback([options] { report(*options); });
}

}  // namespace wordsway::app
