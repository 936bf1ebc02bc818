#include "options/labelled_data.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/lists.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

namespace wordsway::app {
namespace {

constexpr const char *kDefaultData = "spiked:0.3", *kDefaultRule = "halfspace";
constexpr const char *kDefaultN = "40", *kDefaultD = "256", *kDefaultTrainingSize = "100";

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

void check(const LabelledDataOptions& options) {
  const bool pool = !options.pool.empty() || !options.labels.empty();
  const bool made_up = !options.data.empty() || !options.label_rule.empty();
  if (options.is_explicit() && pool) throw UsageError("--x-train and --pool contradict each other; give one");
  if (made_up && (options.is_explicit() || pool))
    throw UsageError("--data and --label-rule are for made-up samples; they contradict --x-train and --pool");
  if (options.no_normalise && !options.is_explicit() && !pool)
    throw UsageError("--no-normalise is for samples of your own; made-up ones always have rows of norm sqrt(d)");
}

std::vector<Index> sizes(const std::string& given, const char* flag, std::optional<Index> own, const char* otherwise) {
  if (!given.empty()) return parse_sizes(given, flag);
  return own ? std::vector{*own} : parse_sizes(otherwise, flag);
}

}  // namespace

void add_labelled_data_options(CLI::App& command, LabelledDataOptions& options) {
  command.add_option("--n", options.n, "Context lengths, comma-separated (default: 40, or that of your samples)");
  command.add_option("--d", options.d, "Embedding dimensions, comma-separated (default: 256, or that of your samples)");
  command.add_option("--train-size", options.training_size, "Numbers N of training samples (default: 100)");
  command.add_option("--data", options.data,
                     "sphere, or spiked:A with a shared direction of weight A (default: spiked:0.3)");
  command.add_option("--label-rule", options.label_rule,
                     "Labels of made-up samples: halfspace (the side of a random plane) or coin (default: halfspace)");
  command.add_option("--pool", options.pool, "Your samples to draw from, samples x n x d as .npy");
  command.add_option("--labels", options.labels, "Their labels, 1 or -1, as .npy");
  command.add_option("--x-train", options.x_train, "The training samples themselves, N x n x d as .npy");
  command.add_option("--y-train", options.y_train, "Their labels, 1 or -1, as .npy");
  command.add_option("--x", options.x, "The new sample, n x d as .npy");
  command.add_option("--y", options.y, "Its label, 1 or -1");
  command.add_flag("--no-normalise", options.no_normalise,
                   "Keep the rows of your samples as they are instead of scaling them to sqrt(d)");
}

LabelledDataChoice choose_labelled_data(const LabelledDataOptions& options, std::uint64_t seed) {
  check(options);
  LabelledDataChoice choice;
  if (options.is_explicit()) {
    choice.source = read_explicit(options);
  } else if (!options.pool.empty() || !options.labels.empty()) {
    choice.source = read_pool(options, seed);
  } else {
    const std::string data = options.data.empty() ? kDefaultData : options.data;
    const std::string rule = options.label_rule.empty() ? kDefaultRule : options.label_rule;
    choice.source = synthetic_labelled_source(data, rule, seed);
    if (options.data.empty())
      choice.remark = fmt::format("data: {} (choose with --data, --label-rule)", choice.source->name());
  }
  choice.n = sizes(options.n, "--n", choice.source->own_n(), kDefaultN);
  choice.d = sizes(options.d, "--d", choice.source->own_d(), kDefaultD);
  choice.training_sizes =
      sizes(options.training_size, "--train-size", choice.source->own_training_size(), kDefaultTrainingSize);
  return choice;
}

}  // namespace wordsway::app
