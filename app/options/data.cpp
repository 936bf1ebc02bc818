#include "options/data.h"

#include <CLI/CLI.hpp>

#include "options/default_data.h"
#include "options/lists.h"
#include "options/model.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"
#include "wordsway/study/embedding_source.h"
#include "wordsway/study/review_source.h"

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
  const LoadedModel model = load_model(options.model);
  const std::vector<LabelledText> texts = read_texts(options.texts, *model.tokenizer, seed);
  const std::string name = options.texts.input.empty() ? "texts" : options.texts.input;
  DataChoice choice;
  choice.source = embedding_source(model.encoder, encode_corpus(model, name, texts, common), !options.no_normalise);
  choice.n = options.n.empty() ? std::vector{*choice.source->own_n()} : parse_sizes(options.n, "--n");
  choice.d = options.d.empty() ? std::vector{*choice.source->own_d()} : parse_sizes(options.d, "--d");
  return choice;
}

}  // namespace

void add_data_options(CLI::App& command, DataOptions& options) {
  command.add_option("--n", options.n, "Context lengths, comma-separated (default: 100, or that of --x)");
  command.add_option("--d", options.d, "Embedding dimensions, comma-separated (default: 256, or that of --x)");
  command.add_option("--data", options.data,
                     "builtin (film reviews that come with wordsway, through the embedding of the built-in model or of "
                     "-m), sphere, or spiked:A with a shared direction of weight A (default: builtin up to n = 512 and "
                     "d = 256, else spiked:0.3)");
  command.add_option("--x", options.x, "Your samples, n x d or samples x n x d, as .npy");
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
  const LoadedModel model = load_model(options.model.empty() ? "builtin" : options.model);
  choice.source = review_source(model.encoder, model.tokenizer, seed);
  if (options.d.empty()) choice.d = {*choice.source->own_d()};
  return choice;
}

}  // namespace wordsway::app
