#include "output/verdict_text.h"

#include <fmt/format.h>

#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

std::vector<Record> as_rows(const std::vector<ReportFigure>& figures) {
  std::vector<Record> rows;
  for (const ReportFigure& figure : figures)
    for (const Verdict& verdict : figure.verdicts)
      rows.push_back({{"figure", figure.name},
                      {"statement", verdict.statement},
                      {"place", verdict.place},
                      {"measured", verdict.measured},
                      {"threshold", verdict.threshold},
                      {"holds", verdict.holds}});
  return rows;
}

// Sentences do not fit into columns.
std::string for_people(const std::vector<ReportFigure>& figures) {
  std::string text;
  for (const ReportFigure& figure : figures) {
    text += fmt::format("{} ({})\n", figure.title, figure.name);
    for (const Verdict& verdict : figure.verdicts)
      text += fmt::format("  {}  {} [{}]\n         {}; holds when {}\n", verdict.holds ? "holds" : "FAILS",
                          verdict.statement, verdict.place, verdict.measured, verdict.threshold);
  }
  return text;
}

}  // namespace

std::string format_verdicts(const std::vector<ReportFigure>& figures, const std::string& format) {
  return format == "table" ? for_people(figures) : format_rows(as_rows(figures), format);
}

std::string describe_failed_figures(const std::vector<ReportFigure>& figures) {
  size_t all = 0, failed = 0;
  std::string list;
  for (const ReportFigure& figure : figures)
    for (const Verdict& verdict : figure.verdicts) {
      ++all;
      if (verdict.holds) continue;
      ++failed;
      list += fmt::format("\n  {}: {} ({}; should be {})", figure.name, verdict.statement, verdict.measured,
                          verdict.threshold);
    }
  return failed == 0 ? "" : fmt::format("{} of {} verdicts failed:{}", failed, all, list);
}

}  // namespace wordsway::app
