// wordsway generate: what a decoder writes after a prompt.
#include "wordsway/audit/generate.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "commands/commands.h"
#include "options/common.h"
#include "options/generation.h"
#include "options/model.h"
#include "options/texts.h"
#include "system/signals.h"
#include "system/streams.h"
#include "wordsway/audit/answers.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

struct GenerateCommand {
  CommonOptions common;
  TextOptions prompts;
  std::string model;
  Device device;
  GenerateOptions generate;

  bool on_terminal() const { return common.format == "table" && isatty(STDOUT_FILENO) != 0; }
};

std::vector<LabelledText> prompts_of(const GenerateCommand& options) {
  if (options.prompts.texts.empty() && options.prompts.input.empty())
    return {{builtin_prompts().first, std::nullopt, "0"}};
  return read_texts(options.prompts);
}

// A row for reading: numbers of tokens instead of their ids.
Record table_row(const std::string& prompt, const Generation& found) {
  return {{"prompt", prompt},
          {"text", found.text},
          {"tokens", static_cast<std::int64_t>(found.ids.size())},
          {"finished", found.finished},
          {"seconds", found.seconds},
          {"tokens_per_second", optional_value(found.tokens_per_second)}};
}

Record full_row(const std::string& prompt, const Generation& found, const Device& device) {
  Record row{{"prompt", prompt}};
  row.merge(row_of(found));
  row.merge(fields_of(device));
  return row;
}

// Rows of prompts that are answered one after the other. JSON Lines and CSV are written as they come.
class GeneratedRows {
 public:
  GeneratedRows(std::string format, size_t prompts, const Device& device)
      : format_(std::move(format)), prompts_(prompts), device_(device) {}

  void add(const std::string& prompt, const Generation& found) {
    if (format_ == "table") return rows_.push_back(table_row(prompt, found));
    rows_.push_back(full_row(prompt, found, device_));
    if (format_ == "json") return;
    const std::string lines = format_rows(rows_, format_);
    print_out(format_ == "csv" && has_header_ ? lines.substr(lines.find('\n') + 1) : lines);
    has_header_ = true;
    rows_.clear();
  }

  // One prompt is its object, several are a list.
  void finish() const {
    if (format_ == "json" && prompts_ == 1 && rows_.size() == 1) return print_out(to_json(rows_.front()) + "\n");
    if (format_ == "json" || format_ == "table") print_out(format_rows(rows_, format_));
  }

 private:
  std::string format_;
  size_t prompts_;
  Device device_;
  std::vector<Record> rows_;
  bool has_header_ = false;
};

void say_cut(const Model& model, const Generation& found, size_t prompt, const CommonOptions& common) {
  if (found.prompt_cut)
    say(common, fmt::format("prompt {} (counted from 0) was cut to the {} tokens that {} has positions for", prompt,
                            found.prompt_ids.size(), model.transformer->name()));
}

// The prompt and, as it is made, what comes after it.
Generation show(const Model& model, const std::string& prompt, size_t number, const GenerateCommand& options) {
  GenerateOptions ask = options.generate;
  const bool shown = options.on_terminal();
  ask.on_text = [&](std::string_view more) {
    if (shown) print_out(more);
    return !interrupted();
  };
  if (shown) print_out((number > 0 ? "\n" : "") + prompt + (ask.chat_template == ChatTemplate::kNone ? "" : "\n\n"));
  Generation found = generate(model, prompt, ask);
  if (shown) print_out("\n");
  if (shown && found.tokens_per_second)
    say(options.common, fmt::format("{} tokens, {:.3g} tokens per second{}", found.ids.size(), *found.tokens_per_second,
                                    found.finished ? "; the text ended" : ""));
  return found;
}

void run_generate(const GenerateCommand& options) {
  options.generate.check();
  const auto prompts = prompts_of(options);
  const Model model = open_decoder(options.model, options.device);
  GeneratedRows rows(options.common.format, prompts.size(), options.device);
  bool given_up = false;
  size_t done = 0;
  {
    const InterruptGuard guard("ending the text after the next token");
    for (; done < prompts.size() && !given_up; ++done) {
      const std::string& prompt = prompts[done].text;
      const Generation found = show(model, prompt, done, options);
      say_cut(model, found, done, options.common);
      if (!options.on_terminal()) rows.add(prompt, found);
      given_up = interrupted();
    }
  }
  if (!options.on_terminal()) rows.finish();
  if (given_up) throw Interrupted(fmt::format("interrupted at prompt {} of {}", done, prompts.size()));
}

}  // namespace

void add_generate_command(CLI::App& app) {
  auto options = std::make_shared<GenerateCommand>();
  CLI::App* command = app.add_subcommand("generate", "What a decoder writes after a prompt");
  command
      ->add_option("PROMPT", options->prompts.texts,
                   "Prompts, each in quotes as one argument (without them: those of -i, else a built-in question "
                   "about a film)")
      ->delimiter('\0');
  add_corpus_options(*command, options->prompts);
  add_decoder_option(*command, options->model);
  add_device_options(*command, options->device);
  add_generation_options(*command, options->generate);
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway generate\n"
               "  wordsway generate \"The film was\" --max-new-tokens 20\n"
               "  wordsway generate \"Was the film good?\" -m MODEL --template chatml --stop $'\\n'\n"
               "  wordsway generate -i prompts.txt -m MODEL --temperature 0.8 --top-p 0.9 \\\n"
               "      --format jsonl > texts.jsonl",
               "The text ends at the model's end-of-text token (generation_config.json, else\n"
               "config.json, else the tokenizer), at a --stop text, or after --max-new-tokens;\n"
               "`finished` is true for the first two. tokens_per_second counts the tokens after\n"
               "the first, from when that was chosen: reading the prompt is not in it. The same\n"
               "seed gives the same text with any number of threads. On a terminal the text\n"
               "appears as it is made; Ctrl-C ends it and keeps what there is.");
  command->callback([options] { run_generate(*options); });
}

}  // namespace wordsway::app
