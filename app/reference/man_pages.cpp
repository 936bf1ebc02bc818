// Man pages in the macros of man(7).
#include <fmt/format.h>

#include "reference/reference.h"

namespace wordsway::app {
namespace {

// Text of a line: a hyphen is one that can be copied into a shell, and a line may begin with a dot.
std::string escaped(const std::string& text) {
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    const bool begins_line = k == 0 || text[k - 1] == '\n';
    if (begins_line && (text[k] == '.' || text[k] == '\'')) result += "\\&";
    if (text[k] == '\\')
      result += "\\e";
    else if (text[k] == '-')
      result += "\\-";
    else
      result += text[k];
  }
  return result;
}

std::string heading(const std::string& page, const std::string& version) {
  std::string title;
  for (const char letter : page) title += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return fmt::format("'\\\" -*- coding: utf-8 -*-\n.TH \"{}\" 1 \"\" \"wordsway {}\" \"wordsway\"\n", escaped(title),
                     escaped(version));
}

std::string name_section(const std::string& page, const std::string& summary) {
  return fmt::format(".SH NAME\n{} \\- {}\n", escaped(page), escaped(summary));
}

std::string listed(const char* title, const std::vector<OptionEntry>& options) {
  if (options.empty()) return "";
  std::string result = fmt::format(".SH {}\n", title);
  for (const OptionEntry& option : options) {
    std::string names;
    for (const std::string& name : option.names)
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
    const bool is_argument = !option.names.front().starts_with('-');
    if (!option.value.empty() && !is_argument) names += fmt::format(" \\fI{}\\fR", escaped(option.value));
    result += fmt::format(".TP\n{}\n{}\n", names, escaped(option.description));
  }
  return result;
}

std::string as_it_stands(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n.EX\n{}\n.EE\n", title, escaped(text));
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\nEverything was done.\n"
    ".TP\n1\nEverything was done, and a verdict or a limit that was asked for does not hold.\n"
    ".TP\n2\nThe call is wrong.\n"
    ".TP\n3\nA model or data cannot be used.\n"
    ".TP\n4\nA file or the system refused.\n"
    ".TP\n130\nInterrupted; a journal can be continued by the same command.\n";

std::string page_of(const CommandEntry& command, const std::string& version) {
  const std::string page = "wordsway-" + command.name;
  std::string usage = fmt::format(".SH SYNOPSIS\n\\fBwordsway {}\\fR [\\fIOPTIONS\\fR]", escaped(command.name));
  for (const OptionEntry& argument : command.arguments)
    usage += fmt::format(" [\\fI{}\\fR{}]", escaped(argument.names.front()), argument.takes_many ? "..." : "");
  const size_t examples = command.epilogue.find("Examples:\n");
  const std::string notes = command.epilogue.substr(0, examples);
  const std::string shown = examples == std::string::npos ? "" : command.epilogue.substr(examples + 10);
  return heading(page, version) + name_section(page, command.summary) + usage + "\n" +
         listed("ARGUMENTS", command.arguments) + listed("OPTIONS", command.options) +
         as_it_stands("NOTES", notes.substr(0, notes.find_last_not_of('\n') + 1)) + as_it_stands("EXAMPLES", shown) +
         kExitStatus + ".SH SEE ALSO\n\\fBwordsway\\fR(1)\n";
}

std::string front_page(const std::vector<CommandEntry>& commands, const std::string& version) {
  std::string result = heading("wordsway", version) +
                       name_section("wordsway", "how far one changed word can move a representation") +
                       ".SH SYNOPSIS\n\\fBwordsway\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
  for (const CommandEntry& command : commands)
    result += fmt::format(".TP\n\\fBwordsway\\-{}\\fR(1)\n{}\n", escaped(command.name), escaped(command.summary));
  return result + kExitStatus;
}

}  // namespace

std::vector<ReferenceFile> man_pages(const CLI::App& app, const std::string& version) {
  const std::vector<CommandEntry> commands = commands_of(app);
  std::vector<ReferenceFile> files{{"man1/wordsway.1", front_page(commands, version)}};
  for (const CommandEntry& command : commands)
    files.push_back({fmt::format("man1/wordsway-{}.1", command.name), page_of(command, version)});
  return files;
}

}  // namespace wordsway::app
