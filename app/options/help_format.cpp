#include "options/help_format.h"

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "system/terminal.h"
#include "wordsway/core/text_layout.h"

namespace wordsway::app {
namespace {

constexpr size_t kNameColumn = 28, kNarrowestDescription = 30;

// Names that are too long for their column have a line of their own.
std::string in_two_columns(const std::string& name, const std::string& description) {
  const auto width = std::max(static_cast<size_t>(line_width(STDOUT_FILENO)), kNameColumn + kNarrowestDescription);
  const auto lines = wrapped(description, width - kNameColumn);
  const bool fits = width_of(name) + 4 <= kNameColumn;
  std::string result = fits ? fmt::format("  {:<{}}{}\n", name, kNameColumn - 2, lines.front())
                            : fmt::format("  {}\n{:{}}{}\n", name, "", kNameColumn, lines.front());
  for (size_t k = 1; k < lines.size(); ++k) result += fmt::format("{:{}}{}\n", "", kNameColumn, lines[k]);
  return result;
}

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return in_two_columns(make_option_name(option, is_positional) + (is_positional ? "" : make_option_opts(option)),
                          make_option_desc(option));
  }

  // The kind of value. Its range is mentioned when a value is refused.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const std::string kind = option->get_type_name();
    return " " + kind.substr(0, kind.find(':'));
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (option->get_required()) text += " (required)";
    const std::string standard = option->get_default_str();
    return standard.empty() ? text : fmt::format("{} [{}]", text, standard);
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return in_two_columns(command->get_name(), command->get_description());
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() {
  auto format = std::make_shared<HelpFormat>();
  format->label("Positionals", "Arguments");
  format->label("SUBCOMMAND", "COMMAND");
  return format;
}

}  // namespace wordsway::app
