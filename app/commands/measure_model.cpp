#include "commands/measure_model.h"

#include <fmt/format.h>

#include "commands/study_command.h"
#include "options/model.h"
#include "options/numbers.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/model_study.h"
#include "wordsway/study/study_tables.h"

namespace wordsway::app {
namespace {

ModelStudyConfig make_config(const ModelMeasureOptions& options) {
  if (!options.data.x.empty() || !options.data.data.empty() || !options.data.d.empty())
    throw UsageError("with a model as the map, data are texts: --x, --data and --d have no meaning");
  const Model model = open_model(options.data.model, options.device);
  const TextOptions& texts = options.data.texts;
  const std::string name = texts.input.empty() ? fmt::format("{}", fmt::join(texts.texts, " | ")) : texts.input;
  const PromptedOutput ask = prompted_output(model, options.output, options.prompt, options.common);
  ModelStudyConfig config{model.transformer,
                          encode_corpus(model, name, read_texts(texts, *model.tokenizer, options.search.seed),
                                        options.common, {.prompt = ask.prompt})};
  config.layer = options.output.layer;
  config.output = ask.output;
  if (!options.data.n.empty()) config.n = parse_sizes(options.data.n, "--n");
  const bool from_corpus = !options.data.texts.input.empty();
  config.trials = options.search.trials;
  if (!config.trials && from_corpus) config.trials = 10;
  config.token = options.token;
  config.typical = options.typical;
  config.search = options.search.sensitivity();
  config.search.radius = options.radius.radius();
  config.seed = options.search.seed;
  return config;
}

// What ‖Δ‖ should be compared with.
void say_row_norms(const ModelStudyConfig& config, const CommonOptions& common) {
  const MatrixF x = config.transformer->embed(config.texts.ids(0));
  const Vector norms = x.cast<double>().rowwise().norm();
  say(common, fmt::format("embedding rows of the first text have norms {:.3g} to {:.3g}; sqrt(d) = {:.3g}",
                          norms.minCoeff(), norms.maxCoeff(), std::sqrt(static_cast<double>(x.cols()))));
}

}  // namespace

void measure_model(const ModelMeasureOptions& options) {
  ModelStudyConfig config = make_config(options);
  Vector delta;
  const bool wants_delta = !options.delta_out.empty();
  if (wants_delta) config.observe = [&](const Vector& found) { delta = found; };
  const ModelStudy study(config);
  if (wants_delta && study.size() != 1)
    throw UsageError(fmt::format("--delta-out needs a single result; this asks for {}", study.size()));
  say_row_norms(config, options.common);
  const auto result = wants_delta
                          ? run_single_command(study, options.study, options.common, [&] { return delta.size() > 0; })
                          : run_study_command(study, options.study, options.common);
  if (!result) return;
  if (wants_delta) write_npy(options.delta_out, delta);
  StudyOutput output{study.config(), result->rows, fit_curves(result->rows)};
  output.single = study.size() == 1;
  print_out(format_study(output, options.common.format));
}

}  // namespace wordsway::app
