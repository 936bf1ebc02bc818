// wordsway attention: where the tokens of a text look, before and after one of them moves.
#include "wordsway/audit/attention.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/study_command.h"
#include "options/chart.h"
#include "options/common.h"
#include "options/model.h"
#include "options/numbers.h"
#include "options/output_paths.h"
#include "options/search.h"
#include "options/texts.h"
#include "output/attention_rows.h"
#include "output/progress_bar.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/io/row_text.h"
#include "wordsway/study/attention_array_study.h"

namespace wordsway::app {
namespace {

struct AttentionCommand {
  CommonOptions common;
  TextOptions texts;
  RadiusOptions radius;
  std::string model, layer = "1", head = "mean", direction, out;
  Device device;
  ChartOptions chart;
  std::optional<Index> token;
  std::uint64_t seed = 1;
};

void check(const AttentionCommand& options) {
  if (!options.direction.empty() && !options.token)
    throw UsageError("--direction moves a token: say which with --token");
  if (options.out.empty() && (options.layer == "all" || options.head == "all"))
    throw UsageError(
        "all layers or heads are too many numbers to print: write them with --out A.npy, or with --out FOLDER for "
        "several texts");
  if (!options.out.empty() && options.token)
    throw UsageError("--out writes the attention of texts as they are, and --token moves a token: give one of them");
  if (!options.out.empty() && !options.chart.empty())
    throw UsageError("--out writes arrays, and --chart draws what is printed: give one of them");
}

// To be printed.

AttentionOptions attention_options(const AttentionCommand& options, const AttentionPart& part) {
  AttentionOptions ask;
  ask.layer = part.range.first_layer;
  if (!part.mean) ask.head = part.range.first_head;
  ask.token = options.token;
  if (!options.direction.empty()) ask.direction = parse_direction(options.direction);
  ask.radius = options.radius.radius();
  ask.seed = options.seed;
  return ask;
}

// What is asked, as JSON names it.
Record asked(const AttentionCommand& options, const AttentionPart& part) {
  Record fields{{"layer", static_cast<std::int64_t>(part.range.first_layer)}, {"head", options.head}};
  if (!options.token) return fields;
  fields.set("token", static_cast<std::int64_t>(*options.token));
  fields.set("direction", options.direction.empty() ? "attract" : options.direction);
  return fields;
}

void draw(const std::vector<TextAttention>& results, const AttentionCommand& options, const AttentionPart& part) {
  if (results.empty()) throw DataError("there is no text to draw a chart of");
  std::string shown;
  for (const TextAttention& result : results) shown += result.text;
  tell_missing_fonts(options.chart, shown, options.common);
  const std::string title = fmt::format("attention of layer {}, head {}", part.range.first_layer, options.head);
  const HeatMap chart = attention_chart(title, results, options.token);
  Canvas canvas = options.chart.canvas();
  canvas.width /= static_cast<int>(std::max<size_t>(1, chart.panels.size()));
  write_heat_map(chart, canvas.sized(520, 480));
}

using VisitResult = std::function<void(TextAttention&&)>;

// Text by text. On a terminal the results themselves show how far it is.
void look_at_texts(const Model& model, const AttentionCommand& options, const AttentionPart& part,
                   const VisitResult& visit) {
  const AttentionOptions ask = attention_options(options, part);
  const TextBatches texts(
      options.texts, *model.tokenizer, options.seed, [](const LabelledText&) {},
      options.chart.empty() ? TextBatches::NoText::kIsFine : TextBatches::NoText::kIsRefused);
  const bool seen = options.chart.empty() && isatty(STDOUT_FILENO) != 0;
  const Progress progress = progress_on_stderr(options.common.quiet || seen);
  StepCounter counter(progress, "attention", static_cast<double>(texts.count().value_or(0)));
  EncodingRemarks remarks;
  texts.for_each(64, [&](const std::vector<LabelledText>& batch) {
    const auto encodings = encode_texts(model, batch);
    remarks.add(encodings);
    for (size_t t = 0; t < batch.size(); ++t) {
      const MatrixF x = model.transformer->embed(encodings[t].ids);
      visit({attention_change(model.transformer, x, ask), batch[t].text, encodings[t].pieces});
      counter.step();
    }
  });
  remarks.tell(model, options.common);
}

void print_attention(const Model& model, const AttentionCommand& options) {
  const AttentionPart part = parse_attention(options.layer, options.head, *model.transformer);
  tell_causal(model, options.common);
  AttentionRows rows(options.common.format, asked(options, part));
  if (options.chart.empty()) {
    look_at_texts(model, options, part, [&](TextAttention&& result) { rows.add(result); });
  } else {
    std::vector<TextAttention> results;  // a chart shows all of them
    look_at_texts(model, options, part, [&](TextAttention&& result) { results.push_back(std::move(result)); });
    draw(results, options, part);
    for (const TextAttention& result : results) rows.add(result);
  }
  rows.finish();
}

// To be written.

void write_file(const Model& model, const AttentionCommand& options, const EncodedTexts& texts) {
  if (texts.size() != 1)
    throw UsageError(
        fmt::format("--out {} is one array, and there are {} texts: name a folder", options.out, texts.size()));
  const AttentionPart part = parse_attention(options.layer, options.head, *model.transformer);
  write_attention(options.out, *model.transformer, model.transformer->embed(texts.ids(0)), part);
  const std::vector<Index> shape = part.shape(texts.length(0));
  const Record row{{"out", options.out},
                   {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                   {"layer", options.layer},
                   {"head", options.head},
                   {"model", model.transformer->name()}};
  print_out(format_rows({row}, options.common.format));
}

void write_folder(const Model& model, const AttentionCommand& options, EncodedTexts texts) {
  const AttentionArrayStudy study({model.transformer, std::move(texts), options.layer, options.head, options.out});
  make_folder(options.out);
  StudyOptions how;
  how.out = (std::filesystem::path(options.out) / "journal.jsonl").string();
  const auto result = run_study_command(study, how, options.common);
  if (!result) return;
  const Index restored =
      result->resumed > 0 ? study.restore(result->rows, progress_on_stderr(options.common.quiet)) : 0;
  if (restored > 0)
    say(options.common, fmt::format("files written again because they were missing or changed: {}", restored));
  print_out(format_rows(result->rows, options.common.format));
}

// Processes of a group share the texts of a folder, and nothing else.
void attention(const AttentionCommand& options) {
  check(options);
  const bool to_file = std::filesystem::path(options.out).extension() == ".npy";
  if (!is_first_process() && (options.out.empty() || to_file)) return;
  const Model model = open_model(options.model, options.device);
  if (options.out.empty()) return print_attention(model, options);
  EncodedTexts texts = encode_corpus(model, options.texts.input.empty() ? "arguments" : options.texts.input,
                                     read_texts(options.texts, *model.tokenizer, options.seed), options.common);
  if (to_file) return write_file(model, options, texts);
  write_folder(model, options, std::move(texts));
}

}  // namespace

void add_attention_command(CLI::App& app) {
  auto options = std::make_shared<AttentionCommand>();
  CLI::App* command = app.add_subcommand("attention", "Where the tokens of a text look, before and after one moves");
  add_text_options(*command, options->texts);
  add_selection_options(*command, options->texts);
  add_model_option(*command, options->model);
  add_device_options(*command, options->device);
  command->add_option("--layer", options->layer, "The layer, from 1, or last; all with --out")->capture_default_str();
  command->add_option("--head", options->head, "mean of all heads, or one head, counted from 0; all with --out")
      ->capture_default_str();
  command
      ->add_option("--token", options->token,
                   "Move this token, counted from 0, and show the attention after it too; not with --out (without it: "
                   "no token moves)")
      ->check(CLI::Range(0, 100'000'000));
  command
      ->add_option("--direction", options->direction,
                   "How the token moves: attract, noise or ascent (default: attract)")
      ->check(one_of("direction", {"attract", "noise", "ascent"}));
  add_radius_options(*command, options->radius);
  add_seed_option(*command, options->seed, "For noise, ascent and --select");
  add_arrays_option(
      *command, "-o,--out", options->out,
      "Write layers x heads x n x n numbers, float32: A.npy for one text, else a folder with 000000.npy and "
      "so on, and a journal from which the same command goes on (without it: they are printed)");
  add_chart_option(*command, options->chart, "Draw the attention: .svg, .pdf, .png or .tex (without it: no picture)");
  add_common_options(*command, options->common);
  add_examples(
      *command,
      "  wordsway attention -m MODEL \"I love her much\" \"I love her smile\" --chart attention.svg\n"
      "  wordsway attention -m MODEL \"a text\" --layer 1 --head 0 --token 2 --direction attract --format json\n"
      "  wordsway attention -m MODEL -i corpus.jsonl --layer all --head all --out attention");
  command->callback([options] { attention(*options); });
}

}  // namespace wordsway::app
