// wordsway report: tables, charts and a page from journals.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "commands/commands.h"
#include "options/chart.h"
#include "options/common.h"
#include "shell/program_command.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/journal_report.h"
#include "wordsway/figures/print_page.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/output_paths.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

struct ReportRequest {
  std::vector<std::string> journals;
  std::string out, pdf, bands = "deviation";

  static void describe(Fields<ReportRequest>& fields) {
    fields.texts("journals", &ReportRequest::journals, "Journals, FILE.jsonl (required)").argument("JOURNAL");
    fields.text("out", &ReportRequest::out, "Folder to write to (required)").short_flag("o");
    fields.path("pdf", &ReportRequest::pdf, FieldKind::kOutput,
                "Print the page as a PDF, too, with Chromium (without it: no PDF)");
    describe_bands(fields, &ReportRequest::bands);
    fields.check([](const ReportRequest& request) {
      if (request.journals.empty()) throw UsageError("JOURNAL is required: give the journals to report on");
      if (request.out.empty()) throw UsageError("--out is required: name a folder to write to");
    });
  }
};

void report(const ReportRequest& options, const CommonOptions& common) {
  check_output_folder(options.out);
  make_folder(options.out);
  const auto names = distinct_names(options.journals);
  std::vector<Record> summary;
  std::vector<ReportFigure> sections;
  for (size_t k = 0; k < names.size(); ++k) {
    JournalReport found = report_journal(options.journals[k], names[k], options.out, parse_bands(options.bands));
    for (const std::string& remark : found.remarks) say(common, remark);
    summary.push_back(std::move(found.summary));
    sections.push_back(std::move(found.section));
  }
  const fs::path page = fs::path(options.out) / "report.html";
  write_file_atomically(page, report_html(journal_report(std::move(sections), options.journals)));
  say(common, "-> " + page.string());
  if (!options.pdf.empty()) print_page(page, options.pdf);
  print_out(format_rows(summary, common.format));
}

}  // namespace

void add_report_command(CLI::App& app) {
  Guide guide;
  guide.summary = "Make a page, tables and charts from journals (--out of other commands)";
  guide.examples =
      "  wordsway report run.jsonl -o report\n"
      "      report.html, and beside it run.rows.csv, run.points.csv (means and deviations), run.fits.csv, run.svg\n"
      "  wordsway report monday.jsonl tuesday.jsonl -o report --format json";
  add_program_command<ReportRequest>(app, "report", guide, report);
}

}  // namespace wordsway::app
