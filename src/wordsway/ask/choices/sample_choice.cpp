#include "wordsway/ask/choices/sample_choice.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/data/embedding_source.h"
#include "wordsway/data/named_data.h"
#include "wordsway/data/review_source.h"
#include "wordsway/data/synthetic_data.h"

namespace wordsway {
namespace {

constexpr Index kUsualN = 100, kUsualD = 256;
constexpr Index kUsualLearningN = 40, kUsualTrainingSize = 100;
constexpr FieldRange kSizes = {1, 1e15};
constexpr FieldRange kPageN = {1, 2000}, kPageD = {1, 1024};
constexpr const char* kUsualRule = "halfspace";
constexpr const char* kUsualData = "builtin up to n = 512 and d = 256, else spiked:0.3";

std::string listed_laws() {
  return fmt::format("{}", fmt::join(law_names(), ", "));
}

// Names without the part after the colon: a shell cannot complete a number.
std::vector<std::string> data_names() {
  std::vector<std::string> names = {kBuiltinData};
  for (const std::string& law : law_names())
    names.push_back(law.substr(0, law.find(':') + (law.find(':') != law.npos ? 1 : 0)));
  return names;
}

std::vector<Index> sizes(const std::vector<Index>& given, std::optional<Index> own, Index usual) {
  return given.empty() ? std::vector{own.value_or(usual)} : given;
}

std::string name_of(const ArrayChoice& array, const char* name) {
  return array.path.empty() ? name : array.path;
}

ChosenSamples with_own_sizes(std::shared_ptr<const DataSource> source, const SampleChoice& choice) {
  ChosenSamples chosen;
  chosen.n = sizes(choice.n, source->own_n(), kUsualN);
  chosen.d = sizes(choice.d, source->own_d(), kUsualD);
  chosen.source = std::move(source);
  return chosen;
}

ChosenSamples embedded_texts(const SampleChoice& choice, const ModelChoice& named, const TextInput& texts,
                             std::uint64_t seed, Context& context) {
  const auto model = context.model(named);
  const std::vector<LabelledText> read = read_texts(texts, *model->tokenizer, seed);
  const std::string name = texts.input.empty() ? "texts" : texts.input;
  return with_own_sizes(
      embedding_source(model->transformer, encode_corpus(*model, name, read, context), !choice.no_normalise), choice);
}

ChosenSamples named_samples(const SampleChoice& choice, const ModelChoice& named, std::uint64_t seed,
                            Context& context) {
  ChosenSamples chosen;
  chosen.n = sizes(choice.n, {}, kUsualN);
  chosen.d = sizes(choice.d, {}, kUsualD);
  const NamedData data = name_data(choice.data, chosen.n, chosen.d);
  chosen.remark = data.remark;
  if (data.name != kBuiltinData) {
    chosen.source = synthetic_source(data.name, seed);
    return chosen;
  }
  const auto model = context.model(named);
  chosen.source = review_source(model->transformer, model->tokenizer, seed);
  if (choice.d.empty()) chosen.d = {*chosen.source->own_d()};
  return chosen;
}

}  // namespace

NpyArray read_array(const ArrayChoice& choice) {
  return choice.values ? *choice.values : read_npy(choice.path);
}

Matrix read_matrix(const ArrayChoice& choice, const std::string& name) {
  if (!choice.values) return read_npy_matrix(choice.path);
  const NpyArray& array = *choice.values;
  if (array.shape.size() != 2)
    throw UsageError(fmt::format("{} must have two dimensions; it has {}", name, array.shape.size()));
  return Eigen::Map<const Matrix>(array.values.data(), array.shape[0], array.shape[1]);
}

void SampleChoice::describe(Fields<SampleChoice>& fields) {
  fields.wholes("n", &SampleChoice::n, kSizes, "Context lengths, comma-separated")
      .by_default("100, or the length of your own samples")
      .page_takes(kPageN);
  fields.wholes("d", &SampleChoice::d, kSizes, "Embedding dimensions, comma-separated")
      .by_default("256, or that of your own samples")
      .page_takes(kPageD);
  fields
      .text("data", &SampleChoice::data,
            "builtin (film reviews that come with wordsway, through the embedding of the built-in model or of -m), or "
            "synthetic: " +
                listed_laws() + "; see 'wordsway list data'")
      .by_default(kUsualData)
      .choices(data_names(), false);
  fields.array("x", &SampleChoice::x, "Your own samples, n x d or samples x n x d, as .npy (without it: --data)")
      .in_python("X")
      .first_in_python();
  fields.flag("no_normalise", &SampleChoice::no_normalise,
              "Keep the rows of --x as they are instead of scaling them to sqrt(d)");
}

ChosenSamples choose_samples(const SampleChoice& choice, const ModelChoice& model, const TextInput& texts,
                             std::uint64_t seed, Context& context) {
  const bool reviews = choice.data == kBuiltinData;
  if (!model.empty() && !reviews) {
    if (!choice.x.empty() || !choice.data.empty())
      throw UsageError("{model} takes its data from texts, or from {data} builtin; {x} and other {data} contradict it");
    return embedded_texts(choice, model, texts, seed, context);
  }
  if (!choice.x.empty() && !choice.data.empty()) throw UsageError("{x} and {data} contradict each other; give one");
  if (!choice.x.empty()) {
    NpyArray array = read_array(choice.x);
    return with_own_sizes(
        array_source(name_of(choice.x, "X"), std::move(array.shape), std::move(array.values), !choice.no_normalise),
        choice);
  }
  if (reviews && texts.has_any())
    throw UsageError("{data} builtin brings its own texts; texts of your own and {input} contradict it");
  if (choice.no_normalise)
    throw UsageError("{no_normalise} is for {x} and {model}; made-up data always have rows of norm sqrt(d)");
  return named_samples(choice, model, seed, context);
}

namespace {

std::vector<double> read_labels(const ArrayChoice& labels) {
  NpyArray array = labels.values ? *labels.values : read_npy_numbers(labels.path);
  if (array.shape.size() != 1)
    throw DataError(fmt::format("{}: labels must be one row of numbers; got {} dimensions", name_of(labels, "labels"),
                                array.shape.size()));
  return std::move(array.values);
}

LabelledArray labelled(const ArrayChoice& samples, const char* name, std::vector<double> labels, bool normalise) {
  NpyArray array = read_array(samples);
  return {name_of(samples, name), std::move(array.shape), std::move(array.values), std::move(labels), normalise};
}

std::shared_ptr<const LabelledSource> explicit_samples(const LabelledChoice& choice) {
  if (choice.x_train.empty() || choice.y_train.empty() || choice.x.empty() || !choice.y)
    throw UsageError("{x_train}, {y_train}, {x} and {y} belong together; give all four");
  if (*choice.y != 1 && *choice.y != -1) throw UsageError(fmt::format("{{y}} must be 1 or -1, but is {}", *choice.y));
  LabelledArray fresh = labelled(choice.x, "X", {*choice.y}, !choice.no_normalise);
  if (fresh.shape.size() != 2)
    throw DataError(
        fmt::format("{}: the new sample must be an array n x d; got {} dimensions", fresh.name, fresh.shape.size()));
  fresh.shape.insert(fresh.shape.begin(), 1);
  return fixed_source(labelled(choice.x_train, "X_train", read_labels(choice.y_train), !choice.no_normalise),
                      std::move(fresh));
}

std::shared_ptr<const LabelledSource> pool_samples(const LabelledChoice& choice, std::uint64_t seed) {
  if (choice.pool.empty() || choice.labels.empty()) throw UsageError("{pool} and {labels} belong together; give both");
  return pool_source(labelled(choice.pool, "pool", read_labels(choice.labels), !choice.no_normalise), seed);
}

// There must be two different labels, whatever they are; the larger one counts as 1.
std::vector<double> signs_of(const std::vector<LabelledText>& texts, const std::string& name) {
  std::set<int> values;
  for (const LabelledText& text : texts) {
    if (!text.label) throw DataError(fmt::format("{}: text {} has no label", name, text.id));
    values.insert(*text.label);
  }
  if (values.size() != 2)
    throw DataError(fmt::format("{}: there must be two different labels; got {}", name, values.size()));
  std::vector<double> signs;
  signs.reserve(texts.size());
  for (const LabelledText& text : texts) signs.push_back(*text.label == *values.rbegin() ? 1 : -1);
  return signs;
}

std::shared_ptr<const LabelledSource> corpus_samples(const LabelledChoice& choice, const ModelChoice& named,
                                                     const TextInput& texts, std::uint64_t seed, Context& context) {
  const auto model = context.model(named);
  const std::vector<LabelledText> read = read_texts(texts, *model->tokenizer, seed);
  std::vector<double> labels = signs_of(read, texts.input);
  return labelled_embedding_source(model->transformer, encode_corpus(*model, texts.input, read, context),
                                   std::move(labels), seed, !choice.no_normalise);
}

// Reviews or synthetic samples, chosen by name or by the requested sizes.
ChosenLabelled named_labelled(const LabelledChoice& choice, const ModelChoice& named, std::uint64_t seed,
                              Context& context) {
  const bool by_rule = choice.data.empty() && !choice.label_rule.empty();  // a rule is for synthetic samples
  const NamedData data = name_data(by_rule ? kSyntheticData : choice.data, sizes(choice.n, {}, kUsualLearningN),
                                   sizes(choice.d, {}, kUsualD));
  ChosenLabelled chosen;
  chosen.remark = data.remark;
  if (data.name == kBuiltinData) {
    const auto model = context.model(named);
    chosen.source = labelled_review_source(model->transformer, model->tokenizer, seed);
  } else {
    chosen.source =
        synthetic_labelled_source(data.name, choice.label_rule.empty() ? kUsualRule : choice.label_rule, seed);
  }
  return chosen;
}

void check_labelled(const LabelledChoice& choice, const ModelChoice& model, const TextInput& texts) {
  const bool corpus = !texts.input.empty(), pool = choice.has_pool();
  const bool named = !choice.data.empty() || !choice.label_rule.empty();
  if (choice.is_explicit() && pool) throw UsageError("{x_train} and {pool} contradict each other; give one");
  if (named && (choice.is_explicit() || pool || corpus))
    throw UsageError("{data} and {label_rule} contradict samples of your own: {x_train}, {pool} and {input}");
  if (corpus && (choice.is_explicit() || pool)) throw UsageError("{input} contradicts {x_train} and {pool}; give one");
  if (!choice.label_rule.empty() && choice.data == kBuiltinData)
    throw UsageError("the built-in reviews bring their labels; {label_rule} is for made-up samples");
  if (!model.empty() && !corpus && choice.data != kBuiltinData)
    throw UsageError("{model} reads texts: give some with {input}, or {data} builtin");
  if (choice.no_normalise && !choice.is_explicit() && !pool && !corpus)
    throw UsageError("{no_normalise} is for samples of your own; made-up ones always have rows of norm sqrt(d)");
}

}  // namespace

void LabelledChoice::describe(Fields<LabelledChoice>& fields) {
  fields.wholes("n", &LabelledChoice::n, kSizes, "Context lengths, comma-separated")
      .by_default("40, or that of your samples")
      .page_takes(kPageN);
  fields.wholes("d", &LabelledChoice::d, kSizes, "Embedding dimensions, comma-separated")
      .by_default("256, or that of your samples")
      .page_takes(kPageD);
  fields.wholes("train_size", &LabelledChoice::training_sizes, kSizes, "Numbers N of training samples, comma-separated")
      .by_default("100, or that of --x-train")
      .page_takes(kPageN);
  fields
      .text("data", &LabelledChoice::data,
            "builtin (labelled film reviews that come with wordsway, through the embedding of the built-in model or of "
            "-m), or synthetic: " +
                listed_laws() + "; see 'wordsway list data'")
      .by_default(kUsualData)
      .choices(data_names(), false);
  fields
      .text("label_rule", &LabelledChoice::label_rule,
            "Labels of made-up samples: halfspace (the side of a random plane) or coin")
      .by_default(kUsualRule);
  fields.array("pool", &LabelledChoice::pool,
               "Your own samples to draw from, samples x n x d as .npy (without it: --data)");
  fields.array("labels", &LabelledChoice::labels, "The labels of --pool, 1 or -1, as .npy (required with --pool)");
  fields
      .array("x_train", &LabelledChoice::x_train,
             "Your own training samples, all of them used, N x n x d as .npy (without it: --data)")
      .in_python("X_train");
  fields.array("y_train", &LabelledChoice::y_train,
               "The labels of --x-train, 1 or -1, as .npy (required with --x-train)");
  fields.array("x", &LabelledChoice::x, "The new sample, n x d as .npy (required with --x-train)").in_python("X");
  fields.number("y", &LabelledChoice::y, {-1e308, 1e308}, "The label of --x, 1 or -1 (required with --x-train)")
      .not_on_page();
  fields.flag("no_normalise", &LabelledChoice::no_normalise,
              "Keep the rows of your samples as they are instead of scaling them to sqrt(d)");
}

ChosenLabelled choose_labelled(const LabelledChoice& choice, const ModelChoice& model, const TextInput& texts,
                               std::uint64_t seed, Context& context) {
  check_labelled(choice, model, texts);
  ChosenLabelled chosen;
  if (choice.is_explicit()) {
    chosen.source = explicit_samples(choice);
  } else if (choice.has_pool()) {
    chosen.source = pool_samples(choice, seed);
  } else if (!texts.input.empty()) {
    chosen.source = corpus_samples(choice, model, texts, seed, context);
  } else {
    chosen = named_labelled(choice, model, seed, context);
  }
  chosen.n = sizes(choice.n, chosen.source->own_n(), kUsualLearningN);
  chosen.d = sizes(choice.d, chosen.source->own_d(), kUsualD);
  chosen.training_sizes = sizes(choice.training_sizes, chosen.source->own_training_size(), kUsualTrainingSize);
  return chosen;
}

}  // namespace wordsway
