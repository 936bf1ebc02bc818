// wordsway fill: the words a model expects in place of a mask. It shows that the weights are real.
#include "wordsway/audit/fill.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "options/texts.h"
#include "output/text_rows.h"

namespace wordsway::app {
namespace {

struct FillOptions {
  CommonOptions common;
  TextOptions texts;
  std::string model;
  Device device;
  int top = 5;
};

std::vector<Record> as_rows(const std::vector<ExpectedWord>& words) {
  std::vector<Record> rows;
  rows.reserve(words.size());
  for (const ExpectedWord& word : words)
    rows.push_back({{"token", std::int64_t{word.token}},
                    {"word", word.piece},
                    {"probability", word.probability},
                    {"id", std::int64_t{word.id}}});
  return rows;
}

void fill(const FillOptions& options) {
  const Model model = open_model(options.model, options.device);
  const auto texts = read_texts(options.texts);
  const auto encodings = encode_with_remark(model, texts, options.common);
  TextRows output(options.common.format, encodings.size());
  for (size_t t = 0; t < encodings.size(); ++t) output.add(t, as_rows(fill_masks(model, encodings[t], options.top)));
}

}  // namespace

void add_fill_command(CLI::App& app) {
  auto options = std::make_shared<FillOptions>();
  CLI::App* command = app.add_subcommand("fill", "The words a model expects in place of [MASK]");
  add_text_options(*command, options->texts);
  add_model_option(*command, options->model);
  add_device_options(*command, options->device);
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
