// wordsway embed: hidden states or pooled vectors of texts, as .npy.
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
#include "output/rows.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/npy.h"

namespace wordsway::app {
namespace {

constexpr Index kRound = 64;  // texts embedded side by side between two reports of progress

struct EmbedOptions {
  CommonOptions common;
  TextOptions texts;
  std::string model, layer = "last", pool, out, labels_out;
  Index n = 0;  // 0: as long as the text is
  bool pad = false, no_special = false;
  std::uint64_t seed = 1;  // of --select
};

Pooling choose_pooling(const std::string& name, const Transformer& transformer) {
  if (name == "cls") return {Pooling::Kind::kCls, false};
  if (name == "mean") return {Pooling::Kind::kMean, false};
  return transformer.pooling();
}

// The ids of one sample and which of them are padding.
struct Input {
  std::vector<int> ids;
  AttentionMask mask;
};

Input make_input(const LoadedModel& model, std::vector<int> ids, const EmbedOptions& options) {
  Input input{std::move(ids), {}};
  const Index length = static_cast<Index>(input.ids.size());
  if (options.n == 0 || length == options.n) return input;
  if (length > options.n) {
    input.ids.resize(static_cast<size_t>(options.n));
    return input;
  }
  if (!options.pad)
    throw DataError(
        fmt::format("a text has {} tokens, --n asks for {}; --pad fills up with padding", length, options.n));
  std::vector<int> visible(static_cast<size_t>(options.n), 0);
  std::fill_n(visible.begin(), length, 1);
  input.mask = AttentionMask(visible);
  input.ids.resize(static_cast<size_t>(options.n), model.tokenizer->special_ids().padding.value_or(
                                                       static_cast<int>(model.transformer->config().padding_id)));
  return input;
}

MatrixF embed_text(const LoadedModel& model, const Input& input, const EmbedOptions& options) {
  const ModelOutput output = parse_output(options.layer, *model.transformer);
  const MatrixF hidden = model.transformer->forward(model.transformer->embed(input.ids), output.layer, input.mask);
  const bool pooled = output.pooled || !options.pool.empty();
  return pooled ? MatrixF(choose_pooling(options.pool, *model.transformer).forward(hidden, input.mask)) : hidden;
}

std::vector<double> labels_of(const std::vector<LabelledText>& texts) {
  std::vector<double> labels;
  for (const LabelledText& text : texts) {
    if (!text.label) throw DataError("text " + text.id + " has no label; --labels-out needs one for every text");
    labels.push_back(*text.label);
  }
  return labels;
}

std::vector<MatrixF> embed_all(const LoadedModel& model, const std::vector<LabelledText>& texts,
                               const EmbedOptions& options) {
  auto encodings = encode_texts(model, texts, options.common, !options.no_special);
  const Progress progress = progress_on_stderr(options.common.quiet);
  std::vector<MatrixF> embedded(texts.size());
  const Blocks rounds{static_cast<Index>(texts.size()), kRound};
  for (Index round = 0; round < rounds.count(); ++round) {
    const Index begin = rounds.begin(round), end = begin + rounds.length(round);
    parallel_for(end - begin, [&](Index item) {
      const auto t = static_cast<size_t>(begin + item);
      embedded[t] = embed_text(model, make_input(model, std::move(encodings[t].ids), options), options);
    });
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t)
      if (!embedded[t].allFinite())
        throw DataError(fmt::format("{}: the embedding of text {} (layer {}) holds a number that is not finite",
                                    model.transformer->name(), texts[t].id, options.layer));
    if (progress) progress({"embed", static_cast<double>(end), static_cast<double>(texts.size())});
  }
  return embedded;
}

void embed(const EmbedOptions& options) {
  if (options.out.empty()) throw UsageError("embed writes a file: give it with --out E.npy");
  const LoadedModel model = load_model(options.model);
  const bool pooled = !options.pool.empty() || parse_output(options.layer, *model.transformer).pooled;
  const auto texts = read_texts(options.texts, *model.tokenizer, options.seed);
  if (texts.size() != 1 && options.n == 0 && !pooled)
    throw UsageError(
        "texts differ in length: give --n to cut them to one length, or --pool for one vector for each text");
  const std::vector<double> labels = options.labels_out.empty() ? std::vector<double>() : labels_of(texts);
  const std::vector<MatrixF> embedded = embed_all(model, texts, options);
  std::vector<float> values;
  for (const MatrixF& part : embedded) values.insert(values.end(), part.data(), part.data() + part.size());
  const Index rows = embedded.back().rows();
  const Index count = static_cast<Index>(texts.size()), d = model.transformer->config().hidden_size;
  std::vector<Index> shape = {count, d};
  if (!pooled) shape = options.n == 0 ? std::vector<Index>{rows, d} : std::vector<Index>{count, options.n, d};
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
  auto options = std::make_shared<EmbedOptions>();
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
