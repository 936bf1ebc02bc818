// embed: hidden states or pooled vectors of texts, as an array.
#include "wordsway/audit/embed.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"
#include "wordsway/model/readouts/pooled.h"

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
  RunChoice run;

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
    fields.path("out", &EmbedRequest::out, FieldKind::kOutput, "The file to write, .npy, float32 (required)")
        .short_flag("o");
    fields.path("labels_out", &EmbedRequest::labels_out, FieldKind::kOutput,
                "Write the texts' labels, .npy (without it: they are not written)");
    fields.include(&EmbedRequest::run, "journal");
    fields.check([](const EmbedRequest& request) {
      if (request.out.empty()) throw UsageError("embed writes a file: give it with {out} E.npy");
    });
  }
};

EmbedOptions options_of(const EmbedRequest& request, const Transformer& transformer) {
  EmbedOptions result;
  result.output = parse_layer(request.output.layer, transformer, request.output.rows);
  if (request.pool == "model") {
    result.output->readout = readout_named("pooled");
  } else if (request.pool) {
    result.output->readout = pooled_readout(SentenceChain{{pooling_mode_named(*request.pool)}});
  }
  result.n = request.n;
  result.pad = request.pad;
  return result;
}

double label_of(const LabelledText& text) {
  if (!text.label) throw DataError("text " + text.id + " has no label; {labels_out} needs one for every text");
  return *text.label;
}

// A task is a batch of texts. Rows: batch, rows, numbers; `rows` rows of numbers for each text, one after the other.
class EmbedStudy final : public Study {
 public:
  EmbedStudy(const EmbedRequest& request, const Model& model, EmbedOptions options, std::vector<LabelledText> texts,
             std::vector<Encoding> encodings)
      : request_(request),
        model_(model),
        options_(std::move(options)),
        texts_(std::move(texts)),
        encodings_(std::move(encodings)) {}

  std::string command() const override { return "embed"; }
  Record config() const override { return settings_of(request_); }
  StudyContent content() const override { return content_of(model_, texts_); }
  Index size() const override { return (static_cast<Index>(texts_.size()) + kTexts - 1) / kTexts; }
  Record key(Index task) const override { return {{"batch", std::int64_t{task}}}; }
  double memory_bytes(Index task) const override {
    return sizeof(double) * 3.0 * static_cast<double>(tokens(task) * model_.transformer->config().hidden_size);
  }
  double work(Index task) const override {
    const ModelConfig& config = model_.transformer->config();
    return config.forward_flops(tokens(task), std::max<Index>(1, config.layers));
  }
  std::vector<Record> run(Index task) const override {
    const size_t begin = begin_of(task), count = end_of(task) - begin;
    std::vector<double> numbers;
    std::vector<std::int64_t> rows;
    for (const MatrixF& part : embed_texts(model_, std::span(texts_).subspan(begin, count),
                                           std::span(encodings_).subspan(begin, count), options_)) {
      rows.push_back(part.rows());
      numbers.insert(numbers.end(), part.data(), part.data() + part.size());
    }
    return {{{"batch", std::int64_t{task}}, {"rows", rows}, {"numbers", numbers}}};
  }

  const std::vector<LabelledText>& texts() const { return texts_; }
  /// Reads the embeddings from a row.
  static std::vector<MatrixF> embeddings_of(const Record& row) {
    const std::vector<double> rows = row.numbers("rows"), numbers = row.numbers("numbers");
    const auto all_rows = static_cast<Index>(std::accumulate(rows.begin(), rows.end(), 0.0));
    const Index columns = static_cast<Index>(numbers.size()) / std::max<Index>(1, all_rows);
    std::vector<MatrixF> embeddings;
    const double* begin = numbers.data();
    for (const double rows_of_text : rows) {
      const auto count = static_cast<Index>(rows_of_text);
      embeddings.emplace_back(Eigen::Map<const Matrix>(begin, count, columns).cast<float>());
      begin += count * columns;
    }
    return embeddings;
  }

 private:
  static constexpr Index kTexts = 64;  // few, so that an interruption loses little

  size_t begin_of(Index task) const { return static_cast<size_t>(task * kTexts); }
  size_t end_of(Index task) const { return std::min(begin_of(task + 1), texts_.size()); }
  Index tokens(Index task) const {
    Index count = 0;
    for (size_t t = begin_of(task); t < end_of(task); ++t) count += encodings_[t].size();
    return count;
  }

  const EmbedRequest& request_;
  const Model& model_;
  EmbedOptions options_;
  std::vector<LabelledText> texts_;
  std::vector<Encoding> encodings_;
};

