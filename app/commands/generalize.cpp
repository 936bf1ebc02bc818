// wordsway generalize: can a model on these features learn that one changed word flips the label?
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/study_command.h"
#include "options/chart.h"
#include "options/common.h"
#include "options/data.h"
#include "options/model.h"
#include "options/numbers.h"
#include "options/output_paths.h"
#include "options/parameters.h"
#include "options/search.h"
#include "options/study.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/io/npy.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/run/schedule.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/study_tables.h"

namespace wordsway::app {
namespace {

struct GeneralizeOptions {
  CommonOptions common;
  LabelledDataOptions data;
  SearchOptions search;
  StudyOptions study;
  std::string map = "raf", training = "fine-tune,retrain", objective = "align,error", penalty = "0";
  std::string weights, delta_out;
  ChartOptions chart;
  ParameterOptions parameters;
  std::string random;
  Device device;
  Index token = 0;
  double radius = 1;
};

GeneralizationPlan make_plan(const GeneralizeOptions& options) {
  GeneralizationPlan plan;
  plan.trainings.clear();
  for (const std::string& name : parse_names(options.training, "--training"))
    plan.trainings.push_back(parse_training(name));
  plan.objectives.clear();
  for (const std::string& name : parse_names(options.objective, "--objective"))
    plan.objectives.push_back(parse_objective(name));
  plan.penalties = parse_numbers(options.penalty, "--penalty");
  plan.token = options.token;
  plan.features.bytes = options.study.memory_limit > 0 ? options.study.memory_limit : 0.5 * default_memory_limit();
  plan.descent.starts = options.search.starts.value_or(plan.descent.starts);
  plan.descent.max_iterations = options.search.steps;
  plan.descent.tolerance = options.search.tolerance.value_or(plan.descent.tolerance);
  return plan;
}

GeneralizeConfig make_config(const GeneralizeOptions& options) {
  GeneralizeConfig config;
  config.maps = parse_names(options.map, "--map");
  config.map.given = options.parameters.values(config.maps);
  config.map.random = options.random;
  config.device = options.device;
  config.plan = make_plan(options);
  config.radius = options.radius;
  config.seed = options.search.seed;
  const LabelledDataChoice data = choose_labelled_data(options.data, options.search.seed, options.common);
  if (!data.remark.empty()) say(options.common, data.remark);
  config.data = data.source;
  config.n = data.n;
  config.d = data.d;
  config.training_sizes = data.training_sizes;
  const bool single = options.data.is_explicit() || !options.delta_out.empty();
  config.trials = options.search.trials.value_or(single ? 1 : 10);
  if (!options.weights.empty()) config.weights = read_npy_matrix(options.weights);
  config.remark = [common = options.common](const std::string& remark) { say(common, remark); };
  return config;
}

void check_single(const GeneralizeStudy& study) {
  const Index results = study.size() * study.row_count(0);
  if (results != 1)
    throw UsageError(
        fmt::format("--delta-out needs a single result; this asks for {} (name one --training, one --objective and one "
                    "--penalty)",
                    results));
}

void generalize_command(const GeneralizeOptions& options) {
  GeneralizeConfig config = make_config(options);
  Vector delta;
  const bool wants_delta = !options.delta_out.empty();
  if (wants_delta) config.observe = [&](const Simulation& found) { delta = found.result.outcomes.front().delta; };
  const GeneralizeStudy study(std::move(config));
  if (wants_delta) check_single(study);
  // --memory limits the features, which can be computed with little of it; simulations share the whole machine.
  StudyOptions run = options.study;
  run.memory_limit = 0;
  const auto result = wants_delta ? run_single_command(study, run, options.common, [&] { return delta.size() > 0; })
                                  : run_study_command(study, run, options.common);
  if (!result) return;
  if (wants_delta) write_npy(options.delta_out, delta);
  StudyOutput output{study.config(), result->rows, {}, options.data.is_explicit()};
  if (!options.chart.empty()) write_generalization_chart(output.rows, options.chart.canvas());
  print_out(format_generalization(output, options.common.format));
}

void add_map_options(CLI::App& command, GeneralizeOptions& options) {
  options.parameters.add_to(command, ParameterOptions::Takes::kOne);
  command.add_option("--random", options.random,
                     "How random matrices are kept: dense, streamed or deferred (default: each map's own choice)");
  add_radius_option(command, options.radius, "How far the token may move, in units of sqrt(d)");
}

void add_plan_options(CLI::App& command, GeneralizeOptions& options) {
  command.add_option("--training", options.training, "How the new sample is learnt: fine-tune, retrain or both")
      ->capture_default_str();
  command.add_option("--objective", options.objective, "What the move is chosen for: align, error or both")
      ->capture_default_str();
  command
      .add_option("--penalty", options.penalty,
                  "Weight of gamma squared in the error objective; one or several, comma-separated")
      ->capture_default_str();
  command.add_option("--token", options.token, "Which token moves, counted from 0")->capture_default_str();
}

}  // namespace

void add_generalize_command(CLI::App& app) {
  auto options = std::make_shared<GeneralizeOptions>();
  CLI::App* command = app.add_subcommand(
      "generalize", "Learning that one changed word flips the label: error of fine-tuned and re-trained models");
  command->add_option("--map", options->map, "Maps, comma-separated: see 'wordsway list maps'")
      ->check(such_as(map_registry().names()))
      ->capture_default_str();
  add_device_options(*command, options->device);
  add_labelled_data_options(*command, options->data);
  add_map_options(*command, *options);
  add_plan_options(*command, *options);
  add_search_options(*command, options->search,
                     {.trials = "10; 1 with --x-train or --delta-out", .starts = "4", .tolerance = "1e-6"});
  command->add_option("--weights", options->weights,
                      "Use these weights: W (d x d) or V (k x nd) as .npy (without it: random weights)");
  add_output_option(*command, "--delta-out", options->delta_out,
                    "Write the move that was found (d numbers), .npy (without it: it is not written)");
  add_chart_option(*command, options->chart, "Draw error against gamma: .svg, .pdf or .png (without it: no picture)");
  add_study_options(*command, options->study);
  command->get_option("--memory")
      ->description(
          "Memory for training features, such as 800M; less costs time, not accuracy (default: half of what the "
          "machine has free)");
  add_common_options(*command, options->common);
  add_examples(
      *command,
      "  wordsway generalize --map raf,rf --n 40 --train-size 100,400\n"
      "      error and gamma of both trainings and both objectives, ten simulations for each point\n"
      "  wordsway generalize -m MODEL -i aclImdb --select 4000 --n 40,120 --train-size 100,700,1300 --chart error.svg\n"
      "      the paper's Figure 4 with your model and the IMDb reviews\n"
      "  wordsway generalize --map raf,rf --n 120 --d 768 --train-size 1300 --device cuda\n"
      "      features, kernels and searches on an NVIDIA GPU, in a build that has it\n"
      "  wordsway generalize --x-train X.npy --y-train y.npy --x x.npy --y 1 --training retrain \\\n"
      "      --objective error --delta-out delta.npy --format json\n"
      "      your own samples: the move that a re-trained model answers best");
  command->callback([options] { generalize_command(*options); });
}

}  // namespace wordsway::app
