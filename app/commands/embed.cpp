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
  PromptOptions prompt;
  OutputOptions output;
  std::string model, pool, out, labels_out;
  Device device;
  Index n = 0;  // 0: as long as the text is
  bool pad = false, no_special = false;
  std::uint64_t seed = 1;  // of --select
};

EmbedOptions embed_options(const EmbedCommand& options, const Transformer& transformer) {
  EmbedOptions result;
  result.output = parse_layer(options.output.layer, transformer, options.output.rows);
  if (options.pool == "model") {
    result.output->kind = OutputKind::kPooled;
  } else if (!options.pool.empty()) {
    result.chain = SentenceChain{{pooling_mode_named(options.pool)}};
  }
  if (options.n > 0) result.n = options.n;
  result.pad = options.pad;
  return result;
}

double label_of(const LabelledText& text) {
  if (!text.label) throw DataError("text " + text.id + " has no label; --labels-out needs one for every text");
  return *text.label;
}

// Texts are read, embedded and written some hundred at a time, so that memory does not grow with the corpus.
void embed(const EmbedCommand& options) {
  if (options.out.empty()) throw UsageError("embed writes a file: give it with --out E.npy");
  const Model model = open_model(options.model, options.device);
  EmbedOptions ask = embed_options(options, *model.transformer);
  const bool own_chain = ask.output->is_pooled() && !ask.chain;
  const std::string prompt = choose_prompt(model, options.prompt, ask.output->is_pooled() || ask.chain);
  if (own_chain) ask.output->first_pooled = unpooled_tokens(model, prompt);
  tell_sentence_use(model, own_chain, prompt, options.common);
  if (!own_chain && !prompt.empty()) say(options.common, fmt::format("prompt \"{}\" before every text", prompt));
  const TextBatches texts(options.texts, *model.tokenizer, options.seed, [&](const LabelledText& text) {
    if (!options.labels_out.empty()) label_of(text);
  });
  EmbeddingFile file(options.out, model, ask, texts.count());
  std::optional<NpyRowWriter<double>> labels;
  if (!options.labels_out.empty()) labels.emplace(options.labels_out, std::vector<Index>{}, texts.count());

  const Progress progress = progress_on_stderr(options.common.quiet);
  StepCounter counter(progress, "embed", static_cast<double>(texts.count().value_or(0)));
  EncodingRemarks remarks;
  texts.for_each(ask.gives_vectors() ? 1024 : 64, [&](const std::vector<LabelledText>& batch) {
    const auto encodings = encode_texts(model, batch, {!options.no_special, prompt});
    remarks.add(encodings);
    file.append(batch, encodings, [&] { counter.step(); });
    for (const LabelledText& text : batch)
      if (labels) labels->append(std::vector<double>{label_of(text)});
  });
  remarks.tell(model, options.common);
  const std::vector<Index> shape = file.commit();
  if (labels) labels->commit();
  const Record row{{"out", options.out},
                   {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                   {"layer", options.output.layer},
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
  add_device_options(*command, options->device);
  add_output_kind_options(*command, options->output, "What is written");
  command
      ->add_option("--n", options->n,
                   "Cut every text to n tokens, which gives samples x n x d (without it: all tokens of one text)")
      ->check(CLI::Range(1, 10'000'000));
  command->add_flag("--pad", options->pad, "Fill shorter texts up with padding instead of refusing them");
  command
      ->add_option(
          "--pool", options->pool,
          "One vector for each text: model for what the model's folder says (pooling, dense layers, normalisation), or "
          "cls, max, mean, mean_sqrt_len_tokens, weightedmean, lasttoken (without it: one vector for each token)")
      ->check(one_of("pooling", {"model", "cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"}));
  add_prompt_options(*command, options->prompt);
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
