// wordsway attention: where the tokens of a text look, before and after one of them moves.
#include "wordsway/audit/attention.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "options/numbers.h"
#include "options/output_paths.h"
#include "options/search.h"
#include "options/texts.h"
#include "output/chart_fonts.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

struct AttentionCommand {
  CommonOptions common;
  TextOptions texts;
  RadiusOptions radius;
  std::string model, head = "mean", direction, chart;
  Index layer = 1;
  std::optional<Index> token;
  std::uint64_t seed = 1;
};

struct TextAttention : AttentionResult {
  std::string text;
  std::vector<std::string> pieces;
};

TextAttention look_at(const Model& model, const std::string& text, const Encoding& encoding,
                      const AttentionCommand& options) {
  AttentionOptions ask;
  ask.layer = options.layer;
  if (options.head != "mean") ask.head = parse_sizes(options.head, "--head").front();
  ask.token = options.token;
  if (!options.direction.empty()) ask.direction = parse_direction(options.direction);
  ask.radius = options.radius.radius();
  ask.seed = options.seed;
  return {attention_change(model.transformer, model.transformer->embed(encoding.ids), ask), text, encoding.pieces};
}

nlohmann::ordered_json as_json(const Matrix& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (Index r = 0; r < matrix.rows(); ++r)
    rows.push_back(std::vector<double>(matrix.row(r).data(), matrix.row(r).data() + matrix.cols()));
  return rows;
}

nlohmann::ordered_json as_json(const TextAttention& result, const AttentionCommand& options) {
  nlohmann::ordered_json json = {{"text", result.text}, {"layer", options.layer}, {"head", options.head}};
  json["pieces"] = result.pieces;
  json["attention"] = as_json(result.before);
  if (result.after) {
    json["token"] = *options.token;
    json["direction"] = options.direction.empty() ? "attract" : options.direction;
    json["attention_after"] = as_json(*result.after);
  }
  return json;
}

// One row for every pair of tokens.
std::vector<Record> as_rows(const std::vector<TextAttention>& results) {
  std::vector<Record> rows;
  for (size_t t = 0; t < results.size(); ++t)
    for (Index j = 0; j < results[t].before.rows(); ++j)
      for (Index m = 0; m < results[t].before.cols(); ++m) {
        rows.push_back({{"text", static_cast<std::int64_t>(t)},
                        {"query", static_cast<std::int64_t>(j)},
                        {"query_piece", results[t].pieces[static_cast<size_t>(j)]},
                        {"key", static_cast<std::int64_t>(m)},
                        {"key_piece", results[t].pieces[static_cast<size_t>(m)]},
                        {"attention", results[t].before(j, m)}});
        if (results[t].after) rows.back().set("attention_after", (*results[t].after)(j, m));
      }
  return rows;
}

std::vector<Record> as_square(const std::vector<std::string>& pieces, const Matrix& weights) {
  std::vector<Record> rows;
  for (Index j = 0; j < weights.rows(); ++j) {
    Record row{{"looks at →", pieces[static_cast<size_t>(j)]}};
    for (Index m = 0; m < weights.cols(); ++m)
      row.set(fmt::format("{} {}", m, pieces[static_cast<size_t>(m)]), std::round(weights(j, m) * 1000) / 1000);
    rows.push_back(std::move(row));
  }
  return rows;
}

void draw(const std::vector<TextAttention>& results, const AttentionCommand& options) {
  HeatMap map;
  map.title = fmt::format("attention of layer {}, head {}", options.layer, options.head);
  map.row_label = "token";
  map.column_label = "looks at";
  for (const TextAttention& result : results) {
    map.panels.push_back({result.after ? "before" : result.text, result.pieces, result.pieces, result.before});
    if (result.after)
      map.panels.push_back(
          {fmt::format("token {} moved", *options.token), result.pieces, result.pieces, *result.after});
  }
  write_heat_map(map, {options.chart, 520, 480});
}

// A text may hold any bytes; what is not UTF-8 is written as U+FFFD.
std::string dumped(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void print(const std::vector<TextAttention>& results, const AttentionCommand& options) {
  const std::string& format = options.common.format;
  if (format == "csv") {
    print_out(to_csv(as_rows(results)));
  } else if (format == "table") {
    for (const TextAttention& result : results) {
      print_out(fmt::format("{}\n{}\n", result.text, to_table(as_square(result.pieces, result.before))));
      if (result.after)
        print_out(
            fmt::format("token {} moved\n{}\n", *options.token, to_table(as_square(result.pieces, *result.after))));
    }
  } else if (format == "json" && results.size() != 1) {
    auto list = nlohmann::ordered_json::array();
    for (const TextAttention& result : results) list.push_back(as_json(result, options));
    print_out(dumped(list) + "\n");
  } else {
    for (const TextAttention& result : results) print_out(dumped(as_json(result, options)) + "\n");
  }
}

void attention(const AttentionCommand& options) {
  if (!options.direction.empty() && !options.token)
    throw UsageError("--direction moves a token: say which with --token");
  if (options.head != "mean" && parse_sizes(options.head, "--head").size() != 1)
    throw UsageError("--head takes mean or one index");
  const Model model = open_model(options.model);
  std::vector<TextAttention> results;
  const auto texts = read_texts(options.texts);
  if (!options.chart.empty()) require_text(texts, options.texts);
  tell_missing_fonts(options.chart, texts, options.common);
  const auto encodings = encode_with_remark(model, texts, options.common);
  for (size_t t = 0; t < texts.size(); ++t) results.push_back(look_at(model, texts[t].text, encodings[t], options));
  if (!options.chart.empty() && results.empty()) throw DataError("there is no text to draw a chart of");
  if (!options.chart.empty()) draw(results, options);
  print(results, options);
}

}  // namespace

void add_attention_command(CLI::App& app) {
  auto options = std::make_shared<AttentionCommand>();
  CLI::App* command = app.add_subcommand("attention", "Where the tokens of a text look, before and after one moves");
  add_text_options(*command, options->texts);
  add_model_option(*command, options->model);
  command->add_option("--layer", options->layer, "The layer, from 1")->capture_default_str();
  command->add_option("--head", options->head, "mean of all heads, or one head, counted from 0")->capture_default_str();
  command
      ->add_option("--token", options->token,
                   "Move this token, counted from 0, and show the attention after it too (without it: no token moves)")
      ->check(CLI::Range(0, 100'000'000));
  command
      ->add_option("--direction", options->direction,
                   "How the token moves: attract, noise or ascent (default: attract)")
      ->check(one_of("direction", {"attract", "noise", "ascent"}));
  add_radius_options(*command, options->radius);
  add_seed_option(*command, options->seed, "For noise and ascent");
  add_chart_option(*command, options->chart, "Draw the attention: .svg, .pdf or .png (without it: no picture)");
  add_common_options(*command, options->common);
  add_examples(
      *command,
      "  wordsway attention -m MODEL \"I love her much\" \"I love her smile\" --chart attention.svg\n"
      "  wordsway attention -m MODEL \"a text\" --layer 1 --head 0 --token 2 --direction attract --format json");
  command->callback([options] { attention(*options); });
}

}  // namespace wordsway::app
