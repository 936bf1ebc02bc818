// wordsway list: what there is.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "output/rows.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway::app {
namespace {

struct ListOptions {
  CommonOptions common;
  std::string what = "maps";
  bool long_form = false;
};

void print_pages(const MapRegistry& maps) {
  for (const std::string& name : maps.names())
    fmt::print("{}: {}\n\n{}\n\n", name, maps.get(name).summary, maps.get(name).description);
}

void list_maps(const ListOptions& options) {
  const MapRegistry& maps = map_registry();
  if (options.long_form && options.common.format == "table") return print_pages(maps);
  std::vector<Record> rows;
  for (const std::string& name : maps.names()) {
    rows.push_back({{"map", name}, {"summary", maps.get(name).summary}});
    if (options.long_form) rows.back().set("description", maps.get(name).description);
  }
  fmt::print("{}", format_rows(rows, options.common.format));
}

void list_figures(const ListOptions& options) {
  std::vector<Record> rows;
  for (const std::string& name : figure_names()) {
    const FigureEntry& figure = figure_registry().get(name);
    rows.push_back({{"figure", name}, {"title", figure.title}});
    if (options.long_form) rows.back().set("statement", figure.statement);
  }
  fmt::print("{}", format_rows(rows, options.common.format));
}

}  // namespace

void add_list_command(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "What there is: maps, figures");
  command->add_option("WHAT", options->what, "maps or figures")
      ->check(CLI::IsMember({"maps", "figures"}))
      ->capture_default_str();
  command->add_flag("--long", options->long_form, "Each with its page: formula, parameters, bound, cost");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway list maps\n"
               "  wordsway list maps --long");
  command->callback([options] { options->what == "maps" ? list_maps(*options) : list_figures(*options); });
}

}  // namespace wordsway::app
