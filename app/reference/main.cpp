// wordsway_reference FOLDER: writes man pages, shell completion and the pages of the commands below FOLDER.
#include <exception>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "reference/reference.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/run/machine.h"

int main(int argc, char** argv) try {
  using namespace wordsway;
  if (argc != 2) {
    fmt::print(stderr, "usage: wordsway_reference FOLDER\n");
    return 2;
  }
  CLI::App commands;
  app::add_commands(commands);
  for (const auto& files :
       {app::man_pages(commands, version()), app::completions(commands), app::command_pages(commands)})
    for (const app::ReferenceFile& file : files) {
      const std::filesystem::path path = std::filesystem::path(argv[1]) / file.path;
      std::filesystem::create_directories(path.parent_path());
      write_file_atomically(path, file.text);
    }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "wordsway_reference: {}\n", error.what());
  return 4;
}
