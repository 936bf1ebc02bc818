#include "options/data.h"

#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/model.h"
#include "options/numbers.h"
#include "wordsway/core/error.h"
#include "wordsway/data/embedding_source.h"
#include "wordsway/data/made_up_data.h"
#include "wordsway/data/review_source.h"
#include "wordsway/io/npy.h"

namespace wordsway::app {

namespace {

constexpr const char *kDefaultN = "100", *kDefaultD = "256";

DataChoice read_array(const DataOptions& options) {
  NpyArray array = read_npy(options.x);
  DataChoice choice;
  choice.source = array_source(options.x, std::move(array.shape), std::move(array.values), !options.no_normalise);
  choice.n = options.n.empty() ? std::vector{*choice.source->own_n()} : parse_sizes(options.n, "--n");
  choice.d = options.d.empty() ? std::vector{*choice.source->own_d()} : parse_sizes(options.d, "--d");
  return choice;
}

DataChoice embed_texts(const DataOptions& options, std::uint64_t seed, const CommonOptions& common) {
  const Model model = open_model(options.model);
  const std::vector<LabelledText> texts = read_texts(options.texts, *model.tokenizer, seed);
  const std::string name = options.texts.input.empty() ? "texts" : options.texts.input;
  DataChoice choice;
  choice.source = embedding_source(model.transformer, encode_corpus(model, name, texts, common), !options.no_normalise);
  choice.n = options.n.empty() ? std::vector{*choice.source->own_n()} : parse_sizes(options.n, "--n");
  choice.d = options.d.empty() ? std::vector{*choice.source->own_d()} : parse_sizes(options.d, "--d");
  return choice;
}

}  // namespace

namespace {

constexpr const char* kDefaultData = "(default: builtin up to n = 512 and d = 256, else spiked:0.3)";

std::string listed_laws() {
  return fmt::format("{}", fmt::join(law_names(), ", "));
}

// Without what stands after the colon: a shell cannot complete a number.
std::vector<std::string> data_names() {
  std::vector<std::string> names = {kBuiltinData};
  for (const std::string& law : law_names())
    names.push_back(law.substr(0, law.find(':') + (law.find(':') != law.npos)));
  return names;
}

}  // namespace

void add_data_options(CLI::App& command, DataOptions& options) {
  command.add_option("--n", options.n,
                     "Context lengths, comma-separated (default: 100, or the length of your own samples)");
  command.add_option("--d", options.d,
                     "Embedding dimensions, comma-separated (default: 256, or that of your own samples)");
  command
      .add_option("--data", options.data,
                  "builtin (film reviews that come with wordsway, through the embedding of the built-in model or of "
                  "-m), or made up: " +
                      listed_laws() + "; see 'wordsway list data' " + kDefaultData)
      ->check(such_as(data_names()));
  command.add_option("--x", options.x, "Your own samples, n x d or samples x n x d, as .npy (without it: --data)");
  command.add_flag("--no-normalise", options.no_normalise,
                   "Keep the rows of --x as they are instead of scaling them to sqrt(d)");
}

DataChoice choose_data(const DataOptions& options, std::uint64_t seed, const CommonOptions& common) {
  const bool reviews = options.data == kBuiltinData;
  if (!options.model.empty() && !reviews) {
    if (!options.x.empty() || !options.data.empty())
      throw UsageError("-m takes its data from texts, or from --data builtin; --x and other --data contradict it");
    return embed_texts(options, seed, common);
  }
  if (!options.x.empty() && !options.data.empty()) throw UsageError("--x and --data contradict each other; give one");
  if (!options.x.empty()) return read_array(options);
  if (reviews && !(options.texts.texts.empty() && options.texts.input.empty()))
    throw UsageError("--data builtin brings its own texts; TEXT and -i contradict it");
  if (options.no_normalise)
    throw UsageError("--no-normalise is for --x and -m; made-up data always have rows of norm sqrt(d)");
  DataChoice choice;
  choice.n = parse_sizes(options.n.empty() ? kDefaultN : options.n, "--n");
  choice.d = parse_sizes(options.d.empty() ? kDefaultD : options.d, "--d");
  const NamedData data = name_data(options.data, choice.n, choice.d);
  choice.remark = data.remark;
  if (data.name != kBuiltinData) {
    choice.source = synthetic_source(data.name, seed);
    return choice;
  }
  const Model model = open_model(options.model);
  choice.source = review_source(model.transformer, model.tokenizer, seed);
  if (options.d.empty()) choice.d = {*choice.source->own_d()};
  return choice;
}

namespace {

constexpr const char* kDefaultRule = "halfspace";
constexpr const char *kDefaultLearningN = "40", *kDefaultTrainingSize = "100";

std::vector<double> read_labels(const std::string& path) {
  NpyArray array = read_npy_numbers(path);
  if (array.shape.size() != 1)
    throw DataError(fmt::format("{}: labels must be one row of numbers; got {} dimensions", path, array.shape.size()));
  return std::move(array.values);
}

LabelledArray read_samples(const std::string& path, std::vector<double> labels, bool normalise) {
  NpyArray array = read_npy(path);
  return {path, std::move(array.shape), std::move(array.values), std::move(labels), normalise};
}

double parse_label(const std::string& text) {
  if (text == "1" || text == "+1") return 1;
  if (text == "-1") return -1;
  throw UsageError("--y must be 1 or -1; got '" + text + "'");
}

std::shared_ptr<const LabelledSource> read_explicit(const LabelledDataOptions& options) {
  if (options.x_train.empty() || options.y_train.empty() || options.x.empty() || options.y.empty())
    throw UsageError("--x-train, --y-train, --x and --y belong together; give all four");
  const double label = parse_label(options.y);
  LabelledArray fresh = read_samples(options.x, {label}, !options.no_normalise);
  if (fresh.shape.size() != 2)
    throw DataError(
        fmt::format("{}: the new sample must be an array n x d; got {} dimensions", options.x, fresh.shape.size()));
  fresh.shape.insert(fresh.shape.begin(), 1);
  return fixed_source(read_samples(options.x_train, read_labels(options.y_train), !options.no_normalise),
                      std::move(fresh));
}

std::shared_ptr<const LabelledSource> read_pool(const LabelledDataOptions& options, std::uint64_t seed) {
  if (options.pool.empty() || options.labels.empty())
    throw UsageError("--pool and --labels belong together; give both");
  return pool_source(read_samples(options.pool, read_labels(options.labels), !options.no_normalise), seed);
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

std::shared_ptr<const LabelledSource> read_labelled_corpus(const LabelledDataOptions& options, std::uint64_t seed,
                                                           const CommonOptions& common) {
  const Model model = open_model(options.model);
  const std::vector<LabelledText> read = read_texts(options.texts, *model.tokenizer, seed);
  std::vector<double> labels = signs_of(read, options.texts.input);
  return labelled_embedding_source(model.transformer, encode_corpus(model, options.texts.input, read, common),
                                   std::move(labels), seed, !options.no_normalise);
}

void check(const LabelledDataOptions& options) {
  const bool pool = !options.pool.empty() || !options.labels.empty();
  const bool made_up = !options.data.empty() || !options.label_rule.empty();
  if (options.is_explicit() && pool) throw UsageError("--x-train and --pool contradict each other; give one");
  if (made_up && (options.is_explicit() || pool || options.has_corpus()))
    throw UsageError("--data and --label-rule contradict samples of your own: --x-train, --pool and -i");
  if (options.has_corpus() && (options.is_explicit() || pool))
    throw UsageError("-i contradicts --x-train and --pool; give one");
  if (!options.label_rule.empty() && options.data == kBuiltinData)
    throw UsageError("the built-in reviews bring their labels; --label-rule is for made-up samples");
  if (!options.model.empty() && !options.has_corpus() && options.data != kBuiltinData)
    throw UsageError("-m reads texts: give some with -i, or --data builtin");
  if (options.no_normalise && !options.is_explicit() && !pool && !options.has_corpus())
    throw UsageError("--no-normalise is for samples of your own; made-up ones always have rows of norm sqrt(d)");
}

std::vector<Index> sizes(const std::string& given, const char* flag, std::optional<Index> own, const char* otherwise) {
  if (!given.empty()) return parse_sizes(given, flag);
  return own ? std::vector{*own} : parse_sizes(otherwise, flag);
}

// Reviews or synthetic samples, by --data or by the sizes that were asked for.
void choose_made_up(const LabelledDataOptions& options, std::uint64_t seed, LabelledDataChoice& choice) {
  const bool by_rule = options.data.empty() && !options.label_rule.empty();  // a rule is for synthetic samples
  const NamedData data =
      name_data(by_rule ? kSyntheticData : options.data, sizes(options.n, "--n", {}, kDefaultLearningN),
                sizes(options.d, "--d", {}, kDefaultD));
  choice.remark = data.remark;
  if (data.name == kBuiltinData) {
    const Model model = open_model(options.model);
    choice.source = labelled_review_source(model.transformer, model.tokenizer, seed);
    return;
  }
  const std::string rule = options.label_rule.empty() ? kDefaultRule : options.label_rule;
  choice.source = synthetic_labelled_source(data.name, rule, seed);
}

}  // namespace

void add_labelled_data_options(CLI::App& command, LabelledDataOptions& options) {
  command.add_option("--n", options.n, "Context lengths, comma-separated (default: 40, or that of your samples)");
  command.add_option("--d", options.d, "Embedding dimensions, comma-separated (default: 256, or that of your samples)");
  command.add_option("--train-size", options.training_size,
                     "Numbers N of training samples, comma-separated (default: 100, or that of --x-train)");
  command
      .add_option("--data", options.data,
                  "builtin (labelled film reviews that come with wordsway, through the embedding of the built-in "
                  "model or of -m), or made up: " +
                      listed_laws() + "; see 'wordsway list data' " + kDefaultData)
      ->check(such_as(data_names()));
  command.add_option("--label-rule", options.label_rule,
                     "Labels of made-up samples: halfspace (the side of a random plane) or coin (default: "
                     "halfspace)");
  add_model_option(command, options.model, "builtin for texts and reviews");
  add_corpus_options(command, options.texts);
  add_selection_options(command, options.texts);
  command.add_option("--pool", options.pool,
                     "Your own samples to draw from, samples x n x d as .npy (without it: --data)");
  command.add_option("--labels", options.labels, "The labels of --pool, 1 or -1, as .npy (required with --pool)");
  command.add_option("--x-train", options.x_train,
                     "Your own training samples, all of them used, N x n x d as .npy (without it: --data)");
  command.add_option("--y-train", options.y_train,
                     "The labels of --x-train, 1 or -1, as .npy (required with --x-train)");
  command.add_option("--x", options.x, "The new sample, n x d as .npy (required with --x-train)");
  command.add_option("--y", options.y, "The label of --x, 1 or -1 (required with --x-train)");
  command.add_flag("--no-normalise", options.no_normalise,
                   "Keep the rows of your samples as they are instead of scaling them to sqrt(d)");
}

LabelledDataChoice choose_labelled_data(const LabelledDataOptions& options, std::uint64_t seed,
                                        const CommonOptions& common) {
  check(options);
  LabelledDataChoice choice;
  if (options.is_explicit()) {
    choice.source = read_explicit(options);
  } else if (!options.pool.empty() || !options.labels.empty()) {
    choice.source = read_pool(options, seed);
  } else if (options.has_corpus()) {
    choice.source = read_labelled_corpus(options, seed, common);
  } else {
    choose_made_up(options, seed, choice);
  }
  choice.n = sizes(options.n, "--n", choice.source->own_n(), kDefaultLearningN);
  choice.d = sizes(options.d, "--d", choice.source->own_d(), kDefaultD);
  choice.training_sizes =
      sizes(options.training_size, "--train-size", choice.source->own_training_size(), kDefaultTrainingSize);
  return choice;
}

}  // namespace wordsway::app
