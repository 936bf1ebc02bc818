// wordsway info: what a model folder holds.
#include <memory>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "output/rows.h"
#include "system/streams.h"
#include "wordsway/io/json.h"

namespace wordsway::app {
namespace {

struct InfoOptions {
  CommonOptions common;
  std::string folder, model;
};

std::string describe(const Pooling& pooling) {
  return std::string(pooling.kind == Pooling::Kind::kCls ? "cls" : "mean") + (pooling.normalise ? ", normalised" : "");
}

Record describe(const LoadedModel& model) {
  const ModelConfig& config = model.transformer->config();
  return {{"model", model.transformer->name()},
          {"architecture", config.architecture},
          {"layers", static_cast<std::int64_t>(config.layers)},
          {"d", static_cast<std::int64_t>(config.hidden_size)},
          {"heads", static_cast<std::int64_t>(config.attention.heads)},
          {"feed_forward", static_cast<std::int64_t>(config.feed_forward_size)},
          {"vocabulary", static_cast<std::int64_t>(config.vocabulary)},
          {"most_tokens", static_cast<std::int64_t>(model.most_tokens())},
          {"parameters", static_cast<std::int64_t>(model.transformer->parameters())},
          {"tokenizer", std::string(model.tokenizer->kind())},
          {"pooling", describe(model.transformer->pooling())},
          {"predicts_words", model.transformer->predicts_words()}};
}

void info(const InfoOptions& options) {
  const Record record = describe(load_model(options.folder.empty() ? options.model : options.folder));
  if (options.common.format == "json") {
    print_out(to_json(record) + "\n");
  } else if (options.common.format == "table") {
    std::vector<Record> lines;
    for (const auto& [name, value] : record.fields()) lines.push_back({{"what", name}, {"value", value}});
    print_out(to_table(lines));
  } else {
    print_out(format_rows({record}, options.common.format));
  }
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "What a model folder holds");
  command->add_option("DIR", options->folder, "The folder");
  add_model_option(*command, options->model);
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway info MODEL\n"
               "  wordsway info MODEL --format json");
  command->callback([options] { info(*options); });
}

}  // namespace wordsway::app
