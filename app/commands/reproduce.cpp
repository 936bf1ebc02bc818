// wordsway reproduce: the paper's figures, computed.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "output/folders.h"
#include "output/measure_table.h"
#include "study_command.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  CommonOptions common;
  std::vector<std::string> figures;
  std::string profile = "default";
  std::string out = "out";
  std::uint64_t seed = 1;
};

void reproduce_figure(const std::string& name, const ReproduceOptions& options) {
  const FigureEntry& figure = figure_registry().get(name);
  MeasureConfig config = figure.grid(parse_profile(options.profile));
  config.seed = options.seed;
  config.data = synthetic_source("spiked:0.3", options.seed);
  const MeasureStudy study(config);
  say(options.common, fmt::format("{}: {} measurements", name, study.size()));
  StudyOutput output;
  output.config = study.config();
  StudyOptions journal;
  journal.out = (fs::path(options.out) / (name + ".jsonl")).string();
  const auto result = run_study_command(study, journal, options.common);
  if (!result) return;
  output.rows = result->rows;
  output.fits = fit_curves(output.rows);
  const fs::path folder = fs::path(options.out) / "figures";
  const LineChart chart = figure.chart(output.rows, output.fits);
  write_chart(chart, {folder / (name + ".svg")});
  write_chart(chart, {folder / (name + ".pdf")});
  write_file_atomically(folder / (name + ".csv"), to_csv(output.rows));
  fmt::print("{}\n{}\n{}\n", figure.title, format_study(output, "table"), figure.caption);
  fmt::print("-> {}\n\n", (folder / (name + ".svg")).string());
}

void reproduce(const ReproduceOptions& options) {
  parse_profile(options.profile);
  const auto names = options.figures.empty() ? figure_registry().names() : options.figures;
  for (const std::string& name : names) figure_registry().get(name);
  make_folder(fs::path(options.out) / "figures");
  for (const std::string& name : names) reproduce_figure(name, options);
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = app.add_subcommand("reproduce", "The paper's figures, computed on this machine");
  command->add_option("FIGURE", options->figures, "Which figures (default: all; see 'wordsway list figures')");
  command->add_option("--profile", options->profile, "quick, default or full (the paper's sizes)")
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "Folder to write to")->capture_default_str();
  command->add_option("--seed", options->seed, "Same seed, same figures")->capture_default_str();
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway reproduce -o out\n"
               "  wordsway reproduce normalisers --profile quick -o out");
  command->callback([options] { reproduce(*options); });
}

}  // namespace wordsway::app