// Writes the array and, if asked for, the labels.
class EmbedFiles {
 public:
  EmbedFiles(const EmbedRequest& request, const Model& model, const EmbedOptions& options, std::optional<Index> count)
      : request_(request), model_(model), embeddings_(request.out, model, options, count) {
    if (!request.labels_out.empty()) labels_.emplace(request.labels_out, std::vector<Index>{}, count);
  }

  EmbeddingFile& embeddings() { return embeddings_; }
  void append_labels(std::span<const LabelledText> texts) {
    for (const LabelledText& text : texts)
      if (labels_) labels_->append(std::vector<double>{label_of(text)});
  }
  Answer commit() {
    const std::vector<Index> shape = embeddings_.commit();
    if (labels_) labels_->commit();
    return rows_answer({{{"out", request_.out},
                         {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                         {"layer", request_.output.layer},
                         {"model", model_.transformer->name()}}});
  }

 private:
  const EmbedRequest& request_;
  const Model& model_;
  EmbeddingFile embeddings_;
  std::optional<NpyRowWriter<double>> labels_;
};

// Reads, embeds and writes a few hundred texts at a time, so that memory does not grow with the corpus.
Answer stream(const EmbedRequest& request, const Model& model, const EmbedOptions& options, const std::string& prompt,
              const TextBatches& texts, Context& context) {
  EmbedFiles files(request, model, options, texts.count());
  const Progress progress = context.progress();
  ProgressCounter counter(progress, "embed", static_cast<double>(texts.count().value_or(0)));
  EncodingWarnings warnings;
  texts.for_each(options.gives_vectors() ? 1024 : 64, [&](const std::vector<LabelledText>& batch) {
    const auto encodings = encode_texts(model, batch, {!request.no_special, prompt});
    warnings.add(encodings);
    files.embeddings().append(batch, encodings, [&] { counter.step(); });
    files.append_labels(batch);
  });
  warnings.tell(context, model.most_tokens());
  return files.commit();
}

// With a journal or several processes, all texts and embeddings are held in memory.
Answer run_study(const EmbedRequest& request, const Model& model, const EmbedOptions& options,
                 const std::string& prompt, const TextBatches& batches, Context& context) {
  std::vector<LabelledText> texts;
  batches.for_each(
      1024, [&](const std::vector<LabelledText>& batch) { texts.insert(texts.end(), batch.begin(), batch.end()); });
  std::vector<Encoding> encodings = encode_with_warnings(model, texts, context, {!request.no_special, prompt});
  const EmbedStudy study(request, model, options, std::move(texts), std::move(encodings));
  const auto result = context.run(study, request.run);
  if (!result) return {};
  EmbedFiles files(request, model, options, static_cast<Index>(study.texts().size()));
  for (const Record& row : result->rows) {
    if (is_failed(row)) throw DataError(row.text("failure"));
    files.embeddings().append(EmbedStudy::embeddings_of(row));
  }
  files.append_labels(study.texts());
  return files.commit();
}

Answer answer(const EmbedRequest& request, Context& context) {
  const auto model = request.model.open(context);
  EmbedOptions options = options_of(request, *model->transformer);
  const bool is_pooled = options.output->is_pooled(),
             own_chain = is_pooled && request.pool.value_or("model") == "model";
  const std::string prompt = choose_prompt(*model, request.prompt.choice, is_pooled);
  if (own_chain) options.output->first_pooled = unpooled_tokens(*model, prompt);
  if (own_chain) {
    context.warn(describe_sentence_use(*model, prompt));
  } else if (!prompt.empty()) {
    context.warn(fmt::format("prompt \"{}\" before every text", prompt));
  }
  const TextBatches texts(request.texts, *model->tokenizer, request.seed.seed, [&](const LabelledText& text) {
    if (!request.labels_out.empty()) label_of(text);
  });
  const bool is_study = !request.run.out.empty() || request.run.dry_run || context.is_shared();
  return (is_study ? run_study : stream)(request, *model, options, prompt, texts, context);
}

Guide guide() {
  Guide guide;
  guide.order = 130;
  guide.summary = "Hidden states or pooled vectors of texts, written as .npy";
  guide.examples =
      "  wordsway embed -m MODEL --layer last --out states.npy \"I love her smile\"\n"
      "  wordsway embed -m MODEL --pool model -i reviews.jsonl --out vectors.npy --labels-out y.npy --journal "
      "run.jsonl";
  guide.row_keys = {"out", "shape", "layer", "model"};
  return guide;
}

}  // namespace

void register_embed(QuestionRegistry& registry) {
  add_question(registry, "embed", guide(), answer);
}

}  // namespace wordsway
