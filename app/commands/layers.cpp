// wordsway layers: how far one moved token changes every layer.
#include "wordsway/audit/layers.h"

#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/chart.h"
#include "options/common.h"
#include "options/model.h"
#include "options/numbers.h"
#include "options/output_paths.h"
#include "options/search.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/reviews/example_texts.h"

namespace wordsway::app {
namespace {

struct LayersOptions {
  CommonOptions common;
  RadiusOptions radius;
  std::optional<std::string> text;  // none: the built-in one; an empty one is a text too
  OutputOptions output;
  std::string model, directions = "attract,noise,ascent";
  Device device;
  ChartOptions chart;
  PromptOptions prompt;
  std::optional<Index> token;
  int draws = 10;
  std::uint64_t seed = 1;
};

LineChart chart_of(std::vector<Series> series, const std::string& piece, Index token, const ModelOutput& output) {
  LineChart chart = layers_chart(fmt::format("Token {} (\"{}\") moves: relative change of every layer", token, piece),
                                 std::move(series));
  if (output.is_pooled()) chart.x_label = "layer (0: embedding, rightmost: the text's vector)";
  if (output.kind == OutputKind::kLogits) chart.x_label = "layer (0: embedding, rightmost: logits of the next word)";
  if (output.kind == OutputKind::kLast) chart.x_label += ", its last row";
  return chart;
}

void layers(const LayersOptions& options) {
  const Model model = open_model(options.model, options.device);
  const std::string text = options.text.value_or(std::string(kPaperSummary));
  const Index token = options.token.value_or(options.text ? 1 : kPaperSummaryToken);
  const PromptedOutput ask = prompted_output(model, options.output, options.prompt, options.common);
  const Encoding encoding =
      encode_with_remark(model, {{text, std::nullopt, "0"}}, options.common, {.prompt = ask.prompt}).front();
  if (token < 0 || token >= encoding.size())
    throw UsageError(
        fmt::format("--token {} is out of range; the text has tokens 0 to {}", token, encoding.size() - 1));
  const MatrixF x = model.transformer->embed(encoding.ids);
  const std::string& piece = encoding.pieces[static_cast<size_t>(token)];
  say(options.common, fmt::format("token {} is '{}', its embedding has norm {:.3g}, the move {:.3g}", token, piece,
                                  x.row(token).norm(), options.radius.radius().of(x.row(token).cast<double>())));
  tell_causal(model, options.common);
  std::vector<Record> rows;
  std::vector<Series> series;
  for (const std::string& name : parse_names(options.directions, "--direction")) {
    const LayerChanges found = measure_layers(model.transformer, x, token, parse_direction(name),
                                              {ask.output.is_vector() ? std::optional(ask.output) : std::nullopt,
                                               options.radius.radius(), options.draws, options.seed});
    const auto found_rows = rows_of(found, model.transformer->config().layers, options.output.layer, token, piece);
    rows.insert(rows.end(), found_rows.begin(), found_rows.end());
    Series curve{name, {}, {}, {}};
    for (Index l = 0; l < found.mean.size(); ++l) {
      curve.x.push_back(static_cast<double>(l));
      curve.y.push_back(found.mean[l]);
      curve.deviation.push_back(found.deviation[l]);
    }
    series.push_back(std::move(curve));
  }
  tell_missing_fonts(options.chart, piece, options.common);
  if (!options.chart.empty()) write_chart(chart_of(series, piece, token, ask.output), options.chart.canvas());
  print_out(format_rows(rows, options.common.format));
}

}  // namespace

void add_layers_command(CLI::App& app) {
  auto options = std::make_shared<LayersOptions>();
  CLI::App* command = app.add_subcommand("layers", "How far one moved token changes every layer of a model");
  command->add_option_function<std::string>(
      "TEXT", [options](const std::string& text) { options->text = text; },
      "The text (default: a summary of the paper, with token 42)");
  add_model_option(*command, options->model);
  add_device_options(*command, options->device);
  command
      ->add_option(
          "--layer", options->output.layer,
          "last; pooled: show the vector of the text too (the model's whole sentence chain), and let ascent change "
          "that most; logits: the same with the logits of the next word, of decoders")
      ->check(one_of("layer", {"last", "pooled", "logits"}))
      ->capture_default_str();
  command
      ->add_option("--rows", options->output.rows,
                   "Which rows of every layer count: all, or last for the last token's alone")
      ->check(one_of("rows", {"all", "last"}))
      ->capture_default_str();
  add_prompt_options(*command, options->prompt);
  command
      ->add_option("--token", options->token,
                   "The token that moves, counted from 0 (default: 1; 42 in the summary of the paper)")
      ->check(CLI::Range(0, 100'000'000));
  command
      ->add_option("--direction", options->directions,
                   "How it moves: attract, noise, ascent; one or several, comma-separated")
      ->check(some_of("direction", {"attract", "noise", "ascent"}))
      ->capture_default_str();
  command->add_option("--draws", options->draws, "How many random moves noise is the mean of")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  add_radius_options(*command, options->radius);
  add_seed_option(*command, options->seed, "For noise and ascent");
  add_chart_option(*command, options->chart, "Draw the layers: .svg, .pdf, .png or .tex (without it: no picture)");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway layers --chart layers.svg\n"
               "  wordsway layers \"I love her smile\" --token 4 --direction attract,noise");
  command->callback([options] { layers(*options); });
}

}  // namespace wordsway::app
