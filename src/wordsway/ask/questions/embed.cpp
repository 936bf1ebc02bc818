// embed: hidden states or pooled vectors of texts, as an array.
#include "wordsway/audit/embed.h"

#include <fmt/format.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

namespace wordsway {
namespace {

struct EmbedRequest {
  TextInput texts;
  SeedChoice seed;
  ModelInput model;
  OutputInput output;
  std::optional<Index> n;
  bool pad = false, no_special = false;
  std::optional<std::string> pool;
  PromptInput prompt;
  std::string out, labels_out;

  static void describe(Fields<EmbedRequest>& fields) {
    fields.include(&EmbedRequest::texts, TextInput::Parts{});
    fields.include(&EmbedRequest::seed, "For --select");
    fields.include(&EmbedRequest::model);
    fields.include(&EmbedRequest::output, "What is written");
    fields.whole("n", &EmbedRequest::n, {1, 10'000'000},
                 "Cut every text to n tokens, which gives samples x n x d (without it: all tokens of one text)");
    fields.flag("pad", &EmbedRequest::pad, "Fill shorter texts up with padding instead of refusing them");
    fields.choice("pool", &EmbedRequest::pool,
                  {"model", "cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"},
                  "One vector for each text: model for what the model's folder says (pooling, dense layers, "
                  "normalisation), or cls, max, mean, mean_sqrt_len_tokens, weightedmean, lasttoken (without it: one "
                  "vector for each token)");
    fields.include(&EmbedRequest::prompt);
    fields.flag("no_special", &EmbedRequest::no_special, "Leave out [CLS], [SEP] and other special tokens");
    fields
        .path("out", &EmbedRequest::out, FieldKind::kOutput, "The file to write, .npy, float32 (required)")
        .short_flag("o");
    fields.path("labels_out", &EmbedRequest::labels_out, FieldKind::kOutput,
                "Write the texts' labels, .npy (without it: they are not written)");
    fields.check([](const EmbedRequest& request) {
      if (request.out.empty()) throw UsageError("embed writes a file: give it with {out} E.npy");
    });
  }
};

EmbedOptions options_of(const EmbedRequest& request, const Transformer& transformer) {
  EmbedOptions result;
  result.output = parse_layer(request.output.layer, transformer, request.output.rows);
  if (request.pool == "model") {
    result.output->kind = OutputKind::kPooled;
  } else if (request.pool) {
    result.chain = SentenceChain{{pooling_mode_named(*request.pool)}};
  }
  result.n = request.n;
  result.pad = request.pad;
  return result;
}

double label_of(const LabelledText& text) {
  if (!text.label) throw DataError("text " + text.id + " has no label; {labels_out} needs one for every text");
  return *text.label;
}

// Texts are read, embedded and written some hundred at a time, so that memory does not grow with the corpus.
Answer answer(const EmbedRequest& request, Context& context) {
  const auto model = request.model.open(context);
  EmbedOptions options = options_of(request, *model->transformer);
  const bool own_chain = options.output->is_pooled() && !options.chain;
  const std::string prompt = choose_prompt(*model, request.prompt.choice, options.output->is_pooled() || options.chain);
  if (own_chain) options.output->first_pooled = unpooled_tokens(*model, prompt);
  if (own_chain) {
    context.warn(describe_sentence_use(*model, prompt));
  } else if (!prompt.empty()) {
    context.warn(fmt::format("prompt \"{}\" before every text", prompt));
  }
  const bool with_labels = !request.labels_out.empty();
  const TextBatches texts(request.texts, *model->tokenizer, request.seed.seed, [&](const LabelledText& text) {
    if (with_labels) label_of(text);
  });
  EmbeddingFile file(request.out, *model, options, texts.count());
  std::optional<NpyRowWriter<double>> labels;
  if (with_labels) labels.emplace(request.labels_out, std::vector<Index>{}, texts.count());

  const Progress progress = context.progress();
  StepCounter counter(progress, "embed", static_cast<double>(texts.count().value_or(0)));
  EncodingWarnings warnings;
  texts.for_each(options.gives_vectors() ? 1024 : 64, [&](const std::vector<LabelledText>& batch) {
    const auto encodings = encode_texts(*model, batch, {!request.no_special, prompt});
    warnings.add(encodings);
    file.append(batch, encodings, [&] { counter.step(); });
    for (const LabelledText& text : batch)
      if (labels) labels->append(std::vector<double>{label_of(text)});
  });
  warnings.tell(context, model->most_tokens());
  const std::vector<Index> shape = file.commit();
  if (labels) labels->commit();
  return rows_answer({{{"out", request.out},
                       {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                       {"layer", request.output.layer},
                       {"model", model->transformer->name()}}});
}

Guide guide() {
  Guide guide;
  guide.order = 130;
  guide.summary = "Hidden states or pooled vectors of texts, written as .npy";
  guide.examples =
      "  wordsway embed -m MODEL --layer last --out states.npy \"I love her smile\"\n"
      "  wordsway embed -m MODEL --pool model -i reviews.jsonl --out vectors.npy --labels-out y.npy";
  guide.row_keys = {"out", "shape", "layer", "model"};
  return guide;
}

}  // namespace

void register_embed(QuestionRegistry& registry) {
  add_question(registry, "embed", guide(), answer);
}

}  // namespace wordsway
