// The figures that `wordsway reproduce` makes: one file each in figures/, found by the build like maps.
//
// A figure says what it measures (one study, with the journal DIR/NAME.jsonl) and what follows from the rows alone: its
// pictures and its verdicts. docs/adding_a_figure.md adds one.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "wordsway/core/registry.h"
#include "wordsway/figures/bands.h"
#include "wordsway/figures/figure_setting.h"
#include "wordsway/figures/report.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// One picture.
struct FigurePanel {
  std::string title, note;
  std::function<Chart(Bands)> chart;
};

/// What a figure measures in a setting.
struct FigureStudy {
  std::shared_ptr<const Study> study;
  std::string note;  // where it departs from what the profile asks for, e.g. a model with a smaller d; may be empty
};

struct FigureEntry {
  int order;  // in lists and in the report: the paper's figure times ten, 60 and more for what is beyond the paper
  std::string title;
  std::string statement;  // what the paper says, and where
  std::string caption;    // what to see
  std::string data;       // the words or texts that it measures
  std::function<FigureStudy(const FigureSetting&)> study;
  // Functions of the rows alone, without failed trials. Rows may be missing; a verdict on something that was not
  // measured does not hold.
  std::function<std::vector<FigurePanel>(const std::vector<Record>& rows)> panels;
  std::function<std::vector<Verdict>(const std::vector<Record>& rows)> verdicts;
  // What is better read than drawn; may be empty.
  std::function<std::vector<ReportTable>(const std::vector<Record>& rows)> tables = {};
  std::vector<ReportHighlight> highlights =
      {};  // panels for the first screen of the report; those that are missing do not count
  // Says which part of the setting the figure needs but does not find, and why; empty if everything is there. Null if
  // it needs nothing beyond what every setting has.
  std::function<std::string(const FigureSetting&)> lacks = {};
};

using FigureRegistry = Registry<FigureEntry>;
extern template class Registry<FigureEntry>;  // otherwise every figure would compile it again
const FigureRegistry& figure_registry();

/// In the order of the report.
std::vector<std::string> figure_names();

/// One sentence that names the figure and says why it cannot be made in this setting; empty if it can. Only the parts
/// that `lacks` looks at have to be set.
std::string why_left_out(const std::string& name, const FigureSetting& setting);

/// Draws the panels as FOLDER/NAME-1.svg and, where this build can, .pdf, NAME-2.svg ..., without titles, which the
/// report puts below them, and judges. Settings and seconds are left to the caller. Throws what write_picture throws.
ReportFigure draw_figure(const std::string& name, const std::vector<Record>& rows, const std::filesystem::path& folder,
                         Bands bands = Bands::kDeviation);

}  // namespace wordsway
