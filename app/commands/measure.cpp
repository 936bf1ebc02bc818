// wordsway measure: the word sensitivity of a map.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/measure_model.h"
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
#include "wordsway/figures/journal_charts.h"
#include "wordsway/io/npy.h"
#include "wordsway/io/row_text.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/study_tables.h"

namespace wordsway::app {
namespace {

struct MeasureOptions {
  CommonOptions common;
  DataOptions data;
  SearchOptions search;
  StudyOptions study;
  ParameterOptions parameters;
  std::string map = "raf", random, token = "first", tokens;
  bool spread = false;
  PromptOptions prompt;
  OutputOptions output;
  Device device;
  std::string weights, weights_out, delta_out;
  ChartOptions chart;
  RadiusOptions radius;
  Index typical = 0;

  // One result is asked for, by what goes in or comes out.
  bool wants_single() const { return !weights.empty() || !weights_out.empty() || !delta_out.empty(); }
};

constexpr std::int64_t kMostTypical = 1'000'000;

std::optional<Index> parse_token(const std::string& token) {
  if (token == "all") return std::nullopt;
  if (token == "first") return 0;
  const auto indices = parse_sizes(token, "--token");
  if (indices.size() != 1) throw UsageError("--token takes first, all or one index; got '" + token + "'");
  return indices.front();
}

// What a single result leaves besides its row.
struct Kept {
  Vector delta;
  Matrix weights;
};

struct Plan {
  MeasureConfig config;
  std::string remark;  // said once the options turned out to make sense
};

Plan make_plan(const MeasureOptions& options) {
  MeasureConfig config;
  config.maps = parse_names(options.map, "--map");
  config.parameters = options.parameters.lists(config.maps);
  config.random = options.random;
  config.token = parse_token(options.token);
  if (!options.tokens.empty()) config.moved_tokens = parse_sizes(options.tokens, "--tokens");
  config.spread = options.spread;
  config.typical = options.typical;
  config.search = options.search.sensitivity();
  config.search.radius = options.radius.radius();
  config.seed = options.search.seed;
  config.device = options.device;
  const DataChoice data = choose_data(options.data, options.search.seed, options.common);
  config.data = data.source;
  config.n = data.n;
  config.d = data.d;
  const Index samples = config.data->count().value_or(1);
  config.trials = options.search.trials.value_or(options.wants_single() ? 1 : samples > 1 ? samples : 10);
  if (!options.weights.empty()) config.weights = read_npy_matrix(options.weights);
  return {std::move(config), data.remark};
}

// d numbers, or a row for each of the tokens that move together.
void write_delta(const MeasureOptions& options, const Vector& delta) {
  if (options.tokens.empty()) return write_npy(options.delta_out, delta);
  const Index moved = parse_sizes(options.tokens, "--tokens").front();
  write_npy(options.delta_out, std::span(delta.data(), static_cast<size_t>(delta.size())),
            {moved, delta.size() / moved});
}

void draw_chart(const StudyResult& result, const MeasureOptions& options) {
  std::vector<Record> good = result.rows;
  std::erase_if(good, is_failed);
  if (draw_measured(good, options.chart.canvas()).svg.empty())
    throw UsageError(
        "--chart shows several lengths, maps or parameters, and at most 24 of them; there is nothing to compare");
}

void check_moved_tokens(const MeasureOptions& options) {
  if (options.spread && options.tokens.empty()) throw UsageError("--spread is for --tokens: it says where they stand");
  if (options.tokens.empty()) return;
  if (options.token == "all") throw UsageError("--token names the first of --tokens; it cannot be all");
  if (options.typical > 0) throw UsageError("--typical replaces one token; it has no meaning with --tokens");
}

void measure(MeasureOptions options, const CLI::App& command) {
  check_moved_tokens(options);
  const bool has_texts = !options.data.texts.texts.empty() || !options.data.texts.input.empty();
  if (has_texts && options.data.model.empty()) options.data.model = "builtin";
  if (!options.data.model.empty() && command.count("--map") == 0) {
    if (!options.weights.empty() || !options.weights_out.empty())
      throw UsageError("a model brings its own weights; --weights and --weights-out are for --map");
    if (!options.tokens.empty())
      throw UsageError("--tokens is for --map: a model as the map moves one token at a time");
    if (!options.chart.empty())
      throw UsageError("--chart is for --map; `wordsway words --chart` draws the words of a text");
    return measure_model({options.common, options.data, options.search, options.study, options.radius, options.prompt,
                          options.output, options.device, parse_token(options.token), options.typical,
                          options.delta_out});
  }
  if (command.count("--layer") + command.count("--rows") + command.count("--radius-unit") + command.count("--prompt") +
          command.count("--prompt-name") >
      0)
    throw UsageError("--layer, --rows, --radius-unit and prompts are for a model as the map: -m without --map");
  auto [config, remark] = make_plan(options);
  Kept kept;
  if (options.wants_single())
    config.observe = [&](const Measurement& found) {
      kept.delta = found.delta;
      if (!options.weights_out.empty()) kept.weights = found.map->weights();
    };
  const MeasureStudy study(config);
  if (!remark.empty()) say(options.common, remark);
  if (options.wants_single() && study.size() != 1)
    throw UsageError(
        fmt::format("--weights, --weights-out and --delta-out need a single result; this asks for {}", study.size()));
  const auto result = options.wants_single() ? run_single_command(study, options.study, options.common,
                                                                  [&] { return kept.delta.size() > 0; })
                                             : run_study_command(study, options.study, options.common);
  if (!result) return;
  if (!options.delta_out.empty()) write_delta(options, kept.delta);
  if (!options.weights_out.empty()) write_npy(options.weights_out, kept.weights);
  if (!options.chart.empty()) draw_chart(*result, options);
  StudyOutput output{study.config(), result->rows, fit_curves(result->rows)};
  output.single = study.size() == 1 && config.data->count().has_value();
  print_out(format_study(output, options.common.format));
}

}  // namespace

void add_measure_command(CLI::App& app) {
  auto options = std::make_shared<MeasureOptions>();
  CLI::App* command =
      app.add_subcommand("measure", "Word sensitivity: the largest relative change of a map when one token moves");
  command->add_option("--map", options->map, "Maps, comma-separated: see 'wordsway list maps'")
      ->check(such_as(map_registry().names()))
      ->capture_default_str();
  add_text_options(*command, options->data.texts);
  add_selection_options(*command, options->data.texts);
  add_model_option(*command, options->data.model, "no model, or builtin where there are texts");
  add_device_options(*command, options->device);
  add_data_options(*command, options->data);
  options->parameters.add_to(*command, ParameterOptions::Takes::kList);
  command->add_option("--random", options->random,
                      "How random matrices are kept: dense, streamed or deferred (default: each map's own choice)");
  add_radius_options(*command, options->radius);
  add_prompt_options(*command, options->prompt);
  add_output_kind_options(*command, options->output, "With -m and no --map, which output is measured");
  command
      ->add_option("--token", options->token,
                   "Which token moves: first, all (the most sensitive one counts), or a number from 0")
      ->capture_default_str();
  command
      ->add_option("--tokens", options->tokens,
                   "How many tokens move together, each within the ball: --token and those that follow it; "
                   "comma-separated (without it: one)")
      ->type_name("M");
  command->add_flag("--spread", options->spread,
                    "Spread --tokens evenly from --token to the end (without it: they stand next to each other)");
  command
      ->add_option("--typical", options->typical,
                   "Also put K other words of the data in the token's place: their mean change, and that by the worst "
                   "of all words of the data (without it: no words)")
      ->check(whole_number_between(1, kMostTypical, "the number of words"))
      ->type_name("K");
  add_search_options(*command, options->search,
                     {.trials = "10, or as many as --x has samples; 1 with --weights, --weights-out or --delta-out",
                      .starts = "4; 8 for a model and attention with --tokens, 2 for wide deferred features"});
  command->add_option("--weights", options->weights,
                      "Use these weights: W (d x d) or V (k x nd) as .npy (without it: random weights)");
  add_output_option(*command, "--weights-out", options->weights_out,
                    "Write the weights that were used, .npy (without it: they are not written)");
  add_output_option(*command, "--delta-out", options->delta_out,
                    "Write the move that was found (d numbers; M x d with --tokens M), .npy (without it: it is not "
                    "written)");
  add_chart_option(
      *command, options->chart,
      "Draw S against n, or of every map and parameter: .svg, .pdf, .png or .tex (without it: no picture)");
  add_bands_option(*command, options->chart.bands);
  add_study_options(*command, options->study);
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway measure --map raf --n 10,20,40,80 --d 128\n"
               "      S of softmax attention against context length, with its fitted exponent\n"
               "  wordsway measure --map raf --x tokens.npy --token all --delta-out delta.npy --format json\n"
               "      your own sample: the most sensitive token and the move that shows it\n"
               "  wordsway measure --map raf,raf-relu --n 100 --d 64 --tokens 1,4,16 --spread\n"
               "      S when several words move together: how many it takes\n"
               "  wordsway measure -m MODEL \"I love her smile\" --layer last --token 4\n"
               "      a transformer itself: how far token 4 moves its last layer");
  command->callback([options, command] { measure(*options, *command); });
}

}  // namespace wordsway::app
