// Reference pages: man pages, shell completion and documentation of the commands, all read from the command line
// itself, so that they agree with --help.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wordsway::app {

struct OptionEntry {
  std::vector<std::string> names;  // "-m", "--model"; for an argument only its name, "TEXT"
  std::string value;               // the kind of value, "TEXT" or "INT"; empty for a flag
  std::string description;         // with its default
  std::vector<std::string> choices;
  bool takes_many = false;  // an argument that may be given several times
};

struct CommandEntry {
  std::string name, summary, epilogue;  // the epilogue is text in lines of its own: columns and examples
  std::vector<OptionEntry> arguments, options;
};

/// The commands in the order of --help.
std::vector<CommandEntry> commands_of(const CLI::App& app);

struct ReferenceFile {
  std::string path;  // below the folder they are written to
  std::string text;
};

/// man1/wordsway.1 and man1/wordsway-COMMAND.1.
std::vector<ReferenceFile> man_pages(const CLI::App& app, const std::string& version);

/// Files for bash, zsh and fish, named as each shell expects them.
std::vector<ReferenceFile> completions(const CLI::App& app);

/// commands/COMMAND.md, and commands/README.md with a table of them.
std::vector<ReferenceFile> command_pages(const CLI::App& app);

}  // namespace wordsway::app
