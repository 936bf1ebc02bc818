// The report: one page with the statements, whether they hold, the pictures, and how they were made.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordsway/draw/chart.h"

namespace wordsway {

/// A statement and what the run says about it.
struct Verdict {
  std::string statement;  // what should hold, one sentence
  std::string place;      // in the paper ("Theorem 1, Figure 2"), or "beyond the paper"
  std::string measured;   // a number with its interval
  std::string threshold;  // fixed before the run
  bool holds = false;
};

/// One picture of a figure.
struct ReportPanel {
  std::string title, note;  // the note may be empty
  Chart chart;              // its own title is not shown
};

/// A table of texts; columns of numbers are right-aligned.
struct ReportTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as `columns`
};

/// A panel for the first screen of the page, under a sentence that says what to see.
struct ReportHighlight {
  int order = 0;  // among those of all figures
  size_t panel = 0;
  std::string headline;
  std::optional<Chart> card = {};  // the panel's chart for a narrow card; nothing: as in its figure
};

struct ReportFigure {
  std::string name;  // short and unique in the report: the anchor of links to it
  std::string title;
  std::string statement;  // what the paper says; may be empty
  std::string caption;    // what to see
  std::vector<ReportPanel> panels;
  std::vector<Verdict> verdicts;
  std::vector<std::pair<std::string, std::string>> settings;  // name and value, in the order to show
  double seconds = 0;                                         // that the measurements took; 0 if not known
  std::vector<ReportTable> tables = {};
  std::vector<ReportHighlight> highlights = {};
  std::string data = {};  // the words or texts that were measured; may be empty
};

struct Report {
  std::string title, subtitle;
  std::vector<ReportFigure> figures;
  std::vector<std::pair<std::string, std::string>> settings;    // of the whole run: seeds, versions, machine, timings
  std::vector<std::pair<std::string, std::string>> facts = {};  // what was measured on what, above all else
  std::vector<std::string> left_out = {};                       // sentences on figures that could not be made
};

/// One self-contained HTML page: nothing is fetched from outside. All texts are escaped.
std::string report_html(const Report& report);

}  // namespace wordsway
