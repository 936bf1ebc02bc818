// wordsway embed: hidden states or pooled vectors of texts, as .npy.
#include "wordsway/audit/embed.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "options/numbers.h"
#include "options/output_paths.h"
#include "options/texts.h"
#include "output/progress_bar.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

struct EmbedCommand {
  CommonOptions common;
  TextOptions texts;
  std::string model, layer = "last", pool, out, labels_out;
  Index n = 0;  // 0: as long as the text is
  bool pad = false, no_special = false;
  std::uint64_t seed = 1;  // of --select
};

EmbedOptions embed_options(const EmbedCommand& options, const Transformer& transformer) {
  EmbedOptions result;
  result.output = parse_layer(options.layer, transformer);
  if (options.pool == "cls") result.pooling = Pooling{Pooling::Kind::kCls, false};
  if (options.pool == "mean") result.pooling = Pooling{Pooling::Kind::kMean, false};
  if (options.pool == "model") result.pooling = transformer.pooling();
  if (options.n > 0) result.n = options.n;
  result.pad = options.pad;
  return result;
}

std::vector<double> labels_of(const std::vector<LabelledText>& texts) {
  std::vector<double> labels;
  for (const LabelledText& text : texts) {
    if (!text.label) throw DataError("text " + text.id + " has no label; --labels-out needs one for every text");
    labels.push_back(*text.label);
  }
  return labels;
}

void embed(const EmbedCommand& options) {
  if (options.out.empty()) throw UsageError("embed writes a file: give it with --out E.npy");
  const Model model = open_model(options.model);
  const EmbedOptions ask = embed_options(options, *model.transformer);
  const auto texts = read_texts(options.texts, *model.tokenizer, options.seed);
  if (texts.size() != 1 && options.n == 0 && !ask.pooled())
    throw UsageError(
        "texts differ in length: give --n to cut them to one length, or --pool for one vector for each text");
  const std::vector<double> labels = options.labels_out.empty() ? std::vector<double>() : labels_of(texts);
  const auto encodings = encode_with_remark(model, texts, options.common, !options.no_special);
  const auto embedded = embed_texts(model, texts, encodings, ask, progress_on_stderr(options.common.quiet));
  std::vector<float> values;
  for (const MatrixF& part : embedded) values.insert(values.end(), part.data(), part.data() + part.size());
  const Index rows = embedded.back().rows();
  const Index count = static_cast<Index>(texts.size()), d = model.transformer->config().hidden_size;
  std::vector<Index> shape = {count, d};
  if (!ask.pooled()) shape = options.n == 0 ? std::vector<Index>{rows, d} : std::vector<Index>{count, options.n, d};
  write_npy(options.out, std::span<const float>(values), shape);
  if (!options.labels_out.empty())
    write_npy(options.labels_out, std::span<const double>(labels), {static_cast<Index>(labels.size())});
  const Record row{{"out", options.out},
                   {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                   {"layer", options.layer},
                   {"model", model.transformer->name()}};
  print_out(format_rows({row}, options.common.format));
}

}  // namespace

void add_embed_command(CLI::App& app) {
  auto options = std::make_shared<EmbedCommand>();
  CLI::App* command = app.add_subcommand("embed", "Hidden states or pooled vectors of texts, written as .npy");
  add_text_options(*command, options->texts);
  add_selection_options(*command, options->texts);
  add_seed_option(*command, options->seed, "For --select");
  add_model_option(*command, options->model);
  command->add_option("--layer", options->layer, "0 for the embedding, 1 and up for the layers, last or pooled")
      ->capture_default_str();
  command
      ->add_option("--n", options->n,
                   "Cut every text to n tokens, which gives samples x n x d (without it: all tokens of one text)")
      ->check(CLI::Range(1, 10'000'000));
  command->add_flag("--pad", options->pad, "Fill shorter texts up with padding instead of refusing them");
  command
      ->add_option(
          "--pool", options->pool,
          "One vector for each text: cls, mean, or model for the model's own pooling (without it: one vector for each "
          "token)")
      ->check(one_of("pooling", {"cls", "mean", "model"}));
  command->add_flag("--no-special", options->no_special, "Leave out [CLS], [SEP] and other special tokens");
  add_output_option(*command, "-o,--out", options->out, "The file to write, .npy, float32 (required)");
  add_output_option(*command, "--labels-out", options->labels_out,
                    "Write the texts' labels, .npy (without it: they are not written)");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway embed -m MODEL --layer last --out states.npy \"I love her smile\"\n"
               "  wordsway embed -m MODEL --pool model -i reviews.jsonl --out vectors.npy --labels-out y.npy");
  command->callback([options] { embed(*options); });
}

}  // namespace wordsway::app
