// wordsway info: what a model holds.
#include <memory>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "system/streams.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

struct InfoOptions {
  CommonOptions common;
  std::string folder, model;
};

// Prompts are an object of names and texts there, which a row has no value for.
std::string as_json(const Model& model, const Record& record) {
  Record prompts, others;
  for (const auto& [name, text] : model.sentence.prompts) prompts.set(name, text);
  for (const auto& [name, value] : record.fields())
    if (name != "prompts") others.set(name, value);
  std::string object = to_json(others);
  object.pop_back();
  return object + ", \"prompts\": " + to_json(prompts) + "}\n";
}

void info(const InfoOptions& options) {
  const Model model = open_model(options.folder.empty() ? options.model : options.folder);
  const Record record = describe_model(model);
  if (options.common.format == "json") {
    print_out(as_json(model, record));
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
  CLI::App* command = app.add_subcommand("info", "What a model folder or GGUF file holds");
  command->add_option("DIR", options->folder, "The model folder, or FILE.gguf (without it: that of -m)");
  add_model_option(*command, options->model);
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway info MODEL\n"
               "  wordsway info FILE.gguf --format json");
  command->callback([options] { info(*options); });
}

}  // namespace wordsway::app
