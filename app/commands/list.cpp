// wordsway list: what there is.
#include <memory>

#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "shell/builtin_models.h"
#include "shell/figure_input.h"
#include "shell/program_command.h"
#include "system/streams.h"
#include "wordsway/ask/list_questions.h"
#include "wordsway/audit/chat_template.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/io/row_text.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway::app {
namespace {

struct ListRequest {
  std::string what = "maps";
  bool long_form = false;

  static void describe(Fields<ListRequest>& fields) {
    fields
        .choice("list", &ListRequest::what,
                {"maps", "questions", "figures", "data", "models", "corpora", "presets", "templates"},
                "What to list: maps, questions, figures, data, models, corpora, presets or templates")
        .argument("WHAT");
    fields.flag("long", &ListRequest::long_form, "Show the page of each: formula, parameters, bound, cost");
  }
};

struct ListOptions : ListRequest {
  CommonOptions common;
};

void print_pages(const MapRegistry& maps) {
  for (const std::string& name : maps.names())
    print_out(fmt::format("{}: {}\n\n{}\n\n", name, maps.get(name).summary, maps.get(name).page()));
}

void list_maps(const ListOptions& options) {
  const MapRegistry& maps = map_registry();
  if (options.long_form && options.common.format == "table") return print_pages(maps);
  std::vector<Record> rows;
  for (const std::string& name : maps.names()) {
    rows.push_back({{"map", name}, {"summary", maps.get(name).summary}});
    if (options.long_form) rows.back().set("description", maps.get(name).page());
  }
  print_out(format_rows(rows, options.common.format));
}

void list_figures(const ListOptions& options) {
  FigureSetting setting;
  add_builtin_models(setting);
  std::vector<Record> rows;
  for (const std::string& name : figure_names()) {
    if (const std::string why = why_left_out(name, setting); !why.empty()) {
      say(options.common, why);
      continue;
    }
    const FigureEntry& figure = figure_registry().get(name);
    rows.push_back({{"figure", name}, {"title", figure.title}});
    if (options.long_form) rows.back().set("statement", figure.statement);
  }
  print_out(format_rows(rows, options.common.format));
}

// The folder of a built-in model, or a sentence that it is missing.
std::string builtin_place(const std::string& name) {
  try {
    return builtin_model_folder(builtin_folder_named(name)).string();
  } catch (const FileError& nowhere) {
    return nowhere.what();
  }
}

void list_models(const ListOptions& options) {
  const auto shipped = [](const std::string& name, const std::string& what) {
    return Record{{"model", fmt::format("-m {}", name)},
                  {"kind", "ships with wordsway"},
                  {"summary", what + ": " + builtin_place(name)}};
  };
  std::vector<Record> rows{shipped(kBuiltinEncoder, "a small BERT trained on film reviews (IMDb)"),
                           shipped(kBuiltinDecoder, "a small Llama that answers questions about film reviews")};
  for (const std::string& name : normaliser_models())  // a package may leave them out
    if (has_builtin_model("builtin-" + name))
      rows.push_back(shipped("builtin-" + name, "a tiny BERT of the figure trained-normalisers"));
  for (const std::string& name : architecture_registry().names())
    rows.push_back({{"model", "-m FOLDER"},
                    {"kind", "model_type " + name},
                    {"summary", architecture_registry().get(name).summary}});
  rows.push_back({{"model", "-m FILE.gguf"},
                  {"kind", "GGUF file"},
                  {"summary", enumerate(gguf_titles(), "or") + " as llama.cpp stores them, quantised or not"}});
  print_out(format_rows(rows, options.common.format));
}

void list_corpora(const ListOptions& options) {
  const auto row = [](const char* corpus, const char* holds) { return Record{{"corpus", corpus}, {"texts", holds}}; };
  const std::vector<Record> rows{
      row("--data builtin", "film reviews written by us, labelled, as many as asked for; nothing to download"),
      row("-i FILE.txt", "one text per line"),
      row("-i FILE.csv, FILE.tsv", "one text per row: --column (text), --label-column (y or label)"),
      row("-i FILE.jsonl, FILE.ndjson", "one object per line: text, y, id"),
      row("-i FOLDER", "aclImdb as downloaded: train and test, pos (+1) and neg (-1)"),
      row("-i FILE.*.gz, FILE.*.xz", "any of the files above, compressed"),
      row("-i -", "standard input: JSON Lines when its first line is an object with a text, else lines")};
  print_out(format_rows(rows, options.common.format));
}

void list_data(const ListOptions& options) {
  std::vector<Record> rows{{{"data", "builtin"}, {"summary", "film reviews written by us, as a model embeds them"}}};
  const std::vector<std::string> laws = law_registry().names(), names = law_names();
  for (size_t k = 0; k < laws.size(); ++k)
    rows.push_back({{"data", names[k]}, {"summary", law_registry().get(laws[k]).summary}});
  print_out(format_rows(rows, options.common.format));
}

void list_presets(const ListOptions& options) {
  std::vector<Record> rows;
  for (const ThresholdPreset& preset : threshold_presets())
    rows.push_back({{"preset", preset.name},
                    {"threshold", preset.threshold},
                    {"unit", to_string(preset.unit)},
                    {"cosine", cosine_of_threshold(preset.threshold, preset.unit)},
                    {"system", preset.system}});
  print_out(format_rows(rows, options.common.format));
}

void list_templates(const ListOptions& options) {
  std::vector<Record> rows;
  for (const std::string& name : chat_template_names())
    rows.push_back({{"template", name}, {"text", describe_chat_template(parse_chat_template(name))}});
  print_out(format_rows(rows, options.common.format));
}

void list_questions_of(const ListOptions& options) {
  if (options.common.format == "json") return print_out(list_questions());
  std::vector<Record> rows;
  for (const std::string& name : question_names())
    rows.push_back({{"question", name}, {"summary", question_registry().get(name)->guide().summary}});
  print_out(format_rows(rows, options.common.format));
}

void list(const ListRequest& request, const CommonOptions& common) {
  const ListOptions options{request, common};
  if (options.what == "maps") return list_maps(options);
  if (options.what == "questions") return list_questions_of(options);
  if (options.what == "figures") return list_figures(options);
  if (options.what == "data") return list_data(options);
  if (options.what == "models") return list_models(options);
  if (options.what == "corpora") return list_corpora(options);
  options.what == "presets" ? list_presets(options) : list_templates(options);
}

}  // namespace

void add_list_command(CLI::App& app) {
  Guide guide;
  guide.summary =
      "List the maps, questions, figures, data, models, corpora, threshold presets or chat templates there are";
  guide.examples =
      "  wordsway list maps\n"
      "  wordsway list maps --long\n"
      "  wordsway list questions --format json";
  add_program_command<ListRequest>(app, "list", guide, list);
}

}  // namespace wordsway::app
