#include "commands/commands.h"

#include <CLI/CLI.hpp>

namespace wordsway::app {

void add_commands(CLI::App& app) {
  add_measure_command(app);
  add_generalize_command(app);
  add_report_command(app);
  add_reproduce_command(app);
  add_words_command(app);
  add_substitute_command(app);
  add_pairs_command(app);
  add_serve_command(app);
  add_generate_command(app);
  add_answers_command(app);
  add_layers_command(app);
  add_tokenize_command(app);
  add_embed_command(app);
  add_attention_command(app);
  add_fill_command(app);
  add_info_command(app);
  add_list_command(app);
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
}

bool is_shared(const std::string& command) {
  for (const char* shared : {"measure", "generalize", "reproduce", "words", "substitute", "attention"})
    if (command == shared) return true;
  return false;
}

}  // namespace wordsway::app
