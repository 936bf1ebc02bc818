// wordsway fill: the words a model expects in place of a mask. It shows that the weights are real.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "options/texts.h"
#include "output/rows.h"
#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

struct FillOptions {
  CommonOptions common;
  TextOptions texts;
  std::string model;
  int top = 5;
};

// The most likely words at one position, from its row of logits.
std::vector<Record> best_words(const RowF& logits, const LoadedModel& model, Index position, int top) {
  std::vector<int> order(static_cast<size_t>(logits.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto count = std::min<size_t>(order.size(), static_cast<size_t>(top));
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(count), order.end(),
                    [&](int a, int b) { return logits[a] > logits[b]; });
  const double peak = logits.maxCoeff();
  const double total = (logits.cast<double>().array() - peak).exp().sum();
  std::vector<Record> rows;
  for (size_t k = 0; k < count; ++k)
    rows.push_back({{"token", static_cast<std::int64_t>(position)},
                    {"word", model.tokenizer->piece(order[k])},
                    {"probability", std::exp(logits[order[k]] - peak) / total},
                    {"id", std::int64_t{order[k]}}});
  return rows;
}

std::vector<Record> fill_text(const LoadedModel& model, const Encoding& encoding, int mask, int top) {
  std::vector<Index> positions;
  for (size_t k = 0; k < encoding.ids.size(); ++k)
    if (encoding.ids[k] == mask) positions.push_back(static_cast<Index>(k));
  if (positions.empty())
    throw UsageError("the text has no mask to fill; write " + model.tokenizer->piece(mask) +
                     " where a word is missing");
  const MatrixF hidden =
      model.transformer->forward(model.transformer->embed(encoding.ids), model.transformer->config().layers);
  const MatrixF logits = model.transformer->word_logits(hidden(positions, Eigen::all));
  std::vector<Record> rows;
  for (size_t m = 0; m < positions.size(); ++m) {
    const auto best = best_words(logits.row(static_cast<Index>(m)), model, positions[m], top);
    rows.insert(rows.end(), best.begin(), best.end());
  }
  return rows;
}

void fill(const FillOptions& options) {
  const LoadedModel model = load_model(options.model);
  const auto mask = model.tokenizer->special_ids().mask;
  if (!mask || !model.transformer->predicts_words())
    throw DataError(model.transformer->name() + " has no head that predicts masked words");
  const auto texts = read_texts(options.texts);
  const auto encodings = encode_texts(model, texts, options.common);
  TextRows output(options.common.format, encodings.size());
  for (const Encoding& encoding : encodings) output.add(fill_text(model, encoding, *mask, options.top));
}

}  // namespace

void add_fill_command(CLI::App& app) {
  auto options = std::make_shared<FillOptions>();
  CLI::App* command = app.add_subcommand("fill", "The words a model expects in place of [MASK]");
  add_text_options(*command, options->texts);
  add_model_option(*command, options->model);
  command->add_option("--top", options->top, "How many words to show for each mask")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway fill \"the movie was really [MASK]\"\n"
               "  wordsway fill \"i [MASK] this film\" --top 10 --format json");
  command->callback([options] { fill(*options); });
}

}  // namespace wordsway::app
